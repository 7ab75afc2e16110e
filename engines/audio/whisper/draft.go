package whisper

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// draft is what a window is expected to say, with the place that writing has come to.
type draft struct {
	tokens []int
	at     int
	off    bool // what was written last was not expected
}

const (
	// atOnce is how many expected tokens are read in one step: two dozen cost 1.7 times
	// what one does.
	atOnce = 24
	// wary is the same behind a token that was not expected: the draft may be off.
	wary = 8
	// near is how far from its place in the draft a token is looked for.
	near = 4
)

// next are the tokens that are expected now.
func (d *draft) next() []int {
	most := atOnce
	if d.off {
		most = wary
	}
	return d.tokens[d.at:min(len(d.tokens), d.at+most)]
}

// written moves on past n tokens that came as expected, and one that came instead of the
// next: behind where the draft has it, else behind the one in its stead.
func (d *draft) written(n, token int) {
	d.at = min(len(d.tokens), d.at+n)
	from := max(0, d.at-near)
	best := -1
	for i := from; i < min(len(d.tokens), d.at+near); i++ {
		if d.tokens[i] == token && (best < 0 || distance(i, d.at) < distance(best, d.at)) {
			best = i
		}
	}
	d.off = best != d.at
	switch {
	case best >= 0:
		d.at = best + 1
	case d.at < len(d.tokens):
		d.at++
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

// draftOf are the tokens of words that were written before, by this network or another.
func (m *Model) draftOf(before []speech.Word) []int {
	var all []int
	for i := range before {
		own := before[i].Own
		if len(own) == 0 || slices.ContainsFunc(own, func(t int) bool { return t < 0 || t >= m.tokens.end }) {
			own = m.tokens.encode(before[i].Text, before[i].Glued)
		}
		all = append(all, own...)
	}
	return all
}
