package text

// bound notes with what ends in each state whether all of it are words that must begin,
// or end, where a word of the text does. Most short words of sixty languages stand
// inside longer ones of any text: those are passed by without a look at their entries.
func (l *lexicon) bound() {
	a := l.auto
	for i := range a.emits {
		e := &a.emits[i]
		e.bounds = boundLeft | boundRight
		for p := e.pattern; p >= 0; p = a.chain[p] {
			e.bounds &= l.patterns[p].bounds(l)
		}
	}
}

// bounds are those without which try takes no match of the pattern in the plain view.
func (p *pattern) bounds(l *lexicon) bounds {
	kind, ends := p.match, boundLeft|boundRight
	if p.role == roleEntry {
		e := &l.entries[p.entry]
		if p.length() >= 4 || e.nameInside { // camel case, words glued together, names
			return 0
		}
		kind = e.match
		if e.inflect {
			ends = boundLeft
		}
	}
	switch {
	case p.role == roleAllow, kind == matchSubstring, p.role == roleContext && kind != matchWord:
		return 0
	case kind == matchPrefix:
		return boundLeft
	}
	return ends
}

// inWord reports whether symbols start to end, letters of a script that writes words
// apart, are a part of a longer word at an end that must be one.
func (v *view) inWord(start, end int, b bounds) bool {
	return b&boundLeft != 0 && start > 0 && v.syms[start].class.alphabetic() && v.syms[start-1].class.alphabetic() ||
		b&boundRight != 0 && end+1 < len(v.syms) && v.syms[end].class.alphabetic() && v.syms[end+1].class.alphabetic()
}
