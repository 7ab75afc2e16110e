package train

import "math"

// observed is a row as a regression sees it: what is known of it, the constant's 1 last.
type observed struct {
	x      []float64
	yes    bool
	weight float64
}

// ridge is what the square of a weight costs, the constant's nothing.
const ridge = 1

// regress fits a logistic regression by Newton's method (iteratively reweighted least squares)
// with steps halved where they lose, as platt does. It has one minimum, so nothing is drawn.
// The weights have the order of x.
func regress(rows []observed, n int) []float64 {
	w := make([]float64, n)
	loss := regressionLoss(rows, w)
	for range 50 {
		next, better := downhill(rows, w, loss)
		if better > loss {
			break
		}
		done := loss-better < 1e-10*math.Abs(loss)
		w, loss = next, better
		if done {
			break
		}
	}
	return w
}

// downhill is a step of Newton's from w, as much of it as does not lose.
func downhill(rows []observed, w []float64, loss float64) (next []float64, better float64) {
	grad, curve := slopes(rows, w)
	step := solve(curve, grad)
	next = make([]float64, len(w))
	for range 20 {
		for a := range step {
			next[a] = w[a] - step[a]
			step[a] /= 2
		}
		if better = regressionLoss(rows, next); better <= loss {
			break
		}
	}
	return next, better
}

// slopes are the first and second derivatives of regressionLoss at w.
func slopes(rows []observed, w []float64) (grad []float64, curve [][]float64) {
	n := len(w)
	grad, curve = make([]float64, n), make([][]float64, n)
	for a := range curve {
		curve[a] = make([]float64, n)
	}
	for i := range rows {
		r := &rows[i]
		p := 1 / (1 + math.Exp(-along(w, r.x)))
		d, v := r.weight*(p-truth(r.yes)), r.weight*p*(1-p)
		for a := range r.x {
			grad[a] += d * r.x[a]
			for b := range r.x {
				curve[a][b] += v * r.x[a] * r.x[b]
			}
		}
	}
	for a := range n - 1 {
		grad[a] += ridge * w[a]
		curve[a][a] += ridge
	}
	curve[n-1][n-1] += 1e-9
	return grad, curve
}

func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func along(w, x []float64) (sum float64) {
	for i := range w {
		sum += w[i] * x[i]
	}
	return sum
}

// regressionLoss is the surprise at the rows, and what the weights cost.
func regressionLoss(rows []observed, w []float64) float64 {
	sum := 0.0
	for i := range rows {
		r := &rows[i]
		z := along(w, r.x)
		sum += r.weight * (math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - truth(r.yes)*z)
	}
	for _, v := range w[:len(w)-1] {
		sum += ridge * v * v / 2
	}
	return sum
}

// solve gives x of a·x = b, a symmetric and positive, by Gauss's elimination. Both are used up.
func solve(a [][]float64, b []float64) []float64 {
	for i := range b {
		for k := i + 1; k < len(b); k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < len(b); j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	return b
}
