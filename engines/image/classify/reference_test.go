package classify

import (
	"encoding/json"
	stdimage "image"
	"math"
	"os"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// drawn is the picture of a seed: a gradient, shapes, noise. testdata/reference.js
// makes the same, and wrote what TensorFlow.js says of it.
func drawn(seed uint32, w, h int) *stdimage.RGBA {
	next := func() int {
		seed = seed*1664525 + 1013904223
		return int(seed >> 16)
	}
	p := make([]uint8, 3*w*h)
	a, b, c := next()%7, next()%7, next()%7
	for y := range h {
		for x := range w {
			q := p[3*(y*w+x):]
			q[0], q[1], q[2] = uint8((x*a+y*b)>>2), uint8((x*b+y*c)>>2), uint8((x*c+y*a)>>2) //nolint:gosec // it wraps, there too
		}
	}
	for range 24 {
		cx, cy := next()%w, next()%h
		rx, ry := 1+next()%(1+w>>2), 1+next()%(1+h>>2)
		round := next()&1 == 1
		colour := [3]uint8{uint8(next()), uint8(next()), uint8(next())} //nolint:gosec // the low byte is meant
		for y := max(0, cy-ry); y < min(h, cy+ry); y++ {
			for x := max(0, cx-rx); x < min(w, cx+rx); x++ {
				dx, dy := x-cx, y-cy
				if round && dx*dx*ry*ry+dy*dy*rx*rx > rx*rx*ry*ry {
					continue
				}
				copy(p[3*(y*w+x):], colour[:])
			}
		}
	}
	out := stdimage.NewRGBA(stdimage.Rect(0, 0, w, h))
	for i := range p {
		v := uint8(min(255, int(p[i])+next()&15)) //nolint:gosec // at most 255
		out.Pix[i/3*4+i%3] = v
	}
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out
}

// stored is the network of the manifest, read from the folder of models.
func stored(tb testing.TB, id, file string, in Input) *network {
	tb.Helper()
	onnxtest.Start(tb)
	model, err := models.NewStore(onnxtest.Models(tb)).Read(models.Find(id), file)
	if err != nil {
		tb.Fatal(err)
	}
	n, err := newNetwork(onnx.New, model, in)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = n.close() })
	return n
}

// TestReference holds the converted network, and the way pictures get into it, against
// TensorFlow.js itself.
func TestReference(t *testing.T) {
	n := stored(t, models.Nudity, "nsfwjs-mid.onnx", nsfwInput)
	text, err := os.ReadFile("testdata/nsfwjs-mid.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Seed          uint32
		Width, Height int
		Scores        []float64
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	worst := 0.
	for _, r := range rows {
		got, err := n.scores(drawn(r.Seed, r.Width, r.Height), nsfwClasses)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			worst = max(worst, math.Abs(got[i]-r.Scores[i]))
			if math.Abs(got[i]-r.Scores[i]) > 1e-5 {
				t.Errorf("picture %d of %d×%d: %v, TensorFlow.js says %v", r.Seed, r.Width, r.Height, got, r.Scores)
				break
			}
		}
	}
	t.Logf("largest difference %.2g", worst)
}

func BenchmarkDetect(b *testing.B) {
	d := &builtin{
		nsfw:   stored(b, models.Nudity, "nsfwjs-mid.onnx", nsfwInput),
		safety: stored(b, models.Safety, "image-safety-s.onnx", safetyInput),
	}
	for name, size := range map[string][2]int{"screenshot": {1280, 720}, "avatar": {256, 256}} {
		p := drawn(6, size[0], size[1])
		b.Run(name+"/nudity", func(b *testing.B) {
			for b.Loop() {
				if _, err := d.nsfw.scores(p, nsfwClasses); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/gore", func(b *testing.B) {
			for b.Loop() {
				if _, err := d.safety.scores(p, safetyClasses); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
