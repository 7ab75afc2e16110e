package pdq

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const text = "f8f8f0cee0f4a84f06370a22038f63f0b36e2ed596621e1d33e6b39c4e9c9b22"
	h, err := Parse(strings.ToUpper(text))
	if err != nil || h.String() != text {
		t.Errorf("Parse = %v, %v", h, err)
	}
	for _, bad := range []string{"", text[1:], text + "0", "g" + text[1:], " " + text[1:]} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) is no error", bad)
		}
	}
}

func TestDistance(t *testing.T) {
	var a, b Hash
	b[0], b[31] = 0x80, 0x03
	if got := a.Distance(b); got != 3 {
		t.Errorf("distance %d, want 3", got)
	}
	if got := a.Distance(a); got != 0 {
		t.Errorf("distance to itself %d", got)
	}
}

// The same pixels have the same hash in whatever they are kept, and wherever.
func TestKinds(t *testing.T) {
	rgba := scene(7, 90, 70)
	nrgba, wide := image.NewNRGBA(rgba.Rect), image.NewRGBA64(rgba.Rect)
	moved := image.NewRGBA(image.Rect(-20, 30, 110, 140))
	gray, flat := image.NewGray(rgba.Rect), image.NewRGBA(rgba.Rect)
	for y := range 70 {
		for x := range 90 {
			c := rgba.RGBAAt(x, y)
			nrgba.Set(x, y, c)
			wide.Set(x, y, c)
			moved.SetRGBA(x, y+50, c)
			gray.SetGray(x, y, color.Gray{c.R})
			flat.SetRGBA(x, y, color.RGBA{c.R, c.R, c.R, 255})
		}
	}
	want, _ := Sum(rgba)
	for name, img := range map[string]image.Image{"NRGBA": nrgba, "RGBA64": wide, "a part": moved.SubImage(image.Rect(0, 50, 90, 120))} {
		if got, _ := Sum(img); got != want {
			t.Errorf("%s: %v, want %v", name, Hash(got), Hash(want))
		}
	}
	want, _ = Sum(flat)
	if got, _ := Sum(gray); Hash(got).Distance(want) > 2 { // the factors add up to 1 but for their rounding
		t.Errorf("gray: %v, want %v", Hash(got), Hash(want))
	}
}

func TestTooSmall(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {4, 100}, {100, 4}} {
		if h, q := Sum(image.NewRGBA(image.Rect(0, 0, size[0], size[1]))); h != [32]byte{} || q != 0 {
			t.Errorf("%v: hash %v of quality %d", size, h, q)
		}
	}
	if _, q := Sum(image.NewRGBA(image.Rect(0, 0, 100, 100))); q != 0 {
		t.Errorf("nothing at all has quality %d", q)
	}
}
