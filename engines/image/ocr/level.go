package ocr

import "math"

// Most windows lie straight in a picture: the whole picture for the detector, level
// lines for the recogniser. What fill does there parts into rows and columns, each
// pixel of which has the same weights all the way.

// sampling is what one value along an axis takes: weights of pixels from first on.
type sampling struct {
	first   int
	weights []float32
}

// samplings are those of n values of the part of size pixels that begins at from and
// goes on for length, which may be negative: what window and samples make of one axis.
func samplings(n, size int, from, length float64) []sampling {
	step := length / float64(n)
	reads := samples(math.Abs(step))
	sub := step / float64(reads)
	weight := 1 / float32(reads)
	all := make([]sampling, n)
	for i := range all {
		low, high := size, 0
		var at [8]int
		var part [8]float32
		for k := range reads {
			p := max(0, min(from+float64(i)*step+(float64(k)+0.5)*sub-0.5, float64(size-1)))
			at[k] = int(p)
			part[k] = float32(p - float64(at[k]))
			low, high = min(low, at[k]), max(high, min(at[k]+1, size-1))
		}
		s := sampling{low, make([]float32, high-low+1)}
		for k := range reads {
			s.weights[at[k]-low] += weight * (1 - part[k])
			s.weights[min(at[k]+1, size-1)-low] += weight * part[k]
		}
		all[i] = s
	}
	return all
}

// straight says whether the sides of win lie along rows and columns.
func (win window) straight() bool {
	const least = 1e-9
	return math.Abs(win.right.y) < least && math.Abs(win.down.x) < least
}

// whole is a weight of 1 where weights are whole numbers.
const whole = 1 << 20

// fillStraight is fill where win lies straight.
func (b *bitmap) fillStraight(planes []float32, win window, w, h, stride int, n norm) {
	across := samplings(w, b.w, win.origin.x, win.right.x)
	down := samplings(h, b.h, win.origin.y, win.down.y)
	var scale, shift [3]float32
	for c := range 3 {
		scale[c], shift[c] = 1/(whole*255*n.deviation[c]), -n.mean[c]/n.deviation[c]
	}
	left, right := b.w, 0 // the pixels of a row that are taken
	for _, s := range across {
		left, right = min(left, s.first), max(right, s.first+len(s.weights))
	}
	// Rows are mixed in whole numbers, which a processor adds sooner than it turns bytes into
	// floats: weights in parts of whole.
	mixed := make([]uint32, 3*(right-left))
	plane := stride * h
	for y, d := range down {
		for i, v := range d.weights {
			row := b.pix[3*((d.first+i)*b.w+left):][:len(mixed)]
			part := uint32(v*whole + 0.5)
			if i == 0 {
				for k, p := range row {
					mixed[k] = part * uint32(p)
				}
				continue
			}
			for k, p := range row {
				mixed[k] += part * uint32(p)
			}
		}
		blues, greens, reds := planes[y*stride:][:w], planes[plane+y*stride:][:w], planes[2*plane+y*stride:][:w]
		for x := range across {
			s := &across[x]
			var red, green, blue float32
			from := mixed[3*(s.first-left):][:3*len(s.weights)]
			for _, v := range s.weights {
				red, green, blue = red+v*float32(from[0]), green+v*float32(from[1]), blue+v*float32(from[2])
				from = from[3:]
			}
			blues[x], greens[x], reds[x] = blue*scale[0]+shift[0], green*scale[1]+shift[1], red*scale[2]+shift[2]
		}
	}
}
