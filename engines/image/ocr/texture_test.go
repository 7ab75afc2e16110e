package ocr

import (
	"image"
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// foundLine is a line that the detector found in a picture.
type foundLine struct {
	texture

	at rect
	// text is what was drawn there, where its middle lies on a drawn line; none says that it
	// lies on no part of one.
	text string
	none bool
}

// foundIn has the detector of r look at a picture.
func foundIn(tb testing.TB, r *Reader, p *pictures.Picture) []foundLine {
	tb.Helper()
	b := toBitmap(p.Image)
	_, rects, err := r.found(b)
	if err != nil {
		tb.Fatal(err)
	}
	var all []foundLine
	for _, at := range rects {
		f := foundLine{texture: b.textureOf(at), at: at, none: true}
		x := at.box(b.w, b.h)
		box := image.Rect(x[0], x[1], x[0]+x[2], x[1]+x[3])
		for _, l := range p.Lines {
			f.none = f.none && !box.Overlaps(l.Box)
			if aside(at.middle, l) < 0.5*l.Size {
				f.text = l.Text
			}
		}
		all = append(all, f)
	}
	return all
}

func loaded(tb testing.TB) *Reader {
	tb.Helper()
	onnxtest.Start(tb)
	var board models.Board
	r, err := Load(models.NewStore(onnxtest.Models(tb)), &board, Defaults())
	if err != nil {
		tb.Fatalf("%v (make setup)", err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// aside is how far p lies from the middle of a drawn line, in px.
func aside(p point, l pictures.Line) float64 {
	from, to := point{float64(l.From.X), float64(l.From.Y)}, point{float64(l.To.X), float64(l.To.Y)}
	along := to.minus(from)
	at := max(0, min(1, p.minus(from).dot(along)/max(1, along.dot(along))))
	return p.minus(from.plus(along.times(at))).length()
}

// TestTextureOfLines: no drawn line is left out for its looks, and most of what the
// detector takes for lines in scenes without any is.
func TestTextureOfLines(t *testing.T) {
	r := loaded(t)
	seen, fences, left := 0, 0, 0
	for i, lang := range pictures.Langs {
		for _, lines := range []int{0, 4} {
			p, err := pictures.Screenshot(31_000_000+uint64(i), pictures.Options{Langs: []pictures.Lang{lang}, Lines: lines, MaxAngle: 15}) //nolint:gosec // small
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range foundIn(t, r, p) {
				switch likely := f.texture.text(); {
				case f.text != "":
					seen++
					if likely < likelyText {
						t.Errorf("%q looks like no text: %.3f, %v", f.text, likely, f.texture)
					}
				case f.none:
					fences++
					if likely < likelyText {
						left++
					}
				}
			}
		}
	}
	if seen < 20 || fences < 20 || float64(left) < 0.6*float64(fences) {
		t.Errorf("%d lines seen; %d of %d that are no text left out, want 60 %%", seen, left, fences)
	}
}

// TestTextureWithoutContrast: faint text looks as text does, and a fence as a fence.
func TestTextureWithoutContrast(t *testing.T) {
	for name, light := range map[string]func(x, y int) int{
		"checks": func(x, y int) int { return (x/6 + y/8) % 2 * 200 },
		"blocks": func(x, y int) int { return (x/7*31 + y/5*17) % 3 * 100 },
	} {
		strong, faint := drawnBy(400, 60, light), drawnBy(400, 60, func(x, y int) int { return 100 + light(x, y)/4 })
		at := rect{middle: point{200, 30}, along: point{1, 0}, width: 300, height: 30}
		a, b := strong.textureOf(at), faint.textureOf(at)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 0.15 {
				t.Errorf("%s: part %d is %.3f, faint %.3f", name, i, a[i], b[i])
			}
		}
	}
}

// TestTextureOfNothing: what is flat, tiny or reaches out of the picture has a texture too.
func TestTextureOfNothing(t *testing.T) {
	flat := drawnBy(40, 30, func(int, int) int { return 90 })
	for _, at := range []rect{
		{middle: point{20, 15}, along: point{1, 0}, width: 30, height: 10},
		{middle: point{20, 15}, along: point{0, 1}, width: 1, height: 1},
		{middle: point{39, 29}, along: point{0.8, 0.6}, width: 9000, height: 3},
		{middle: point{5, 5}, along: point{1, 0}, width: 0.1, height: 20},
	} {
		if likely := flat.textureOf(at).text(); math.IsNaN(likely) || likely > 0.5 {
			t.Errorf("%+v: %v", at, likely)
		}
	}
}

func drawnBy(w, h int, light func(x, y int) int) *bitmap {
	b := &bitmap{w: w, h: h, pix: make([]byte, 3*w*h)}
	for i := range b.pix {
		b.pix[i] = byte(light(i/3%w, i/3/w)) //nolint:gosec // the tests draw bytes
	}
	return b
}
