package decode

import (
	"bytes"
	"embed"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"golang.org/x/image/bmp"
)

// scene is a picture whose four quarters are red, green, blue and white.
func scene(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	colors := [2][2]color.NRGBA{{{220, 20, 20, 255}, {20, 200, 20, 255}}, {{20, 20, 220, 255}, {250, 250, 250, 255}}}
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, colors[2*y/h][2*x/w])
		}
	}
	return img
}

func encoded(tb testing.TB, write func(b *bytes.Buffer) error) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	return encoded(tb, func(b *bytes.Buffer) error { return png.Encode(b, img) })
}

func asJPEG(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	return encoded(tb, func(b *bytes.Buffer) error { return jpeg.Encode(b, img, &jpeg.Options{Quality: 95}) })
}

func asBMP(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	return encoded(tb, func(b *bytes.Buffer) error { return bmp.Encode(b, img) })
}

// oriented puts an EXIF orientation into a JPEG.
func oriented(file []byte, turn uint16) []byte {
	exif := []byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	exif = append(binary.BigEndian.AppendUint16(exif, turn), 0, 0, 0, 0, 0, 0)
	app := append([]byte{0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(exif)+2))...)
	return append(append(append(bytes.Clone(file[:2]), app...), exif...), file[2:]...)
}

// film is a GIF of n frames of 10 ms × delay; frame odd is all white.
func film(tb testing.TB, n, odd, delay int) []byte {
	tb.Helper()
	g := gif.GIF{}
	for i := range n {
		img := image.NewPaletted(image.Rect(0, 0, 32, 24), color.Palette{color.Black, color.White, color.Gray{90}})
		for k := range img.Pix {
			img.Pix[k] = uint8((k / 8) % 2 * 2)
			if i == odd {
				img.Pix[k] = 1
			}
		}
		g.Image, g.Delay = append(g.Image, img), append(g.Delay, delay)
	}
	return encoded(tb, func(b *bytes.Buffer) error { return gif.EncodeAll(b, &g) })
}

// moving is an APNG of two frames: the first the scene, the second its left half white
// over what was there.
func moving(tb testing.TB) []byte {
	tb.Helper()
	still := asPNG(tb, scene(16, 16))
	white := image.NewNRGBA(image.Rect(0, 0, 8, 16))
	for i := range white.Pix {
		white.Pix[i] = 255
	}
	part := asPNG(tb, white)
	control := func(seq uint32, w, h, x, y uint32, ms uint16) []byte {
		var b []byte
		for _, n := range []uint32{seq, w, h, x, y} {
			b = binary.BigEndian.AppendUint32(b, n)
		}
		return append(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, ms), 1000), 0, 0)
	}
	out := bytes.Clone(still[:33])
	out = appendChunk(out, "acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0})
	out = appendChunk(out, "fcTL", control(0, 16, 16, 0, 0, 300))
	data := func(file []byte) (all []byte) {
		for rest := file[33:]; ; {
			c, more, err := nextChunk(rest)
			if err != nil || c.kind == "IEND" {
				return all
			}
			if c.kind == "IDAT" {
				all = append(all, c.body...)
			}
			rest = more
		}
	}
	out = appendChunk(out, "IDAT", data(still))
	out = appendChunk(out, "fcTL", control(1, 8, 16, 0, 0, 700))
	out = appendChunk(out, "fdAT", append([]byte{0, 0, 0, 2}, data(part)...))
	return appendChunk(out, "IEND", nil)
}

// The files of testdata are of 16 × 12, left red and right blue, made with cwebp and
// webpmux of libwebp 1.2: in alpha.webp the right is transparent, moving.webp shows
// lossy.webp for 200 ms and alpha.webp over nothing for 100.
//
//go:embed testdata/*.webp
var webps embed.FS

func webpOf(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := webps.ReadFile("testdata/" + name + ".webp")
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func riff(kind string, body []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body)))
	out = append(out, body...)
	if len(body)&1 == 1 {
		out = append(out, 0)
	}
	return out
}
