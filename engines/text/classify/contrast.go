package classify

import "math"

// contrast is a second opinion on hate where a group of people is named. It
// learnt from nothing but hate set beside what only looks like it, where the head
// for hate also learnt from sets in which whoever is named is attacked.
type contrast struct {
	table       []byte // one int8 weight a row
	scale, bias float32
	mix         float32 // what it weighs in the score of the head for hate
}

// score is what it adds to the score of the head.
func (c *contrast) score(features []uint32, shift uint) float32 {
	if c.mix == 0 {
		return 0
	}
	sum := int32(0)
	for _, f := range features {
		sum += int32(int8(c.table[f>>shift])) //nolint:gosec // a byte is a weight
	}
	norm := float32(1 / math.Sqrt(float64(max(len(features), 1))))
	return c.mix * (c.bias + c.scale*norm*float32(sum))
}

// windows is the highest score of the windows that Score looks through.
func (c *contrast) windows(features []uint32, common int, shift uint) float32 {
	best := c.score(features[:min(window, len(features))], shift)
	for from := common + window/2; from < len(features); from += window / 2 {
		best = max(best, c.score(features[from:min(from+window, len(features))], shift))
	}
	return best
}
