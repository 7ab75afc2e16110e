package eight

import (
	"cmp"
	"math"
	"slices"
)

// matrix is weights in whole numbers, as a kernel reads them: each output channel has a scale of its own.
type matrix struct {
	in, out            int // channels, padded
	used               int // of in, a multiple of 4, at least 4: beyond, all weights are 0
	values             []int8
	scales, sums, bias []float32
}

// padded is how many channels there are in memory for n.
func padded(n int) int { return (n + 15) / 16 * 16 }

// newMatrix rounds weights; at gives the weight of an output channel for place i of its padded inputs.
func newMatrix(in, out int, at func(out, i int) float32, bias []float32) *matrix {
	n := padded(out)
	rows := (n + 31) / 32 * 32 // pairs of 16 are read
	m := &matrix{in: in, out: n, used: 4, values: make([]int8, rows*in), scales: make([]float32, n), sums: make([]float32, n), bias: make([]float32, n)}
	copy(m.bias, bias)
	row := make([]float32, in)
	for o := range out {
		for i := range row {
			row[i] = at(o, i)
		}
		sum := 0
		for i, q := range rounded(row, &m.scales[o]) {
			sum += int(q)
			if q != 0 {
				m.used = max(m.used, i/4*4+4)
			}
			m.values[(o/16*(in/4)+i/4)*64+o%16*4+i%4] = q
		}
		m.sums[o] = float32(sum)
	}
	return m
}

// most is the largest weight in whole numbers.
const most = 127

// rounded gives a row of weights in whole numbers, and their scale. What is rounded up and what down is chosen so
// that the errors of a row add up to less than half a step: what a network multiplies has been through ReLU or
// GELU and lies on one side of 0, so that errors on one side would shift the whole channel.
func rounded(row []float32, scale *float32) []int8 {
	var top float32
	for _, v := range row {
		top = max(top, v, -v)
	}
	*scale = 1
	if top > 0 {
		*scale = top / most
	}
	whole, left, order, sum := make([]int8, len(row)), make([]float64, len(row)), make([]int, len(row)), 0.
	for i, v := range row {
		exact := float64(v) / float64(*scale)
		to := min(max(math.RoundToEven(exact), -most), most)
		whole[i], left[i], order[i] = int8(to), exact-to, i
		sum += left[i]
	}
	way := int8(1)
	if sum < 0 {
		way = -1
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(float64(way)*left[b], float64(way)*left[a]), a-b) })
	if !(math.Abs(sum) <= float64(len(order))) {
		return whole // of weights that are no numbers
	}
	for _, i := range order[:int(math.Round(math.Abs(sum)))] {
		if whole[i] != way*most {
			whole[i] += way
		}
	}
	return whole
}
