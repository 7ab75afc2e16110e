package gist

import "unicode/utf8"

// mark stands for a space, and begins every text.
const mark = '\u2581'

// mostRead is how many characters of a text are looked at, and mostKept how many of them, as
// they are written then, are cut into pieces: as many as the longest pieces that fill a text
// have. The first is for characters that are written as nothing and for rows of spaces.
const (
	mostRead = 4096
	mostKept = 1024
)

// write writes a text as its pieces are: each character by the table, a row of spaces as one,
// a space as mark.
func (c *cutter) write(text string) {
	c.text, c.starts = c.text[:0], c.starts[:0]
	n, space := 0, false // whether the last character is one
	for _, r := range text {
		if n++; n > mostRead || len(c.starts) >= mostKept {
			break
		}
		to, ok := c.table.Normal(r)
		if !ok {
			space = c.put(r, space)
			continue
		}
		for _, t := range to {
			space = c.put(rune(t), space) //nolint:gosec // a character
		}
	}
	if len(c.starts) == 0 {
		c.put(' ', false)
	}
	c.starts = append(c.starts, len(c.text))
}

// put adds a character.
func (c *cutter) put(r rune, space bool) bool {
	if r == ' ' && space {
		return true
	}
	if len(c.starts) == 0 && r != ' ' {
		c.starts, c.text = append(c.starts, 0), utf8.AppendRune(c.text, mark)
	}
	c.starts = append(c.starts, len(c.text))
	if r == ' ' {
		c.text = utf8.AppendRune(c.text, mark)
		return true
	}
	c.text = utf8.AppendRune(c.text, r)
	return false
}
