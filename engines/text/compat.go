package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// compatForm is the compatibility form of r (UAX 15, NFKC) as far as a reader takes it for
// letters or digits. What is only drawn around or behind them is left away: (a) and (10) in
// one sign, 1. and 0, too. A fraction is a stroke, and a sign for a whole word, such as a.m.
// or a phrase of Arabic, has none (ok is false): nobody spells with one, and with ten
// thousand of them the message would be several times as long as it was.
func compatForm(r rune) (form string, ok bool) {
	form = norm.NFKC.String(string(r))
	n := utf8.RuneCountInString(form)
	if n < 2 {
		return form, true
	}
	if inner, ok := strings.CutPrefix(form, "("); ok && strings.HasSuffix(inner, ")") {
		return strings.ToLower(strings.TrimSuffix(inner, ")")), true
	}
	number := unicode.Is(unicode.No, r)
	switch {
	case strings.ContainsRune(form, '⁄'):
		return "/", true
	case number && (strings.HasSuffix(form, ".") || strings.HasSuffix(form, ",")):
		return form[:len(form)-1], true
	case n > longestFold, n > 2 && unicode.Is(unicode.So, r), n > 2 && unicode.Is(unicode.Sm, r):
		return string(r), false
	}
	return form, true
}
