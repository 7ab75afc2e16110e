package text

import "github.com/portcullis-gg/portcullis/engines"

// addresses finds postal addresses: a house number beside a street's word, or
// where somebody says that he tells one.
func (s *scratch) addresses(out []engines.Signal) []engines.Signal {
	if s.digits == 0 {
		return out
	}
	out, found := s.denseAddress(out)
	if found {
		return out
	}
	if s.topics&topicStreet != 0 {
		if out, found = s.streets(out); found {
			return out
		}
	}
	told := len(s.private)
	if out = s.compoundStreets(out); len(s.private) > told {
		return out
	}
	if s.topics&topicHome != 0 {
		out = s.homes(out)
	}
	return out
}

// streets scores each street's word by what stands around it.
func (s *scratch) streets(out []engines.Signal) ([]engines.Signal, bool) {
	units := s.norm.units
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicStreet == 0 || units[w.from].class.dense() && units[w.from].class != classDense {
			continue
		}
		if s.inside(w) && !s.secondStreet(w, int(w.to)) {
			continue
		}
		before, after := s.houseBefore(int(w.from)), s.houseAfter(int(w.to))
		if before < 0 && after < 0 {
			continue
		}
		from, to := int(w.from), max(int(w.to), after)
		if before >= 0 {
			from = before
			to = s.beforeCode(int(w.to), to)
		}
		if c := s.streetName(w, from, to, before >= 0) + s.streetContext(w, from, to); c >= 0.3 {
			return s.tell(out, finding{"address", "address", 3, min(c, 0.93)}, from, to), c >= 0.5
		}
	}
	return out, false
}

// beforeCode returns where the address ends whose house stands before the street's word: a number of four
// digits and more behind it is no second house but the postal code.
func (s *scratch) beforeCode(street, to int) int {
	n := 0
	for to-n > street && s.norm.units[to-n-1].class == classDigit {
		n++
	}
	if n < 4 {
		return to
	}
	for to -= n; to > street && !s.norm.units[to-1].class.letter(); {
		to--
	}
	return to
}

// streetName is what the street's word and its name say: units [from, to), with the
// house before it or after.
func (s *scratch) streetName(w *word, from, to int, before bool) float64 {
	c := 0.2
	if w.to-w.from >= 4 && !w.weak {
		c += 0.12
	}
	// A number right after the word is a route or a lane; a street has a name.
	named := before || to-int(w.to) > 6 && s.lettersIn(int(w.to), to) >= 3 || s.nameBefore(w)
	u := &s.norm.units[w.from]
	switch {
	case !named || !before && w.langs == 1:
		c -= 0.2
	case s.capitalised(from, to) && u.upper && u.class == classLatin:
		c += 0.36
	case s.capitalised(from, to):
		c += 0.22
	}
	return c
}

// floors are words of addresses that are also words of towers and of levels: they
// say where in a house, and make no address by themselves.
var floors = set("etage stock andar piso planta kat lantai pietro floor level")

// inside reports whether a street's word only says where in a house.
func (s *scratch) inside(w *word) bool {
	var buf [12]byte
	return floors[string(ascii(buf[:0], s.norm.units[w.from:w.to]))]
}

// streetContext is what stands around an address.
func (s *scratch) streetContext(w *word, from, to int) float64 {
	c := 0.0
	if s.about(topicHome, from-40, from) != nil || s.about(topicHome, to, to+20) != nil {
		c += 0.5
	}
	if s.secondStreet(w, to) || s.codeBefore(from) {
		c += 0.25
	}
	if s.flat(w, to) {
		c += 0.15
	}
	if s.postal(to) {
		c += 0.25
	}
	if s.said(topicThird|topicSpread, from-30, from) {
		c += 0.1
	}
	return c
}

// longestHouse is how many units a part of an address has at most: what is longer is none, and
// would be gone through again from every number and street's word in it.
const longestHouse = 48

// houseBefore returns where a house number begins that stands before the street's
// word at unit i with one to three names between, or -1.
func (s *scratch) houseBefore(i int) int {
	units := s.norm.units
	k := i
	for range 4 {
		for k > 0 && i-k < 40 && isOneOf(units[k-1].r, " .,#") {
			k--
		}
		end := k
		for k > 0 && end-k <= longestHouse && (units[k-1].class.letter() || units[k-1].class == classDigit || isOneOf(units[k-1].r, "'-")) {
			k--
		}
		switch {
		case k == end || end-k > longestHouse || functionWord(units[k:end]):
			return -1
		case units[k].class != classDigit:
		case house(units[k:end]) && end < i && s.free(k):
			return k
		case !ordinal(units[k:end]): // 5th avenue: the house stands before
			return -1
		}
	}
	return -1
}

// leading counts the digits that a token begins with.
func leading(token []unit) int {
	n := 0
	for n < len(token) && token[n].class == classDigit {
		n++
	}
	return n
}

// house reports whether a token is a house number: 12, 12b; 5x is none.
func house(token []unit) bool {
	n := leading(token)
	return n > 0 && n <= 5 && (n == len(token) || n+1 == len(token) && isOneOf(token[n].r, "abcd"))
}

// houses reports whether a token is a house number as it stands after a street:
// also 12/3, 12-14, 5к.
func houses(token []unit) bool {
	n := leading(token)
	if n == 0 || n > 5 {
		return false
	}
	rest := token[n:]
	return len(rest) == 0 || len(rest) <= 4 && isOneOf(rest[0].r, "/-") || len(rest) == 1 && rest[0].class.alphabetic()
}

func ordinal(token []unit) bool { return len(token)-leading(token) == 2 }

// houseAfter returns where a house number ends that stands after the street's word
// at unit i with up to three names between, or -1.
func (s *scratch) houseAfter(i int) int {
	units := s.norm.units
	k := i
	for range 5 {
		for k < len(units) && k-i < 44 && isOneOf(units[k].r, " .,#º°:№") {
			k++
		}
		start := k
		for k < len(units) && k-start <= longestHouse && (units[k].class.letter() || units[k].class == classDigit || isOneOf(units[k].r, "'-/")) {
			k++
		}
		switch {
		case k == start || k-start > longestHouse || k-start > 2 && functionWord(units[start:k]):
			return -1
		case units[start].class != classDigit:
		case houses(units[start:k]):
			return k
		default:
			return -1
		}
	}
	return -1
}

func (s *scratch) lettersIn(from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		if s.norm.units[i].class.letter() {
			n++
		}
	}
	return n
}

// free reports whether no sign makes the number at unit i a price, a time or a score.
func (s *scratch) free(i int) bool {
	if i == 0 {
		return true
	}
	p := &s.norm.units[i-1]
	return !currencySign(p.r) && !isOneOf(p.r, ":-+/.x")
}

var functionWords = set(`the a an of on in to at for and or is are was be go down up from with this that your our my his her their other next
	people players guys mobs kills times minutes min mins seconds sec hours days levels level lvl gold coins points hp xp dmg damage more less
	meters m km miles blocks per left right way one two side wins games rounds man men enemies boss bosses units steps wood stone iron`)

func functionWord(units []unit) bool {
	var buf [12]byte
	return functionWords[string(ascii(buf[:0], units))]
}

// capitalised reports whether a word in units [from, to) begins with a capital and
// goes on in small letters: a name.
func (s *scratch) capitalised(from, to int) bool {
	units := s.norm.units
	for i := from; i+1 < to; i++ {
		if units[i].upper && units[i+1].class.letter() && !units[i+1].upper && (i == 0 || !units[i-1].class.letter()) {
			return true
		}
	}
	return false
}

// secondStreet reports whether another word of addresses follows: a flat, a code.
func (s *scratch) secondStreet(w *word, to int) bool {
	for i := s.wordsFrom(to); i < len(s.words) && int(s.words[i].from) < to+30; i++ {
		if v := &s.words[i]; v.topics&topicStreet != 0 && v.from >= w.to {
			return true
		}
	}
	return false
}

// postal reports whether a postal code stands within 40 units after.
func (s *scratch) postal(from int) bool {
	units := s.norm.units
	for i := from; i < min(from+40, len(units)); i++ {
		if units[i].class != classDigit || i > 0 && units[i-1].class == classDigit {
			continue
		}
		n := 0
		for i+n < len(units) && units[i+n].class == classDigit {
			n++
		}
		year := n == 4 && (units[i].r == '1' && units[i+1].r == '9' || units[i].r == '2' && units[i+1].r == '0')
		if n >= 4 && n <= 6 && !year && (i+n == len(units) || !units[i+n].class.alphabetic()) {
			return true
		}
		i += n
	}
	return false
}
