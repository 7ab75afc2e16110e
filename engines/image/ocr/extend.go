package ocr

import (
	"math"
)

// The detector loses ends and middles of lines that run over something busy. Letters
// have more contrast along a line than what games put them on, so a line is followed to
// both sides for as long as that goes on; what then overlaps was one line.

const (
	followHeight = 16   // px at which lines are looked at
	followFar    = 14.0 // heights to each side, at most
	followLeast  = 0.6  // of the contrast within the line
)

// follow is r made longer to both sides for as long as the picture looks as it does
// within.
func (b *bitmap) follow(r rect) rect {
	far := followFar * r.height
	long := r
	long.width += 2 * far
	scale := followHeight / r.height
	w := int(long.width * scale)
	if w < 8 || w > 4*widestLine {
		return r
	}
	contrast := b.contrast(long, w)
	from, to := int(far*scale), w-int(far*scale)
	inside := mean(contrast[from:to])
	if inside < 4 {
		return r
	}
	step := followHeight // a letter or two: spaces are shorter
	left, right := from, to
	for left-step >= 0 && alikeContrast(mean(contrast[left-step:left]), inside) {
		left -= step
	}
	for right+step <= w && alikeContrast(mean(contrast[right:right+step]), inside) {
		right += step
	}
	if left == from && right == to {
		return r
	}
	grewLeft, grewRight := float64(from-left)/scale, float64(right-to)/scale
	r.middle = r.middle.plus(r.along.times((grewRight - grewLeft) / 2))
	r.width += grewLeft + grewRight
	return r
}

func alikeContrast(here, inside float64) bool {
	return here >= followLeast*inside && here <= 1.6*inside
}

// contrast is, for each of w columns of r, how much its pixels differ from those of the
// next, in levels of light. Columns beyond the picture have none.
func (b *bitmap) contrast(r rect, w int) []float64 {
	win := r.window()
	right, down := win.right.times(1/float64(w)), win.down.times(1.0/followHeight)
	out := make([]float64, w)
	for y := followHeight / 4; y < followHeight*3/4; y++ {
		at := win.origin.plus(down.times(float64(y) + 0.5)).plus(right.times(0.5))
		last := -1.0
		for x := range out {
			p := at.plus(right.times(float64(x)))
			if p.x < 0 || p.y < 0 || p.x >= float64(b.w) || p.y >= float64(b.h) {
				last = -1
				continue
			}
			i := 3 * (int(p.y)*b.w + int(p.x))
			v := 0.299*float64(b.pix[i]) + 0.587*float64(b.pix[i+1]) + 0.114*float64(b.pix[i+2])
			if last >= 0 {
				out[x] += math.Abs(v-last) / (followHeight / 2)
			}
			last = v
		}
	}
	return out
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// merged joins the rectangles that are parts of one line.
func merged(rects []rect) []rect {
	for again := true; again; {
		again = false
		for i := 0; i < len(rects) && !again; i++ {
			for j := i + 1; j < len(rects); j++ {
				if !sameLine(rects[i], rects[j]) {
					continue
				}
				rects[i] = around(rects[i], rects[j])
				rects = append(rects[:j], rects[j+1:]...)
				again = true
				break
			}
		}
	}
	return rects
}

// sameLine says whether two rectangles lie on one line, at most a height apart.
func sameLine(a, b rect) bool {
	if a.width < b.width {
		a, b = b, a
	}
	low, high := min(a.height, b.height), max(a.height, b.height)
	if high > 1.8*low || a.upright() != b.upright() {
		return false
	}
	most := math.Sin(8 * math.Pi / 180)
	if b.width < 3*b.height { // its own direction says little
		most = math.Sin(25 * math.Pi / 180)
	}
	if math.Abs(a.along.cross(b.along)) > most {
		return false
	}
	d := b.middle.minus(a.middle)
	apart := math.Abs(d.dot(a.along)) - (a.width+b.width)/2
	return apart < low && math.Abs(d.cross(a.along)) < 0.35*low
}

// around is the rectangle around two of one line, in the direction of the longer one or,
// where they are far apart, of both.
func around(a, b rect) rect {
	if a.width < b.width {
		a, b = b, a
	}
	u := a.along
	if d := b.middle.minus(a.middle); d.length() > a.width/2 && b.width > 2*b.height {
		v := d.times(1 / d.length())
		if v.dot(u) < 0 {
			v = v.times(-1)
		}
		u = v
	}
	v := u.turned()
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range []rect{a, b} {
		middle := r.middle.minus(a.middle).dot(u)
		low, high = min(low, middle-r.width/2), max(high, middle+r.width/2)
	}
	share := b.width / (a.width + b.width)
	off := b.middle.minus(a.middle).dot(v) * share
	return rect{
		middle: a.middle.plus(u.times((low + high) / 2)).plus(v.times(off)),
		along:  u, width: high - low, height: a.height + (b.height-a.height)*share,
	}
}
