package lang

import (
	"sync"
	"unicode"
)

// kind is what a rune is to the identifier: a separator, a letter whose n-grams are
// read, a Han character, or, from kindTag on, a letter of a script that decides.
type kind uint8

const (
	kindSep kind = iota
	kindLetter
	kindDigit
	kindAt
	kindHan
	kindTag // plus the Tag
)

// low bounds the runes that have a row in the table; above stand only Han, kana,
// Hangul and separators.
const low = 0x2E00

// row is a rune in lower case and what it is.
type row struct {
	lower uint16
	kind  kind
}

// deciding scripts are written in one language, near enough.
var deciding = []struct {
	table *unicode.RangeTable
	tag   string
}{
	{unicode.Thai, "th"},
	{unicode.Lao, "lo"},
	{unicode.Khmer, "km"},
	{unicode.Myanmar, "my"},
	{unicode.Georgian, "ka"},
	{unicode.Armenian, "hy"},
	{unicode.Greek, "el"},
	{unicode.Tamil, "ta"},
	{unicode.Telugu, "te"},
	{unicode.Kannada, "kn"},
	{unicode.Malayalam, "ml"},
	{unicode.Gujarati, "gu"},
	{unicode.Gurmukhi, "pa"},
	{unicode.Oriya, "or"},
	{unicode.Sinhala, "si"},
	{unicode.Tibetan, "bo"},
	{unicode.Ethiopic, "am"},
	{unicode.Mongolian, "mn"},
	{unicode.Thaana, "dv"},
	{unicode.Cherokee, "chr"},
	{unicode.Tifinagh, "ber"},
	{unicode.Hangul, "ko"},
}

var theRows = sync.OnceValue(func() *[low]row {
	var rows [low]row
	for r := range rune(low) {
		rows[r] = newRow(r)
	}
	return &rows
})

func newRow(r rune) row {
	out := row{lower: uint16(unicode.ToLower(r))}
	switch {
	case r >= '0' && r <= '9':
		out.kind = kindDigit
	case r == '@':
		out.kind = kindAt
	case r == 'İ' || r == 'I':
		out.lower, out.kind = 'i', kindLetter
	case r == 'ʼ' || r == 0x200C: // a letter of Ukrainian spelling; the joiner of Persian
		out.kind = kindSep
	case unicode.IsLetter(r), unicode.IsMark(r):
		out.kind = kindLetter
		for _, d := range deciding {
			if unicode.Is(d.table, r) {
				out.kind = kindTag + kind(Parse(d.tag))
			}
		}
	}
	return out
}

// rare is the row of a rune from low on.
func rare(r rune) (rune, kind) {
	switch {
	case r >= 0x3041 && r <= 0x30FF && r != '・':
		return r, kindTag + kind(tagJa)
	case r >= 0x3400 && r <= 0x9FFF || r == '々' || r >= 0x20000 && r <= 0x3FFFF:
		return r, kindHan
	case r >= 0xAC00 && r <= 0xD7A3 || r >= 0x3131 && r <= 0x318E:
		return r, kindTag + kind(tagKo)
	case r >= 0xFF66 && r <= 0xFF9D:
		return r, kindTag + kind(tagJa)
	case r >= 0xFF21 && r <= 0xFF3A:
		return r - 0xFF21 + 'a', kindLetter
	case r >= 0xFF41 && r <= 0xFF5A:
		return r - 0xFF41 + 'a', kindLetter
	case r >= 0x1C90 && r <= 0x1CBF:
		return r, kindTag + kind(tagKa)
	}
	return r, kindSep
}

var tagJa, tagKo, tagKa = Parse("ja"), Parse("ko"), Parse("ka")
