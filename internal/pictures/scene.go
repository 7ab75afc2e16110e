package pictures

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
)

// Scene draws a game-like picture without any text: terrain, foliage, shapes, bars and
// sparks. Nothing in it is meant to look like anything in particular, only as busy as
// what games draw behind text.
func Scene(rng *rand.Rand, width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	terrain(rng, img)
	for range 3 + rng.IntN(5) {
		foliage(rng, img)
	}
	for range 6 + rng.IntN(20) {
		thing(rng, img)
	}
	for range 20 + rng.IntN(200) {
		disc(img, rng.Float64()*float64(width), rng.Float64()*float64(height), 0.8+2*rng.Float64(), shade(rng, 0.7, 1), 200)
	}
	hud(rng, img)
	return img
}

// shade is a random colour with a brightness between the two.
func shade(rng *rand.Rand, from, to float64) color.RGBA {
	v := 255 * (from + (to-from)*rng.Float64())
	c := func() uint8 { return uint8(v * (0.35 + 0.65*rng.Float64())) }
	return color.RGBA{c(), c(), c(), 255}
}

// terrain fills img with a sky over octaves of noise in two colours.
func terrain(rng *rand.Rand, img *image.RGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	sky, low, ground, stone := shade(rng, 0.3, 1), shade(rng, 0.2, 0.9), shade(rng, 0.1, 0.6), shade(rng, 0.3, 0.9)
	horizon := float64(h) * (0.15 + 0.5*rng.Float64())
	coarse, middle, fine := newNoise(rng, 90), newNoise(rng, 23), newNoise(rng, 5)
	rough := 0.15 + 0.35*rng.Float64()
	for y := range h {
		for x := range w {
			n := 0.5*coarse.at(x, y) + 0.3*middle.at(x, y)
			var c color.RGBA
			if edge := horizon + 120*(coarse.at(x, 0)-0.5); float64(y) < edge {
				c = mix(sky, low, clamp01(float64(y)/horizon+0.3*(n-0.4)))
			} else {
				c = mix(ground, stone, clamp01(n+rough*(fine.at(x, y)-0.5)*2))
			}
			i := img.PixOffset(x, y)
			img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, 255
		}
	}
}

// noise is smooth value noise on a grid of cells of some px.
type noise struct {
	cell   float64
	values [64 * 64]float64
}

func newNoise(rng *rand.Rand, cell float64) *noise {
	n := &noise{cell: cell}
	for i := range n.values {
		n.values[i] = rng.Float64()
	}
	return n
}

func (n *noise) at(x, y int) float64 {
	fx, fy := float64(x)/n.cell, float64(y)/n.cell
	ix, iy := int(fx), int(fy)
	fx, fy = ease(fx-float64(ix)), ease(fy-float64(iy))
	v := func(dx, dy int) float64 { return n.values[(iy+dy)&63*64+(ix+dx)&63] }
	top := v(0, 0) + (v(1, 0)-v(0, 0))*fx
	bottom := v(0, 1) + (v(1, 1)-v(0, 1))*fx
	return top + (bottom-top)*fy
}

func ease(t float64) float64 { return t * t * (3 - 2*t) }

func clamp01(v float64) float64 { return max(0, min(1, v)) }

func mix(a, b color.RGBA, t float64) color.RGBA {
	m := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
}

// foliage is a tuft of thin strokes, as near the strokes of letters as scenes get.
func foliage(rng *rand.Rand, img *image.RGBA) {
	cx, cy := rng.Float64()*float64(img.Rect.Dx()), rng.Float64()*float64(img.Rect.Dy())
	c := shade(rng, 0.2, 0.9)
	for range 40 + rng.IntN(120) {
		x, y := cx+rng.NormFloat64()*70, cy+rng.NormFloat64()*25
		angle, length := -math.Pi/2+rng.NormFloat64()*0.5, 8+25*rng.Float64()
		stroke(img, point{x, y}, point{x + length*math.Cos(angle), y + length*math.Sin(angle)}, 0.6+rng.Float64(), mix(c, shade(rng, 0.1, 1), 0.4))
	}
}

func stroke(img *image.RGBA, from, to point, radius float64, c color.RGBA) {
	steps := int(math.Hypot(to.x-from.x, to.y-from.y)) + 1
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		disc(img, from.x+(to.x-from.x)*t, from.y+(to.y-from.y)*t, radius, c, 220)
	}
}

// thing is a building, a sprite or a beam.
func thing(rng *rand.Rand, img *image.RGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x, y := rng.IntN(w), rng.IntN(h)
	c := shade(rng, 0.2, 1)
	switch rng.IntN(4) {
	case 0: // a wall with windows
		r := image.Rect(x, y, x+40+rng.IntN(160), y+40+rng.IntN(200))
		box(img, r, c, 255)
		dark := mix(c, color.RGBA{}, 0.5)
		for wy := r.Min.Y + 8; wy < r.Max.Y-8; wy += 22 {
			for wx := r.Min.X + 8; wx < r.Max.X-8; wx += 18 {
				box(img, image.Rect(wx, wy, wx+9, wy+12), dark, 255)
			}
		}
	case 1: // a body with a rim
		radius := 8 + 40*rng.Float64()
		disc(img, float64(x), float64(y), radius+2, color.RGBA{A: 255}, 255)
		disc(img, float64(x), float64(y), radius, c, 255)
		disc(img, float64(x)-radius/3, float64(y)-radius/3, radius/3, mix(c, color.RGBA{255, 255, 255, 255}, 0.6), 255)
	case 2: // a beam
		angle := rng.Float64() * math.Pi
		length := 60 + 300*rng.Float64()
		stroke(img, point{float64(x), float64(y)}, point{float64(x) + length*math.Cos(angle), float64(y) + length*math.Sin(angle)}, 1+3*rng.Float64(), c)
	default: // a fence
		for i := range 6 + rng.IntN(12) {
			box(img, image.Rect(x+i*14, y, x+i*14+3+rng.IntN(4), y+30+rng.IntN(20)), c, 255)
		}
	}
}

// hud is what games lay over the scene: bars, slots, a round map.
func hud(rng *rand.Rand, img *image.RGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for i := range 1 + rng.IntN(3) {
		r := image.Rect(20, 20+i*26, 20+w/5, 36+i*26)
		box(img, r, color.RGBA{20, 20, 20, 255}, 200)
		r.Max.X = r.Min.X + int(float64(r.Dx())*(0.2+0.8*rng.Float64()))
		box(img, r.Inset(2), shade(rng, 0.6, 1), 255)
	}
	if rng.IntN(2) == 0 {
		for i := range 8 {
			x := w/2 - 4*52 + i*52
			box(img, image.Rect(x, h-60, x+46, h-14), color.RGBA{30, 30, 30, 255}, 180)
			disc(img, float64(x+23), float64(h-37), 8+10*rng.Float64(), shade(rng, 0.4, 1), 255)
		}
	}
	if rng.IntN(2) == 0 {
		r := float64(h) / 9
		disc(img, float64(w)-r-16, r+16, r+3, color.RGBA{210, 190, 120, 255}, 255)
		disc(img, float64(w)-r-16, r+16, r, shade(rng, 0.2, 0.6), 255)
	}
}

func box(img *image.RGBA, r image.Rectangle, c color.RGBA, alpha int) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			blend(img, x, y, c, alpha)
		}
	}
}

func disc(img *image.RGBA, cx, cy, radius float64, c color.RGBA, alpha int) {
	r := image.Rect(int(cx-radius-1), int(cy-radius-1), int(cx+radius+2), int(cy+radius+2)).Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if cover := clamp01(radius + 0.5 - math.Hypot(float64(x)-cx, float64(y)-cy)); cover > 0 {
				blend(img, x, y, c, int(cover*float64(alpha)))
			}
		}
	}
}

// blend lays c over a pixel with alpha of 255.
func blend(img *image.RGBA, x, y int, c color.RGBA, alpha int) {
	i := img.PixOffset(x, y)
	p := img.Pix[i : i+3 : i+3]
	p[0] = uint8((int(p[0])*(255-alpha) + int(c.R)*alpha) / 255)
	p[1] = uint8((int(p[1])*(255-alpha) + int(c.G)*alpha) / 255)
	p[2] = uint8((int(p[2])*(255-alpha) + int(c.B)*alpha) / 255)
}
