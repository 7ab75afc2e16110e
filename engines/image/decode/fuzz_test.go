package decode

import (
	"context"
	"errors"
	"image"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// tight are limits that a fuzzer reaches.
func tight() Limits {
	return Limits{Bytes: 1 << 16, Pixels: 1 << 14, Sampled: 4, Frames: 16, AllPixels: 1 << 16, Memory: 96 << 20}
}

// unpackAny unpacks whatever it is given: it ends, stays within its limits and refuses
// in our words.
func unpackAny(t *testing.T, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	lim := tight()
	f, err := Read(data, "", lim)
	shown := 0
	if err == nil {
		if f.Width*f.Height > lim.Pixels || f.Frames > lim.Frames || f.Trailing < 0 || f.Trailing > len(data) {
			t.Fatalf("over the limits: %+v", f)
		}
		err = f.Unpack(ctx, func(fr Frame) error {
			shown++
			flat, _ := fr.Flat(White, lim.Pixels)
			if up := fr.Upright().Bounds().Size(); flat.Rect.Size() != (image.Point{f.Width, f.Height}) || up != flat.Rect.Size() {
				t.Fatalf("%d × %d was promised, %v came, %v upright", f.Width, f.Height, flat.Rect, up)
			}
			ThumbOf(flat)
			fr.Bare(lim.Pixels)
			return nil
		})
	}
	if err != nil && !errors.As(err, new(*engines.Refusal)) {
		t.Fatalf("%v is no refusal", err)
	}
	if err == nil && (shown == 0 || shown > lim.Sampled) {
		t.Fatalf("%d frames shown", shown)
	}
}

func seeds(f *testing.F, more ...[]byte) {
	f.Helper()
	for _, b := range more {
		f.Add(b)
	}
	f.Fuzz(unpackAny)
}

func FuzzJPEG(f *testing.F) {
	seeds(f, asJPEG(f, scene(40, 24)), oriented(asJPEG(f, scene(16, 8)), 6), asJPEG(f, image.NewGray(image.Rect(0, 0, 9, 9))),
		kind(f, "cmyk.jpg"), kind(f, "progressive.jpg"))
}

func FuzzPNG(f *testing.F) {
	seeds(f, asPNG(f, scene(40, 24)), asPNG(f, image.NewGray16(image.Rect(0, 0, 5, 5))), moving(f), kind(f, "interlaced.png"), kind(f, "rgba16.png"))
}

func FuzzGIF(f *testing.F) { seeds(f, film(f, 1, 0, 4), film(f, 6, 3, 1)) }

func FuzzWebP(f *testing.F) {
	seeds(f, webpOf(f, "lossy"), webpOf(f, "lossless"), webpOf(f, "alpha"), webpOf(f, "moving"))
}

func FuzzBMP(f *testing.F) {
	seeds(f, asBMP(f, scene(12, 7)), asBMP(f, image.NewGray(image.Rect(0, 0, 5, 5))), kind(f, "palette.bmp"), kind(f, "alpha.bmp"))
}
