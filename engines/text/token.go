package text

// token is a run of units without white space, and what it is made of.
type token struct {
	first, last   int32 // units [first, last)
	from, to      int32 // the same without separators at its ends
	latin, other  int32 // letters of Latin and of other alphabetic scripts
	strict        int32 // letters that have a strict look-alike
	cyril         int32 // Cyrillic letters
	dense, digits int32
	signs         int32 // separators inside that may stand for a letter
	inner         int32 // separators inside
	strange       int32 // symbols and marked letters with a look-alike
	alone         bool  // one source rune between the separators at its ends
	wide          bool  // more than one space, or a line break, before it
	script        class // of other
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
	return !t.url && t.dense == 0 && t.letters()+t.digits == 1 && t.alone
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
		if t.alone {
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
	t.alone = t.to > t.from && units[t.from].start == units[t.to-1].start
	for i := t.from; i < t.to; i++ {
		u := &units[i]
		switch {
		case i > t.from && u.start == units[i-1].start:
			// ß is two letters here and one in the message
		case u.class.alphabetic():
			t.countLetter(u)
		case u.class == classDigit:
			t.digits++
		case u.class.dense():
			t.dense++
		case u.alt != 0 && !u.loose:
			t.strange++
		case b.contracts(int(i)):
		default:
			t.countSign(u)
		}
	}
	t.url = t.inner > 1 && isURL(units[t.first:t.last])
	if t.other > 1 && t.latin == 0 && t.strict < t.other {
		b.genuine[t.script] = true
	}
}

// countLetter counts a letter of a script that writes words apart.
func (t *token) countLetter(u *unit) {
	switch {
	case u.class == classLatin && u.alt != 0:
		t.strange++
		return
	case u.class == classLatin:
		t.latin++
		return
	case u.class == classCyril:
		t.cyril++
	}
	t.other++
	t.script = u.class
	if u.alt != 0 && !u.loose {
		t.strict++
	}
}

// countSign counts a separator inside the token.
func (t *token) countSign(u *unit) {
	t.inner++
	if u.alt != 0 || leet(u.r, false) != 0 {
		t.signs++
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
