package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letters is a word that was spelt: at least three letters in a row, "f u c k".
func (w *writer) letters(i int) (string, int) {
	var s strings.Builder
	at, n := i, 0
	for {
		l, used := w.letter(at)
		if used == 0 {
			break
		}
		s.WriteString(l)
		at, n = at+used, n+utf8.RuneCountInString(l)
	}
	if n < 3 {
		return "", 0
	}
	return s.String(), at - i
}

// letter is the letter at i and the words that name it: "f", "double u", "double s".
func (w *writer) letter(i int) (string, int) {
	if i >= len(w.bare) {
		return "", 0
	}
	switch b := w.bare[i]; {
	case b == "double" || b == "triple":
		if w.is(i+1, "u", "you", "yew") && b == "double" {
			return "w", 2
		}
		if i+1 < len(w.bare) && single(w.bare[i+1]) {
			return strings.Repeat(w.bare[i+1], map[string]int{"double": 2, "triple": 3}[b]), 2
		}
	case single(b):
		return b, 1
	}
	return "", 0
}

func single(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n > 0 && n == len(s) && unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek)
}

// spelt is a word that was written down letter by letter, "F-U-C-K" or "f.u.c.k."; ""
// for others.
func spelt(s string) string {
	var b strings.Builder
	letters := 0
	for i, r := range s {
		switch {
		case unicode.IsLetter(r):
			if letters++; i > 0 && unicode.IsLetter(before(s, i)) {
				return ""
			}
			b.WriteRune(unicode.ToLower(r))
		case r == '-' || r == '.':
		case i > 0 && strings.TrimRight(s[i:], ".,!?;:…") == "":
			i = len(s)
		default:
			return ""
		}
	}
	if letters < 3 {
		return ""
	}
	return b.String()
}

func before(s string, i int) rune {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}
