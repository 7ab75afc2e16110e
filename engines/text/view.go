package text

import "github.com/portcullis-gg/portcullis/engines"

// sym is one symbol of a view: a run of equal runes, with the units it came from.
type sym struct {
	r           rune
	first, last int32 // units
	word        int32 // words before it; a letter of a dense script is a word
	count       uint16
	class       class
	altered     bool // not what the plain view has here
	gap         bool // separators between it and the symbol before were dropped
	steps       step
}

// view is one reading of a message. Separators are one space each, stretched
// letters one symbol with a count.
type view struct {
	// units are what the symbols point into.
	units []unit
	syms  []sym
	word  int32
	// altered is set when some symbol is not what the plain view has.
	altered bool
	// gap and ambiguous: see push and altBuilder.
	gap, ambiguous bool
}

func (v *view) reset() {
	*v = view{syms: v.syms[:0]}
}

// span returns the code points that symbols first to last came from, whatever the
// order in which they are read.
func (v *view) span(first, last int) engines.Span {
	a, b := v.syms[first].first, v.syms[last].last
	out := engines.Span{Start: int(v.units[a].start), End: int(v.units[a].end)}
	for i := a; i <= b; i++ {
		if u := &v.units[i]; u.end > u.start {
			out.Start, out.End = min(out.Start, int(u.start)), max(out.End, int(u.end))
		}
	}
	return out
}

// blank reports whether unit i is white space on one line.
func (v *view) blank(i int) bool { return v.units[i].r == ' ' || v.units[i].r == '\t' }

// camel reports whether a word begins at symbol i as in camel case: with a capital
// after a small letter.
func (v *view) camel(i int) bool {
	if i <= 0 || i >= len(v.syms) {
		return false
	}
	u := v.syms[i].first
	return u > 0 && v.units[u].upper && !v.units[u-1].upper && v.units[u-1].class.alphabetic()
}

// push appends the rune of unit i as r.
func (v *view) push(r rune, c class, i int, steps step, altered bool) {
	last := len(v.syms) - 1
	if last >= 0 && v.syms[last].r == r {
		s := &v.syms[last]
		s.count = min(s.count+1, 1<<15)
		s.last = int32(i)
		s.altered = s.altered || altered || v.gap
		s.steps |= steps
		if v.gap {
			s.steps |= stepJoined
			v.altered = true
		}
		v.gap = false
		return
	}
	if last < 0 || r == ' ' || c.dense() || v.syms[last].r == ' ' || v.syms[last].class.dense() {
		v.word++
	}
	if v.gap {
		steps |= stepJoined
		altered = true
	}
	v.syms = append(v.syms, sym{r: r, first: int32(i), last: int32(i), word: v.word, count: 1, class: c, altered: altered, gap: v.gap, steps: steps})
	v.altered = v.altered || altered
	v.gap = false
}

// space appends a separator.
func (v *view) space(i int) {
	v.gap = false
	v.push(' ', classSep, i, 0, false)
}

// buildPlain makes the view that a reader sees.
func buildPlain(v *view, units []unit, known *alphabet) {
	v.reset()
	v.units = units
	for i := range units {
		u := &units[i]
		switch {
		case u.class != classSep:
			v.push(u.r, u.class, i, u.steps, false)
		case apostrophe(u.r) && i > 0 && i+1 < len(units) && units[i-1].class.alphabetic() && units[i+1].class.alphabetic():
			// don't is dont
		case u.r != ' ' && known.of(u.r) != 0:
			v.push(u.r, u.class, i, u.steps, false)
		default:
			v.space(i)
		}
	}
}

func apostrophe(r rune) bool {
	switch r {
	case '\'', '’', '‘', '`', '´', 'ʼ', '′':
		return true
	}
	return false
}
