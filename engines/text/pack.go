package text

import "slices"

// pack moves what the patterns hold into three blocks: tens of thousands of small
// slices, grown one rune at a time, would take twice the room. Most words have no
// double letter and no tone, so they share the slices that say so.
func (l *lexicon) pack() {
	letters, longest := 0, 0
	each := func(f func(p *pattern)) {
		for i := range l.patterns {
			f(&l.patterns[i])
			for j := range l.patterns[i].rest {
				f(&l.patterns[i].rest[j])
			}
		}
	}
	each(func(p *pattern) {
		letters += len(p.runes)
		longest = max(longest, len(p.runes))
	})
	runes := make([]rune, 0, letters)
	ones, none := slices.Repeat([]uint16{1}, longest), make([]tones, longest)
	each(func(p *pattern) {
		n := len(runes)
		runes = append(runes, p.runes...)
		p.runes = runes[n:len(runes):len(runes)]
		n = len(p.runes)
		if slices.Equal(p.counts, ones[:n]) {
			p.counts = ones[:n:n]
		}
		if slices.Equal(p.tones, none[:n]) {
			p.tones = none[:n:n]
		}
	})
	l.patterns, l.entries, l.vocab = slices.Clone(l.patterns), slices.Clone(l.entries), slices.Clone(l.vocab)
}
