package classify

import (
	"cmp"
	"math"
	"slices"
)

// Reason is a feature and what it adds to a score.
type Reason struct {
	// Text is the n-gram, word or words, with spaces where a word begins or ends,
	// or the name of what was found or of a trait of the message.
	Text string
	// Weight is what it adds to the score, all its occurrences together.
	Weight float32
}

// Explain returns the n features that weigh most, for or against, in the score of
// a head, gravest first. It is for operators and takes its time.
func (m *Model) Explain(in *Input, h Head, n int) []Reason {
	in.explain = true
	in.extract()
	in.explain = false
	norm := m.scale[h] / float32(math.Sqrt(float64(max(len(in.features), 1))))
	at := map[string]int{}
	var all []Reason
	for i, f := range in.features {
		o := in.origins[i]
		text := o.text
		switch o.kind {
		case 'g', 'w', 'p':
			text = string(in.runes[o.from:o.to])
		case 's':
			text = string(in.runes[o.from:o.to]) + " (apart)"
		case 'n':
			text = string(in.runes[o.from:o.to]) + " (beside a group)"
		}
		k, ok := at[text]
		if !ok {
			k = len(all)
			at[text] = k
			all = append(all, Reason{Text: text})
		}
		all[k].Weight += norm * float32(m.weight(f, h))
	}
	slices.SortStableFunc(all, func(a, b Reason) int {
		return cmp.Compare(math.Abs(float64(b.Weight)), math.Abs(float64(a.Weight)))
	})
	return all[:min(n, len(all))]
}
