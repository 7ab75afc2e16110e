// Package spoken turns what was said into what would have been written, so that the
// engine of text, made for writing, can judge it: numbers in figures, "dot com" and "at"
// as marks, letters that were spelt as one word, without the sounds of hesitation. Each
// code point knows the words that it is made of, so that a finding has its place in time.
package spoken

import (
	"strings"
	"unicode/utf8"
)

// Word is one word as a recogniser wrote it.
type Word struct {
	Text  string
	Glued bool // no space stands before it
}

// Text is a text made of words.
type Text struct {
	text  strings.Builder
	n     int // code points
	parts []part
}

// part is a run of code points, until end, that words [first, after) were turned into.
type part struct{ end, first, after int }

// String is the text.
func (t *Text) String() string { return t.text.String() }

// add appends what words [first, after) were turned into.
func (t *Text) add(s string, glued bool, first, after int) {
	if s == "" {
		return
	}
	if t.n > 0 && !glued {
		t.text.WriteByte(' ')
		t.n++
	}
	t.text.WriteString(s)
	t.n += utf8.RuneCountInString(s)
	t.parts = append(t.parts, part{t.n, first, after})
}

// Words are the words that code points [start, end) are made of, all of them where the
// range is empty.
func (t *Text) Words(start, end int) (first, after int) {
	if len(t.parts) == 0 {
		return 0, 0
	}
	if end <= start {
		return t.parts[0].first, t.parts[len(t.parts)-1].after
	}
	i := 0
	for i < len(t.parts)-1 && t.parts[i].end <= start {
		i++
	}
	first, after = t.parts[i].first, t.parts[i].after
	for ; i < len(t.parts)-1 && t.parts[i].end < end; i++ {
		after = max(after, t.parts[i+1].after)
	}
	return first, after
}

// AsHeard is the words as they were written down.
func AsHeard(words []Word) *Text {
	t := &Text{}
	for i, w := range words {
		t.add(w.Text, w.Glued, i, i+1)
	}
	return t
}
