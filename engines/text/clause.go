package text

// Where a clause ends, and how far apart two places in it are.

// stop reports whether units end a sentence at i: a dot within a number or an
// address does not.
func (s *scratch) stop(i int) bool {
	units := s.norm.units
	switch units[i].r {
	case '!', '?', ';', '\n', '\r', 0x2028, 0x2029, '。', '।', '؟', '؛', '…', '¿', '¡':
		return true
	case '.':
		return i+1 >= len(units) || units[i+1].class == classSep
	}
	return false
}

// apart counts the words in units [from, to), and letters of scripts that write
// them side by side; -1 when a clause ends there.
func (s *scratch) apart(from, to int) (words, dense int) {
	last := false
	for i := from; i < to; i++ {
		u := &s.norm.units[i]
		if s.stop(i) {
			return -1, -1
		}
		letter := u.class.alphabetic() || u.class == classDigit || apostrophe(u.r) && last
		if u.class.dense() {
			dense++
		}
		if letter && !last {
			words++
		}
		last = letter
	}
	return words, dense
}

// sentenceReach bounds how far a sentence is followed.
const sentenceReach = 160

// sentence returns the units of the sentence that [from, to) is in, and whether it is asked.
func (s *scratch) sentence(from, to int) (first, last int, asked bool) {
	first, last = from, to
	for first > 0 && from-first < sentenceReach && !s.stop(first-1) {
		first--
	}
	for last < len(s.norm.units) && last-to < sentenceReach && !s.stop(last) {
		last++
	}
	if last < len(s.norm.units) {
		asked = s.norm.units[last].r == '?' || s.norm.units[last].r == '؟'
	}
	return first, last, asked
}

// comma reports whether units [from, to) hold a comma or a bracket: negation does
// not reach over one.
func (s *scratch) comma(from, to int) bool {
	for i := from; i < to; i++ {
		switch s.norm.units[i].r {
		case ',', '、', '،', '(', ')', ':', '-', '—', '–':
			return true
		}
	}
	return false
}

// quoted reports whether the units of [from, to) stand in quotation marks.
func (s *scratch) quoted(from, to, first, last int) bool {
	before, after := false, false
	for i := first; i < from; i++ {
		before = before || quotation(s.norm.units[i].r)
	}
	for i := to; i < last; i++ {
		after = after || quotation(s.norm.units[i].r)
	}
	return before && after
}

func quotation(r rune) bool { return isOneOf(r, "\"“”„«»「」『』") }
