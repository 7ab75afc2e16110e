package pdq

// window is the width of the box filter along a side of n px: half of what one pixel
// of the small picture stands for, since it is passed twice.
func window(n int) int { return (n + 2*small - 1) / (2 * small) }

// shrink makes of s.luma, w by h, the small picture: a box filter passed twice in each
// direction, which together is a tent, then the pixels in the middle of each part. What
// the last passes would write elsewhere is not looked at, so it is not written.
func (s *scratch) shrink(w, h int) {
	if w == small && h == small {
		copy(s.small[:], s.luma) // as the reference takes frames that were scaled before
		return
	}
	alongX, alongY := window(w), window(h)
	var cols, rows [small]int
	for i := range small {
		cols[i], rows[i] = int((float64(i)+0.5)*float64(w)/small), int((float64(i)+0.5)*float64(h)/small)
	}
	boxAlongAll(s.luma, s.other, w, h, alongX)
	boxAcross(s.other, s.luma, s.across[:w], h, alongY, nil)
	boxAlongAll(s.luma, s.other, w, h, alongX)
	for y := range h {
		line := s.other[y*w : (y+1)*w]
		for i, at := range cols {
			s.narrow[y*small+i] = line[at]
		}
	}
	boxAcross(s.narrow[:h*small], s.small[:], s.across[:small], h, alongY, rows[:])
}

// phases says how many steps a filter of width n takes over length values: first it
// only adds, then it adds and writes, then it moves, then it runs out.
func phases(length, n int) (fill, grow, move, end int) {
	ahead := (n+2)/2 - 1 // values that the window reaches beyond the one it writes
	return ahead, n - ahead, length - n, ahead
}

// boxAlong writes the mean of n values around each. Sums run on from one to the next
// in single precision, and are divided, in the order of the reference: so do their
// errors.
func boxAlong(in, to plane, n int) {
	fill, grow, move, end := phases(len(in), n)
	var sum, count float32
	for _, v := range in[:fill] {
		sum += v
		count++
	}
	for i, v := range in[fill : fill+grow] {
		sum += v
		count++
		to[i] = sum / count
	}
	enter, leave := in[fill+grow:], in[:move]
	enter, middle := enter[:len(leave)], to[grow:]
	middle = middle[:len(leave)]
	if inverse, exact := inverseOf(n); exact {
		for i, v := range leave {
			sum += enter[i]
			sum -= v
			middle[i] = sum * inverse
		}
	} else {
		for i, v := range leave {
			sum += enter[i]
			sum -= v
			middle[i] = sum / count
		}
	}
	for i, v := range in[move : move+end] {
		sum -= v
		count--
		to[grow+move+i] = sum / count
	}
}

// boxAlongAll is boxAlong of h lines of w values.
func boxAlongAll(in, to plane, w, h, n int) {
	y := 0
	for ; y+4 <= h; y += 4 {
		boxAlongFour(in[y*w:(y+4)*w], to[y*w:(y+4)*w], n)
	}
	for ; y < h; y++ {
		boxAlong(in[y*w:(y+1)*w], to[y*w:(y+1)*w], n)
	}
}

// boxAlongFour is boxAlong of four lines that follow each other, to the last bit: each sum waits for the one before
// it, so a processor adds four at once in the time of one.
func boxAlongFour(in, to plane, n int) {
	w := len(in) / 4
	fill, grow, move, end := phases(w, n)
	a, b, c, d := in[:w], in[w:2*w], in[2*w:3*w], in[3*w:4*w]
	p, q, r, s := to[:w], to[w:2*w], to[2*w:3*w], to[3*w:4*w]
	var sa, sb, sc, sd, count float32
	for i := range fill + grow {
		sa, sb, sc, sd = sa+a[i], sb+b[i], sc+c[i], sd+d[i]
		count++
		if i >= fill {
			p[i-fill], q[i-fill], r[i-fill], s[i-fill] = sa/count, sb/count, sc/count, sd/count
		}
	}
	inverse, exact := inverseOf(n)
	for i := range move {
		enter, at := i+fill+grow, i+grow
		sa, sb, sc, sd = sa+a[enter], sb+b[enter], sc+c[enter], sd+d[enter]
		sa, sb, sc, sd = sa-a[i], sb-b[i], sc-c[i], sd-d[i]
		if exact {
			p[at], q[at], r[at], s[at] = sa*inverse, sb*inverse, sc*inverse, sd*inverse
		} else {
			p[at], q[at], r[at], s[at] = sa/count, sb/count, sc/count, sd/count
		}
	}
	for i := range end {
		out, at := move+i, grow+move+i
		sa, sb, sc, sd = sa-a[out], sb-b[out], sc-c[out], sd-d[out]
		count--
		p[at], q[at], r[at], s[at] = sa/count, sb/count, sc/count, sd/count
	}
}

// inverseOf is by what to multiply instead of dividing by n, where that is the same to
// the last bit: for powers of two.
func inverseOf(n int) (float32, bool) { return 1 / float32(n), n&(n-1) == 0 }

// boxAcross is boxAlong from line to line, for all columns at once: sums has one for
// each and says how wide the lines are, h is how many there are. Of what it makes it
// writes the given rows, one after the other; all for nil.
func boxAcross(in, to, sums plane, h, n int, rows []int) {
	w := len(sums)
	clear(sums)
	fill, grow, move, end := phases(h, n)
	line := func(y int) plane { return in[y*w : (y+1)*w] }
	right, left, at, count := 0, 0, 0, 0
	write := func() {
		if rows == nil {
			mean(to[at*w:(at+1)*w], sums, count)
		}
		for len(rows) > 0 && rows[0] == at {
			mean(to[:w], sums, count)
			to, rows = to[w:], rows[1:]
		}
		at++
	}
	for step := range fill + grow + move + end {
		if right < h {
			add(sums, line(right))
			right++
		}
		if step < fill+grow {
			count++
		} else {
			subtract(sums, line(left))
			left++
		}
		if step >= fill+grow+move {
			count--
		}
		if step >= fill {
			write()
		}
	}
}

func add(sums, line plane) {
	line = line[:len(sums)]
	for i := range sums {
		sums[i] += line[i]
	}
}

func subtract(sums, line plane) {
	line = line[:len(sums)]
	for i := range sums {
		sums[i] -= line[i]
	}
}

func mean(to, sums plane, n int) {
	to = to[:len(sums)]
	if inverse, exact := inverseOf(n); exact {
		for i, v := range sums {
			to[i] = v * inverse
		}
		return
	}
	count := float32(n)
	for i, v := range sums {
		to[i] = v / count
	}
}
