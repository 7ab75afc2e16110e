package risk

import "math"

const (
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour

	// halfLife is how fast amounts and links are forgotten.
	halfLife = 14 * day
	// origin is where weights are 1: 2024-01-01. Weights grow from there, so that a
	// sum needs no touch as time goes by and does not depend on the order of its
	// parts; a float64 holds them for 39 years.
	origin = int64(1704067200000)
)

// weight is what an amount at a time counts in a decaying sum. The hour is fine
// enough, and lets consecutive entries share one call of Exp2.
func weight(at int64) float64 {
	return math.Exp2(float64(floorDiv(at, hour)*hour-origin) / float64(halfLife))
}

// weight is the function, which remembers its last answer; b.mu is held for writing.
func (b *Book) weight(at int64) float64 {
	h := floorDiv(at, hour)
	if b.scale.w == 0 || h != b.scale.hour {
		b.scale.hour, b.scale.w = h, weight(at)
	}
	return b.scale.w
}

// fade is what is left at a time of evidence from an earlier one.
func fade(from, at, half int64) float64 {
	if at <= from {
		return 1
	}
	return math.Exp2(-float64(at-from) / float64(half))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
