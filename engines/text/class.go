package text

import "unicode"

// class is what the engine needs to know of a rune to find word boundaries.
type class uint8

const (
	classSep    class = iota // spaces, punctuation, symbols, emoji
	classDigit               // decimal digits, folded to ASCII
	classLatin               // the alphabetic scripts: words stand between separators
	classCyril               //
	classGreek               //
	classAlpha               // every other script that writes words apart
	classHan                 // the dense scripts: words stand side by side
	classHira                //
	classKata                //
	classHangul              //
	classDense               // Thai, Lao, Khmer, Burmese
	classMark                // dropped; belongs to the rune before it
	classIgnore              // dropped; belongs to nothing
)

// alphabetic reports whether words of the class are written apart.
func (c class) alphabetic() bool { return c >= classLatin && c <= classAlpha }

// dense reports whether words of the class are written side by side.
func (c class) dense() bool { return c >= classHan && c <= classDense }

// letter reports whether the class is a letter of any script.
func (c class) letter() bool { return c >= classLatin && c <= classDense }

// classify returns the class of a rune that is already folded.
func classify(r rune) class {
	switch {
	case r >= '0' && r <= '9':
		return classDigit
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return classLatin
		}
		return classSep
	case r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x3FFFF || r == '々' || r == '〇':
		return classHan
	case r >= 0xAC00 && r <= 0xD7A3 || r >= 0x3131 && r <= 0x318E || unicode.Is(unicode.Hangul, r):
		return classHangul
	case r >= 0x3041 && r <= 0x309F && unicode.IsLetter(r):
		return classHira
	case r >= 0x30A1 && r <= 0x30FF && r != '・':
		return classKata
	}
	return classifyRare(r)
}

// classifyRare is the slow half of classify, asked once per rune when the fold table is built.
func classifyRare(r rune) class {
	if !unicode.IsLetter(r) && !unicode.IsMark(r) {
		return classSep
	}
	switch {
	case unicode.Is(unicode.Latin, r):
		return classLatin
	case unicode.Is(unicode.Cyrillic, r):
		return classCyril
	case unicode.Is(unicode.Greek, r):
		return classGreek
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return classDense
	}
	return classAlpha
}

// ignorable reports whether r has no look of its own: zero-width characters,
// bidirectional controls, fillers, soft hyphens.
func ignorable(r rune) bool {
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Cc, r) && !unicode.IsSpace(r)
}

// extends reports whether an ignorable rune belongs to the character before it.
func extends(r rune) bool {
	return r == 0x200C || r == 0x200D || unicode.Is(unicode.Variation_Selector, r) || r >= 0xE0020 && r <= 0xE007F
}
