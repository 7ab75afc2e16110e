package ocr

import (
	"cmp"
	"math"
	"slices"
)

// rect is a rectangle of any rotation: its middle, the unit vector along its width, and
// its sizes in px. The unit vector down its height is along.turned().
type rect struct {
	middle        point
	along         point
	width, height float64
}

// window is the rectangle as what a network is shown.
func (r rect) window() window {
	right, down := r.along.times(r.width), r.along.turned().times(r.height)
	return window{origin: r.middle.minus(right.times(0.5)).minus(down.times(0.5)), right: right, down: down}
}

// box is the upright rectangle around r within a picture of w×h px: x, y, width, height.
func (r rect) box(w, h int) [4]int {
	halfX := (math.Abs(r.along.x)*r.width + math.Abs(r.along.y)*r.height) / 2
	halfY := (math.Abs(r.along.y)*r.width + math.Abs(r.along.x)*r.height) / 2
	x, y := max(0, int(r.middle.x-halfX)), max(0, int(r.middle.y-halfY))
	right, bottom := min(w, int(math.Ceil(r.middle.x+halfX))), min(h, int(math.Ceil(r.middle.y+halfY)))
	return [4]int{x, y, max(0, right-x), max(0, bottom-y)}
}

// between is what of r lies between two shares of its width, 0 to 1.
func (r rect) between(from, to float64) rect {
	r.middle = r.middle.plus(r.along.times(r.width * ((from+to)/2 - 0.5)))
	r.width *= to - from
	return r
}

// grown is r with every side moved out by the distance that the detector's training
// shrank lines by: area·ratio/perimeter (DB, arXiv:1911.08947, section 3.5).
func (r rect) grown(ratio float64) rect {
	d := r.width * r.height * ratio / (2 * (r.width + r.height))
	r.width, r.height = r.width+2*d, r.height+2*d
	return r
}

// reading turns r so that width is the way that text runs: the long side, left to
// right; a line more upright than level runs down.
func (r rect) reading() rect {
	if r.height > r.width {
		r.along, r.width, r.height = r.along.turned(), r.height, r.width
	}
	level := math.Abs(r.along.x) >= math.Abs(r.along.y)
	if level && r.along.x < 0 || !level && r.along.y < 0 {
		r.along = r.along.times(-1)
	}
	return r
}

// upright says whether r's lines run down rather than across.
func (r rect) upright() bool { return math.Abs(r.along.y) > math.Abs(r.along.x) }

// smallestRect is the rectangle of the smallest area around points: one side of it lies
// on a side of their convex hull (Freeman and Shapira, 1975).
func smallestRect(points []point) rect {
	hull := convexHull(points)
	best, area := rect{}, math.Inf(1)
	for i, p := range hull {
		side := hull[(i+1)%len(hull)].minus(p)
		length := side.length()
		if length == 0 {
			continue
		}
		u := side.times(1 / length)
		v := u.turned()
		lowU, highU, lowV, highV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, q := range hull {
			a, b := q.dot(u), q.dot(v)
			lowU, highU, lowV, highV = min(lowU, a), max(highU, a), min(lowV, b), max(highV, b)
		}
		if a := (highU - lowU) * (highV - lowV); a < area {
			area = a
			best = rect{
				middle: u.times((lowU + highU) / 2).plus(v.times((lowV + highV) / 2)),
				along:  u, width: highU - lowU, height: highV - lowV,
			}
		}
	}
	return best
}

// convexHull is Andrew's monotone chain; points are sorted in place.
func convexHull(points []point) []point {
	slices.SortFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	var hull []point
	half := func(from []point) {
		base := len(hull)
		for _, p := range from {
			for len(hull) >= base+2 && hull[len(hull)-1].minus(hull[len(hull)-2]).cross(p.minus(hull[len(hull)-2])) <= 0 {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, p)
		}
		hull = hull[:len(hull)-1] // the other half begins with it
	}
	half(points)
	back := slices.Clone(points)
	slices.Reverse(back)
	half(back)
	return hull
}
