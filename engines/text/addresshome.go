package text

import "github.com/portcullis-gg/portcullis/engines"

// homes finds an address after a word that says so: a number within 50 units of
// "my address is" and its likes.
func (s *scratch) homes(out []engines.Signal) []engines.Signal {
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicHome == 0 || w.weak {
			continue
		}
		if c, to := s.numberAfterHome(int(w.to)); c > 0 {
			return s.tell(out, finding{"address", "home", 3, c}, int(w.from), to)
		}
	}
	return out
}

// numberAfterHome looks at the first number after unit from, and returns how likely
// it is a house's and where it ends.
func (s *scratch) numberAfterHome(from int) (float64, int) {
	units := s.norm.units
	dense := units[from-1].class.dense()
	names := 0
	for k := from; k < min(from+50, len(units)) && !isOneOf(units[k].r, "?!\n@"); k++ {
		if units[k].class.letter() {
			names++
		}
		if units[k].class != classDigit {
			continue
		}
		end := houseEnd(units, k)
		part := end < len(units) && units[end].class.alphabetic()
		switch {
		case s.said(topicStreet, end, end+3) && !s.insideClaim(k) && s.free(k):
			return 0.85, end
		case s.insideClaim(k), end-k > 9, !s.free(k), part, yearly(units[k:end]), dense && !s.houseLike(k, end):
		case s.capitalised(from, end), s.postal(k), names >= 4 && (dense || !s.ascii(from, end)):
			return 0.78, end
		case names >= 4:
			return 0.5, end
		}
		return 0, 0
	}
	return 0, 0
}

// houseEnd returns where the number ends that begins at unit k, with the letter of a
// house: 14b.
func houseEnd(units []unit, k int) int {
	end := k
	for end < len(units) && (units[end].class == classDigit || isOneOf(units[end].r, "-/")) {
		end++
	}
	if end-k <= 3 && end < len(units) && isOneOf(units[end].r, "abcd") && (end+1 == len(units) || !units[end+1].class.alphabetic()) {
		end++
	}
	return end
}

func (s *scratch) ascii(from, to int) bool {
	for i := from; i < to; i++ {
		if s.norm.units[i].r >= 0x80 {
			return false
		}
	}
	return true
}

func (s *scratch) insideClaim(i int) bool {
	for _, p := range s.private {
		if p.Start <= i && i < p.End {
			return true
		}
	}
	return false
}

func yearly(units []unit) bool {
	return len(units) == 4 && (units[0].r == '1' && units[1].r == '9' || units[0].r == '2' && units[1].r == '0')
}

// houseLike reports whether a number in a text without spaces is of a house and
// not a count: in parts, or before a unit of places.
func (s *scratch) houseLike(from, to int) bool {
	units := s.norm.units
	for i := from; i < to; i++ {
		if units[i].r == '-' || units[i].r == '/' {
			return true
		}
	}
	return to < len(units) && isOneOf(units[to].r, "号番丁栋楼室座弄巷호동번층")
}
