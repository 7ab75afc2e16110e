package ocr

import "math"

// lesson is one thing that a regression learns from: its parts, whether it is what is looked
// for, and how much it weighs.
type lesson struct {
	parts []float64
	is    bool
	share float64
}

// logistic is a logistic regression by Newton's method: a weight for each part, and what is
// added.
func logistic(all []lesson) []float64 {
	size := len(all[0].parts) + 1
	weights := make([]float64, size)
	for range 25 {
		curve := make([][]float64, size) // its last column is the slope
		for i := range curve {
			curve[i] = make([]float64, size+1)
			curve[i][i] = 1e-3
		}
		for _, s := range all {
			x := append(s.parts[:size-1:size-1], 1)
			sum, want := 0.0, 0.0
			for i, v := range x {
				sum += weights[i] * v
			}
			if s.is {
				want = 1
			}
			p := 1 / (1 + math.Exp(-sum))
			for i := range size {
				curve[i][size] += s.share * (want - p) * x[i]
				for j := range size {
					curve[i][j] += s.share * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		for i, v := range solved(curve) {
			weights[i] += v
		}
	}
	return weights
}

// solved is x of the equations that the rows are: their last column is the right side.
func solved(rows [][]float64) []float64 {
	n := len(rows)
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := rows[j][i] / rows[i][i]
			for k := i; k <= n; k++ {
				rows[j][k] -= f * rows[i][k]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = rows[i][n]
		for k := i + 1; k < n; k++ {
			x[i] -= rows[i][k] * x[k]
		}
		x[i] /= rows[i][i]
	}
	return x
}
