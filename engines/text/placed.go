package text

// placed reports whether an entry may stand there: as its kind asks, or glued to
// words that an insult is often glued to.
func (p *pattern) placed(l *lexicon, v *view, start, last int, evasive bool, kind matchKind) (step, bool) {
	if p.stands(v, start, last, evasive, kind) {
		return 0, true
	}
	return stepCut, !evasive && kind == matchWord && p.glued(l, &l.entries[p.entry], v, start, last)
}

// stands checks the ends of a match against what its kind asks.
func (p *pattern) stands(v *view, start, last int, evasive bool, kind matchKind) bool {
	if evasive && !p.dense {
		joined := false
		leet := step(0)
		for i := start; i <= last; i++ {
			joined = joined || v.syms[i].gap && i > start
			leet |= v.syms[i].steps & stepLeet
		}
		if joined {
			return true // evades has looked
		}
		if leet != 0 && kind == matchSubstring {
			kind = matchPrefix
		}
	}
	left := p.left(v, start) || evasive && v.syms[start].gap && p.dense
	switch kind {
	case matchWord:
		return left && p.right(v, last) || p.camel(v, start, last)
	case matchPrefix:
		return left || p.camel(v, start, last)
	}
	return !splitsKatakana(v, start, last)
}

// camel reports whether a match is a word of its own in camel case.
func (p *pattern) camel(v *view, start, last int) bool {
	if p.role != roleEntry || p.dense || p.length() < 4 || !v.camel(start) && !p.left(v, start) {
		return false
	}
	return v.camel(last+1) || p.right(v, last)
}

// left reports whether a word can begin at symbol i.
func (p *pattern) left(v *view, i int) bool {
	return i == 0 || p.apart(v.syms[i-1].class, v.syms[i].class)
}

// right reports whether a word can end at symbol i.
func (p *pattern) right(v *view, i int) bool {
	return i+1 >= len(v.syms) || p.apart(v.syms[i+1].class, v.syms[i].class)
}

// apart reports whether a letter of class own and a neighbour are not of one word.
func (p *pattern) apart(neighbour, own class) bool {
	switch {
	case own.alphabetic():
		return !neighbour.alphabetic() && (neighbour != classDigit || p.length() >= 4)
	case own == classDigit:
		return neighbour != classDigit && !neighbour.alphabetic()
	case own.dense():
		return neighbour != own
	}
	return true
}

// splitsKatakana reports whether the match is a part of a longer word in katakana,
// which is a loan word of its own: a drawn-out end is not.
func splitsKatakana(v *view, start, last int) bool {
	if v.syms[start].class == classKata && start > 0 && v.syms[start-1].class == classKata {
		return true
	}
	next := last + 1
	for next < len(v.syms) && (v.syms[next].r == 'ー' || v.syms[next].r == 'っ') {
		next++
	}
	return v.syms[last].class == classKata && next < len(v.syms) && v.syms[next].class == classKata
}

// follow looks for the further pieces of a phrase, at most gap words apart.
func (p *pattern) follow(v *view, end, gap int) int {
	rest := p.rest()
	for k := range rest {
		q := &rest[k]
		from, found := end+1, -1
		limit := v.syms[end].word + 2*int32(gap) + 2 // separators count as words
		for i := from; i < len(v.syms) && v.syms[i].word <= limit; i++ {
			if v.syms[i].r == ' ' || !q.left(v, i) && !q.dense {
				continue
			}
			if q.at(v, i) {
				found = i + len(q.runes) - 1
				break
			}
		}
		if found < 0 {
			return -1
		}
		end = found
	}
	return end
}

// at reports whether the piece stands at symbol i as a whole word.
func (p *pattern) at(v *view, i int) bool {
	if i+len(p.runes) > len(v.syms) {
		return false
	}
	for k, r := range p.runes {
		if v.syms[i+k].r != r {
			return false
		}
	}
	_, ok := p.counted(v.syms[i:i+len(p.runes)], false)
	return ok && (p.dense || p.right(v, i+len(p.runes)-1))
}
