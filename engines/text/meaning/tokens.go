package meaning

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestWord is how many letters a word may have; a longer one is unknown.
const longestWord = 100

// cutter cuts a text into the numbers of its pieces, as BERT's uncased tokeniser does: lower
// case, without accents, apart at spaces, punctuation and Han characters, and each word into
// the longest pieces that the table has. It is memory for one text at a time.
type cutter struct {
	words *words
	ids   []int32
	word  []byte // "##" and the letters of the word that is being read
	ends  []int  // where each letter of word ends
	tried []byte
	full  bool
}

// continued begins a piece that begins no word.
const continued = "##"

// cut gives the pieces of a text with the marks of its beginning and end, as many as the
// table has places for; what comes behind them is left out. The slice is good until the next
// call. Time is linear in the text, and most texts end before they are read to the end.
func (c *cutter) cut(text string) []int32 {
	c.ids, c.full = append(c.ids[:0], c.words.first), false
	c.begin()
	for _, r := range text {
		if c.full {
			break
		}
		c.rune(r)
	}
	c.end()
	return append(c.ids, c.words.last)
}

func (c *cutter) begin() {
	c.word, c.ends = append(c.word[:0], continued...), c.ends[:0]
}

// rune reads a letter of the text.
func (c *cutter) rune(r rune) {
	switch {
	case unicode.IsSpace(r) && r != 0x85:
		c.end()
		return
	case r == 0, r == utf8.RuneError, unreadable(r):
		return
	}
	alone := ideograph(r)
	if alone {
		c.end()
	}
	if r < utf8.RuneSelf {
		c.letter(r)
		return
	}
	var b [utf8.UTFMax]byte
	if parts := norm.NFD.Properties(b[:utf8.EncodeRune(b[:], r)]).Decomposition(); parts != nil {
		for len(parts) > 0 {
			part, n := utf8.DecodeRune(parts)
			parts = parts[n:]
			c.letter(part)
		}
	} else if s := r - hangul; s >= 0 && s < syllables {
		c.letter(leads + s/(vowelCount*tailCount))
		c.letter(vowels + s%(vowelCount*tailCount)/tailCount)
		if s%tailCount != 0 {
			c.letter(tails + s%tailCount)
		}
	} else {
		c.letter(r)
	}
	if alone {
		c.end()
	}
}

// Hangul syllables are taken apart by their numbers: chapter 3.12 of the Unicode standard.
const (
	hangul                = 0xAC00
	leads, vowels, tails  = 0x1100, 0x1161, 0x11A7
	vowelCount, tailCount = 21, 28
	syllables             = 11172
)

// letter reads a letter without its accents.
func (c *cutter) letter(r rune) {
	if r >= utf8.RuneSelf && unicode.Is(unicode.Mn, r) {
		return
	}
	r = unicode.ToLower(r)
	switch {
	case unicode.IsSpace(r):
		c.end()
	case punctuation(r):
		c.end()
		c.add(r)
		c.end()
	default:
		c.add(r)
	}
}

func (c *cutter) add(r rune) {
	if len(c.ends) > longestWord {
		return
	}
	c.word = utf8.AppendRune(c.word, r)
	c.ends = append(c.ends, len(c.word))
}

// end cuts the word that was read.
func (c *cutter) end() {
	if len(c.ends) == 0 {
		return
	}
	from := len(c.ids)
	if len(c.ends) > longestWord || !c.pieces() {
		c.ids = append(c.ids[:from], c.words.unknown)
	}
	if most := c.words.most - 1; len(c.ids) >= most {
		c.ids, c.full = c.ids[:most], true
	}
	c.begin()
}

// pieces appends those of the word; false is that a part of it is none.
func (c *cutter) pieces() bool {
	start := 0 // letters
	for start < len(c.ends) {
		next := c.piece(start)
		if next == start {
			return false
		}
		start = next
	}
	return true
}

// piece appends the longest piece that begins at a letter, and gives the letter behind it.
func (c *cutter) piece(start int) int {
	from, prefix := len(continued), ""
	if start > 0 {
		from, prefix = c.ends[start-1], continued
	}
	for end := len(c.ends); end > start; end-- {
		if len(prefix)+c.ends[end-1]-from > c.words.longest {
			continue
		}
		c.tried = append(append(c.tried[:0], prefix...), c.word[from:c.ends[end-1]]...)
		if id, ok := c.words.find(c.tried); ok {
			c.ids = append(c.ids, id)
			return end
		}
	}
	return start
}

// unreadable reports whether a letter is left out: control and format characters, those of
// private use and those that are none.
func unreadable(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && (r < 0x20 || r >= 0x7F && r < 0xA0 ||
		r >= 0xA0 && (unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs) || !assigned(r)))
}

// assigned reports whether a character is one of Unicode's.
func assigned(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cf, unicode.Cc, unicode.Co)
}

// punctuation is what stands alone: Unicode's, and the ASCII signs that are symbols there.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7F && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}
	return unicode.Is(unicode.P, r)
}

// ideograph reports whether a letter is of the blocks of Han characters that BERT knows.
func ideograph(r rune) bool {
	return r >= 0x3400 && (r >= 0x4E00 && r <= 0x9FFF || r <= 0x4DBF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F)
}
