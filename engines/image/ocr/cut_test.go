package ocr_test

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// TestCutAnyhow reads parts of screenshots of any size and place, what is no text at all beside them: every line
// that is told of lies in its part, and none brings the reader down.
func TestCutAnyhow(t *testing.T) {
	r := reader(t)
	rng := rand.New(rand.NewPCG(7, 9)) //nolint:gosec // the same parts each time
	said := 0
	for i, lang := range []pictures.Lang{pictures.Korean, pictures.Thai, pictures.Vietnamese} {
		p, err := pictures.Screenshot(uint64(900+i), pictures.Options{Langs: []pictures.Lang{lang}, Lines: 3, MaxAngle: 15}) //nolint:gosec // small
		if err != nil {
			t.Fatal(err)
		}
		whole := image.NewRGBA(p.Image.Bounds())
		for y := range whole.Rect.Dy() {
			for x := range whole.Rect.Dx() {
				whole.Set(x, y, p.Image.At(x, y))
			}
		}
		parts := []image.Rectangle{whole.Rect}
		for _, l := range p.Lines {
			x, y := (l.From.X+l.To.X)/2, (l.From.Y+l.To.Y)/2
			for _, size := range []int{1, 15} {
				parts = append(parts, image.Rect(x-200, y-size/2, x+200, y+size/2+1), image.Rect(x-size, y-100, x+size, y+100))
			}
		}
		for range 3 {
			x, y := rng.IntN(whole.Rect.Dx()), rng.IntN(whole.Rect.Dy())
			parts = append(parts, image.Rect(x, y, x+1+rng.IntN(700), y+1+rng.IntN(300)))
		}
		for _, part := range parts {
			img := whole.SubImage(part)
			size := img.Bounds().Size()
			lines, err := r.ReadText(t.Context(), img)
			if err != nil {
				t.Fatalf("%v: %v", part, err)
			}
			for _, l := range lines {
				said++
				b := l.Place.Box
				if b[0] < 0 || b[1] < 0 || b[2] < 1 || b[3] < 1 || b[0]+b[2] > size.X || b[1]+b[3] > size.Y || !(l.Confidence >= 0 && l.Confidence <= 1) {
					t.Errorf("part %v of %v: %+v", part, lang, l)
				}
			}
		}
	}
	for _, size := range []image.Point{{40_000, 1}, {1, 40_000}, {20_000, 24}, {97, 1301}} {
		img := image.NewRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			for x := range size.X {
				v := uint8(0)
				if (x/3+y/5)%2 == 0 || rng.IntN(20) == 0 {
					v = 255
				}
				img.SetRGBA(x, y, color.RGBA{v, v, v, 255})
			}
		}
		if _, err := r.ReadText(t.Context(), img); err != nil {
			t.Errorf("%v: %v", size, err)
		}
	}
	if said == 0 {
		t.Error("nothing was read")
	}
}
