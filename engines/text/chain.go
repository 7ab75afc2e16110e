package text

import "github.com/portcullis-gg/portcullis/engines"

// chains finds chain letters: pass this on to so many, or else.
func (s *scratch) chains(out []engines.Signal) []engines.Signal {
	from, to, parts := -1, 0, 0
	count := false
	var first *word
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicChain == 0 || int(w.from) < to {
			continue
		}
		if from < 0 {
			from = int(w.from)
		}
		if parts > 0 && s.sameWord(w, first) {
			continue
		}
		if parts == 0 {
			first = w
		}
		parts++
		count = count || hasDigit(s.norm.units[max(int(w.from)-s.before(w), 0):min(int(w.to)+14, len(s.norm.units))])
		to = int(w.to)
	}
	c := 0.4
	switch {
	case parts > 1 && count:
		c = 0.93
	case parts > 1:
		c = 0.8
	case count:
		c = 0.66
	}
	if c < 0.5 || to-from < 8 {
		return out
	}
	return append(out, s.shape(engines.Spam, "chain", "chain", 2, c, from, to))
}

// sameWord reports whether two words are spelled alike.
func (s *scratch) sameWord(a, b *word) bool {
	if a.to-a.from != b.to-b.from {
		return false
	}
	for i := range a.to - a.from {
		if s.norm.units[a.from+i].r != s.norm.units[b.from+i].r {
			return false
		}
	}
	return true
}

// before is how far a number may stand before the word: in scripts without spaces
// it does (10人に送って).
func (s *scratch) before(w *word) int {
	if s.norm.units[w.from].class.dense() {
		return 6
	}
	return 0
}
