package eight

import "math"

// matrix is weights in whole numbers, as a kernel reads them: each output channel has a scale of its own.
type matrix struct {
	in, out            int // channels, padded
	values             []int8
	scales, sums, bias []float32
}

// padded is how many channels there are in memory for n.
func padded(n int) int { return (n + 15) / 16 * 16 }

// newMatrix rounds weights; at gives the weight of an output channel for place i of its padded inputs.
func newMatrix(in, out int, at func(out, i int) float32, bias []float32) *matrix {
	n := padded(out)
	rows := (n + 31) / 32 * 32 // pairs of 16 are read
	m := &matrix{in: in, out: n, values: make([]int8, rows*in), scales: make([]float32, n), sums: make([]float32, n), bias: make([]float32, n)}
	copy(m.bias, bias)
	row := make([]float32, in)
	for o := range out {
		for i := range row {
			row[i] = at(o, i)
		}
		scale := scaleOf(row)
		sum := 0
		for i, v := range row {
			q := whole(v, scale)
			sum += int(q)
			m.values[(o/16*(in/4)+i/4)*64+o%16*4+i%4] = q
		}
		m.scales[o], m.sums[o] = scale, float32(sum)
	}
	return m
}

func whole(v, scale float32) int8 {
	return int8(min(max(math.RoundToEven(float64(v/scale)), -127), 127))
}

// scaleOf is the scale that rounds a row of weights with the least square error: cutting off the largest may lose
// less than the steps that they would need.
func scaleOf(row []float32) float32 {
	var top float32
	for _, v := range row {
		top = max(top, v, -v)
	}
	if top == 0 {
		return 1
	}
	var best float32
	least := math.Inf(1)
	for _, cut := range []float32{1, .97, .94, .9, .86, .82, .78} {
		scale, lost := top*cut/127, 0.
		for _, v := range row {
			d := float64(v - float32(whole(v, scale))*scale)
			lost += d * d
		}
		if lost < least {
			best, least = scale, lost
		}
	}
	return best
}
