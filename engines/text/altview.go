package text

// altBuilder makes the evasive views: the same message with look-alikes and
// digits read as letters, and with what stands between single letters dropped.
// It works token by token (what stands between white space), and touches only
// tokens that give a reason, so that ordinary text reads the same in both.
type altBuilder struct {
	units  []unit
	tokens []token
	// genuine scripts have a word in this message that no Latin look-alike spells.
	genuine [classAlpha + 1]bool
	second  bool
	// needed is set when some token gives a reason to build the view at all.
	needed bool
}

// token is a run of units without white space, and what it is made of.
type token struct {
	first, last   int32 // units [first, last)
	from, to      int32 // the same without separators at its ends
	latin, other  int32 // letters of Latin and of other alphabetic scripts
	strict        int32 // letters that have a strict look-alike
	dense, digits int32
	signs         int32 // separators inside that may stand for a letter
	inner         int32 // separators inside
	strange       int32 // symbols and marked letters with a look-alike
	wide          bool  // more than one space, or a line break, before it
	url           bool
}

// letters counts what reads as an alphabetic letter.
func (t *token) letters() int32 { return t.latin + t.other + t.strange }

// odd reports whether the token may read otherwise than it looks.
func (t *token) odd() bool {
	return t.strange > 0 || t.other > 0 && t.latin > 0 || t.other > 2 && t.strict == t.other ||
		t.digits > 0 && t.letters()+t.dense > 1 || t.inner > 0 && t.letters()+t.dense > 1
}

// single reports whether the token is one letter (with a sign or two around it).
func (t *token) single() bool {
	return !t.url && t.dense == 0 && t.letters()+t.digits == 1 && t.to-t.from == 1
}

// scan cuts the message into tokens.
func (b *altBuilder) scan(units []unit) {
	b.units, b.tokens, b.genuine, b.needed = units, b.tokens[:0], [classAlpha + 1]bool{}, false
	singles := 0
	spaces := 0
	for i := 0; i < len(units); {
		if isSpace(units[i].r) {
			spaces++
			if units[i].r != ' ' {
				spaces++
			}
			i++
			continue
		}
		t := token{first: int32(i), wide: spaces > 1}
		for i < len(units) && !isSpace(units[i].r) {
			i++
		}
		t.last = int32(i)
		b.measure(&t)
		b.tokens = append(b.tokens, t)
		if t.to-t.from == 1 {
			singles++
		} else {
			singles = 0
		}
		b.needed = b.needed || t.odd() || singles > 2 || singles > 1 && t.dense == 1
		spaces = 0
	}
}

func isSpace(r rune) bool {
	return r == ' ' || r >= '\t' && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// measure fills the counts of a token.
func (b *altBuilder) measure(t *token) {
	units := b.units
	t.from, t.to = t.first, t.last
	for t.from < t.to && !letterish(&units[t.from]) {
		t.from++
	}
	for t.to > t.from && !letterish(&units[t.to-1]) {
		t.to--
	}
	var script class
	for i := t.from; i < t.to; i++ {
		u := &units[i]
		switch {
		case u.class == classDigit:
			t.digits++
		case u.class == classLatin:
			t.latin++
			if u.alt != 0 {
				t.strange++
				t.latin--
			}
		case u.class.alphabetic():
			t.other++
			script = u.class
			if u.alt != 0 && !u.loose {
				t.strict++
			}
		case u.class.dense():
			t.dense++
		case u.alt != 0 && !u.loose:
			t.strange++
		case b.contracts(int(i)):
		default:
			t.inner++
			if u.alt != 0 || leet(u.r, false) != 0 {
				t.signs++
			}
		}
	}
	t.url = t.inner > 1 && isURL(units[t.first:t.last])
	if t.other > 1 && t.latin == 0 && t.strict < t.other {
		b.genuine[script] = true
	}
}

// letterish reports whether a unit can be part of a word, in its place at the end of a token.
func letterish(u *unit) bool {
	return u.class != classSep || u.alt != 0 && !u.loose || u.r == '@' || u.r == '$'
}

// isURL reports whether a token is an address, which is not read for letters.
func isURL(units []unit) bool {
	at := false
	for i := range units {
		switch units[i].r {
		case '@':
			at = i > 0
		case '.':
			if at || i == 3 && units[0].r == 'w' && units[1].r == 'w' && units[2].r == 'w' {
				return true
			}
		case ':':
			if i+2 < len(units) && units[i+1].r == '/' && units[i+2].r == '/' {
				return true
			}
		}
	}
	return false
}

// build makes the evasive view; second reads one and the bar as l.
func (b *altBuilder) build(v *view, second bool) {
	v.reset()
	b.second = second
	for i := 0; i < len(b.tokens); {
		if n := b.spelled(i); n > 0 {
			b.joinTokens(v, i, n)
			i += n
			continue
		}
		if i > 0 {
			v.space(int(b.tokens[i].first) - 1)
		}
		b.token(v, &b.tokens[i])
		i++
	}
}

// spelled counts the tokens from i that are one word pulled apart: three single
// letters and more, or two single characters of a dense script and more.
func (b *altBuilder) spelled(i int) int {
	n, letters := 0, int32(0)
	dense := b.tokens[i].dense == 1 && b.tokens[i].to-b.tokens[i].from == 1
	for ; i+n < len(b.tokens); n++ {
		t := &b.tokens[i+n]
		if dense && (t.dense != 1 || t.to-t.from != 1) || !dense && !t.single() {
			break
		}
		letters += t.letters()
	}
	if dense && n >= 2 || n >= 3 && letters*2 >= int32(n) && letters >= 2 {
		return n
	}
	return 0
}

// joinTokens writes n tokens as one word; a wide space between them ends a word.
func (b *altBuilder) joinTokens(v *view, i, n int) {
	for k := i; k < i+n; k++ {
		t := &b.tokens[k]
		switch {
		case k == i && k > 0, k > i && t.wide && !b.allWide(i, n):
			v.space(int(t.first) - 1)
		case k > i:
			v.gap = true
		}
		for u := t.from; u < t.to; u++ {
			b.letter(v, int(u), true, true)
		}
	}
}

// allWide reports whether every token of the run stands after a wide space, as in
// a word written downwards: then the width says nothing.
func (b *altBuilder) allWide(i, n int) bool {
	for k := i + 1; k < i+n; k++ {
		if !b.tokens[k].wide {
			return false
		}
	}
	return true
}

// token writes one token, changed only where it gives a reason.
func (b *altBuilder) token(v *view, t *token) {
	mixed := t.latin+t.strange > 0
	fake := t.other >= 3 && t.strict == t.other && !b.anyGenuine()
	looks := !t.url && (mixed || fake)
	digits := !t.url && t.letters() > 0 && t.digits <= t.letters() && (t.digits+t.signs > 0)
	join := !t.url && t.inner > 0 && t.letters() >= 2 || t.dense >= 2 && t.inner+t.digits > 0
	for i := int(t.first); i < int(t.last); i++ {
		u := &b.units[i]
		inside := i >= int(t.from) && i < int(t.to)
		switch {
		case inside && t.dense >= 2 && b.noise(i):
			v.gap = true
		case inside && b.reads(u, looks, digits):
			b.letter(v, i, looks, digits)
		case u.class != classSep:
			b.letter(v, i, false, false)
		case inside && b.contracts(i):
		case inside && join && !sentence(u.r):
			v.gap = true
		default:
			v.space(i)
		}
	}
}

// contracts reports whether unit i is an apostrophe within a word.
func (b *altBuilder) contracts(i int) bool {
	return apostrophe(b.units[i].r) && b.units[i-1].class.alphabetic() && b.units[i+1].class.alphabetic()
}

func (b *altBuilder) anyGenuine() bool {
	return b.genuine[classCyril] || b.genuine[classGreek] || b.genuine[classAlpha]
}

// reads reports whether u changes under the given readings.
func (b *altBuilder) reads(u *unit, looks, digits bool) bool {
	return looks && u.alt != 0 || digits && leet(u.r, b.second) != 0
}

// letter writes unit i, read as the letter it stands for where that is asked.
func (b *altBuilder) letter(v *view, i int, looks, digits bool) {
	u := &b.units[i]
	switch {
	case looks && u.alt != 0:
		v.push(rune(u.alt), classLatin, i, u.steps|stepLookalike, true)
	case digits && leet(u.r, b.second) != 0:
		if u.r == '1' || u.r == '|' || u.r == '!' {
			v.ambiguous = true
		}
		v.push(leet(u.r, b.second), classLatin, i, u.steps|stepLeet, true)
	default:
		v.push(u.r, u.class, i, u.steps, false)
	}
}

// noise reports whether unit i is a digit between two characters of a dense
// script: up to two of them are put inside a word to hide it.
func (b *altBuilder) noise(i int) bool {
	if b.units[i].class != classDigit {
		return false
	}
	lo, hi := i, i
	for lo > 0 && b.units[lo-1].class == classDigit && i-lo < 2 {
		lo--
	}
	for hi+1 < len(b.units) && b.units[hi+1].class == classDigit && hi-i < 2 {
		hi++
	}
	return hi-lo < 2 && lo > 0 && hi+1 < len(b.units) && b.units[lo-1].class.dense() && b.units[hi+1].class.dense()
}

// sentence reports whether r ends a clause, so that what stands around it is not one word.
func sentence(r rune) bool {
	switch r {
	case ',', ';', '?', '、', '。', '…', '「', '」', '“', '”', '"', '\n', '(', ')':
		return true
	}
	return false
}
