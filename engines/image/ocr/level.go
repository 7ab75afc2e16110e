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
	if w == b.w && h == b.h && win == (window{right: point{float64(w), 0}, down: point{0, float64(h)}}) {
		b.fillEach(planes, stride, n)
		return
	}
	across := samplings(w, b.w, win.origin.x, win.right.x)
	down := samplings(h, b.h, win.origin.y, win.down.y)
	scale, shift := n.ofWhole()
	left, right := b.w, 0 // the pixels of a row that are taken
	for _, s := range across {
		left, right = min(left, s.first), max(right, s.first+len(s.weights))
	}
	mixed := make([]float32, 3*(right-left))
	rows := make([][]byte, 0, 16)
	parts := make([]uint32, 0, 16)
	plane := stride * h
	for y, d := range down {
		rows, parts = rows[:0], parts[:0]
		for i, v := range d.weights {
			rows = append(rows, b.pix[3*((d.first+i)*b.w+left):][:len(mixed)])
			parts = append(parts, uint32(v*whole+0.5))
		}
		mixRows(mixed, rows, parts)
		blues, greens, reds := planes[y*stride:][:w], planes[plane+y*stride:][:w], planes[2*plane+y*stride:][:w]
		for x := range across {
			s := &across[x]
			blue, green, red := mixColumns(mixed[3*(s.first-left):], s.weights)
			blues[x], greens[x], reds[x] = blue*scale[0]+shift[0], green*scale[1]+shift[1], red*scale[2]+shift[2]
		}
	}
}

// ofWhole is what a value times whole is multiplied by, and what is added then.
func (n norm) ofWhole() (scale, shift [3]float32) {
	for c := range 3 {
		scale[c], shift[c] = 1/(whole*255*n.deviation[c]), -n.mean[c]/n.deviation[c]
	}
	return scale, shift
}

// fillEach is fill of all pixels as they are: small pictures, avatars among them, are looked at so.
func (b *bitmap) fillEach(planes []float32, stride int, n norm) {
	scale, shift := n.ofWhole()
	var values [3][256]float32
	for c := range values {
		for v := range values[c] {
			values[c][v] = float32(whole*v)*scale[c] + shift[c]
		}
	}
	plane, pix := stride*b.h, b.pix
	for y := range b.h {
		blues, greens, reds := planes[y*stride:][:b.w], planes[plane+y*stride:][:b.w], planes[2*plane+y*stride:][:b.w]
		for x := range blues {
			p := pix[:3:3]
			blues[x], greens[x], reds[x] = values[0][p[2]], values[1][p[1]], values[2][p[0]]
			pix = pix[3:]
		}
	}
}

// mixRows adds rows, each by its part of whole. It does so in whole numbers, which a
// processor adds sooner than it turns bytes into floats, and in one go for as many rows as
// there mostly are.
func mixRows(out []float32, rows [][]byte, parts []uint32) {
	switch len(rows) {
	case 2:
		a, b := rows[0][:len(out)], rows[1][:len(out)]
		for k := range out {
			out[k] = float32(int32(parts[0]*uint32(a[k]) + parts[1]*uint32(b[k]))) //nolint:gosec // below 2^28, as parts are of whole
		}
	case 3:
		a, b, c := rows[0][:len(out)], rows[1][:len(out)], rows[2][:len(out)]
		for k := range out {
			out[k] = float32(int32(parts[0]*uint32(a[k]) + parts[1]*uint32(b[k]) + parts[2]*uint32(c[k]))) //nolint:gosec // as above
		}
	default:
		for k := range out {
			sum := uint32(0)
			for i, row := range rows {
				sum += parts[i] * uint32(row[k])
			}
			out[k] = float32(int32(sum)) //nolint:gosec // as above
		}
	}
}

// mixColumns adds pixels from the first of row on, each by its weight.
func mixColumns(row, weights []float32) (blue, green, red float32) {
	switch len(weights) {
	case 2:
		f := row[:6]
		a, b := weights[0], weights[1]
		return a*f[2] + b*f[5], a*f[1] + b*f[4], a*f[0] + b*f[3]
	case 3:
		f := row[:9]
		a, b, c := weights[0], weights[1], weights[2]
		return a*f[2] + b*f[5] + c*f[8], a*f[1] + b*f[4] + c*f[7], a*f[0] + b*f[3] + c*f[6]
	}
	for i, v := range weights {
		red, green, blue = red+v*row[3*i], green+v*row[3*i+1], blue+v*row[3*i+2]
	}
	return blue, green, red
}
