package pdq

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
)

// scene makes a picture such as games show: a backdrop, terrain, bodies, small figures,
// and now and then bars and lines of signs over it. The same seed makes the same one.
func scene(seed uint64, w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(seed, 0x5ce9e))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	p := painter{img: img, r: r, w: float64(w), h: float64(h)}
	switch r.IntN(5) {
	case 0:
		p.gradient()
	case 1:
		p.rays()
	case 2:
		p.tiles()
	default:
		p.noise(1 + r.IntN(5))
	}
	if r.IntN(2) == 0 {
		p.hills()
	}
	for range 2 + r.IntN(14) {
		p.body()
	}
	for range r.IntN(6) {
		p.figure()
	}
	if r.IntN(3) == 0 {
		p.bars()
	}
	return img
}

type painter struct {
	img  *image.RGBA
	r    *rand.Rand
	w, h float64
}

func (p *painter) colour() color.RGBA {
	return color.RGBA{uint8(p.r.IntN(256)), uint8(p.r.IntN(256)), uint8(p.r.IntN(256)), 255}
}

func mix(a, b color.RGBA, t float64) color.RGBA {
	t = min(max(t, 0), 1)
	one := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t) }
	return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 255}
}

func (p *painter) fill(at func(x, y float64) (color.RGBA, bool)) {
	for y := range int(p.h) {
		for x := range int(p.w) {
			if c, on := at(float64(x)/p.w, float64(y)/p.h); on {
				p.img.SetRGBA(x, y, c)
			}
		}
	}
}

func (p *painter) gradient() {
	a, b, angle := p.colour(), p.colour(), p.r.Float64()*2*math.Pi
	dx, dy := math.Cos(angle), math.Sin(angle)
	p.fill(func(x, y float64) (color.RGBA, bool) { return mix(a, b, .5+(x-.5)*dx+(y-.5)*dy), true })
}

func (p *painter) rays() {
	a, b, n := p.colour(), p.colour(), float64(3+p.r.IntN(12))
	cx, cy, turn := p.r.Float64(), p.r.Float64(), p.r.Float64()*6
	p.fill(func(x, y float64) (color.RGBA, bool) {
		return mix(a, b, .5+.5*math.Sin(turn+n*math.Atan2(y-cy, x-cx))), true
	})
}

func (p *painter) tiles() {
	n, m := 2+p.r.IntN(9), 2+p.r.IntN(9)
	list := make([]color.RGBA, n*m)
	base := p.colour()
	for i := range list {
		list[i] = mix(base, p.colour(), p.r.Float64())
	}
	p.fill(func(x, y float64) (color.RGBA, bool) { return list[int(y*float64(m))*n+int(x*float64(n))], true })
}

// noise is smooth noise of some octaves.
func (p *painter) noise(octaves int) {
	a, b := p.colour(), p.colour()
	const grid = 17
	var values [grid * grid]float64
	for i := range values {
		values[i] = p.r.Float64()
	}
	sample := func(x, y float64) float64 {
		xi, yi := int(x)%(grid-1), int(y)%(grid-1)
		fx, fy := x-math.Floor(x), y-math.Floor(y)
		top := values[yi*grid+xi]*(1-fx) + values[yi*grid+xi+1]*fx
		low := values[(yi+1)*grid+xi]*(1-fx) + values[(yi+1)*grid+xi+1]*fx
		return top*(1-fy) + low*fy
	}
	first := 1 + 3*p.r.Float64()
	p.fill(func(x, y float64) (color.RGBA, bool) {
		v, scale, size := 0.0, 0.5, first
		for range octaves {
			v += scale * sample(x*size, y*size)
			scale, size = scale/2, size*2
		}
		return mix(a, b, (v-.2)*1.6), true
	})
}

func (p *painter) hills() {
	for range 1 + p.r.IntN(3) {
		c, level := p.colour(), .3+.6*p.r.Float64()
		f1, f2, t := 2+9*p.r.Float64(), 9+20*p.r.Float64(), p.r.Float64()*6
		p.fill(func(x, y float64) (color.RGBA, bool) {
			edge := level + .08*math.Sin(t+f1*x) + .03*math.Sin(t+f2*x)
			return mix(c, color.RGBA{A: 255}, y-edge), y > edge
		})
	}
}

// body is an ellipse, a box or a triangle, shaded.
func (p *painter) body() {
	a, b, kind := p.colour(), p.colour(), p.r.IntN(3)
	cx, cy, rx, ry := p.r.Float64(), p.r.Float64(), .03+.22*p.r.Float64(), .03+.22*p.r.Float64()
	turn := p.r.Float64() * math.Pi
	cos, sin := math.Cos(turn), math.Sin(turn)
	for y := max(0, int((cy-.36)*p.h)); y < min(int(p.h), int((cy+.36)*p.h)); y++ {
		for x := max(0, int((cx-.36)*p.w)); x < min(int(p.w), int((cx+.36)*p.w)); x++ {
			dx, dy := float64(x)/p.w-cx, float64(y)/p.h-cy
			u, v := (dx*cos+dy*sin)/rx, (dy*cos-dx*sin)/ry
			in := kind == 0 && u*u+v*v < 1 || kind == 1 && max(math.Abs(u), math.Abs(v)) < 1 || kind == 2 && v > -1 && v < 1-2*math.Abs(u)
			if in {
				p.img.SetRGBA(x, y, mix(a, b, .5+.4*u))
			}
		}
	}
}

// figure is a sprite of large pixels, the same on both sides.
func (p *painter) figure() {
	const n = 8
	a, b := p.colour(), p.colour()
	size := max(1, int(p.h*(.01+.03*p.r.Float64())))
	left, top := p.r.IntN(int(p.w)), p.r.IntN(int(p.h))
	for y := range n {
		for x := range n / 2 {
			c := a
			switch p.r.IntN(3) {
			case 0:
				continue
			case 1:
				c = b
			}
			for _, column := range []int{x, n - 1 - x} {
				p.box(left+column*size, top+y*size, size, size, c)
			}
		}
	}
}

func (p *painter) box(x, y, w, h int, c color.RGBA) {
	for j := max(0, y); j < min(y+h, int(p.h)); j++ {
		for i := max(0, x); i < min(x+w, int(p.w)); i++ {
			p.img.SetRGBA(i, j, c)
		}
	}
}

// bars are what lies over a game: a frame with bars, and lines of signs.
func (p *painter) bars() {
	w, h := int(p.w), int(p.h)
	for i := range 1 + p.r.IntN(4) {
		p.box(w/40, h/30+i*h/16, int(p.w*(.05+.3*p.r.Float64())), max(1, h/40), p.colour())
	}
	c := p.colour()
	for i := range p.r.IntN(5) {
		for x := w / 20; x < w/2; x += max(2, w/60) {
			if p.r.IntN(5) > 0 {
				p.box(x, h*3/4+i*h/18, max(1, w/90), max(1, h/36), c)
			}
		}
	}
}
