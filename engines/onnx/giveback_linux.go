//go:build cgo && linux

package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void give_back(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
*/
import "C"

// giveBack returns to the system what the library took to read a model and needs no more.
// The C library keeps it otherwise, as much again as the model, in holes that what is
// allocated later seldom fits: a process with a network of 11 MB held 16 MB less after it.
func giveBack() { C.give_back() }
