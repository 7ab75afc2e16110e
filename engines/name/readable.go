package name

import (
	"unicode"

	"github.com/rivo/uniseg"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// mostMarks is how many marks may stand on one letter; scripts that write vowels and
// tones as marks need more (UTS #39 section 5.4 says four).
const (
	mostMarks       = 2
	mostMarksScript = 4
)

// unreadable appends what of a name can't be seen, read or typed.
func unreadable(name string, out []Finding) []Finding {
	rs := []rune(name)
	out = unseen(rs, out)
	out = piled(rs, out)
	letters := 0
	for i, r := range rs {
		switch {
		case hidden(r):
		case unicode.IsLetter(r), unicode.IsDigit(r):
			letters++
		case unicode.Is(unicode.Co, r), unicode.Is(unicode.Cc, r), r == unicode.ReplacementChar, unassigned(r):
			out = append(out, Finding{NoCharacter, engines.Span{Start: i, End: i + 1}, 0.95})
		}
	}
	if letters == 0 {
		return append(out, Finding{NoLetters, engines.Span{Start: 0, End: len(rs)}, 0.95})
	}
	return mixed(rs, out)
}

func unassigned(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C)
}

// unseen finds what nobody sees. Joiners are seen by what they join: letters of scripts
// that need them, and pictures.
func unseen(rs []rune, out []Finding) []Finding {
	for i, r := range rs {
		if !hidden(r) {
			continue
		}
		if (r == 0x200c || r == 0x200d || unicode.Is(unicode.Variation_Selector, r)) && i > 0 && i < len(rs)-b2i(r != 0xfe0f) && joins(rs[i-1]) {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Reason == Hidden && out[n-1].Span.End == i {
			out[n-1].Span.End++
			continue
		}
		out = append(out, Finding{Hidden, engines.Span{Start: i, End: i + 1}, 0.92})
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
		unicode.Sinhala, unicode.Gujarati, unicode.Gurmukhi, unicode.Khmer, unicode.Myanmar, unicode.So, unicode.Sk, unicode.Han)
}

// piled finds marks upon marks.
func piled(rs []rune, out []Finding) []Finding {
	base := rune(0)
	run := 0
	for i := 0; i <= len(rs); i++ {
		if i < len(rs) && unicode.In(rs[i], unicode.Mn, unicode.Me) && !hidden(rs[i]) {
			run++
			continue
		}
		most := mostMarks
		if unicode.IsLetter(base) && !unicode.In(base, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			most = mostMarksScript
		}
		if run > most {
			out = append(out, Finding{Marks, engines.Span{Start: max(i-run-1, 0), End: i}, 0.93})
		}
		run = 0
		if i < len(rs) {
			base = rs[i]
		}
	}
	return out
}

// scripts that a word may not mix with others (UTS #39: moderately restrictive lets
// Latin stand beside any but Cyrillic and Greek).
var scripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Armenian, unicode.Georgian, unicode.Cherokee, unicode.Lao, unicode.Khmer,
}

const (
	latin = iota
	cyrillic
	greek
	han
	hiragana
	katakana
	hangul
	bopomofo
	others
)

func scriptOf(r rune) int {
	if !unicode.IsLetter(r) || unicode.Is(unicode.Lm, r) {
		return -1 // marks of length and the like go with any
	}
	for i, t := range scripts {
		if unicode.Is(t, r) {
			return i
		}
	}
	return len(scripts) // one that stands for all the rest
}

// mixed looks at each word.
func mixed(rs []rune, out []Finding) []Finding {
	for i := 0; i < len(rs); {
		if scriptOf(rs[i]) < 0 {
			i++
			continue
		}
		j := i
		for j < len(rs) && (unicode.IsLetter(rs[j]) || unicode.IsDigit(rs[j]) || unicode.Is(unicode.M, rs[j])) {
			j++
		}
		if c := mixture(rs[i:j]); c > 0 {
			out = append(out, Finding{Mixed, engines.Span{Start: i, End: j}, c})
		}
		i = max(j, i+1)
	}
	return out
}

// mixture is how sure it is that a word mixes scripts as no language does.
func mixture(word []rune) float64 {
	var count [32]int
	turns, last, kinds := 0, -1, 0
	dressed := true // all that is not Latin looks Latin
	for _, r := range word {
		s := scriptOf(r)
		if s < 0 {
			continue
		}
		if count[s]++; count[s] == 1 {
			kinds++
		}
		if last >= 0 && s != last {
			turns++
		}
		last = s
		if _, _, ok := text.ReadAs(r); s != latin && !ok {
			dressed = false
		}
	}
	cjk := count[han] + count[hiragana] + count[katakana] + count[hangul] + count[bopomofo]
	sum := 0
	for _, n := range count {
		sum += n
	}
	switch {
	case kinds <= 1, count[latin]+cjk == sum && (count[hangul] == 0 || count[hiragana]+count[katakana] == 0):
		return 0 // one script, or Latin beside those of East Asia
	case count[latin] > 0 && count[cyrillic]+count[greek] > 0 && dressed:
		return 0.92 // letters put in to look like others
	case turns >= 3:
		return 0.88
	case kinds == 2 && count[latin] > 0 && turns == 1:
		return 0 // two words without a space: ProИван
	case kinds == 2 && turns <= 2 && count[cyrillic]+count[greek] == 0 && count[latin] > 0:
		return 0
	}
	return 0.7
}

// size is how many characters a reader sees (UAX #29).
func size(name string) int { return uniseg.GraphemeClusterCount(name) }
