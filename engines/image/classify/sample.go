package classify

import (
	stdimage "image"
	"math"
)

// tap is what one sample takes along an axis: weights of the pixels from first on.
type tap struct {
	first   int
	weights []float32
}

// taps are those of n samples of the part [from, from+length) of size pixels.
func (in *Input) taps(n, size int, from, length float64) []tap {
	filter := in.Filter
	if filter == "" {
		filter = Area
	}
	all := make([]tap, n)
	step := length / float64(n)
	for i := range all {
		switch {
		case filter == Corners:
			at := from
			if n > 1 {
				at += float64(i) * (length - 1) / float64(n-1)
			}
			all[i] = between(at, size)
		case filter == Area && step > 1:
			all[i] = covered(from+float64(i)*step, from+float64(i+1)*step, size)
		default:
			all[i] = between(from+(float64(i)+.5)*step-.5, size)
		}
	}
	return all
}

// between takes from the two pixels around a place, which counts from the centre of
// the first; beyond the edge it is the edge's.
func between(at float64, size int) tap {
	at = min(max(at, 0), float64(size-1))
	first := min(int(at), max(size-2, 0))
	if size == 1 {
		return tap{0, []float32{1}}
	}
	f := float32(at - float64(first))
	return tap{first, []float32{1 - f, f}}
}

// covered takes the mean of what lies between two edges.
func covered(from, to float64, size int) tap {
	first := min(max(int(math.Floor(from)), 0), size-1)
	last := min(max(int(math.Ceil(to))-1, first), size-1)
	t := tap{first, make([]float32, last-first+1)}
	sum := 0.
	for i := range t.weights {
		at := float64(first + i)
		w := max(min(to, at+1)-max(from, at), 0)
		t.weights[i], sum = float32(w), sum+w
	}
	for i := range t.weights {
		t.weights[i] /= float32(sum)
	}
	return t
}

// sample gives the lines of a view to use, top to bottom, three channels a pixel, 0 to
// 255. A line is used before the next is made.
func (in *Input) sample(p *stdimage.RGBA, v view, use func(y int, line []float32)) {
	size := p.Rect.Size()
	across := in.taps(int(v.to.w), size.X, v.from.x, v.from.w)
	down := in.taps(int(v.to.h), size.Y, v.from.y, v.from.h)
	// Only these pixels of a row are taken.
	left := across[0].first
	last := across[len(across)-1]
	right := last.first + len(last.weights)
	mixed := make([]float32, 3*(right-left))
	line := make([]float32, 3*len(across))
	row := func(y int) []uint8 {
		start := p.PixOffset(p.Rect.Min.X+left, p.Rect.Min.Y+y)
		return p.Pix[start : start+4*(right-left)]
	}
	for y, t := range down {
		if len(t.weights) == 2 {
			mixTwo(mixed, row(t.first), row(t.first+1), t.weights[0], t.weights[1])
		} else {
			clear(mixed)
			for i, w := range t.weights {
				if w != 0 {
					mix(mixed, row(t.first+i), w)
				}
			}
		}
		for x, t := range across {
			to, at := line[3*x:][:3], 3*(t.first-left)
			if len(t.weights) == 2 {
				m, a, b := mixed[at:][:6], t.weights[0], t.weights[1]
				to[0], to[1], to[2] = a*m[0]+b*m[3], a*m[1]+b*m[4], a*m[2]+b*m[5]
				continue
			}
			var r, g, b float32
			for _, w := range t.weights {
				m := mixed[at : at+3 : at+3]
				r, g, b = r+w*m[0], g+w*m[1], b+w*m[2]
				at += 3
			}
			to[0], to[1], to[2] = r, g, b
		}
		use(y, line)
	}
}

// levels are the values of a channel: to look one up takes less time than to turn it into
// a float.
var levels = func() (all [256]float32) {
	for i := range all {
		all[i] = float32(i)
	}
	return all
}()

// mixTwo is what mix makes of two rows, on to nothing: most samples take from two.
func mixTwo(to []float32, a, b []uint8, v, w float32) {
	for len(to) >= 3 && len(a) >= 4 && len(b) >= 4 {
		to[0] = v*levels[a[0]] + w*levels[b[0]]
		to[1] = v*levels[a[1]] + w*levels[b[1]]
		to[2] = v*levels[a[2]] + w*levels[b[2]]
		to, a, b = to[3:], a[4:], b[4:]
	}
}

// mix adds a row of RGBA pixels, times a weight, to a row of three channels.
func mix(to []float32, pix []uint8, w float32) {
	var times [256]float32 // a pixel's value is one of few
	for i := range times {
		times[i] = w * float32(i)
	}
	for len(to) >= 3 && len(pix) >= 4 {
		to[0] += times[pix[0]]
		to[1] += times[pix[1]]
		to[2] += times[pix[2]]
		to, pix = to[3:], pix[4:]
	}
}
