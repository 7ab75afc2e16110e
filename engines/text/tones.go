package text

import "golang.org/x/text/unicode/norm"

// tones is a set of accents. In Vietnamese they make words: of the spellings of
// "lon" one is a can, one is big, one a pig and one a swear word. A word of a
// Vietnamese list stands only where the accents of the text are its own.
type tones uint8

var toneOf = map[rune]tones{0x300: 1, 0x301: 2, 0x303: 4, 0x309: 8, 0x323: 16, 0x302: 32, 0x306: 64, 0x31B: 128}

// tonesOf is the set of a rune.
func tonesOf(r rune) tones {
	if r == 'đ' || r == 'Đ' { // no other word has a breve only where this has a stroke
		return 64
	}
	if r < 0x80 || r > 0x1EFF {
		return 0
	}
	var t tones
	for _, m := range norm.NFD.String(string(r)) {
		t |= toneOf[m]
	}
	return t
}

// toned reports whether each word of a match has the accents of the pattern's, on
// whichever of its letters: two ways to place them are in use.
func (p *pattern) toned(units []unit, syms []sym) bool {
	var want, got tones
	for i := range syms {
		if p.runes[i] == ' ' {
			if want != got {
				return false
			}
			want, got = 0, 0
			continue
		}
		want |= p.tone(i)
		for u := syms[i].first; u <= syms[i].last; u++ {
			got |= units[u].tones
		}
	}
	return want == got
}
