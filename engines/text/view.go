package text

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
	syms []sym
	word int32
	// altered is set when some symbol is not what the plain view has.
	altered bool
	// gap and ambiguous: see push and altBuilder.
	gap, ambiguous bool
}

func (v *view) reset() {
	*v = view{syms: v.syms[:0]}
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
