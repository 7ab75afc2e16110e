package text

// What tells a street beside its word and number: a name before it, a postal code, a flat.

// nameBefore reports whether a street's name stands before its word with a capital, as
// Slavic and Turkish streets have it: Невский проспект 100.
func (s *scratch) nameBefore(w *word) bool {
	units := s.norm.units
	if w.weak || w.langs == everywhere || w.to-w.from < 4 {
		return false
	}
	from := int(w.from)
	for from > 0 && units[from-1].r == ' ' {
		from--
	}
	end := from
	for from > 0 && units[from-1].class.letter() {
		from--
	}
	return end-from >= 4 && end < int(w.from) && s.capitalised(from, end)
}

// codeBefore reports whether a word for a postal code stands before unit from, with its
// number: "kode pos 40111, jl. asia afrika 8".
func (s *scratch) codeBefore(from int) bool {
	v := s.about(topicStreet, from-30, from)
	return v != nil && int(v.to) < from && s.digitAfter(int(v.to)) && s.postal(int(v.to))
}

// flats are words for a home in a house that a number follows, folded.
var flats = foldedSet("apt apartment suite unit flat apto depto appartement wohnung mieszkanie кв квартира daire")

// flat reports whether a flat with its number follows the street at unit to.
func (s *scratch) flat(w *word, to int) bool {
	var buf [24]byte
	for i := s.wordsFrom(to); i < len(s.words) && int(s.words[i].from) < to+12; i++ {
		v := &s.words[i]
		if v.topics&topicStreet != 0 && v.from >= w.to && s.digitAfter(int(v.to)) && flats()[string(spelling(buf[:0], s.norm.units[v.from:v.to]))] {
			return true
		}
	}
	return false
}
