package stats

import "math"

// chance is how likely it is that found of verdicts are as many, or more, where the
// rate is the one at which usual of usualVerdicts were found: of two Poisson counts
// the first is, given their sum, binomial (Przyborowski and Wilenski, 1940). It knows
// that both are counts: few of few prove nothing. Counts need not be whole.
func chance(found, verdicts, usual, usualVerdicts float64) float64 {
	if found <= 0 || verdicts <= 0 {
		return 1
	}
	n, k := math.Round(found+usual), math.Round(found)
	return binomialTail(k, n, verdicts/(verdicts+usualVerdicts))
}

// binomialTail is the probability of k or more of n at p each.
func binomialTail(k, n, p float64) float64 {
	if k <= 0 {
		return 1
	}
	if k > n || p <= 0 {
		return 0
	}
	if p >= 1 {
		return 1
	}
	if mean := n * p; k <= mean { // the long side: one less the short one, whose terms fall too
		return 1 - binomialHead(k-1, n, p)
	}
	term := math.Exp(logBinomial(k, n, p))
	sum := term
	for i := k; i < n && term > sum*1e-12; i++ {
		term *= (n - i) / (i + 1) * p / (1 - p)
		sum += term
	}
	return min(sum, 1)
}

// binomialHead is the probability of k or fewer, where k is below the mean.
func binomialHead(k, n, p float64) float64 {
	if k < 0 {
		return 0
	}
	term := math.Exp(logBinomial(k, n, p))
	sum := term
	for i := k; i > 0 && term > sum*1e-12; i-- {
		term *= i / (n - i + 1) * (1 - p) / p
		sum += term
	}
	return min(sum, 1)
}

func logBinomial(k, n, p float64) float64 {
	return lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1) + k*math.Log(p) + (n-k)*math.Log1p(-p)
}

func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}
