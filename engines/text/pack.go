package text

import "slices"

// pack moves the runes of all patterns into one block: hundreds of thousands of
// small slices would take a third more room and the collector's time.
func (l *lexicon) pack() {
	letters := 0
	for i := range l.patterns {
		letters += len(l.patterns[i].runes)
	}
	runes := make([]rune, 0, letters)
	for i := range l.patterns {
		p, n := &l.patterns[i], len(runes)
		runes = append(runes, p.runes...)
		p.runes = runes[n:len(runes):len(runes)]
	}
	l.patterns, l.entries, l.vocab = slices.Clone(l.patterns), slices.Clone(l.entries), slices.Clone(l.vocab)
}
