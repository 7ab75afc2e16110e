package text

import (
	"slices"
	"strings"
)

// pack moves what patterns and entries hold into a few blocks: hundreds of thousands of
// small slices would take a third more room, the collector's time, and keep the pages
// alive on which the lists were read.
func (l *lexicon) pack() {
	l.patterns, l.entries, l.vocab = slices.Clone(l.patterns), slices.Clone(l.entries), slices.Clone(l.vocab)
	l.packRunes()
	l.packMore()
	l.packRules()
}

func (l *lexicon) packRunes() {
	letters := 0
	for i := range l.patterns {
		letters += len(l.patterns[i].runes)
	}
	runes := make([]rune, 0, letters)
	for i := range l.patterns {
		p := &l.patterns[i]
		runes, p.runes = moved(runes, p.runes)
	}
}

// packMore moves what few patterns have.
func (l *lexicon) packMore() {
	mores, countsLen, tonesLen := 0, 0, 0
	for i := range l.patterns {
		if m := l.patterns[i].more; m != nil {
			mores, countsLen, tonesLen = mores+1, countsLen+len(m.counts), tonesLen+len(m.tones)
		}
	}
	all, counts, marks := make([]more, 0, mores), make([]uint16, 0, countsLen), make([]tones, 0, tonesLen)
	for i := range l.patterns {
		p := &l.patterns[i]
		if p.more == nil {
			continue
		}
		m := *p.more
		counts, m.counts = moved(counts, m.counts)
		marks, m.tones = moved(marks, m.tones)
		all = append(all, m)
		p.more = &all[len(all)-1]
	}
}

// packRules moves the names of the entries.
func (l *lexicon) packRules() {
	var b strings.Builder
	size := 0
	for i := range l.entries {
		size += len(l.entries[i].rule)
	}
	b.Grow(size)
	for i := range l.entries {
		b.WriteString(l.entries[i].rule)
	}
	names := b.String()
	for i := range l.entries {
		n := len(l.entries[i].rule)
		l.entries[i].rule, names = names[:n], names[n:]
	}
}

// moved appends part to a block that has room for it, and returns the block and the part in it.
func moved[E any](block, part []E) (grown, in []E) {
	if part == nil {
		return block, nil
	}
	n := len(block)
	block = append(block, part...)
	return block, block[n:len(block):len(block)]
}
