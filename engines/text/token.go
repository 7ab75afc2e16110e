package text

import "unicode"

// token is a run of units without white space, and what it is made of.
type token struct {
	first, last   int32 // units [first, last)
	from, to      int32 // the same without separators at its ends
	latin, other  int32 // letters of Latin and of other alphabetic scripts
	strict        int32 // letters that have a strict look-alike
	alike         int32 // letters that have any
	cyril         int32 // Cyrillic letters
	dense, digits int32
	signs         int32 // separators inside that may stand for a letter
	inner         int32 // separators inside
	strange       int32 // symbols and marked letters with a look-alike
	alone         bool  // one source rune between the separators at its ends
	mixed         bool  // the separators inside are not all the same
	sign          rune  // the first of them
	wide          bool  // more than one space, or a line break, before it
	script        class // of other
	url           bool
	pulled        bool // an evasive view read it as one word
}

// letters counts what reads as an alphabetic letter.
func (t *token) letters() int32 { return t.latin + t.other + t.strange }

// odd reports whether the token may read otherwise than it looks.
func (t *token) odd() bool {
	return t.strange > 0 || t.other > 0 && t.latin > 0 || t.other > 2 && t.strict == t.other ||
		t.digits > 0 && (t.letters()+t.dense > 1 || t.letters() == 1 && t.digits+t.signs > 2) || t.inner > 0 && t.letters()+t.dense > 1 || t.veiled()
}

// veiled reports whether characters of a dense script stand between the Latin letters
// of one word, to part them: fつuつcつk.
func (t *token) veiled() bool {
	return t.latin >= 3 && t.dense >= 2 && t.dense+1 >= t.latin && t.dense <= t.latin+1
}

// single reports whether the token is one letter (with a sign or two around it).
func (t *token) single() bool {
	return !t.url && t.dense == 0 && t.letters()+t.digits == 1 && t.alone
}

// leet reports whether digits and signs may stand for letters: not where they are
// nearly all there is.
func (t *token) leet() bool {
	few := 2*t.digits <= 3*t.letters() || t.to-t.from >= 4 && t.digits <= 4*t.letters()
	return t.letters() > 0 && few && t.digits+t.signs > 0
}

// separated reports whether the same sign stands after every letter: then it
// separates, and stands for none. A token of two letters is parted where the sign parts
// the letters of a longer one.
func (b *altBuilder) separated(t *token) bool {
	return t.letters() == 2 && t.inner == 1 && t.sign == b.parting && t.sign != 0 || t.separates()
}

// separates reports whether a sign of the token parts all its letters.
func (t *token) separates() bool {
	return t.letters() > 2 && t.inner >= t.letters()-1 && (!t.mixed || t.signs < t.inner)
}

// scan cuts the message into tokens.
func (b *altBuilder) scan(units []unit) {
	b.units, b.tokens, b.told, b.needed = units, b.tokens[:0], told{}, false
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
		if t.separates() && !t.mixed {
			b.parting = t.sign
		}
		if t.alone {
			singles++
		} else {
			singles = 0
		}
		b.note(&t, singles)
		spaces = 0
	}
	b.needed = b.needed || b.alike && b.latin
}

// note takes what the newest token, after singles of one letter, is a reason for.
func (b *altBuilder) note(t *token, singles int) {
	b.alike = b.alike || t.other > 2 && t.alike == t.other
	b.latin = b.latin || t.latin > 1 && t.other == 0
	n := len(b.tokens)
	b.needed = b.needed || t.odd() || singles > 2 || singles > 1 && t.dense == 1 || n > 1 && b.parted(n-1)
}

// parted reports whether one space stands between token i and the one before where
// none belongs: within Han characters or kana, or after one syllable of Hangul that
// the next word needs to be one.
func (b *altBuilder) parted(i int) bool {
	t, p := &b.tokens[i], &b.tokens[i-1]
	if t.wide || t.from != t.first || p.to != p.last {
		return false
	}
	last, first := b.units[p.to-1].class, b.units[t.from].class
	if first == classHangul && last == classHangul {
		return p.dense == 1 && p.alone && !b.known(t)
	}
	return unspaced(last) && last == first
}

// known reports whether a token, or what is left of it without up to two endings, is
// an ordinary word.
func (b *altBuilder) known(t *token) bool {
	h := uint64(0)
	for i := t.from; i < t.to && i-t.from < longestGuess; i++ {
		h = hashRune(h, b.units[i].r)
		if i > t.from && i+3 >= t.to && ordinary().has(h) {
			return true
		}
	}
	return false
}

// unspaced reports whether a script is written without any spaces.
func unspaced(c class) bool { return c == classHan || c == classHira || c == classKata }

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
	b.widen(t)
	t.alone = t.to > t.from && lonely(units[t.from:t.to])
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
	if t.other > 1 && t.latin == 0 && t.alike < t.other {
		b.genuine[t.script] = true
	}
}

// widen takes a sign of money at an end of a token for a letter of it where letters alone
// stand beside it: in "f@ir€", and not in "20€".
func (b *altBuilder) widen(t *token) {
	for i := t.from; i < t.to; i++ {
		if b.units[i].class == classDigit {
			return
		}
	}
	if t.from > t.first && t.to > t.from && b.coin(t.from-1) && b.units[t.from].class == classLatin {
		t.from--
	}
	if t.to < t.last && t.to > t.from && b.coin(t.to) && b.units[t.to-1].class == classLatin {
		t.to++
	}
}

// coin reports whether unit i is a sign of money that is written for a letter.
func (b *altBuilder) coin(i int32) bool {
	u := &b.units[i]
	return currencySign(u.r) && (u.alt != 0 || leet(u.r, false) != 0)
}

// lonely reports whether units are one rune of the message and the marks on it: vowels
// and tones of Thai and of the scripts of India are runes of their own.
func lonely(units []unit) bool {
	for i := range units {
		if u := &units[i]; u.start != units[0].start && (u.r < 0x900 || u.r >= 0x1000 || !unicode.Is(unicode.M, u.r)) {
			return false
		}
	}
	return true
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
	if u.alt != 0 {
		t.alike++
		if !u.loose {
			t.strict++
		}
	}
}

// countSign counts a separator inside the token.
func (t *token) countSign(u *unit) {
	if t.inner++; t.sign == 0 {
		t.sign = u.r
	} else if t.sign != u.r {
		t.mixed = true
	}
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
