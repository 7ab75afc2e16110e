package text

import "github.com/portcullis-gg/portcullis/engines"

// maxDigits is the most digits of a number that any rule knows.
const maxDigits = 24

// number is a run of digits as people group them.
type number struct {
	from, to int // units
	digits   [maxDigits]byte
	n        int // digits in all, which may be more
	groups   [8]int
	seps     [8]rune // seps[i] stands before groups[i]
	ngroups  int
	plus     bool
	apart    bool // no letter or sign makes it part of something else
	claimed  bool
}

// readNumbers gathers the numbers of the message.
func (s *scratch) readNumbers() {
	units := s.norm.units
	for i := 0; i < len(units); {
		if units[i].class != classDigit {
			i++
			continue
		}
		s.numbers = append(s.numbers, number{from: i})
		i = s.numbers[len(s.numbers)-1].read(units, i)
	}
}

// read reads the digits from unit i, with a separator or two between groups, and
// returns where they end.
func (n *number) read(units []unit, i int) int {
	n.opening(units, i)
	for {
		start := i
		for i < len(units) && units[i].class == classDigit {
			if n.n < maxDigits {
				n.digits[n.n] = byte(units[i].r)
			}
			n.n++
			i++
		}
		if n.ngroups < len(n.groups) {
			n.groups[n.ngroups] = i - start
		}
		n.ngroups++
		n.to = i
		next := i
		for next < len(units) && next-i < 3 && isOneOf(units[next].r, " -.()/‐‑–−") {
			next++
		}
		if n.ends(units, i, next) {
			n.apart = n.standsApart(units)
			return i
		}
		if n.ngroups < len(n.seps) {
			n.seps[n.ngroups] = plainSeparator(units[i:next])
		}
		i = next
	}
}

// ends reports whether a number ends at unit i, where the next sign but separators stands at next. A second
// hyphen or stop is no grouping ("1 - 2", "1..2"), nor is what a card holds to ("4111 1111 1111 1111 10/27").
func (n *number) ends(units []unit, i, next int) bool {
	if next == i || next >= len(units) || units[next].class != classDigit || next-i > 1 && !isOneOf(units[next-1].r, " (") {
		return true
	}
	return n.n >= fewestOfCards && expiry(units, next)
}

// fewestOfCards is how many digits the shortest number of a card has.
const fewestOfCards = 13

// expiry reports whether a month and a year stand at unit i, as beside a card's number: 10/27, 10/2027.
func expiry(units []unit, i int) bool {
	digits := func(from, to int) bool {
		for k := from; k < to; k++ {
			if k >= len(units) || units[k].class != classDigit {
				return false
			}
		}
		return true
	}
	if !digits(i, i+2) || i+2 >= len(units) || units[i+2].r != '/' || !digits(i+3, i+5) {
		return false
	}
	month := (units[i].r-'0')*10 + units[i+1].r - '0'
	end := i + 5
	if digits(end, end+2) {
		end += 2
	}
	return month >= 1 && month <= 12 && !digits(end, end+1)
}

func plainSeparator(units []unit) rune {
	for i := range units {
		switch r := units[i].r; r {
		case ' ', '(', ')':
		case '.', '/':
			return r
		default:
			return '-'
		}
	}
	return ' '
}

// opening takes a plus or a bracket before the digits in.
func (n *number) opening(units []unit, i int) {
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		switch units[k].r {
		case '(':
			n.from = k
		case '+':
			n.plus, n.from = true, k
			return
		default:
			return
		}
	}
}

// standsApart reports whether no letter or sign makes the number part of something else.
func (n *number) standsApart(units []unit) bool {
	if n.from > 0 {
		p := &units[n.from-1]
		if p.class.alphabetic() || isOneOf(p.r, "/_=$€£.,") || n.from > 1 && isOneOf(p.r, "-:") && units[n.from-2].class == classDigit {
			return false
		}
	}
	if n.to < len(units) {
		u := &units[n.to]
		if u.class.alphabetic() || isOneOf(u.r, "_=%/") || n.to+1 < len(units) && isOneOf(u.r, ":,.") && units[n.to+1].class == classDigit {
			return false
		}
	}
	return n.n <= maxDigits
}

// value returns the digits.
func (n *number) value() []byte { return n.digits[:min(n.n, maxDigits)] }

// grouped reports whether the groups have these sizes.
func (n *number) grouped(sizes ...int) bool {
	if n.ngroups != len(sizes) {
		return false
	}
	for i, want := range sizes {
		if n.groups[i] != want {
			return false
		}
	}
	return true
}

// separated reports whether these separators, and no others, stand between the groups.
func (n *number) separated(seps string) bool {
	i := 1
	for _, r := range seps {
		if i >= n.ngroups || i >= len(n.seps) || n.seps[i] != r {
			return false
		}
		i++
	}
	return i == n.ngroups
}

// same reports whether all digits are equal.
func same(digits []byte) bool {
	for _, d := range digits {
		if d != digits[0] {
			return false
		}
	}
	return true
}

// luhn reports whether the check digit is right (ISO/IEC 7812-1, annex B).
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// weighted is the sum of the first digits times weights.
func weighted(digits []byte, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += int(digits[i]-'0') * w
	}
	return sum
}

// near reports whether words on the topics stand around the units: up to 36
// before and 14 after.
func (s *scratch) near(t topic, from, to int) bool {
	return s.topics&t != 0 && (s.said(t, from-36, from) || s.said(t, to, to+14))
}

// numberRules find what numbers alone give away.
func (s *scratch) numberRules(out []engines.Signal) []engines.Signal {
	for i := range s.numbers {
		n := &s.numbers[i]
		if n.claimed || n.n < 6 || !n.apart {
			continue
		}
		for _, rule := range [...]func(*scratch, *number) (finding, bool){(*scratch).card, (*scratch).nationalNumber, (*scratch).phone, (*scratch).bankNumber} {
			f, ok := rule(s, n)
			if !ok {
				continue
			}
			n.claimed = true
			out = s.tell(out, f, n.from, n.to)
			break
		}
	}
	return out
}

// finding is what a rule says of personal data.
type finding struct {
	sub, rule  string
	severity   int
	confidence float64
}

// tell appends a finding of personal data and remembers where.
func (s *scratch) tell(out []engines.Signal, f finding, from, to int) []engines.Signal {
	if f.confidence >= 0.5 {
		s.private = append(s.private, engines.Span{Start: from, End: to})
	}
	return append(out, s.shape(engines.Privacy, f.sub, f.rule, f.severity, f.confidence, from, to))
}
