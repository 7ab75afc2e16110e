package text

import "unicode/utf8"

// unit is one folded rune and where it came from: code points [start, end) of
// the message, with the marks and joiners that belong to them. Units are in
// order; those of one source rune share a range.
type unit struct {
	r          rune
	start, end int32
	class      class
	alt        byte
	loose      bool
	steps      step
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
}

// reset forgets the last message and keeps the memory.
func (n *normaliser) reset() {
	n.units, n.trail, n.pending, n.points = n.units[:0], unit{}, 0, 0
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
		n.add(n.folds.of(r), at)
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
	u := unit{r: f.r, start: at, end: at + 1, class: f.class, alt: f.alt, loose: f.loose, steps: f.step | n.pending}
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
	switch {
	case f.n == 1 && (u.class == classHira || u.class == classKata):
		u.r = voiced(u.r, f.r)
		u.steps |= stepJamo
	case u.class.letter():
		u.steps |= stepMark
	}
	// The units of one source rune share their range.
	for i := last - 1; i >= 0 && n.units[i].start == u.start; i-- {
		n.units[i].end = u.end
	}
}
