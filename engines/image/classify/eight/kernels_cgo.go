//go:build cgo && linux && amd64

package eight

/*
#cgo CFLAGS: -O3
#cgo LDFLAGS: -lm
#include <stdlib.h>
#include "kernels.h"

// inverted_in takes whole in parts: Go's pointers must not lie in what is handed over.
static void inverted_in(const product *more, const dw *d, const product *fewer, int side, const float *x, const float *add, float *out,
                        const float *zeros, uint8_t *shown, uint8_t *seen, float *ranges, float *ring) {
	inverted(more, d, fewer, side, x, add, out, zeros, (whole){shown, seen, ranges, ring});
}

// show_in is show likewise.
static void show_in(const uint8_t *pix, int pitch, int across, const int32_t *left_of, const float *across_of, int down, const int32_t *top_of, const float *down_of,
                    int side, int left, int width, const uint8_t *beyond, float *row, uint8_t *out) {
	axis a = {across, left_of, across_of}, d = {down, top_of, down_of};
	show(pix, pitch, &a, &d, side, left, width, beyond, row, out);
}

static void *aligned(size_t n) { return aligned_alloc(64, (n + 127) / 64 * 64); }
*/
import "C"

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Able reports whether this processor has what the kernels use.
func Able() bool {
	return cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI && cpu.X86.HasFMA
}

// arena is memory of the kernels, which hold pointers into it.
type arena struct{ all []unsafe.Pointer }

func (a *arena) close() {
	for _, p := range a.all {
		C.free(p)
	}
	a.all = nil
}

func (a *arena) bytes(n int) unsafe.Pointer {
	p := C.aligned(C.size_t(n))
	a.all = append(a.all, p)
	return p
}

func (a *arena) floats(v []float32) *C.float {
	p := a.bytes(4 * len(v))
	copy(unsafe.Slice((*float32)(p), len(v)), v)
	return (*C.float)(p)
}

// product is a prepared matrix.
type product = C.product

// depth is a prepared convolution of each channel.
type depth = C.dw

func (a *arena) product(m *matrix, act int) *product {
	w := a.bytes(len(m.values))
	copy(unsafe.Slice((*int8)(w), len(m.values)), m.values)
	p := (*product)(a.bytes(int(unsafe.Sizeof(product{}))))
	*p = product{
		k: C.int(m.in), n: C.int(m.out), act: C.int(act), used: C.int(m.used), w: (*C.int8_t)(w),
		scale: a.floats(m.scales), sum: a.floats(m.sums), bias: a.floats(m.bias),
	}
	return p
}

func (a *arena) depth(channels, stride, before int, w, bias []float32) *depth {
	p := (*depth)(a.bytes(int(unsafe.Sizeof(depth{}))))
	*p = depth{c: C.int(channels), stride: C.int(stride), before: C.int(before), w: a.floats(w), bias: a.floats(bias)}
	return p
}

func ptr(v []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(v))) }

func (r *room) bytes() *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(&r.q[0])) }

func multiply(r *room, p *product, pixels int, x, add, out []float32) {
	C.multiply_all(p, C.int(pixels), ptr(x), ptr(add), ptr(out), r.bytes())
}

func multiplyTwice(r *room, a, b *product, pixels int, x, add, out []float32) {
	C.twice_all(a, b, C.int(pixels), ptr(x), ptr(add), ptr(out), ptr(r.wide), r.bytes())
}

func local(r *room, d *depth, a, b *product, side int, x, out []float32) {
	C.local(d, a, b, C.int(side), ptr(x), ptr(out), ptr(r.zeros), ptr(r.line), ptr(r.wide), r.bytes())
}

func inverted(r *room, more *product, d *depth, fewer *product, side int, x, add, out []float32) {
	C.inverted_in(more, d, fewer, C.int(side), ptr(x), ptr(add), ptr(out), ptr(r.zeros), (*C.uint8_t)(&r.shown[0]), (*C.uint8_t)(&r.seen[0]), ptr(r.ranges), ptr(r.wide))
}

func convolve(r *room, p *product, side, channels, before int, x, out []float32) {
	C.convolve(p, ptr(x), C.int(side), C.int(side), C.int(channels), C.int(before), ptr(out), C.int(side/2), C.int(side/2), ptr(r.ranges), r.bytes())
}

func (s *start) run(r *room, p *Picture, out []float32) {
	left, width := p.Across.reach()
	row := r.y
	if n := 4*width + 16; n > len(row) { // of a strip
		row = make([]float32, n)
	}
	shown := (*C.uint8_t)(&r.shown[0])
	C.show_in((*C.uint8_t)(&p.Pix[0]), C.int(p.Stride), C.int(p.Across.Count), whole(p.Across.First), ptr(p.Across.Weights),
		C.int(p.Down.Count), whole(p.Down.First), ptr(p.Down.Weights), Side, C.int(left), C.int(width), (*C.uint8_t)(&s.beyond[0]), ptr(row), shown)
	C.first(s.product, shown, Side, C.int(s.before), ptr(out))
}

func whole(v []int32) *C.int32_t { return (*C.int32_t)(unsafe.Pointer(unsafe.SliceData(v))) }

func unit(x []float32, pixels, channels int) { C.unit(ptr(x), C.int(pixels), C.int(channels)) }

func byChannel(x []float32, pixels, channels int, mul []float32) {
	C.by_channel(ptr(x), C.int(pixels), C.int(channels), ptr(mul))
}

func pooled(r *room, x []float32, pixels, channels int, g *C.float, out []float32) {
	C.pooled(ptr(x), C.int(pixels), C.int(channels), g, ptr(r.line), ptr(out))
}

func mean(x []float32, pixels, channels int, out []float32) {
	C.mean(ptr(x), C.int(pixels), C.int(channels), ptr(out))
}
