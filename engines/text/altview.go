package text

// altBuilder makes the evasive views: the same message with look-alikes and
// digits read as letters, and with what stands between single letters dropped.
// It works token by token (what stands between white space), and touches only
// tokens that give a reason, so that ordinary text reads the same in both.
type altBuilder struct {
	units  []unit
	tokens []token
	told
	second bool
	// runs are the last rows of single tokens, of letters and of a dense script.
	runs [2]run
	// needed is set when some token gives a reason to build the view at all.
	needed bool
	more   readings
}

// told is what the whole message tells of how its tokens are read.
type told struct {
	// genuine scripts have a word in this message that no Latin look-alike spells.
	genuine [classAlpha + 1]bool
	// latin is set when some token is a word in Latin letters, alike when one in
	// another alphabet could be.
	latin, alike bool
	// parting is the sign that parts all letters of some token.
	parting rune
}

// build makes the evasive view; second reads one and the bar as l.
func (b *altBuilder) build(v *view, second bool) {
	v.reset()
	v.units = b.units
	b.second, b.runs = second, [2]run{}
	for i := 0; i < len(b.tokens); {
		if n := b.spelled(i); n > 0 {
			b.joinTokens(v, i, n)
			i += n
			continue
		}
		switch {
		case i > 0 && b.parted(i):
			v.gap = true
		case i > 0:
			v.space(int(b.tokens[i].first) - 1)
		}
		b.token(v, &b.tokens[i])
		i++
	}
}

// spelled counts the tokens from i that are one word pulled apart: three single
// letters and more, or two single characters of a dense script and more.
func (b *altBuilder) spelled(i int) int {
	dense := b.tokens[i].dense == 1 && b.tokens[i].alone
	r := &b.runs[0]
	if dense {
		r = &b.runs[1]
	}
	r.from(i, b.tokens, dense)
	n := r.end - i
	if dense && n >= 2 || n >= 3 && r.letters*2 >= int32(n) && r.letters >= 2 {
		return n
	}
	return 0
}

// run is what a row of single tokens [at, end) has of letters: it is counted once, and what
// is left of it known from that, for each token asks.
type run struct {
	at, end int
	letters int32
}

// from is the run that begins at token i: of single characters of a dense script, or of
// letters and digits.
func (r *run) from(i int, tokens []token, dense bool) {
	if i < r.at || i >= r.end {
		*r = run{at: i, end: i}
		for ; r.end < len(tokens); r.end++ {
			t := &tokens[r.end]
			if dense && (t.dense != 1 || !t.alone) || !dense && !t.single() {
				break
			}
			r.letters += t.letters()
		}
	}
	for ; r.at < i; r.at++ {
		r.letters -= tokens[r.at].letters()
	}
}

// joinTokens writes n tokens as one word; a wide space between them ends a word.
func (b *altBuilder) joinTokens(v *view, i, n int) {
	var all token
	for _, t := range b.tokens[i : i+n] {
		all.latin, all.other, all.strict, all.strange = all.latin+t.latin, all.other+t.other, all.strict+t.strict, all.strange+t.strange
		all.cyril, all.digits, all.signs = all.cyril+t.cyril, all.digits+t.digits, all.signs+t.signs
	}
	read := b.reading(&all, v)
	read.digits = true
	down := b.downwards(i, n)
	for k := i; k < i+n; k++ {
		t := &b.tokens[k]
		t.pulled = true
		switch {
		case k == i && k > 0, k > i && t.wide && !down:
			v.space(int(t.first) - 1)
		case k > i:
			v.gap = true
		}
		for u := t.from; u < t.to; u++ {
			b.letter(v, int(u), read)
		}
	}
}

// downwards reports whether most tokens of the run stand after a wide space, as in
// a word written downwards: then the width says nothing.
func (b *altBuilder) downwards(i, n int) bool {
	wide := 0
	for k := i + 1; k < i+n; k++ {
		if b.tokens[k].wide {
			wide++
		}
	}
	return wide >= 2 && 2*wide >= n-1 || wide == n-1
}

// reading says how the letters of a token are read.
type reading struct {
	looks   bool // look-alikes as Latin letters
	signs   bool // symbols that look like letters too
	digits  bool // digits and signs as letters
	parted  bool // signs are separators
	reverse bool // Latin letters and digits as Cyrillic ones
}

// leet reports whether a digit or sign may be read as a letter.
func (r reading) leet(u *unit) bool { return r.digits && (!r.parted || u.class == classDigit) }

// reading decides how a token is read. Where it mixes Latin and Cyrillic, the
// second view reads it as Cyrillic.
func (b *altBuilder) reading(t *token, v *view) reading {
	if t.url || t.dense > 1 && t.latin+t.other == 0 {
		return reading{}
	}
	digits, parted := t.leet(), b.separated(t)
	if t.cyril > 1 && (t.latin < t.other || t.strict < t.other) && (t.latin > 0 || digits) {
		if b.second || t.latin == 0 && t.strict < t.other {
			return reading{reverse: true}
		}
		v.ambiguous = true
	}
	mixed := t.latin+t.strange > 0
	fake := t.other >= 3 && (t.strict == t.other || b.latin && t.alike == t.other) && !b.anyGenuine()
	return reading{looks: mixed || fake, signs: t.dense == 0 && !parted, digits: digits, parted: parted}
}

// token writes one token, changed only where it gives a reason.
func (b *altBuilder) token(v *view, t *token) {
	read := b.reading(t, v)
	join := !t.url && (t.inner > 0 && t.letters() >= 2 || t.dense >= 2 && t.inner+t.strange+t.digits > 0)
	for i := int(t.first); i < int(t.last); i++ {
		u := &b.units[i]
		inside := i >= int(t.from) && i < int(t.to)
		switch {
		case inside && t.dense >= 2 && (b.noise(i) || t.veiled() && b.veil(i)):
			v.gap, t.pulled = true, true
		case inside && b.reads(u, read):
			t.pulled = t.pulled || picture(u.r)
			b.letter(v, i, read)
		case u.class != classSep:
			b.letter(v, i, reading{})
		case inside && b.contracts(i):
		case inside && join && (!sentence(u.r) || u.r != '\n' && b.separated(t)):
			v.gap, t.pulled = true, true
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

// reads reports whether u changes under a reading.
func (b *altBuilder) reads(u *unit, read reading) bool {
	return read.looks && u.alt != 0 && (read.signs || u.class != classSep) ||
		read.leet(u) && leet(u.r, b.second) != 0 || read.reverse && cyrillic(u.r) != 0
}

// letter writes unit i as it is read.
func (b *altBuilder) letter(v *view, i int, read reading) {
	u := &b.units[i]
	switch {
	case read.reverse && cyrillic(u.r) != 0:
		step := stepLookalike
		if u.class == classDigit {
			step = stepLeet
		}
		v.push(cyrillic(u.r), classCyril, i, u.steps|step, true)
	case read.looks && u.alt != 0 && (read.signs || u.class != classSep):
		v.push(rune(u.alt), classLatin, i, u.steps|stepLookalike, true)
	case read.leet(u) && leet(u.r, b.second) != 0:
		if u.r == '1' || u.r == '|' || u.r == '!' {
			v.ambiguous = true
		}
		v.push(leet(u.r, b.second), classLatin, i, u.steps|stepLeet, true)
	default:
		v.push(u.r, u.class, i, u.steps, u.steps&stepsRead != 0)
	}
}

// veil reports whether unit i is of a dense script with Latin letters on both sides.
func (b *altBuilder) veil(i int) bool {
	return b.units[i].class.dense() && i > 0 && i+1 < len(b.units) && b.units[i-1].class == classLatin && b.units[i+1].class == classLatin
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
	case ',', ';', '?', '、', '。', '…', '「', '」', '“', '”', '"', '\n', ')':
		return true
	}
	return false
}
