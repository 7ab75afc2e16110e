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

// patch makes bytes of the 3×3 pixels around one, those from column h on of the lines from v on, those outside 0.
INLINE step patch(const float *x, int height, int width, int c, int v, int h, const float *bottom, const float *top, uint8_t *to) {
	float lo = 0, hi = 0;
	int from = h < 0 ? 0 : h, until = h + 3 > width ? width : h + 3;
	for (int i = v < 0 ? 0 : v; i < v + 3 && i < height; i++)
		for (int j = from; j < until; j++) {
			float b = bottom[i * width + j], t = top[i * width + j];
			lo = b < lo ? b : lo, hi = t > hi ? t : hi;
		}
	step s = step_of(lo, hi);
	if (from > h || until < h + 3 || v < 0 || v + 3 > height) memset(to, (int)s.zero, 9 * c);
	for (int i = v < 0 ? 0 : v; i < v + 3 && i < height; i++)
		round_by(s, x + ((size_t)i * width + from) * c, (until - from) * c, to + (3 * (i - v) + from - h) * c);
	return s;
}

// convolve is a convolution of 3×3 with stride 2 as a product of patches; ranges is room for two floats a pixel.
static VNNI void convolve(const product *p, const float *x, int height, int width, int c, int before, float *out, int rows, int columns, float *ranges, uint8_t *q) {
	float *bottom = ranges, *top = ranges + (size_t)height * width, scale[BLOCK], low[BLOCK];
	for (int i = 0; i < height * width; i++) range_of(x + (size_t)i * c, c, bottom + i, top + i);
	for (int at = 0; at < rows * columns; at += BLOCK) {
		int m = rows * columns - at < BLOCK ? rows * columns - at : BLOCK;
		for (int i = 0; i < m; i++) {
			step s = patch(x, height, width, c, (at + i) / columns * 2 - before, (at + i) % columns * 2 - before, bottom, top, q + (size_t)i * p->k);
			scale[i] = s.scale, low[i] = s.low;
		}
		multiply_rounded(p, m, q, scale, low, 0, out + (size_t)at * p->n);
	}
}

// axis is what each pixel that is shown takes along one: count weights of those from first on, first[i] and
// weight[count·i].
typedef struct { int count; const int32_t *first; const float *weight; } axis;

// show lays out side × side pixels of a picture of RGBA in bytes, pixel by pixel with a pixel of beyond around. left
// is the first column that is taken, width how many are; row is room for four floats each, and 16 more.
static VNNI void show(const uint8_t *pix, int pitch, const axis *across, const axis *down, int side, int left, int width,
                      const uint8_t *beyond, float *row, uint8_t *out) {
	int line = 3 * (side + 2);
	for (int i = 0; i < line; i++) out[i] = out[(side + 1) * line + i] = beyond[i % 3];
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
		uint8_t *to = out + (size_t)(y + 1) * line;
		for (int x = 0; x < side; x++) {
			const float *px = row + 4 * (across->first[x] - left), *w = across->weight + (size_t)x * across->count;
			__m128 v = _mm_setzero_ps();
			for (int i = 0; i < across->count; i++) v = _mm_fmadd_ps(_mm_set1_ps(w[i]), _mm_loadu_ps(px + 4 * i), v);
			_mm_storeu_si32(to + 3 * x + 3, _mm_cvtusepi32_epi8(_mm_cvtps_epi32(v))); // the fourth is written over
		}
		for (int c = 0; c < 3; c++) to[c] = to[line - 3 + c] = beyond[c];
	}
}

enum { SEEN = 12 }; // bytes of a line that a pixel of first sees: three pixels, and three bytes that weigh 0

// first_row is a row of first: columns in fours, blocks of 16 channels.
INLINE void first_row(const product *p, const uint8_t *x, int pitch, int blocks, int act, float *out, int columns) {
	for (int col = 0; col < columns; col += 4) {
		__m512i v[4][3];
		for (int i = 0; i < 4; i++)
			for (int b = 0; b < blocks; b++) v[i][b] = _mm512_setzero_si512();
		for (int t = 0; t < 9; t++) {
			const uint8_t *px = x + (size_t)(t / 3) * pitch + 6 * col + t % 3 * 4;
			__m512i w[3];
			for (int b = 0; b < blocks; b++) w[b] = _mm512_loadu_si512(p->w + (9 * b + t) * 64);
			for (int i = 0; i < 4; i++) {
				int32_t four;
				memcpy(&four, px + 6 * i, 4);
				for (int b = 0; b < blocks; b++) v[i][b] = _mm512_dpbusd_epi32(v[i][b], _mm512_set1_epi32(four), w[b]);
			}
		}
		for (int i = 0; i < 4; i++)
			for (int b = 0; b < blocks; b++, out += 16)
				_mm512_storeu_ps(out, activated(_mm512_fmadd_ps(_mm512_cvtepi32_ps(v[i][b]), _mm512_loadu_ps(p->scale + 16 * b), _mm512_loadu_ps(p->bias + 16 * b)), act));
	}
}

// first is a convolution of 3×3 with stride 2 of what show made, by weights of [3][SEEN], of 32 or 48 channels.
// before says how many pixels beyond the picture lie before what it begins with.
static VNNI void first(const product *p, const uint8_t *x, int side, int before, float *out) {
	int pitch = 3 * (side + 2), half = side / 2;
	x += before ? 0 : pitch + 3;
	for (int y = 0; y < half; y++, x += 2 * pitch, out += (size_t)half * p->n) {
		if (p->n == 32) first_row(p, x, pitch, 2, p->act, out, half);
		else first_row(p, x, pitch, 3, p->act, out, half);
	}
}
