// Package eight runs the two networks that look at every picture in whole numbers of 8 bits, on processors with
// AVX-512 VNNI, which multiply four of those in the time of two of bfloat16.
//
// A product of pixels is what takes the time. Its weights are rounded by output channel, and each pixel by the
// range of its own channels (dynamic quantisation), so nothing is fitted to pictures that somebody chose; what
// ReLU6 gives between two products is rounded by the range that it has, 0 to 6, and a picture by its own bytes. All
// else is float32. What GELU gives is rounded again while it is in the cache. What differs from the networks in
// float32 is held down by the package's tests.
package eight

// What follows a product, as values.h numbers it.
const (
	actNone = iota
	actRELU
	actRELU6
	actGELU
)
