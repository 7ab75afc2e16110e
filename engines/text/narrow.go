package text

import "sort"

// A further reading of a long message is mostly the message itself, which was looked
// through before. So it is looked through again only where it differs.

const (
	// narrowFrom is how many units a reading has at least that is narrowed.
	narrowFrom = 1024
	// margin is how many units around a difference are looked through: more than the
	// longest entry has, with words in its gaps.
	margin = 256
	// maxPlaces bounds the places of one reading; one with more is looked through whole.
	maxPlaces = 32
)

// place is a range of units or of symbols, its end not included.
type place struct{ from, to int }

// narrowed returns the places of a reading that differ from the message, with a margin;
// the whole reading where it is short or differs in many. Units of both are in order.
func (r *readings) narrowed(units []unit) []place {
	all := append(r.places[:0], place{0, len(r.units)})
	if len(r.units) < narrowFrom {
		return all
	}
	out := all[:0]
	at := 0
	for i := range r.units {
		u := &r.units[i]
		if at < len(units) && *u == units[at] {
			at++
			continue
		}
		for at < len(units) && units[at].start < u.end {
			at++
		}
		p := place{max(i-margin, 0), min(i+margin, len(r.units))}
		switch last := len(out) - 1; {
		case last >= 0 && p.from <= out[last].to:
			out[last].to = p.to
		case len(out) == maxPlaces:
			return append(all[:0], place{0, len(r.units)})
		default:
			out = append(out, p)
		}
	}
	if at < len(units) && (len(out) == 0 || out[len(out)-1].to < len(r.units)) { // its end is left out
		out = append(out, place{max(len(r.units)-margin, 0), len(r.units)})
	}
	r.places = out
	return out
}

// whole are all symbols of a view.
func (v *view) whole() place { return place{0, len(v.syms)} }

// symbols returns where units [p.from, p.to) are read, from one space to another so that
// no word is cut.
func (v *view) symbols(p place) place {
	from := sort.Search(len(v.syms), func(i int) bool { return int(v.syms[i].last) >= p.from })
	to := from + sort.Search(len(v.syms)-from, func(i int) bool { return int(v.syms[from+i].first) >= p.to })
	for from > 0 && v.syms[from-1].r != ' ' {
		from--
	}
	for to < len(v.syms) && v.syms[to].r != ' ' {
		to++
	}
	return place{from, to}
}
