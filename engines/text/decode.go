package text

import (
	"unicode/utf8"
)

// drawn are letters drawn with several signs, the longest first.
var drawn = [...]struct {
	signs  string
	letter rune
}{
	{`/\/\`, 'm'},
	{`\/\/`, 'w'},
	{`|\/|`, 'm'},
	{`|/\|`, 'w'},
	{`|\|`, 'n'},
	{`/\/`, 'n'},
	{`|-|`, 'h'},
	{`|_|`, 'u'},
	{`(_)`, 'u'},
	{`\_/`, 'u'},
	{`|v|`, 'm'},
	{`|)`, 'd'},
	{`|>`, 'd'},
	{`|<`, 'k'},
	{`|{`, 'k'},
	{`|3`, 'b'},
	{`|=`, 'f'},
	{`/\`, 'a'},
	{`\/`, 'v'},
	{`><`, 'x'},
	{`()`, 'o'},
	{`[]`, 'o'},
	{`}{`, 'h'},
	{`|_`, 'l'},
	{`_|`, 'j'},
	{`(|`, 'c'},
	{`|2`, 'r'},
	{`|*`, 'p'},
	{`|"`, 'p'},
	{`[)`, 'd'},
	{`1<`, 'k'},
	{`!<`, 'k'},
	{`1_`, 'l'},
}

// decode reads character references, escapes, letters drawn with signs, and Han
// characters written as their parts.
func (r *readings) decode(n *normaliser) bool {
	changed := false
	units := n.units
	for i := 0; i < len(units); {
		c, size := n.decodeAt(i)
		if size == 0 {
			r.units = append(r.units, units[i])
			i++
			continue
		}
		changed = true
		for _, w := range c.whole {
			w.start, w.end = units[i].start, units[i+size-1].end
			r.units = append(r.units, w)
		}
		i += size
	}
	return changed
}

// coded is what some units stand for.
type coded struct{ whole []unit }

// decodeAt reads what begins at unit i and says how many units that takes, 0 for none.
func (n *normaliser) decodeAt(i int) (coded, int) {
	u := &n.units[i]
	switch {
	case u.r >= 0x4E00:
		if parts := components().by[u.r]; parts != nil {
			return n.assembled(i, parts)
		}
		return coded{}, 0
	case u.r >= 0x80 || u.class == classLatin:
		return coded{}, 0
	case u.r == '&' || u.r == '%' || u.r == '\\':
		if c, size := n.escape(i); size > 0 {
			return n.folds.coded(c, stepDecoded), size
		}
	}
	return n.drawing(i)
}

// coded folds a rune that was decoded.
func (f *folds) coded(r rune, s step) coded {
	row := f.of(r)
	switch {
	case row.n == 1 && row.class < classMark:
		return coded{[]unit{{r: row.r, class: row.class, alt: row.alt, loose: row.loose, steps: row.step | s}}}
	case row.n > 1:
		var out []unit
		for _, c := range f.pool[row.r : row.r+rune(row.n)] {
			out = append(out, unit{r: c, class: classify(c), steps: row.step | s})
		}
		return coded{out}
	}
	return coded{}
}

// assembled puts the parts of a Han character together.
func (n *normaliser) assembled(i int, parts []component) (coded, int) {
	best := 0
	var out coded
	for _, c := range parts {
		if len(c.parts) <= best || i+len(c.parts) > len(n.units) {
			continue
		}
		same := true
		for k, p := range c.parts {
			same = same && n.units[i+k].r == p
		}
		if same {
			best, out.whole = len(c.parts), nil
			for _, w := range c.whole {
				out.whole = append(out.whole, unit{r: w, class: classHan, steps: stepDecoded})
			}
		}
	}
	return out, best
}

// drawing reads a letter drawn with signs. It must stand beside a letter or another sign.
func (n *normaliser) drawing(i int) (coded, int) {
	if !isOneOf(n.units[i].r, `/\|()[}>1!_`) {
		return coded{}, 0
	}
	for k := range drawn {
		d := &drawn[k]
		if !hasPrefix(n.units[i:], d.signs) {
			continue
		}
		end := i + len(d.signs)
		before := i > 0 && !isSpace(n.units[i-1].r)
		after := end < len(n.units) && !isSpace(n.units[end].r)
		if !before && !after {
			return coded{}, 0
		}
		return coded{[]unit{{r: d.letter, class: classLatin, steps: stepDecoded | stepLeet}}}, len(d.signs)
	}
	return coded{}, 0
}

// escape reads &#102; and %66 and \u0066 and the like.
func (n *normaliser) escape(i int) (rune, int) {
	units := n.units[i:]
	switch {
	case hasPrefix(units, "&#x"):
		return reference(units, 3, 16)
	case hasPrefix(units, "&#"):
		return reference(units, 2, 10)
	case hasPrefix(units, `\u`):
		v, size := numeral(units[2:], 16, 4)
		return checked(v, size == 4, 6)
	case hasPrefix(units, `\x`):
		v, size := numeral(units[2:], 16, 2)
		return checked(v, size == 2, 4)
	case units[0].r == '%':
		return percent(units)
	}
	return 0, 0
}

func checked(v rune, ok bool, size int) (rune, int) {
	if !ok || v < ' ' || !utf8.ValidRune(v) {
		return 0, 0
	}
	return v, size
}

// reference reads the number of a character reference after skip signs.
func reference(units []unit, skip int, base rune) (rune, int) {
	v, size := numeral(units[skip:], base, 7)
	if size == 0 {
		return 0, 0
	}
	size += skip
	if size < len(units) && units[size].r == ';' {
		size++
	}
	return checked(v, true, size)
}

// numeral reads up to most digits of a base.
func numeral(units []unit, base rune, most int) (v rune, size int) {
	for size < len(units) && size < most {
		r := units[size].r
		switch {
		case r >= '0' && r <= '9':
			r -= '0'
		case base == 16 && r >= 'a' && r <= 'f':
			r -= 'a' - 10
		default:
			return v, size
		}
		v = v*base + r
		size++
	}
	return v, size
}

// percent reads one character of UTF-8 in percent signs.
func percent(units []unit) (rune, int) {
	var buf [utf8.UTFMax]byte
	for k := range buf {
		if len(units) < 3*k+3 || units[3*k].r != '%' {
			return 0, 0
		}
		v, size := numeral(units[3*k+1:], 16, 2)
		if size != 2 {
			return 0, 0
		}
		buf[k] = byte(v)
		if utf8.FullRune(buf[:k+1]) {
			r, size := utf8.DecodeRune(buf[:k+1])
			return checked(r, size == k+1, 3*k+3)
		}
	}
	return 0, 0
}
