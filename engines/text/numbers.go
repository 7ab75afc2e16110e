package text

import "github.com/portcullis-gg/portcullis/engines"

// number is a run of digits as people group them.
type number struct {
	from, to int // units
	digits   [20]byte
	n        int
	groups   [8]int
	ngroups  int
	plus     bool
	sep      rune // the separator between groups, 0 when mixed or none
}

// numbers finds card numbers and telephone numbers.
func (s *scratch) numbers(out []engines.Signal) []engines.Signal {
	for i := 0; i < len(s.norm.units); {
		if s.norm.units[i].class != classDigit {
			i++
			continue
		}
		num, next := s.number(i)
		i = next
		switch {
		case !s.alone(&num):
		case num.card():
			confidence := 0.88
			if num.ngroups > 2 {
				confidence = 0.97
			}
			out = append(out, s.shape(engines.Privacy, "payment", "card", 4, confidence, num.from, num.to))
		case num.phone():
			out = append(out, s.shape(engines.Privacy, "contact", "phone", 2, 0.85, num.from, num.to))
		}
	}
	return out
}

// number reads the digits from unit i, with one separator or bracket between groups.
func (s *scratch) number(i int) (number, int) {
	units := s.norm.units
	num := number{from: i}
	num.opening(units, i)
	for {
		start := i
		for i < len(units) && units[i].class == classDigit {
			num.digit(byte(units[i].r))
			i++
		}
		num.group(i - start)
		num.to = i
		next := i
		for next < len(units) && next-i < 2 && isOneOf(units[next].r, " -.()") {
			next++
		}
		if next == i || next >= len(units) || units[next].class != classDigit {
			return num, i
		}
		num.separator(units[i].r)
		i = next
	}
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

func (n *number) digit(d byte) {
	if n.n < len(n.digits) {
		n.digits[n.n] = d
	}
	n.n++
}

func (n *number) group(size int) {
	if n.ngroups < len(n.groups) {
		n.groups[n.ngroups] = size
	}
	n.ngroups++
}

// separator notes what stands before a further group.
func (n *number) separator(r rune) {
	switch {
	case n.ngroups == 1:
		n.sep = r
	case r != n.sep:
		n.sep = 0
	}
}

// alone reports whether no letter or sign makes the number part of something else.
func (s *scratch) alone(n *number) bool {
	units := s.norm.units
	if n.from > 0 {
		if p := &units[n.from-1]; p.class.alphabetic() || isOneOf(p.r, "#/_=$€£.:,") {
			return false
		}
	}
	if n.to < len(units) {
		if u := &units[n.to]; u.class.alphabetic() || isOneOf(u.r, "_=%/:") {
			return false
		}
	}
	return n.n <= len(n.digits)
}

// card reports whether the digits are a payment card: length, issuer, grouping, check digit.
func (n *number) card() bool {
	if n.n < 13 || n.n > 19 || n.digits[0] < '3' || n.digits[0] > '6' || n.plus || n.sep == '.' {
		return false
	}
	if n.ngroups > 1 && n.groups[0] != 4 {
		return false
	}
	sum, same := 0, true
	for i := range n.n {
		d := int(n.digits[n.n-1-i] - '0')
		same = same && n.digits[i] == n.digits[0]
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && !same
}

// phone reports whether the digits are grouped as a telephone number of a plan
// that is known well enough not to be a score, a price, a version or an id.
func (n *number) phone() bool {
	switch {
	case n.plus:
		return n.international()
	case n.grouped(3, 3, 4) && (n.sep == '-' || n.sep == 0 || n.sep == '.'):
		return n.digits[0] >= '2'
	case n.digits[0] == '0' && (n.grouped(3, 4, 4) || n.grouped(2, 4, 4) || n.grouped(3, 3, 4)):
		return n.sep != '.'
	case n.grouped(3, 4, 4) && n.digits[0] == '1' && n.digits[1] >= '3':
		return n.sep != '.'
	case n.ngroups == 1 && n.n == 11:
		mobileCN := n.digits[0] == '1' && n.digits[1] >= '3'
		mobileKRJP := n.digits[0] == '0' && n.digits[2] == '0' || n.digits[0] == '0' && n.digits[1] == '1' && n.digits[2] == '0'
		return mobileCN || mobileKRJP
	}
	return false
}

// international reports whether a number with a plus is a telephone number and
// not a gain: those come in threes.
func (n *number) international() bool {
	if n.n < 9 || n.n > 15 {
		return false
	}
	if n.ngroups == 1 {
		return n.n >= 11 && string(n.digits[n.n-3:n.n]) != "000"
	}
	for _, g := range n.groups[1:min(n.ngroups, len(n.groups))] {
		if g != 3 {
			return true
		}
	}
	return false
}

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
