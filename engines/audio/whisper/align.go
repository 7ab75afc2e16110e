package whisper

import (
	"math"
	"slices"
)

// times are the ticks at which each token begins, and one more at which the last ends:
// the path of dynamic time warping through the attention, each head's normalised over
// the tokens and smoothed, as Whisper's own timing does (find_alignment).
func (f *follow) times() []int {
	n := len(f.all)
	if n == 0 || f.ticks == 0 {
		return nil
	}
	cost := make([][]float64, n)
	for i := range cost {
		cost[i] = make([]float64, f.ticks)
	}
	column, smooth := make([]float64, n), make([]float64, f.ticks)
	for h := range f.heads {
		normal := make([][]float64, n)
		for i := range normal {
			normal[i] = make([]float64, f.ticks)
		}
		for t := range f.ticks {
			for i := range n {
				column[i] = float64(f.all[i][h*f.ticks+t])
			}
			mean, deviation := spread(column)
			for i := range n {
				normal[i][t] = (column[i] - mean) / deviation
			}
		}
		for i := range n {
			median(smooth, normal[i])
			for t, v := range smooth {
				cost[i][t] -= v / float64(f.heads)
			}
		}
	}
	return path(cost)
}

func spread(v []float64) (mean, deviation float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	for _, x := range v {
		deviation += (x - mean) * (x - mean)
	}
	return mean, max(1e-9, math.Sqrt(deviation/float64(len(v))))
}

// median writes the median of seven neighbours of each value of in to out.
func median(out, in []float64) {
	const half = 3
	var w [2*half + 1]float64
	for i := range in {
		for k := range w {
			j := i + k - half
			if j < 0 {
				j = -j
			}
			if j >= len(in) {
				j = 2*len(in) - 2 - j
			}
			w[k] = in[min(max(j, 0), len(in)-1)]
		}
		s := w
		slices.Sort(s[:])
		out[i] = s[half]
	}
}

// path is the cheapest way from the first token and tick to the last, as the ticks at
// which each token begins, and the end.
func path(cost [][]float64) []int {
	n, ticks := len(cost), len(cost[0])
	best := make([]float64, (n+1)*(ticks+1))
	from := make([]byte, (n+1)*(ticks+1))
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[0] = 0
	for i := 1; i <= n; i++ {
		for t := 1; t <= ticks; t++ {
			at := i*(ticks+1) + t
			both, token, tick := best[at-ticks-2], best[at-ticks-1], best[at-1]
			least := both
			if token < least {
				least, from[at] = token, 1
			}
			if tick < least {
				least, from[at] = tick, 2
			}
			best[at] = least + cost[i-1][t-1]
		}
	}
	begins := make([]int, n+1)
	begins[n] = ticks
	for i, t := n, ticks; i > 0 && t > 0; {
		begins[i-1] = t - 1
		switch from[i*(ticks+1)+t] {
		case 0:
			i, t = i-1, t-1
		case 1:
			i--
		default:
			t--
		}
	}
	return begins
}
