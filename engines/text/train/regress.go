package train

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines/text"
)

// unknowns are the weights of the sides and a constant, a vector's numbers.
const unknowns = int(text.Sides) + 1

type vector [unknowns]float64

// ridge is what the square of a weight costs, the constant's nothing.
const ridge = 1

// regress fits a logistic regression by Newton's method (iteratively reweighted least squares)
// with steps halved where they lose, as platt does. It has one minimum, so nothing is drawn.
func regress(rows []doubted) text.Blend {
	var w vector
	loss := regressionLoss(rows, &w)
	for range 50 {
		next, better := downhill(rows, &w, loss)
		if better > loss {
			break
		}
		done := loss-better < 1e-10*math.Abs(loss)
		w, loss = next, better
		if done {
			break
		}
	}
	b := text.Blend{Constant: w[unknowns-1]}
	copy(b.Weights[:], w[:unknowns-1])
	return b
}

// downhill is a step of Newton's from w, as much of it as does not lose.
func downhill(rows []doubted, w *vector, loss float64) (next vector, better float64) {
	grad, curve := slopes(rows, w)
	step := solve(curve, grad)
	for range 20 {
		for a := range step {
			next[a] = w[a] - step[a]
			step[a] /= 2
		}
		if better = regressionLoss(rows, &next); better <= loss {
			break
		}
	}
	return next, better
}

// slopes are the first and second derivatives of regressionLoss at w.
func slopes(rows []doubted, w *vector) (grad vector, curve [unknowns]vector) {
	for i := range rows {
		x := sidesOf(&rows[i])
		p := 1 / (1 + math.Exp(-along(w, &x)))
		d, v := rows[i].weight()*(p-truth(&rows[i])), rows[i].weight()*p*(1-p)
		for a := range x {
			grad[a] += d * x[a]
			for b := range x {
				curve[a][b] += v * x[a] * x[b]
			}
		}
	}
	for a := range unknowns - 1 {
		grad[a] += ridge * w[a]
		curve[a][a] += ridge
	}
	curve[unknowns-1][unknowns-1] += 1e-9
	return grad, curve
}

// sidesOf are a row's numbers, the constant's last.
func sidesOf(d *doubted) (x vector) {
	copy(x[:], d.Sides[:])
	x[text.Sides] = 1
	return x
}

func truth(d *doubted) float64 {
	if d.yes() {
		return 1
	}
	return 0
}

func along(w, x *vector) (sum float64) {
	for i := range w {
		sum += w[i] * x[i]
	}
	return sum
}

// regressionLoss is the surprise at the rows, and what the weights cost.
func regressionLoss(rows []doubted, w *vector) float64 {
	sum := 0.0
	for i := range rows {
		x := sidesOf(&rows[i])
		z := along(w, &x)
		sum += rows[i].weight() * (math.Max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - truth(&rows[i])*z)
	}
	for _, v := range w[:text.Sides] {
		sum += ridge * v * v / 2
	}
	return sum
}

// solve gives x of a·x = b, a symmetric and positive, by Gauss's elimination.
func solve(a [unknowns]vector, b vector) vector {
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
