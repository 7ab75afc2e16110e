package image

import (
	"bytes"
	stdimage "image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
	"github.com/portcullis-gg/portcullis/engines/image/pdq"
)

// TestFullSize: a JPEG is hashed by its flat picture, and hashes as its own pixels do.
func TestFullSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same pictures each time
	for range 4 {
		img := stdimage.NewRGBA(stdimage.Rect(0, 0, 61+rng.IntN(200), 47+rng.IntN(200)))
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				img.SetRGBA(x, y, color.RGBA{uint8(x * 3), uint8(y * 5), uint8(rng.IntN(256)), 255}) //nolint:gosec // any colour
			}
		}
		var file bytes.Buffer
		if err := jpeg.Encode(&file, img, nil); err != nil {
			t.Fatal(err)
		}
		f, err := decode.Read(file.Bytes(), "", decode.Default())
		if err != nil {
			t.Fatal(err)
		}
		err = f.Unpack(t.Context(), func(fr decode.Frame) error {
			seen := fullSize(&fr, looks(&fr, engines.UseAvatar)[0])
			if _, ok := seen.(*stdimage.RGBA); !ok {
				t.Errorf("it is hashed as %T", seen)
			}
			got, q := pdq.Sum(seen)
			if want, quality := pdq.Sum(fr.Upright()); got != want || q != quality {
				t.Errorf("hash %x of quality %d, by its own pixels %x of %d", got, q, want, quality)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
