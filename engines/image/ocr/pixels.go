package ocr

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"
)

// bitmap is a picture as three bytes a pixel, red first, without gaps.
type bitmap struct {
	w, h int
	pix  []byte
}

// pixels are reused: those of a screenshot take 2.7 MB.
var pixels sync.Pool

// toBitmap copies img; what is transparent lies on black. Who has no more use for it calls done.
func toBitmap(img image.Image) *bitmap {
	r := img.Bounds()
	n := 3 * r.Dx() * r.Dy()
	buf, _ := pixels.Get().(*[]byte)
	if buf == nil || cap(*buf) < n {
		made := make([]byte, n)
		buf = &made
	}
	b := &bitmap{w: r.Dx(), h: r.Dy(), pix: (*buf)[:n]}
	switch src := img.(type) {
	case *image.YCbCr:
		b.fromYCbCr(src)
	case *image.RGBA: // its colours are multiplied with alpha already
		b.fromRGBA(src)
	default:
		flat := image.NewRGBA(image.Rect(0, 0, b.w, b.h))
		draw.Draw(flat, flat.Rect, img, r.Min, draw.Src)
		b.fromRGBA(flat)
	}
	return b
}

func (b *bitmap) done() { pixels.Put(&b.pix) }

func (b *bitmap) fromYCbCr(src *image.YCbCr) {
	out := b.pix
	for y := range b.h {
		luma := src.YOffset(src.Rect.Min.X, src.Rect.Min.Y+y)
		for x := range b.w {
			c := src.COffset(src.Rect.Min.X+x, src.Rect.Min.Y+y)
			out[0], out[1], out[2] = color.YCbCrToRGB(src.Y[luma+x], src.Cb[c], src.Cr[c])
			out = out[3:]
		}
	}
}

func (b *bitmap) fromRGBA(src *image.RGBA) {
	out := b.pix
	for y := range b.h {
		row := src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y+y):][:4*b.w]
		for x := 0; x < len(row); x += 4 {
			out[0], out[1], out[2] = row[x], row[x+1], row[x+2]
			out = out[3:]
		}
	}
}

// point is a place in a picture, in px from its upper left corner, y growing downwards;
// the middle of the first pixel is 0.5, 0.5.
type point struct{ x, y float64 }

func (p point) plus(q point) point    { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point   { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float64) point { return point{p.x * f, p.y * f} }
func (p point) cross(q point) float64 { return p.x*q.y - p.y*q.x }
func (p point) dot(q point) float64   { return p.x*q.x + p.y*q.y }
func (p point) length() float64       { return math.Hypot(p.x, p.y) }
func (p point) turned() point         { return point{-p.y, p.x} }

// window is what part of a bitmap a network is shown: the parallelogram that begins at
// origin and goes along right and down, in px of the bitmap.
type window struct{ origin, right, down point }

// norm turns a byte to what a network was trained with: (v/255 - mean) / deviation.
type norm struct{ mean, deviation [3]float32 } // blue, green, red: the networks' order

// tensors are reused: what the detector is shown of a screenshot takes 6 MB.
var tensors sync.Pool

// tensor gives n values, of whatever was in them, until done is called.
func tensor(n int) (values []float32, done func()) {
	buf, _ := tensors.Get().(*[]float32)
	if buf == nil || cap(*buf) < n {
		made := make([]float32, n)
		buf = &made
	}
	return (*buf)[:n], func() { tensors.Put(buf) }
}

// fill resamples what lies in win to w×h into planes of a tensor, stride values a row:
// blue, green, red. Where the bitmap is larger it averages, in between it interpolates.
func (b *bitmap) fill(planes []float32, win window, w, h, stride int, n norm) {
	if win.straight() {
		b.fillStraight(planes, win, w, h, stride, n)
		return
	}
	b.fillTurned(planes, win, w, h, stride, n)
}

// fillTurned is fill for any window.
func (b *bitmap) fillTurned(planes []float32, win window, w, h, stride int, n norm) {
	stepX, stepY := win.right.times(1/float64(w)), win.down.times(1/float64(h))
	nx, ny := samples(stepX.length()), samples(stepY.length())
	share := 1 / float32(nx*ny)
	var scale, shift [3]float32
	for c := range 3 {
		scale[c], shift[c] = share/(255*n.deviation[c]), -n.mean[c]/n.deviation[c]
	}
	subX, subY := stepX.times(1/float64(nx)), stepY.times(1/float64(ny))
	plane := stride * h
	for y := range h {
		row := win.origin.plus(stepY.times(float64(y))).plus(subX.times(0.5)).plus(subY.times(0.5))
		for x := range w {
			at := row.plus(stepX.times(float64(x)))
			var red, green, blue float32
			for range ny {
				p := at
				for range nx {
					r, g, bl := b.at(p)
					red, green, blue = red+r, green+g, blue+bl
					p.x, p.y = p.x+subX.x, p.y+subX.y
				}
				at = at.plus(subY)
			}
			i := y*stride + x
			planes[i] = blue*scale[0] + shift[0]
			planes[plane+i] = green*scale[1] + shift[1]
			planes[2*plane+i] = red*scale[2] + shift[2]
		}
	}
}

// samples is how many reads make one pixel, so that none of the bitmap is skipped.
func samples(step float64) int { return max(1, min(8, int(math.Ceil(step-0.25)))) }

// at interpolates between the four pixels around p; beyond the edge the edge goes on.
func (b *bitmap) at(p point) (red, green, blue float32) {
	fx, fy := max(0, min(p.x-0.5, float64(b.w-1))), max(0, min(p.y-0.5, float64(b.h-1)))
	x, y := int(fx), int(fy)
	tx, ty := float32(fx-float64(x)), float32(fy-float64(y))
	right, below := 3, 3*b.w
	if x == b.w-1 {
		right = 0
	}
	if y == b.h-1 {
		below = 0
	}
	i := 3 * (y*b.w + x)
	a, c := b.pix[i:i+right+3], b.pix[i+below:i+below+right+3]
	d, e := a[right:right+3], c[right:right+3]
	sa, sd, sc, se := (1-tx)*(1-ty), tx*(1-ty), (1-tx)*ty, tx*ty
	red = sa*float32(a[0]) + sd*float32(d[0]) + sc*float32(c[0]) + se*float32(e[0])
	green = sa*float32(a[1]) + sd*float32(d[1]) + sc*float32(c[1]) + se*float32(e[1])
	blue = sa*float32(a[2]) + sd*float32(d[2]) + sc*float32(c[2]) + se*float32(e[2])
	return red, green, blue
}
