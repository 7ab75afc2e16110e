// Values and what becomes of them, for processors with AVX-512 VNNI: what follows a product, and bytes of floats. A
// picture is rows of pixels, each with its channels one after the other, padded with zeros to a multiple of 16.
#include <immintrin.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma")))
#define INLINE static inline __attribute__((always_inline)) VNNI

enum { ACT_NONE, ACT_RELU, ACT_RELU6, ACT_GELU };
enum {
	TILE = 14,  // pixels that are multiplied together: sides are multiples of 7
	BLOCK = 56, // pixels that are kept in the cache
	SLICE = 32, // channels that are multiplied together
};

// GELU is x/2·(1 + erf(x/√2)). It is 30 parabolas from -4.2 to 3.9, through GELU at Chebyshev's nodes of each
// stretch, 0 before and x itself beyond: within 2e-4.
#define STRETCHES 3.7f // to 1
static float curves[3][32];

__attribute__((constructor)) static void draw_curves(void) {
	curves[1][31] = 1;
	for (int i = 1; i < 31; i++) {
		double x[3], y[3];
		for (int j = 0; j < 3; j++) {
			x[j] = (i - 16 + cos((2 * j + 1) * M_PI / 6) / 2) / STRETCHES;
			y[j] = x[j] / 2 * (1 + erf(x[j] * M_SQRT1_2));
		}
		double d = (y[1] - y[0]) / (x[1] - x[0]), e = ((y[2] - y[1]) / (x[2] - x[1]) - d) / (x[2] - x[0]);
		curves[0][i] = y[0] - d * x[0] + e * x[0] * x[1], curves[1][i] = d - e * (x[0] + x[1]), curves[2][i] = e;
	}
	curves[0][16] = 0; // of 0 it is 0 to the bit: padding is
}

// curve is the parabola of 32 that lie in two halves which each value of at, by its lowest bits, is on.
INLINE __m512 curve(__m512i at, const float *of) { return _mm512_permutex2var_ps(_mm512_loadu_ps(of), at, _mm512_loadu_ps(of + 16)); }

INLINE __m512 gelu(__m512 x) {
	const float whole = 1.5f * (1 << 23); // what is added to it is rounded to whole numbers, which are its lowest bits
	__m512 t = _mm512_fmadd_ps(x, _mm512_set1_ps(STRETCHES), _mm512_set1_ps(whole + 16));
	t = _mm512_min_ps(_mm512_max_ps(t, _mm512_set1_ps(whole)), _mm512_set1_ps(whole + 31));
	__m512i at = _mm512_castps_si512(t);
	return _mm512_fmadd_ps(_mm512_fmadd_ps(curve(at, curves[2]), x, curve(at, curves[1])), x, curve(at, curves[0]));
}

INLINE __m512 activated(__m512 v, int act) {
	if (act == ACT_GELU) return gelu(v);
	if (act == ACT_NONE) return v;
	v = _mm512_max_ps(v, _mm512_setzero_ps());
	return act == ACT_RELU6 ? _mm512_min_ps(v, _mm512_set1_ps(6)) : v;
}

// step is how bytes of what lies between two bounds come about: byte = value·by + zero, value = scale·byte + low.
typedef struct { float by, zero, scale, low; } step;

INLINE step step_of(float bottom, float top) {
	float range = top - bottom;
	if (!(range > 1e-20f)) range = 1e-20f;
	// A byte must stand for 0 to the bit: padding and what ReLU cut off are 0.
	float by = 255 / range, zero = __builtin_rintf(-bottom * by), scale = range / 255;
	return (step){by, zero, scale, -zero * scale};
}

// round_by makes bytes of n values.
INLINE void round_by(step s, const float *x, int n, uint8_t *to) {
	__m512 by = _mm512_set1_ps(s.by), add = _mm512_set1_ps(s.zero);
#define WHOLE(I) _mm512_cvtps_epi32(_mm512_fmadd_ps(_mm512_loadu_ps(x + i + 16 * (I)), by, add))
	const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	int i = 0;
	for (; i + 64 <= n; i += 64) { // packing goes by lanes of 16 bytes
		__m512i v = _mm512_packus_epi16(_mm512_packus_epi32(WHOLE(0), WHOLE(1)), _mm512_packus_epi32(WHOLE(2), WHOLE(3)));
		_mm512_storeu_si512(to + i, _mm512_permutexvar_epi32(order, v));
	}
	for (; i < n; i += 16) _mm_storeu_si128((__m128i *)(to + i), _mm512_cvtusepi32_epi8(_mm512_max_epi32(WHOLE(0), _mm512_setzero_si512())));
#undef WHOLE
}

// range_of is how far a pixel reaches, 0 in it.
INLINE void range_of(const float *x, int n, float *bottom, float *top) {
	__m512 hi = _mm512_setzero_ps(), lo = _mm512_setzero_ps();
	for (int i = 0; i < n; i += 16) {
		__m512 v = _mm512_loadu_ps(x + i);
		hi = _mm512_max_ps(hi, v), lo = _mm512_min_ps(lo, v);
	}
	// Both at once: the lower half is of the highest, the upper of the lowest with their signs turned.
	__m256 a = _mm256_max_ps(_mm512_castps512_ps256(hi), _mm512_extractf32x8_ps(hi, 1));
	__m256 b = _mm256_min_ps(_mm512_castps512_ps256(lo), _mm512_extractf32x8_ps(lo, 1));
	__m256 v = _mm256_max_ps(_mm256_permute2f128_ps(a, _mm256_sub_ps(_mm256_setzero_ps(), b), 0x20), _mm256_permute2f128_ps(a, _mm256_sub_ps(_mm256_setzero_ps(), b), 0x31));
	v = _mm256_max_ps(v, _mm256_permute_ps(v, 0x4e));
	v = _mm256_max_ps(v, _mm256_permute_ps(v, 0xb1));
	*top = _mm256_cvtss_f32(v), *bottom = -_mm_cvtss_f32(_mm256_extractf128_ps(v, 1));
}

// round_pixel makes bytes of a pixel, their range as wide as its own.
INLINE void round_pixel(const float *x, int n, uint8_t *to, float *scale, float *low) {
	float bottom, top;
	range_of(x, n, &bottom, &top);
	step s = step_of(bottom, top);
	round_by(s, x, n, to);
	*scale = s.scale, *low = s.low;
}
