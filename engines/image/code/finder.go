package code

import (
	"cmp"
	"math"
	"slices"
)

// finder is where a finder pattern seems to be: a line through its centre in any
// direction meets dark, light, dark, light, dark as 1:1:3:1:1.
type finder struct {
	x, y   float64
	module float64 // px
	light  bool    // the code is light on dark
	count  int     // lines that met it
}

// mostFinders bounds how many are looked at further; those that most lines met.
const mostFinders = 48

// finders looks for finder patterns of both polarities.
func (m *mask) finders() []finder {
	var list []finder
	runs := make([]int, 0, m.w+1) // where each run of one colour ends
	for y := 1; y < m.h; y += 2 {
		row := m.dark[y*m.w : (y+1)*m.w]
		runs = runs[:0]
		for x := 1; x < len(row); x++ {
			if row[x] != row[x-1] {
				runs = append(runs, x)
			}
		}
		for i := 0; i+5 < len(runs); i++ { // six edges bound five runs
			e := runs[i : i+6 : i+6]
			if !pattern(e[1]-e[0], e[2]-e[1], e[3]-e[2], e[4]-e[3], e[5]-e[4], 0.5) {
				continue
			}
			list = m.confirm(list, (e[2]+e[3]-1)/2, y, e[5]-e[0], !row[e[0]])
		}
	}
	// Every second row of the dark inside of a pattern, three modules tall, meets it.
	list = slices.DeleteFunc(list, func(f finder) bool { return float64(f.count) < 0.6*f.module })
	slices.SortFunc(list, func(a, b finder) int { return cmp.Compare(b.count, a.count) })
	return list[:min(len(list), mostFinders)]
}

// pattern reports whether runs are as 1:1:3:1:1, each off by less than a part of a module.
func pattern(a, b, c, d, e int, off float64) bool {
	total := a + b + c + d + e
	if total < 9 {
		return false
	}
	module := float64(total) / 7
	// One pixel more: edges lie between pixels.
	off = off*module + 0.6
	one := func(n int) bool { return math.Abs(float64(n)-module) < off }
	return one(a) && one(b) && math.Abs(float64(c)-3*module) < 2*off && one(d) && one(e)
}

// confirm looks up and down, and across, from what a row shows at x, y, and adds it.
func (m *mask) confirm(list []finder, x, y, width int, light bool) []finder {
	cy, tall, ok := m.across(x, y, 0, 1, width)
	if !ok || tall > 2*width || width > 2*tall {
		return list
	}
	cx, wide, ok := m.across(x, int(cy), 1, 0, width)
	if !ok {
		return list
	}
	if _, _, ok := m.across(int(cx), int(cy), 1, 1, width); !ok {
		if _, _, ok := m.across(int(cx), int(cy), 1, -1, width); !ok {
			return list
		}
	}
	f := finder{x: cx, y: cy, module: float64(tall+wide) / 14, light: light, count: 1}
	for i := range list {
		have := &list[i]
		if have.light == light && math.Abs(have.x-f.x) < 2*f.module && math.Abs(have.y-f.y) < 2*f.module {
			n := float64(have.count)
			have.x, have.y = (have.x*n+f.x)/(n+1), (have.y*n+f.y)/(n+1)
			have.module = (have.module*n + f.module) / (n + 1)
			have.count++
			return list
		}
	}
	return append(list, f)
}

// across walks from a pixel in the centre both ways along a direction, and returns
// where the middle run's middle is on the axis that it walks (x, or y where dx is 0)
// and how long the five runs are.
func (m *mask) across(x, y, dx, dy, most int) (centre float64, total int, ok bool) {
	if x < 0 || y < 0 || x >= m.w || y >= m.h {
		return 0, 0, false
	}
	colour := m.dark[y*m.w+x]
	var runs [5]int
	runs[2] = 1
	back, ok1 := m.walk(x, y, -dx, -dy, most, colour)
	ahead, ok2 := m.walk(x, y, dx, dy, most, colour)
	if !ok1 || !ok2 {
		return 0, 0, false
	}
	runs[0], runs[1], runs[3], runs[4] = back[2], back[1], ahead[1], ahead[2]
	runs[2] += back[0] + ahead[0]
	off := 0.5
	if dx != 0 && dy != 0 {
		off = 0.75
	}
	if !pattern(runs[0], runs[1], runs[2], runs[3], runs[4], off) {
		return 0, 0, false
	}
	at := x
	if dx == 0 {
		at = y
	}
	return float64(at) + float64(ahead[0]-back[0])/2 + 0.5, runs[0] + runs[1] + runs[2] + runs[3] + runs[4], true
}

// walk counts the rest of this run and the two after it.
func (m *mask) walk(x, y, dx, dy, most int, colour bool) (runs [3]int, ok bool) {
	for i := range runs {
		for {
			x, y = x+dx, y+dy
			if x < 0 || y < 0 || x >= m.w || y >= m.h {
				return runs, i == 2 && runs[2] > 0 // the pattern may touch the edge
			}
			if m.dark[y*m.w+x] != colour {
				colour = !colour
				if i < 2 {
					runs[i+1]++
				}
				break
			}
			if runs[i]++; runs[i] > most {
				return runs, false
			}
		}
	}
	return runs, true
}

// corner is three finder patterns that may be those of a code.
type corner struct {
	topLeft, topRight, bottomLeft int // index of the finders
	off                           float64
}

// corners pairs finders up, the likeliest first.
func corners(list []finder) []corner {
	var out []corner
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			if !alike(&list[i], &list[j]) {
				continue
			}
			for k := j + 1; k < len(list); k++ {
				if !alike(&list[i], &list[k]) || !alike(&list[j], &list[k]) {
					continue
				}
				if c, ok := cornerOf(list, i, j, k); ok {
					out = append(out, c)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b corner) int { return cmp.Compare(a.off, b.off) })
	return out
}

func alike(a, b *finder) bool {
	return a.light == b.light && a.module < 1.6*b.module && b.module < 1.6*a.module
}

// cornerOf tells which of three finders is the one at the right angle, and which side
// the others are on; a mirrored code is read by the decoder.
func cornerOf(list []finder, i, j, k int) (c corner, ok bool) {
	square := func(a, b int) float64 {
		dx, dy := list[a].x-list[b].x, list[a].y-list[b].y
		return dx*dx + dy*dy
	}
	ij, jk, ik := square(i, j), square(j, k), square(i, k)
	at, p, q := i, j, k
	a, b, hyp := ij, ik, jk
	switch {
	case ik >= ij && ik >= jk:
		at, p, q, a, b, hyp = j, i, k, ij, jk, ik
	case ij >= jk && ij >= ik:
		at, p, q, a, b, hyp = k, i, j, ik, jk, ij
	}
	if a > b {
		a, b = b, a
	}
	angle, sides := math.Abs(hyp-a-b)/hyp, 1-a/b
	module := (list[i].module + list[j].module + list[k].module) / 3
	// The centres are 14 modules apart in the smallest code, 170 in the largest; runs
	// through a turned pattern are up to 1.42 times as long.
	if apart := math.Sqrt(b) / module; angle > 0.3 || sides > 0.5 || apart < 8 || apart > 190 {
		return c, false
	}
	cross := (list[p].x-list[at].x)*(list[q].y-list[at].y) - (list[p].y-list[at].y)*(list[q].x-list[at].x)
	if cross < 0 {
		p, q = q, p
	}
	sizes := []float64{list[i].module, list[j].module, list[k].module}
	return corner{at, p, q, angle + sides + slices.Max(sizes)/slices.Min(sizes) - 1}, true
}

// timed reports whether light and dark modules take turns where a code with these
// patterns has its timing patterns (ISO/IEC 18004 section 6.3.5), for some size that
// the distance of the patterns allows. It rules out most of what is no code before
// anything is sampled.
func (m *mask) timed(three [3]finder) bool {
	bl, tl, tr := three[0], three[1], three[2]
	ax, ay, bx, by := tr.x-tl.x, tr.y-tl.y, bl.x-tl.x, bl.y-tl.y
	along, down := math.Hypot(ax, ay), math.Hypot(bx, by)
	// A line through a pattern that is turned is longer than the pattern is wide.
	module := (bl.module + tl.module + tr.module) / 3 * max(math.Abs(ax), math.Abs(ay)) / along
	guess := (along+down)/2/module + 7
	for n := 21; n <= 177; n += 4 {
		if size := float64(n); size < 0.8*guess-2 || size > 1.25*guess+2 {
			continue
		}
		steps := float64(n - 7)
		ux, uy, vx, vy := ax/steps, ay/steps, bx/steps, by/steps
		right, all := 0, 0
		for i := 8; i <= n-9; i++ {
			k := float64(i - 3)
			dark := (i%2 == 0) != tl.light
			for _, p := range [2][2]float64{{tl.x + 3*vx + k*ux, tl.y + 3*vy + k*uy}, {tl.x + 3*ux + k*vx, tl.y + 3*uy + k*vy}} {
				x, y := int(p[0]), int(p[1])
				if all++; x >= 0 && y >= 0 && x < m.w && y < m.h && m.dark[y*m.w+x] == dark {
					right++
				}
			}
		}
		if right*10 >= all*7 {
			return true
		}
	}
	return false
}
