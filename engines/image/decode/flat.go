package decode

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// Backgrounds that a transparent picture is looked at over.
var (
	Black = image.NewUniform(color.Black)
	White = image.NewUniform(color.White)
)

// Flat is the frame over a background, upright, of at most most pixels: where the
// frame has more, each of its pixels is the mean of scale × scale of the frame's.
func (fr *Frame) Flat(under *image.Uniform, most int) (flat *image.RGBA, scale int) {
	return flatten(fr.img, fr.turn, under, most)
}

// Bare is the frame without its transparency, as a program shows it that keeps
// something else in that channel; nil where there is none, or nothing is known of what
// lies beneath.
func (fr *Frame) Bare(most int) (flat *image.RGBA, scale int) {
	switch fr.img.(type) {
	case *image.NRGBA, *image.NRGBA64, *image.NYCbCrA:
	default:
		return nil, 0
	}
	return flatten(bare{fr.img}, fr.turn, Black, most)
}

// bare is a picture without its transparency.
type bare struct{ image.Image }

func (b bare) At(x, y int) color.Color {
	switch c := b.Image.At(x, y).(type) {
	case color.NRGBA:
		c.A = 0xff
		return c
	case color.NRGBA64:
		c.A = 0xffff
		return c
	case color.NYCbCrA:
		return c.YCbCr
	default:
		return c
	}
}

func (bare) Opaque() bool { return true }

func flatten(img image.Image, turn orientation, under *image.Uniform, most int) (*image.RGBA, int) {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	n := 1
	if w*h > most {
		n = int(math.Ceil(math.Sqrt(float64(w) * float64(h) / float64(most))))
	}
	out := image.NewRGBA(image.Rect(0, 0, max(1, w/n), max(1, h/n)))
	op := draw.Over
	if opaque(img) {
		op = draw.Src
	}
	if n == 1 {
		if op == draw.Over {
			draw.Draw(out, out.Rect, under, image.Point{}, draw.Src)
		}
		draw.Draw(out, out.Rect, img, b.Min, op)
		return turn.rotate(out), 1
	}
	// Row by row of what comes out, so that no whole copy is made.
	strip := image.NewRGBA(image.Rect(0, 0, w, n))
	for y := range out.Rect.Dy() {
		rows := image.Rect(0, 0, w, min(n, h-y*n))
		if op == draw.Over {
			draw.Draw(strip, rows, under, image.Point{}, draw.Src)
		}
		draw.Draw(strip, rows, img, b.Min.Add(image.Pt(0, y*n)), op)
		shrink(out.Pix[y*out.Stride:][:4*out.Rect.Dx()], strip, n, rows.Dy())
	}
	return turn.rotate(out), n
}

// shrink makes a row of means of n × rows pixels each.
func shrink(row []uint8, strip *image.RGBA, n, rows int) {
	width := strip.Rect.Dx()
	for x := range len(row) / 4 {
		x0, x1 := x*n, min(x*n+n, width)
		var r, g, b, count uint32
		for y := range rows {
			for p := strip.Pix[y*strip.Stride+4*x0 : y*strip.Stride+4*x1]; len(p) >= 4; p = p[4:] {
				r, g, b, count = r+uint32(p[0]), g+uint32(p[1]), b+uint32(p[2]), count+1
			}
		}
		row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = uint8(r/count), uint8(g/count), uint8(b/count), 0xff
	}
}

// rotate returns the picture upright, itself where it is.
func (o orientation) rotate(img *image.RGBA) *image.RGBA {
	if o <= upright || o > 8 {
		return img
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if o.swaps() {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range out.Rect.Dy() {
		row := out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			sx, sy := o.source(x, y, w, h)
			copy(row[4*x:4*x+4], img.Pix[sy*img.Stride+4*sx:])
		}
	}
	return out
}
