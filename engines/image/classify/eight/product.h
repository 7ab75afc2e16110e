// Products of pixels in bytes.

// product is what a pixel is multiplied by: n channels of k, both padded.
typedef struct {
	int k, n, act;
	int used;            // of k, a multiple of 4: beyond, all weights are 0
	const int8_t *w;     // [n/16][k/4][16][4], n rounded up to 32
	const float *scale;  // of each channel of w
	const float *sum;    // of each channel of w, in whole numbers
	const float *bias;
} product;

// sums_M adds up the products of M pixels with 32 channels, in registers: compilers spill them. half_M does it
// with 16, which stand where the first 16 of 32 would.
#define CLEAR(R) "vpxord %%zmm" #R ",%%zmm" #R ",%%zmm" #R "\n"
#define KEEP(R) "vmovdqu32 %%zmm" #R ",64*" #R "(%[acc])\n"
#define ROW_OF_32(AT, R, S) ROW_OF_16(AT, R, S) "vpdpbusd %%zmm31,%%zmm29,%%zmm" #S "\n"
#define ROW_OF_16(AT, R, S) "vpbroadcastd " AT ",%%zmm29\nvpdpbusd %%zmm30,%%zmm29,%%zmm" #R "\n"
#define WEIGHTS_OF_32 "vmovdqu32 (%[w]),%%zmm30\nvmovdqu32 (%[v]),%%zmm31\n"
#define WEIGHTS_OF_16 "vmovdqu32 (%[w]),%%zmm30\n"
#define CLEAR1 CLEAR(0) CLEAR(1)
#define KEEP1 KEEP(0) KEEP(1)
#define ROW1 ROW("(%[a])", 0, 1)
#define CLEAR2 CLEAR1 CLEAR(2) CLEAR(3)
#define KEEP2 KEEP1 KEEP(2) KEEP(3)
#define ROW2 ROW1 ROW("(%[a],%[k])", 2, 3)
#define CLEAR3 CLEAR2 CLEAR(4) CLEAR(5)
#define KEEP3 KEEP2 KEEP(4) KEEP(5)
#define ROW3 ROW2 ROW("(%[a],%[k],2)", 4, 5)
#define CLEAR4 CLEAR3 CLEAR(6) CLEAR(7)
#define KEEP4 KEEP3 KEEP(6) KEEP(7)
#define ROW4 ROW3 ROW("(%[b])", 6, 7)
#define CLEAR5 CLEAR4 CLEAR(8) CLEAR(9)
#define KEEP5 KEEP4 KEEP(8) KEEP(9)
#define ROW5 ROW4 ROW("(%[b],%[k])", 8, 9)
#define CLEAR6 CLEAR5 CLEAR(10) CLEAR(11)
#define KEEP6 KEEP5 KEEP(10) KEEP(11)
#define ROW6 ROW5 ROW("(%[b],%[k],2)", 10, 11)
#define CLEAR7 CLEAR6 CLEAR(12) CLEAR(13)
#define KEEP7 KEEP6 KEEP(12) KEEP(13)
#define ROW7 ROW6 ROW("(%[c])", 12, 13)
#define CLEAR8 CLEAR7 CLEAR(14) CLEAR(15)
#define KEEP8 KEEP7 KEEP(14) KEEP(15)
#define ROW8 ROW7 ROW("(%[c],%[k])", 14, 15)
#define CLEAR9 CLEAR8 CLEAR(16) CLEAR(17)
#define KEEP9 KEEP8 KEEP(16) KEEP(17)
#define ROW9 ROW8 ROW("(%[c],%[k],2)", 16, 17)
#define CLEAR10 CLEAR9 CLEAR(18) CLEAR(19)
#define KEEP10 KEEP9 KEEP(18) KEEP(19)
#define ROW10 ROW9 ROW("(%[d])", 18, 19)
#define CLEAR11 CLEAR10 CLEAR(20) CLEAR(21)
#define KEEP11 KEEP10 KEEP(20) KEEP(21)
#define ROW11 ROW10 ROW("(%[d],%[k])", 20, 21)
#define CLEAR12 CLEAR11 CLEAR(22) CLEAR(23)
#define KEEP12 KEEP11 KEEP(22) KEEP(23)
#define ROW12 ROW11 ROW("(%[d],%[k],2)", 22, 23)
#define CLEAR13 CLEAR12 CLEAR(24) CLEAR(25)
#define KEEP13 KEEP12 KEEP(24) KEEP(25)
#define ROW13 ROW12 ROW("(%[e])", 24, 25)
#define CLEAR14 CLEAR13 CLEAR(26) CLEAR(27)
#define KEEP14 KEEP13 KEEP(26) KEEP(27)
#define ROW14 ROW13 ROW("(%[e],%[k])", 26, 27)
#define SUMS(NAME, M) \
	static VNNI void NAME##_##M(const uint8_t *a, int64_t k, int64_t n, const int8_t *w, int32_t *acc) { \
		const uint8_t *b = a + 3 * k, *c = a + 6 * k, *d = a + 9 * k, *e = a + 12 * k; \
		const int8_t *v = w + 16 * k; \
		__asm__ volatile(CLEAR##M "1:\n" WEIGHTS ROW##M \
			"add $4,%[a]\nadd $4,%[b]\nadd $4,%[c]\nadd $4,%[d]\nadd $4,%[e]\nadd $64,%[w]\nadd $64,%[v]\ndec %[n]\njnz 1b\n" KEEP##M \
			: [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [e] "+r"(e), [w] "+r"(w), [v] "+r"(v), [n] "+r"(n) : [k] "r"(k), [acc] "r"(acc) \
			: "memory", "cc", "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm8", "zmm9", "zmm10", "zmm11", "zmm12", "zmm13", "zmm14", "zmm15", "zmm16", "zmm17", "zmm18", "zmm19", "zmm20", "zmm21", "zmm22", "zmm23", "zmm24", "zmm25", "zmm26", "zmm27", "zmm28", "zmm29", "zmm30", "zmm31"); \
	}
#define ROW ROW_OF_32
#define WEIGHTS WEIGHTS_OF_32
SUMS(sums, 1) SUMS(sums, 2) SUMS(sums, 3) SUMS(sums, 4) SUMS(sums, 5) SUMS(sums, 6) SUMS(sums, 7) SUMS(sums, 8) SUMS(sums, 9) SUMS(sums, 10) SUMS(sums, 11) SUMS(sums, 12) SUMS(sums, 13) SUMS(sums, 14)
#undef ROW
#undef WEIGHTS
#define ROW ROW_OF_16
#define WEIGHTS WEIGHTS_OF_16
SUMS(half, 1) SUMS(half, 2) SUMS(half, 3) SUMS(half, 4) SUMS(half, 5) SUMS(half, 6) SUMS(half, 7) SUMS(half, 8) SUMS(half, 9) SUMS(half, 10) SUMS(half, 11) SUMS(half, 12) SUMS(half, 13) SUMS(half, 14)
#undef ROW
#undef WEIGHTS
#undef SUMS

typedef void adder(const uint8_t *, int64_t, int64_t, const int8_t *, int32_t *);
static adder *const sums[] = {0, sums_1, sums_2, sums_3, sums_4, sums_5, sums_6, sums_7, sums_8, sums_9, sums_10, sums_11, sums_12, sums_13, sums_14};
static adder *const half[] = {0, half_1, half_2, half_3, half_4, half_5, half_6, half_7, half_8, half_9, half_10, half_11, half_12, half_13, half_14};

// multiply_tile multiplies m pixels by the SLICE channels from at. add, where there is one, has p->n channels, out
// a pixel every pitch floats; both begin at channel at. high, where there is one, has 16 floats a pixel, which are
// raised to what comes out.
INLINE void multiply_tile(const product *p, int m, int at, const uint8_t *q, const float *scale, const float *low,
                          const float *add, float *out, int pitch, int act, float *high) {
	int32_t acc[TILE][SLICE];
	int both = at + 16 < p->n;
	(both ? sums : half)[m](q, p->k, p->used / 4, p->w + (size_t)at * p->k, acc[0]);
	for (int c = 0; c < (both ? SLICE : 16); c += 16) {
		__m512 sw = _mm512_loadu_ps(p->scale + at + c), sum = _mm512_loadu_ps(p->sum + at + c), bias = _mm512_loadu_ps(p->bias + at + c);
		for (int i = 0; i < m; i++) {
			__m512 r = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_loadu_si512(acc[i] + c)), _mm512_set1_ps(scale[i]));
			r = _mm512_fmadd_ps(_mm512_set1_ps(low[i]), sum, r);
			r = activated(_mm512_fmadd_ps(r, sw, bias), act);
			if (add) r = _mm512_add_ps(r, _mm512_loadu_ps(add + (size_t)i * p->n + c));
			_mm512_storeu_ps(out + (size_t)i * pitch + c, r);
			if (high) _mm512_storeu_ps(high + 16 * i, _mm512_max_ps(_mm512_loadu_ps(high + 16 * i), r));
		}
	}
}

// multiply_block multiplies up to BLOCK pixels, in tiles as equal as they can be.
#define MULTIPLY(NAME, ACT) \
	static VNNI __attribute__((noinline)) void NAME(const product *p, int m, const uint8_t *q, const float *scale, const float *low, const float *add, float *out, float *high) { \
		int tiles = (m + TILE - 1) / TILE; \
		for (int at = 0; at < p->n; at += SLICE) \
			for (int t = 0; t < tiles; t++) { \
				int from = m * t / tiles; \
				size_t to = (size_t)from * p->n + at; \
				multiply_tile(p, m * (t + 1) / tiles - from, at, q + (size_t)from * p->k, scale + from, low + from, \
					add ? add + to : 0, out + to, p->n, ACT, ACT == ACT_GELU ? high + 16 * from : 0); \
			} \
	}
MULTIPLY(multiply_none, ACT_NONE)
MULTIPLY(multiply_relu, ACT_RELU)
MULTIPLY(multiply_relu6, ACT_RELU6)
MULTIPLY(multiply_gelu, ACT_GELU)
#undef MULTIPLY

// multiply_rounded multiplies up to BLOCK pixels of bytes.
static VNNI void multiply_rounded(const product *p, int m, const uint8_t *q, const float *scale, const float *low, const float *add, float *out) {
	float high[BLOCK * 16];
	switch (p->act) {
	case ACT_GELU: multiply_gelu(p, m, q, scale, low, add, out, high); break;
	case ACT_RELU6: multiply_relu6(p, m, q, scale, low, add, out, 0); break;
	case ACT_RELU: multiply_relu(p, m, q, scale, low, add, out, 0); break;
	default: multiply_none(p, m, q, scale, low, add, out, 0);
	}
}

// multiply_all multiplies all pixels; add may be NULL, or out itself.
static VNNI void multiply_all(const product *p, int pixels, const float *x, const float *add, float *out, uint8_t *q) {
	float scale[BLOCK], low[BLOCK];
	for (int at = 0; at < pixels; at += BLOCK) {
		int m = pixels - at < BLOCK ? pixels - at : BLOCK;
		for (int i = 0; i < m; i++) round_pixel(x + (size_t)(at + i) * p->k, p->k, q + (size_t)i * p->k, scale + i, low + i);
		multiply_rounded(p, m, q, scale, low, add ? add + (size_t)at * p->n : 0, out + (size_t)at * p->n);
	}
}

#define LEAST_GELU -.1702f // that GELU gives, at -.75

// multiply_twice is b of GELU of a of up to BLOCK pixels, and add; between is room for as many of a.
static VNNI void multiply_twice(const product *a, const product *b, int m, const float *x, const float *add, float *out, float *between, uint8_t *q) {
	float scale[BLOCK], low[BLOCK], high[BLOCK * 16];
	for (int i = 0; i < m; i++) round_pixel(x + (size_t)i * a->k, a->k, q + (size_t)i * a->k, scale + i, low + i);
	memset(high, 0, 16 * m * sizeof *high);
	multiply_gelu(a, m, q, scale, low, 0, between, high);
	for (int i = 0; i < m; i++) {
		step s = step_of(LEAST_GELU, _mm512_reduce_max_ps(_mm512_loadu_ps(high + 16 * i)));
		round_by(s, between + (size_t)i * a->n, a->n, q + (size_t)i * a->n);
		scale[i] = s.scale, low[i] = s.low;
	}
	multiply_rounded(b, m, q, scale, low, add, out);
}

// twice_all is multiply_twice of all pixels.
static VNNI void twice_all(const product *a, const product *b, int pixels, const float *x, const float *add, float *out, float *between, uint8_t *q) {
	for (int at = 0; at < pixels; at += BLOCK) {
		int m = pixels - at < BLOCK ? pixels - at : BLOCK;
		multiply_twice(a, b, m, x + (size_t)at * a->k, add ? add + (size_t)at * b->n : 0, out + (size_t)at * b->n, between, q);
	}
}
