package classify

import (
	stdimage "image"
	"math"
	"math/rand/v2"
	"testing"
)

// TestSample compares with the definition: each value is the sum of the pixels that its
// taps take, by their weights, in whichever place and order the network wants it.
func TestSample(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // the same pictures each time
	one := func(of ...string) string { return of[rng.IntN(len(of))] }
	for range 60 {
		p := stdimage.NewRGBA(stdimage.Rect(0, 0, 1+rng.IntN(70), 1+rng.IntN(70)))
		for i := range p.Pix {
			p.Pix[i] = byte(rng.IntN(256))
		}
		in := Input{
			Width: 1 + rng.IntN(40), Height: 1 + rng.IntN(40), Layout: one(NCHW, NHWC), Colours: one(RGB, BGR), Fit: one(Stretch, Crop, Pad),
			Filter: one(Area, Bilinear, Corners), Mean: []float64{.1, .2, .3}, Std: []float64{.5, .6, .7},
		}
		size := p.Rect.Size()
		v := in.view(size.X, size.Y)
		got := make([]float32, 3*in.Width*in.Height)
		in.fill(p, v, got)
		across := in.taps(int(v.to.w), size.X, v.from.x, v.from.w)
		down := in.taps(int(v.to.h), size.Y, v.from.y, v.from.h)
		for y, d := range down {
			for x, a := range across {
				for c := range 3 {
					sum, from := 0., c
					if in.Colours == BGR {
						from = 2 - c
					}
					for j, wy := range d.weights {
						for i, wx := range a.weights {
							sum += float64(wy) * float64(wx) * float64(p.Pix[p.PixOffset(a.first+i, d.first+j)+from])
						}
					}
					want := (sum/255 - in.Mean[c]) / in.Std[c]
					px, py := x+int(v.to.x), y+int(v.to.y)
					at := (c*in.Height+py)*in.Width + px
					if in.Layout == NHWC {
						at = 3*(py*in.Width+px) + c
					}
					if math.Abs(float64(got[at])-want) > 1e-5 {
						t.Fatalf("%+v of %v, at %d,%d, channel %d: %v, want %v", in, size, px, py, c, got[at], want)
					}
				}
			}
		}
	}
}

func BenchmarkSample(b *testing.B) {
	p := shades(1280, 720)
	data := make([]float32, 3*224*224)
	for b.Loop() {
		safetyInput.fill(p, safetyInput.view(1280, 720), data)
	}
}

// BenchmarkSampleAvatar lays an avatar out for both networks.
func BenchmarkSampleAvatar(b *testing.B) {
	p := shades(256, 256)
	data := make([]float32, 3*224*224)
	for b.Loop() {
		safetyInput.fill(p, safetyInput.view(256, 256), data)
		nsfwInput.fill(p, nsfwInput.view(256, 256), data)
	}
}

// shades is a picture in which no two neighbours are alike.
func shades(w, h int) *stdimage.RGBA {
	p := stdimage.NewRGBA(stdimage.Rect(0, 0, w, h))
	for i := range p.Pix {
		p.Pix[i] = byte(i * 7)
	}
	return p
}
