package classify

import "math"

// knot is a point of a curve.
type knot struct{ x, y float32 }

// curves are what turns scores into what is said in the end.
type curves struct {
	// odds turn a raw score into log-odds; named does where the message names a
	// group of people, of whom hate is said more often.
	odds, named [Heads][]knot
	// final turns the confidence of all signals together into the share of such
	// messages that were abuse.
	final [Heads][]knot
}

// Probability turns a raw score of a head into the probability that the head is
// right, by straight lines between the knots in log-odds. Beyond the last knot it
// stays, so that nothing is surer than what was measured. Named says that the
// message names a group of people.
func (m *Model) Probability(h Head, score float32, named bool) float64 {
	c := m.odds[h]
	if named && len(m.named[h]) > 0 {
		c = m.named[h]
	}
	return 1 / (1 + math.Exp(-float64(at(c, score))))
}

// Final turns the confidence of a signal, whoever gave it, into the share of
// messages with such a signal that were abuse; without a curve it stays.
func (m *Model) Final(h Head, confidence float64) float64 {
	if len(m.final[h]) == 0 {
		return confidence
	}
	return float64(at(m.final[h], float32(confidence)))
}

func at(knots []knot, x float32) float32 {
	if len(knots) == 0 {
		return x
	}
	if x <= knots[0].x {
		return knots[0].y
	}
	for i := 1; i < len(knots); i++ {
		a, b := knots[i-1], knots[i]
		if x <= b.x {
			return a.y + (b.y-a.y)*(x-a.x)/(b.x-a.x)
		}
	}
	return knots[len(knots)-1].y
}
