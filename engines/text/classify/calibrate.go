package classify

import "math"

// knot is a point of the curve from scores to probabilities.
type knot struct{ score, logit float32 }

// Probability turns a raw score of a head into the probability that the head is
// right, by straight lines between the knots in log-odds. Beyond the last knot it
// stays, so that nothing is surer than what was measured.
func (m *Model) Probability(h Head, score float32) float64 {
	return 1 / (1 + math.Exp(-float64(at(m.knots[h], score))))
}

func at(knots []knot, score float32) float32 {
	if len(knots) == 0 {
		return score
	}
	if score <= knots[0].score {
		return knots[0].logit
	}
	for i := 1; i < len(knots); i++ {
		a, b := knots[i-1], knots[i]
		if score <= b.score {
			return a.logit + (b.logit-a.logit)*(score-a.score)/(b.score-a.score)
		}
	}
	return knots[len(knots)-1].logit
}
