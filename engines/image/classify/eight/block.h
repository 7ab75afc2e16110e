// What blocks of the two networks are made of besides: normalised pixels, means, and a whole block of MobileNetV2.

INLINE float root(float v) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(v))); }

// unit makes pixels as long as 1.
static VNNI void unit(float *x, int pixels, int c) {
	for (int p = 0; p < pixels; p++, x += c) {
		__m512 s = _mm512_setzero_ps();
		for (int i = 0; i < c; i += 16) { __m512 v = _mm512_loadu_ps(x + i); s = _mm512_fmadd_ps(v, v, s); }
		float length = root(_mm512_reduce_add_ps(s));
		__m512 by = _mm512_set1_ps(1 / (length > 1e-12f ? length : 1e-12f));
		for (int i = 0; i < c; i += 16) _mm512_storeu_ps(x + i, _mm512_mul_ps(_mm512_loadu_ps(x + i), by));
	}
}

// pooled is the sum of pixels, weighted by how they point along g, the weights as long as 1 together.
// room holds a float for each pixel.
static VNNI void pooled(const float *x, int pixels, int c, const float *g, float *room, float *out) {
	float all = 0;
	for (int p = 0; p < pixels; p++) {
		__m512 s = _mm512_setzero_ps();
		for (int i = 0; i < c; i += 16) s = _mm512_fmadd_ps(_mm512_loadu_ps(x + (size_t)p * c + i), _mm512_loadu_ps(g + i), s);
		room[p] = _mm512_reduce_add_ps(s);
		all += room[p] * room[p];
	}
	all = root(all);
	float inverse = 1 / (all > 1e-12f ? all : 1e-12f);
	for (int i = 0; i < c; i += 16) {
		__m512 s = _mm512_setzero_ps();
		for (int p = 0; p < pixels; p++) s = _mm512_fmadd_ps(_mm512_loadu_ps(x + (size_t)p * c + i), _mm512_set1_ps(room[p]), s);
		_mm512_storeu_ps(out + i, _mm512_mul_ps(s, _mm512_set1_ps(inverse)));
	}
}

// by_channel multiplies each channel of all pixels.
static VNNI void by_channel(float *x, int pixels, int c, const float *mul) {
	for (int p = 0; p < pixels; p++, x += c)
		for (int i = 0; i < c; i += 16) _mm512_storeu_ps(x + i, _mm512_mul_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(mul + i)));
}

// mean is that of each channel.
static VNNI void mean(const float *x, int pixels, int c, float *out) {
	for (int i = 0; i < c; i += 16) {
		__m512 s = _mm512_setzero_ps();
		for (int p = 0; p < pixels; p++) s = _mm512_add_ps(s, _mm512_loadu_ps(x + (size_t)p * c + i));
		_mm512_storeu_ps(out + i, _mm512_mul_ps(s, _mm512_set1_ps(1.f / pixels)));
	}
}

// dw is what depthwise convolves with.
typedef struct { int c, stride, before; const float *w, *bias; } dw;

// inverted is a block of MobileNetV2: more channels, where more isn't NULL, a convolution of each, fewer, and
// add. Of a large picture only the three lines of more channels that are seen are kept, in wide.
static VNNI void inverted(const product *more, const dw *d, const product *fewer, int side, const float *x, const float *add, float *out,
                          const float *zeros, float *wide, float *line, uint8_t *q) {
	int columns = side / d->stride, pitch = side * d->c;
	if (!more || (size_t)side * pitch <= KEPT) {
		if (more) multiply_all(more, side * side, x, 0, wide, q);
		depthwise(more ? wide : x, side, side, d->c, d->stride, d->before, d->w, d->bias, ACT_RELU6, zeros, line, columns, columns);
		multiply_all(fewer, columns * columns, line, add, out, q);
		return;
	}
	int made = 0;
	for (int y = 0; y < columns; y++) {
		const float *lines[3];
		for (int i = 0; i < 3; i++) {
			int at = y * d->stride - d->before + i;
			if (at < 0 || at >= side) { lines[i] = zeros; continue; }
			for (; made <= at; made++) multiply_all(more, side, x + (size_t)made * side * more->k, 0, wide + (size_t)(made % 3) * pitch, q);
			lines[i] = wide + (size_t)(at % 3) * pitch;
		}
		depthwise_row(lines, side, d->c, d->stride, d->before, d->w, d->bias, ACT_RELU6, line, columns);
		multiply_all(fewer, columns, line, add ? add + (size_t)y * columns * fewer->n : 0, out + (size_t)y * columns * fewer->n, q);
	}
}
