package name

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/portcullis-gg/portcullis/engines/text"
)

// letter is one letter or digit of a name as it is read, in lower case, and where it
// stands in code points.
type letter struct {
	r     rune
	plain rune // as written, in lower case, before look-alikes
	at    int
	upper bool
	digit bool
	sign  bool // stands between words: a space, a stop, a symbol
	open  bool // an opening bracket
	shut  bool // a closing one
}

// signs that stand for letters inside a word.
var leet = map[rune]rune{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', '$': 's', '!': 'i', '|': 'i', '€': 'e'}

// fold reads a name letter by letter.
func fold(name string) []letter {
	var out []letter
	at := 0
	for _, r := range name {
		out = appendFolded(out, r, at)
		at++
	}
	return out
}

func appendFolded(out []letter, r rune, at int) []letter {
	if hidden(r) || unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Thai, r) {
		return out
	}
	if as, ok := readAs(r); ok && !unicode.IsDigit(r) {
		plain := unicode.ToLower(r)
		return append(out, letter{r: as, plain: plain, at: at, upper: unicode.IsUpper(r) || r > 0xffff || smallCapital(r)})
	}
	for _, c := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.Is(unicode.Mn, c) && !unicode.Is(unicode.Thai, c):
		case unicode.IsDigit(c):
			out = append(out, letter{r: c, plain: c, at: at, digit: true})
		case unicode.IsLetter(c) || unicode.Is(unicode.M, c):
			low := unicode.ToLower(c)
			as := low
			if l, ok := readAs(c); ok {
				as = l
			}
			out = append(out, letter{r: as, plain: low, at: at, upper: unicode.IsUpper(c)})
		default:
			out = append(out, letter{r: c, plain: c, at: at, sign: true, open: strings.ContainsRune("[({<【「『《〔", c), shut: strings.ContainsRune("])}>】」』》〕", c)})
		}
	}
	return out
}

// readAs is the letter that r, or r in its other case, is taken for: a name is the same
// in both.
func readAs(r rune) (rune, bool) {
	for _, c := range [...]rune{r, unicode.ToLower(r), unicode.ToUpper(r)} {
		if as, _, ok := text.ReadAs(c); ok {
			return as, true
		}
	}
	return 0, false
}

// smallCapital reports letters that are written as capitals of a smaller size.
func smallCapital(r rune) bool {
	return r >= 0x1d00 && r <= 0x1d25 || r == 'ɢ' || r == 'ʀ' || r == 'ɴ' || r == 'ɪ'
}

// hidden reports characters that nobody sees (Unicode's Default_Ignorable_Code_Point,
// and blanks that are letters or symbols to Unicode).
func hidden(r rune) bool {
	switch {
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r):
		return true
	case r == 0x2800, r == 0x3164, r == 0xffa0, r == 0x115f, r == 0x1160, r == 0x034f:
		return true
	}
	return false
}

// skeleton is what is left of a name when everything that looks alike is one: two names
// with the same one can't be told apart at a glance.
func skeleton(name string) string {
	var b strings.Builder
	for _, l := range fold(name) {
		switch {
		case l.sign:
		case l.digit:
			b.WriteRune(bone(digitAs(l.r)))
		default:
			b.WriteRune(bone(l.r))
		}
	}
	s := norm.NFC.String(b.String())
	// Two narrow letters that together look like a wide one (UTS #39 confusables).
	return strings.NewReplacer("m", "rn", "w", "vv").Replace(s)
}

// digitAs is the letter that a digit is taken for by its shape alone.
func digitAs(r rune) rune {
	switch r {
	case '0':
		return 'o'
	case '1':
		return 'l'
	}
	return r
}

// bone makes letters one that differ by a stroke at most.
func bone(r rune) rune {
	switch r {
	case 'i', 'j':
		return 'l'
	}
	return r
}
