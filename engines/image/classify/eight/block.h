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

// local is twice's of what a convolution of each channel gives, and of x itself; line is room for BLOCK pixels.
static VNNI void local(const dw *d, const product *a, const product *b, int side, const float *x, float *out,
                       const float *zeros, float *line, float *between, uint8_t *q) {
	int rows = BLOCK / side;
	for (int y = 0; y < side; y += rows) {
		int n = side - y < rows ? side - y : rows;
		size_t at = (size_t)y * side * d->c;
		depthwise(d, side, x, zeros, y, n, line);
		multiply_twice(a, b, n * side, line, x + at, out + at, between, q);
	}
}

// whole is what inverted computes in: shown has bytes of what it is shown and ranges their scale and low, one after
// the other for as many pixels; seen has bytes of what each channel's convolution gives, ring some lines of SLICE
// channels.
typedef struct { uint8_t *shown, *seen; float *ranges, *ring; } whole;

// inverted is a block of MobileNetV2: more channels, where more isn't NULL, a convolution of each, fewer, and add.
// More channels are made some at a time, so that they stay in the cache. What ReLU6 gives is rounded in steps of
// 6/255; d's weights and biases are as many times as large as bytes are.
static VNNI void inverted(const product *more, const dw *d, const product *fewer, int side, const float *x, const float *add, float *out,
                          const float *zeros, whole r) {
	int columns = side / d->stride, pixels = side * side;
	float *scale = r.ranges, *low = r.ranges + pixels;
	if (more)
		for (int i = 0; i < pixels; i++) round_pixel(x + (size_t)i * more->k, more->k, r.shown + (size_t)i * more->k, scale + i, low + i);
	// Of a picture of few pixels all lines are made at once, else as they are seen.
	int at_once = pixels <= BLOCK ? side : 1, kept = pixels <= BLOCK ? side : 3;
	for (int from = 0; from < d->c; from += SLICE) {
		int n = d->c - from < SLICE ? d->c - from : SLICE, pitch = more ? SLICE : d->c, made = 0;
		for (int y = 0; y < columns; y++) {
			const float *lines[3];
			for (int i = 0; i < 3; i++) {
				int at = y * d->stride - d->before + i;
				if (at < 0 || at >= side) { lines[i] = zeros; continue; }
				if (!more) { lines[i] = x + (size_t)at * side * d->c + from; continue; }
				for (; made <= at; made += at_once) {
					int m = side * at_once, tiles = (m + TILE - 1) / TILE;
					float *line = r.ring + (size_t)(made % kept) * side * SLICE;
					for (int t = 0; t < tiles; t++) {
						int first = m * t / tiles, p = made * side + first;
						multiply_tile(more, m * (t + 1) / tiles - first, from, r.shown + (size_t)p * more->k, scale + p, low + p, 0, line + (size_t)first * SLICE, SLICE, ACT_RELU6, 0);
					}
				}
				lines[i] = r.ring + (size_t)(at % kept) * side * SLICE;
			}
			depthwise_row(d, from, n, lines, side, pitch, r.seen + (size_t)y * columns * d->c, columns, 1);
		}
	}
	float steps[BLOCK], none[BLOCK] = {0};
	for (int i = 0; i < BLOCK; i++) steps[i] = 6.f / 255;
	for (int at = 0; at < columns * columns; at += BLOCK) {
		int m = columns * columns - at < BLOCK ? columns * columns - at : BLOCK;
		size_t to = (size_t)at * fewer->n;
		multiply_rounded(fewer, m, r.seen + (size_t)at * d->c, steps, none, add ? add + to : 0, out + to);
	}
}
