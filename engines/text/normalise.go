package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// unit is one folded rune and where it came from: code points [start, end) of
// the message, with the marks and joiners that belong to them. Units are in
// order; those of one source rune share a range.
type unit struct {
	r          rune
	start, end int32
	class      class
	alt        byte
	loose      bool
	upper      bool
	steps      step
	tones      tones
}

// normaliser turns a message into units. It is reused between messages.
type normaliser struct {
	folds *folds
	units []unit
	// trail is the consonant that was last joined to a Hangul syllable.
	trail unit
	// pending are steps to be noted on the next unit.
	pending step
	points  int32
	// hints are the reasons for further readings.
	hints hint
	// overrides are the code points after which text is shown from right to left,
	// and those where that ends.
	overrides []engines.Span
	// tags are the invisible letters.
	tags []unit
}

// reset forgets the last message and keeps the memory.
func (n *normaliser) reset() {
	n.units, n.trail, n.pending, n.points = n.units[:0], unit{}, 0, 0
	n.hints, n.overrides, n.tags = 0, n.overrides[:0], n.tags[:0]
}

// run normalises s: time and memory are linear in its length.
func (n *normaliser) run(s string) {
	n.reset()
	for len(s) > 0 {
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s)
		}
		s = s[size:]
		at := n.points
		n.points++
		f := n.folds.of(r)
		n.hints |= f.hint
		if f.class >= classMark && f.hint|hint(n.open()) != 0 {
			n.invisible(r, at)
		}
		n.add(f, at)
	}
	if n.open() > 0 {
		n.overrides[len(n.overrides)-1].End = int(n.points)
	}
	if n.hints&hintTurkish != 0 {
		n.dotless()
	}
}

// open is 1 while an override is.
func (n *normaliser) open() int {
	if k := len(n.overrides); k > 0 && n.overrides[k-1].End < 0 {
		return 1
	}
	return 0
}

// invisible notes a character that is dropped but says something.
func (n *normaliser) invisible(r rune, at int32) {
	switch {
	case r >= 0xE0020 && r <= 0xE007E:
		f := n.folds.of(r - 0xE0000)
		n.tags = append(n.tags, unit{r: f.r, start: at, end: at + 1, class: f.class, steps: stepHidden})
	case n.open() == 0 && (r == 0x202E || r == 0x2067):
		n.overrides = append(n.overrides, engines.Span{Start: int(at), End: -1})
	case n.open() == 1 && (r == 0x202C || r == 0x202D || r == 0x202A || r == 0x2069 || r == 0x2066):
		n.overrides[len(n.overrides)-1].End = int(at)
	}
}

// dotless marks the capital I of a Turkish text, which is no i there.
func (n *normaliser) dotless() {
	for i := range n.units {
		if u := &n.units[i]; u.r == 'i' && u.upper && u.end == u.start+1 && u.steps&(stepMark|stepCompat) == 0 {
			u.steps |= stepDotless
		}
	}
}

// add appends what one source rune became.
func (n *normaliser) add(f folded, at int32) {
	switch {
	case f.class == classMark:
		n.mark(f, at)
		return
	case f.n == 0:
		n.pending |= f.step
		return
	}
	u := unit{r: f.r, start: at, end: at + 1, class: f.class, alt: f.alt, loose: f.loose, upper: f.upper, steps: f.step | n.pending, tones: f.tones}
	n.pending = 0
	if f.n > 1 {
		for _, r := range n.folds.pool[f.r : f.r+rune(f.n)] {
			u.r, u.class = r, classify(r)
			n.units = append(n.units, u)
		}
		return
	}
	if f.class == classHangul && (f.r < 0xAC00 || f.r > 0xD7A3) {
		n.jamo(u)
		return
	}
	n.units = append(n.units, u)
}

// mark gives a mark to the unit before it: the span grows, a kana is voiced.
func (n *normaliser) mark(f folded, at int32) {
	last := len(n.units) - 1
	if last < 0 {
		return
	}
	u := &n.units[last]
	if u.end != at {
		return
	}
	u.end = at + 1
	u.tones |= f.tones
	switch {
	case f.n == 1 && (u.class == classHira || u.class == classKata):
		u.r = voiced(u.r, f.r)
		u.steps |= stepJamo
	case u.class.letter() && !unicode.Is(unicode.Arabic, u.r): // vowel points are anybody's choice
		u.steps |= stepMark
	}
	// The units of one source rune share their range.
	for i := last - 1; i >= 0 && n.units[i].start == u.start; i-- {
		n.units[i].end = u.end
	}
}
