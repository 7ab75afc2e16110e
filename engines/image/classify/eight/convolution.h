// Convolutions of 3×3, in floats but where a product of bytes is used.

// dot3 is 3 pixels of a line times their weights, those outside left out.
INLINE __m512 dot3(__m512 v, const float *line, int c, const __m512 *k, int first, int last) {
	if (first) v = _mm512_fmadd_ps(_mm512_loadu_ps(line), k[0], v);
	v = _mm512_fmadd_ps(_mm512_loadu_ps(line + c), k[1], v);
	return last ? _mm512_fmadd_ps(_mm512_loadu_ps(line + 2 * c), k[2], v) : v;
}

// dw is what depthwise convolves with: 3×3 weights of each channel, [9][c]. before, 0 or 1, says how many pixels
// lie outside before the first.
typedef struct { int c, stride, before; const float *w, *bias; } dw;

// depthwise_row is one row of a convolution of each of n channels from from on: lines are the three that it sees,
// each with a pixel every pitch floats, beginning at that channel. It gives floats, or where bytes says so what
// they are in bytes, those below 0 as 0, a pixel every d->c of either.
INLINE void depthwise_row(const dw *d, int from, int n, const float *const *lines, int width, int pitch, void *out, int columns, int bytes) {
	for (int c = 0; c < n; c += 16) {
		__m512 k[9], b = _mm512_loadu_ps(d->bias + from + c), zero = _mm512_setzero_ps();
		for (int i = 0; i < 9; i++) k[i] = _mm512_loadu_ps(d->w + (size_t)i * d->c + from + c);
#define PUT(COL, FIRST, LAST) do { \
		ptrdiff_t at = ((ptrdiff_t)(COL) * d->stride - d->before) * pitch + c; \
		size_t to = (size_t)(COL) * d->c + from + c; \
		__m512 x = dot3(b, lines[0] + at, pitch, k, FIRST, LAST), y = dot3(zero, lines[1] + at, pitch, k + 3, FIRST, LAST), z = dot3(zero, lines[2] + at, pitch, k + 6, FIRST, LAST); \
		x = _mm512_add_ps(x, _mm512_add_ps(y, z)); \
		if (bytes) _mm_storeu_si128((__m128i *)((uint8_t *)out + to), _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(_mm512_max_ps(x, zero)))); \
		else _mm512_storeu_ps((float *)out + to, x); } while (0)
		int col = 0, end = columns;
		int beyond = (columns - 1) * d->stride - d->before + 2 >= width;
		if (d->before) { PUT(0, 0, 1); col = 1; }
		if (beyond) end--;
		for (; col < end; col++) PUT(col, 1, 1);
		if (beyond) PUT(end, 1, 0);
#undef PUT
	}
}

// depthwise is rows rows of such a convolution of a whole picture, from row first of what it gives on; zeros is a
// line of pixels outside.
static VNNI void depthwise(const dw *d, int side, const float *x, const float *zeros, int first, int rows, float *out) {
	int columns = side / d->stride;
	for (int y = first; y < first + rows; y++, out += (size_t)columns * d->c) {
		const float *lines[3];
		for (int i = 0; i < 3; i++) {
			int at = y * d->stride - d->before + i;
			lines[i] = at < 0 || at >= side ? zeros : x + (size_t)at * side * d->c;
		}
		depthwise_row(d, 0, d->c, lines, side, d->c, out, columns, 0);
	}
}

// patches lays out the 3×3 pixels that a row of a convolution with stride 2 sees, one patch after the other.
static void patches(const float *x, int height, int width, int c, int before, int y, float *out, int columns) {
	for (int col = 0; col < columns; col++)
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 3; j++, out += c) {
				int v = 2 * y - before + i, h = 2 * col - before + j;
				if (v < 0 || v >= height || h < 0 || h >= width) memset(out, 0, c * sizeof *out);
				else memcpy(out, x + ((size_t)v * width + h) * c, c * sizeof *out);
			}
}

// convolve is a convolution of 3×3 with stride 2 as a product of patches.
static VNNI void convolve(const product *p, const float *x, int height, int width, int c, int before, float *out, int rows, int columns, float *room, uint8_t *q) {
	for (int y = 0; y < rows; y++) {
		patches(x, height, width, c, before, y, room, columns);
		multiply_all(p, columns, room, 0, out + (size_t)y * columns * p->n, q);
	}
}

// axis is what each pixel that is shown takes along one: count weights of those from first on, first[i] and
// weight[count·i].
typedef struct { int count; const int32_t *first; const float *weight; } axis;

// show lays out side × side pixels of a picture of RGBA, pixel by pixel with a pixel of zeros around, each channel
// times mul, and add. left is the first column that is taken, width how many are; row is room for four floats each,
// and 16 more.
static VNNI void show(const uint8_t *pix, int pitch, const axis *across, const axis *down, int side, int left, int width,
                      const float *mul, const float *add, float *row, float *out) {
	__m128 by = _mm_setr_ps(mul[0], mul[1], mul[2], 0), plus = _mm_setr_ps(add[0], add[1], add[2], 0);
	int line = 3 * (side + 2);
	memset(out, 0, line * sizeof *out);
	memset(out + (size_t)(side + 1) * line, 0, line * sizeof *out);
	for (int y = 0; y < side; y++) {
		const uint8_t *from = pix + (size_t)down->first[y] * pitch + 4 * (size_t)left;
		const float *w = down->weight + (size_t)y * down->count;
		for (int x = 0; x < 4 * width; x += 16) {
			__mmask16 have = 4 * width - x < 16 ? (1 << (4 * width - x)) - 1 : -1;
			__m512 v = _mm512_setzero_ps();
			for (int i = 0; i < down->count; i++) {
				__m128i p = _mm_maskz_loadu_epi8(have, from + (size_t)i * pitch + x);
				v = _mm512_fmadd_ps(_mm512_set1_ps(w[i]), _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(p)), v);
			}
			_mm512_storeu_ps(row + x, v);
		}
		float *to = out + (size_t)(y + 1) * line;
		for (int x = 0; x < side; x++) {
			const float *px = row + 4 * (across->first[x] - left), *w = across->weight + (size_t)x * across->count;
			__m128 v = _mm_setzero_ps();
			for (int i = 0; i < across->count; i++) v = _mm_fmadd_ps(_mm_set1_ps(w[i]), _mm_loadu_ps(px + 4 * i), v);
			_mm_storeu_ps(to + 3 * x + 3, _mm_fmadd_ps(v, by, plus)); // the fourth is written over
		}
		memset(to, 0, 3 * sizeof *to);
		memset(to + line - 3, 0, 3 * sizeof *to);
	}
}

// first_row is a row of first: columns in fours, blocks of 16 channels.
INLINE void first_row(const float *x, int pitch, const float *w, const float *bias, int blocks, int act, float *out, int columns) {
	for (int col = 0; col < columns; col += 4) {
		__m512 v[4][3];
		for (int i = 0; i < 4; i++)
			for (int b = 0; b < blocks; b++) v[i][b] = _mm512_loadu_ps(bias + 16 * b);
		for (int r = 0; r < 3; r++)
			for (int t = 0; t < 9; t++) {
				const float *k = w + (size_t)(9 * r + t) * 16 * blocks, *px = x + (size_t)r * pitch + 6 * col + t;
				__m512 q[3];
				for (int b = 0; b < blocks; b++) q[b] = _mm512_loadu_ps(k + 16 * b);
				for (int i = 0; i < 4; i++)
					for (int b = 0; b < blocks; b++) v[i][b] = _mm512_fmadd_ps(_mm512_set1_ps(px[6 * i]), q[b], v[i][b]);
			}
		for (int i = 0; i < 4; i++)
			for (int b = 0; b < blocks; b++, out += 16) _mm512_storeu_ps(out, activated(v[i][b], act));
	}
}

// first is a convolution of 3×3 with stride 2 of what show made, in floats; w is [27][n], n 32 or 48. before says
// how many pixels of zeros lie before what it begins with.
static VNNI void first(const float *x, int side, int before, const float *w, const float *bias, int n, int act, float *out) {
	int pitch = 3 * (side + 2), half = side / 2;
	x += before ? 0 : pitch + 3;
	for (int y = 0; y < half; y++, x += 2 * pitch, out += (size_t)half * n) {
		if (n == 32) first_row(x, pitch, w, bias, 2, act, out, half);
		else first_row(x, pitch, w, bias, 3, act, out, half);
	}
}
