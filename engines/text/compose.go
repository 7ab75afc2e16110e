package text

// Hangul and kana are the scripts whose letters can be pulled apart into code
// points that still look right. They are put together again here.

const (
	leads  = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
	trails = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
)

var leadIndex, trailIndex = jamoIndexes()

// jamoIndexes maps compatibility consonants (from U+3131) to their index plus one
// as first and as last letter of a syllable.
func jamoIndexes() (lead, trail [30]uint8) {
	i := uint8(1)
	for _, r := range leads {
		lead[r-0x3131] = i
		i++
	}
	i = 1
	for _, r := range trails {
		trail[r-0x3131] = i
		i++
	}
	return lead, trail
}

// compatJamo returns the compatibility form of a first consonant or a vowel, and
// the conjoining form of a last consonant.
func compatJamo(r rune) (rune, bool) {
	switch {
	case r >= 0x3131 && r <= 0x3163, r >= 0x11A8 && r <= 0x11C2:
		return r, true
	case r >= 0x1100 && r <= 0x1112:
		return []rune(leads)[r-0x1100], true
	case r >= 0x1161 && r <= 0x1175:
		return 0x314F + r - 0x1161, true
	case r >= 0xFFA1 && r <= 0xFFBE:
		return 0x3131 + r - 0xFFA1, true
	case r >= 0xFFC2 && r <= 0xFFDC && r&7 >= 2: // half-width vowels come in rows of six
		return 0x314F + (r-0xFFC2)/8*6 + (r-0xFFC2)%8, true
	}
	return 0, false
}

func isConsonant(r rune) bool { return r >= 0x3131 && r <= 0x314E }
func isVowel(r rune) bool     { return r >= 0x314F && r <= 0x3163 }
func isOpen(r rune) bool      { return r >= 0xAC00 && r <= 0xD7A3 && (r-0xAC00)%28 == 0 }

// jamo appends a letter of Hangul to units and joins it to the syllable before
// it where the writer must have meant one.
func (n *normaliser) jamo(u unit) {
	last := len(n.units) - 1
	if last < 0 {
		n.units = append(n.units, u)
		return
	}
	prev := &n.units[last]
	switch {
	case u.r >= 0x11A8 && u.r <= 0x11C2 && isOpen(prev.r):
		prev.r += u.r - 0x11A7
		prev.end = u.end
	case isConsonant(u.r) && isOpen(prev.r) && prev.steps&stepJamo != 0 && trailIndex[u.r-0x3131] > 0:
		prev.r += rune(trailIndex[u.r-0x3131])
		prev.end = u.end
		n.trail = u
	case isVowel(u.r) && isConsonant(prev.r) && leadIndex[prev.r-0x3131] > 0:
		prev.r = syllable(prev.r, u.r)
		prev.end = u.end
		prev.steps |= stepJamo
	case isVowel(u.r) && prev.steps&stepJamo != 0 && n.trail.end == prev.end && leadIndex[n.trail.r-0x3131] > 0:
		// The consonant taken as a last letter begins the next syllable.
		prev.r -= (prev.r - 0xAC00) % 28
		prev.end = n.trail.start
		next := n.trail
		next.r, next.end = syllable(next.r, u.r), u.end
		next.steps |= stepJamo
		n.units = append(n.units, next)
	default:
		n.units = append(n.units, u)
	}
}

func syllable(consonant, vowel rune) rune {
	return 0xAC00 + (rune(leadIndex[consonant-0x3131]-1)*21+vowel-0x314F)*28
}

func isVoicedMark(r rune) bool {
	return r >= 0x3099 && r <= 0x309C || r == 0xFF9E || r == 0xFF9F
}

// voicedMark returns the combining form of a kana voicing mark.
func voicedMark(r rune) rune {
	if r == 0x309A || r == 0x309C || r == 0xFF9F {
		return 0x309A
	}
	return 0x3099
}

// voiced returns hiragana r with a voicing mark, or r where it takes none.
func voiced(r, mark rune) rune {
	switch {
	case r == 'う' && mark == 0x3099:
		return 'ゔ'
	case r >= 'は' && r <= 'ほ' && (r-'は')%3 == 0:
		return r + 1 + (mark - 0x3099)
	case mark == 0x309A:
		return r
	case r >= 'か' && r <= 'ち' && (r-'か')%2 == 0, r >= 'つ' && r <= 'と' && (r-'つ')%2 == 0:
		return r + 1
	}
	return r
}
