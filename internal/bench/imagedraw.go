package bench

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// benchLines are what is written into every other picture.
var benchLines = []string{
	"Quest complete: clear the Salt Mine", "Level 42 reached, 3 points to spend", "MossyFox: anyone up for a raid?", "Trade Oak Shield for 40 silver?",
	"Ping 38 ms  FPS 144", "Press E to pick up Ember Dagger", "Guild war starts at 20:00", "Inventory full",
}

// drawAll makes JPEG files of scenes, every other one with three or four lines of text.
func drawAll(n int, seed uint64, w, h int) ([][]byte, error) {
	face, err := benchFace(float64(h) / 30)
	if err != nil {
		return nil, err
	}
	files := make([][]byte, n)
	for i := range files {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		img := drawScene(rng, w, h)
		if i%2 == 1 {
			for k := range 3 + i/2%2 {
				write(img, face, image.Pt(w/20+rng.IntN(w/10), h/6+k*h/6), benchLines[rng.IntN(len(benchLines))])
			}
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}); err != nil {
			return nil, fmt.Errorf("draw: %w", err)
		}
		files[i] = b.Bytes()
	}
	return files, nil
}

func benchFace(size float64) (font.Face, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("draw: %w", err)
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72}) //nolint:wrapcheck // it says what it is
}

// drawScene is hills, a sky, boxes and noise.
func drawScene(rng *rand.Rand, w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	hue := [3]float64{40 + 150*rng.Float64(), 40 + 150*rng.Float64(), 40 + 150*rng.Float64()}
	a, b := 2+4*rng.Float64(), 6+9*rng.Float64()
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/float64(w), float64(y)/float64(h)
			lit := 0.55 + 0.3*math.Sin(a*fx*6+3*fy)*math.Cos(b*fy)
			if fy > 0.55+0.12*math.Sin(a*fx*4) {
				lit *= 0.6
			}
			noise := float64(rng.IntN(24))
			img.SetRGBA(x, y, color.RGBA{uint8(min(255, hue[0]*lit+noise)), uint8(min(255, hue[1]*lit+noise)), uint8(min(255, hue[2]*lit+noise)), 255})
		}
	}
	for range 12 {
		x, y, c := rng.IntN(w), h/3+rng.IntN(2*h/3), color.RGBA{uint8(rng.IntN(200)), uint8(rng.IntN(200)), uint8(rng.IntN(200)), 255}
		draw.Draw(img, image.Rect(x, y, x+w/40+rng.IntN(w/12+1), y+h/40+rng.IntN(h/8+1)), image.NewUniform(c), image.Point{}, draw.Src)
	}
	return img
}

func write(img *image.RGBA, face font.Face, at image.Point, text string) {
	for _, c := range []struct {
		d   int
		ink color.Color
	}{{2, color.Black}, {0, color.White}} { // with a shadow
		d := font.Drawer{Dst: img, Src: image.NewUniform(c.ink), Face: face, Dot: fixed.P(at.X+c.d, at.Y+c.d)}
		d.DrawString(text)
	}
}
