//go:build !cgo || !linux || !amd64

package eight

// Able reports whether this processor and this build have what the kernels use.
func Able() bool { return false }

// arena is memory of the kernels.
type arena struct{}

func (*arena) close() {}

func (*arena) floats([]float32) *float32 { return nil }

type product struct{}

func (*arena) product(*matrix, int) *product { return nil }

type depth struct{}

func (*arena) depth(_, _, _ int, _, _ []float32) *depth { return nil }

func (*start) run(*room, *Picture, []float32) {}

func multiply(*room, *product, int, []float32, []float32, []float32) {}

func multiplyTwice(*room, *product, *product, int, []float32, []float32, []float32) {}

func local(*room, *depth, *product, *product, int, []float32, []float32) {}

func inverted(*room, *product, *depth, *product, int, []float32, []float32, []float32) {}

func convolve(*room, *product, int, int, int, []float32, []float32) {}

func unit([]float32, int, int) {}

func byChannel([]float32, int, int, []float32) {}

func pooled(*room, []float32, int, int, *float32, []float32) {}

func mean([]float32, int, int, []float32) {}
