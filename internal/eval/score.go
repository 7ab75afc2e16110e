package eval

import "math"

// Counts are the four cells of right and wrong.
type Counts struct {
	TruePositive  int `json:"tp"`
	FalsePositive int `json:"fp"`
	FalseNegative int `json:"fn"`
	TrueNegative  int `json:"tn"`
	// Blocked rows among the clean and the toxic ones, whatever counts as positive.
	CleanBlocked int `json:"clean_blocked"`
	ToxicBlocked int `json:"toxic_blocked"`
}

func (c *Counts) add(toxic, flagged, blocked bool) {
	switch {
	case toxic && flagged:
		c.TruePositive++
	case toxic:
		c.FalseNegative++
	case flagged:
		c.FalsePositive++
	default:
		c.TrueNegative++
	}
	switch {
	case blocked && toxic:
		c.ToxicBlocked++
	case blocked:
		c.CleanBlocked++
	}
}

// Toxic and Clean are how many rows there are of each.
func (c *Counts) Toxic() int { return c.TruePositive + c.FalseNegative }

// Clean is how many rows are not toxic.
func (c *Counts) Clean() int { return c.FalsePositive + c.TrueNegative }

// Precision is NaN where nothing was flagged.
func (c *Counts) Precision() float64 { return ratio(c.TruePositive, c.TruePositive+c.FalsePositive) }

// Recall is NaN where no row is toxic.
func (c *Counts) Recall() float64 { return ratio(c.TruePositive, c.Toxic()) }

// F1 is NaN where no row is toxic and none was flagged.
func (c *Counts) F1() float64 {
	return ratio(2*c.TruePositive, 2*c.TruePositive+c.FalsePositive+c.FalseNegative)
}

// FalsePositiveRate is NaN where no row is clean.
func (c *Counts) FalsePositiveRate() float64 { return ratio(c.FalsePositive, c.Clean()) }

func ratio(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

// Wilson is the 95 % confidence interval of hits out of n (E. B. Wilson, 1927).
// It holds up where hits are few or none, as those of a good filter on clean
// rows are. Without rows both ends are NaN.
func Wilson(hits, n int) (low, high float64) {
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	const z = 1.959964
	size := float64(n)
	share := float64(hits) / size
	center := share + z*z/(2*size)
	spread := z * math.Sqrt(share*(1-share)/size+z*z/(4*size*size))
	whole := 1 + z*z/size
	return max(0, (center-spread)/whole), min(1, (center+spread)/whole)
}
