package decode

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestKindsShowTheSame: the four colours of scene, as ImageMagick wrote them in the kinds of
// pixels that Go's own encoders do not write (testdata/kinds).
func TestKindsShowTheSame(t *testing.T) {
	colours := [4]color.RGBA{red, green, blue, white}
	grey := [4]color.RGBA{{62, 62, 62, 255}, {149, 149, 149, 255}, {34, 34, 34, 255}, {250, 250, 250, 255}}
	for name, c := range map[string]struct {
		want   [4]color.RGBA
		format string
	}{
		"cmyk.jpg": {colours, "jpeg"}, "progressive.jpg": {colours, "jpeg"}, "grey.jpg": {grey, "jpeg"},
		"interlaced.png": {colours, "png"}, "rgba16.png": {colours, "png"}, "grey16.png": {grey, "png"}, "greyalpha.png": {grey, "png"},
		"palette.bmp": {colours, "bmp"}, "alpha.bmp": {colours, "bmp"},
	} {
		f, flat, _ := shots(t, kind(t, name), Default())
		if f.Format != c.format || f.Width != 40 || f.Height != 24 {
			t.Errorf("%s: %+v", name, f)
		}
		for i, got := range quarters(flat[0]) {
			if !near(got, c.want[i]) {
				t.Errorf("%s: quarter %d is %v, want %v", name, i, got, c.want[i])
			}
		}
	}
}

// Bitmaps that are packed are refused, with what is taken.
func TestPackedBitmap(t *testing.T) {
	if r := refusal(t, kind(t, "rle.bmp"), "", Default()); r.Kind != engines.RefusedFormat || !strings.Contains(r.Reason, "compressed") {
		t.Errorf("%v", r)
	}
}

func kind(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "kinds", name))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
