package ocr

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStraight: windows that lie straight are filled as any others are, to the
// rounding of single precision: smaller, larger, mirrored, across edges, of one pixel.
func TestStraight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{70, 40}, {1, 1}, {3, 50}} {
		b := &bitmap{w: size[0], h: size[1], pix: make([]byte, 3*size[0]*size[1])}
		for i := range b.pix {
			b.pix[i] = byte(rng.IntN(256))
		}
		for i := range 200 {
			w, h := 1+rng.IntN(60), 1+rng.IntN(60)
			stride := w + rng.IntN(5)
			win := window{
				origin: point{100*rng.Float64() - 20, 60*rng.Float64() - 20},
				right:  point{300*rng.Float64() - 150, 0}, down: point{0, 300*rng.Float64() - 150},
			}
			if i == 0 { // each pixel as it is
				w, h, win = b.w, b.h, window{right: point{float64(b.w), 0}, down: point{0, float64(b.h)}}
				stride = w + 3
			}
			got, want := make([]float32, 3*stride*h), make([]float32, 3*stride*h)
			b.fillStraight(got, win, w, h, stride, detectorNorm)
			b.fillTurned(want, win, w, h, stride, detectorNorm)
			for k := range want {
				if math.Abs(float64(got[k]-want[k])) > 2e-4 {
					t.Fatalf("%v px, window %+v to %dx%d: value %d is %v, want %v", size, win, w, h, k, got[k], want[k])
				}
			}
		}
	}
}

// BenchmarkFill is what the detector's first look at a screenshot is made of.
func BenchmarkFill(b *testing.B) {
	img := &bitmap{w: 1280, h: 720, pix: make([]byte, 3*1280*720)}
	planes := make([]float32, 3*960*544)
	for b.Loop() {
		img.fill(planes, window{right: point{1280, 0}, down: point{0, 720}}, 960, 544, 960, detectorNorm)
	}
}
