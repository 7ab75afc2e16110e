package text

import "strings"

// Korean keys by the letters that they bear on a Latin keyboard (KS X 5002). Case
// is folded, so that a doubled consonant is typed as the single one.
var (
	leadKeys  = [...]string{"r", "r", "s", "e", "e", "f", "a", "q", "q", "t", "t", "d", "w", "w", "c", "z", "x", "v", "g"}
	vowelKeys = [...]string{"k", "o", "i", "o", "j", "p", "u", "p", "h", "hk", "ho", "hl", "y", "n", "nj", "np", "nl", "b", "m", "ml", "l"}
	trailKeys = [...]string{
		"", "r", "r", "rt", "s", "sw", "sg", "e", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg", "a", "q", "qt", "t", "t", "d", "w", "c", "z", "x", "v", "g",
	}
)

// onLatinKeys returns what a Korean word becomes when it is typed while the
// keyboard is set to Latin letters, or "" when it holds more than whole syllables.
func onLatinKeys(word []rune) string {
	var b strings.Builder
	for _, r := range word {
		if r < 0xAC00 || r > 0xD7A3 {
			return ""
		}
		r -= 0xAC00
		b.WriteString(leadKeys[r/588])
		b.WriteString(vowelKeys[r/28%21])
		b.WriteString(trailKeys[r%28])
	}
	return b.String()
}
