package pdq_test

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/pdq"
)

// TestYCbCr: a JPEG's pixels are read without a copy, and hash as a copy does.
func TestYCbCr(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio422} {
		whole := image.NewYCbCr(image.Rect(0, 0, 701, 333), ratio)
		for _, plane := range [][]byte{whole.Y, whole.Cb, whole.Cr} {
			for i := range plane {
				plane[i] = byte(rng.IntN(256))
			}
		}
		for _, r := range []image.Rectangle{whole.Rect, image.Rect(3, 5, 690, 300), image.Rect(7, 7, 90, 80)} {
			part := whole.SubImage(r)
			copied := image.NewRGBA(r)
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					copied.Set(x, y, color.RGBAModel.Convert(part.At(x, y)))
				}
			}
			hash, quality := pdq.Sum(part)
			if want, q := pdq.Sum(copied); hash != want || quality != q {
				t.Errorf("%v of %v: %x quality %d, want %x quality %d", r, ratio, hash, quality, want, q)
			}
		}
	}
}
