package text

import "github.com/portcullis-gg/portcullis/engines"

// codeMax is the most letters and digits of a code that any rule knows.
const codeMax = 34

// code is a run of ASCII letters and digits in which both stand: identity
// numbers, bank accounts.
type code struct {
	from, to int
	text     [codeMax]byte // folded to small letters
	n        int
}

func (c *code) value() []byte { return c.text[:c.n] }

// codes looks for identity codes with letters and for bank accounts.
func (s *scratch) codes(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); {
		if !isASCIIWord(&units[i]) {
			i++
			continue
		}
		c := code{from: i}
		digits, letters := 0, 0
		for ; i < len(units) && isASCIIWord(&units[i]); i++ {
			if c.n < codeMax {
				c.text[c.n] = byte(units[i].r)
				c.n++
			}
			if units[i].class == classDigit {
				digits++
			} else {
				letters++
			}
		}
		c.to = i
		if digits < 2 || letters < 1 || i-c.from > codeMax {
			continue
		}
		if f, to := s.account(&c); to > 0 {
			out = s.tell(out, f, c.from, to)
			i = max(i, to)
			continue
		}
		if f, to := s.identityCode(&c, digits); to > 0 {
			out = s.tell(out, f, c.from, to)
		}
	}
	return out
}

// identityCode tells identity numbers with letters apart.
func (s *scratch) identityCode(c *code, digits int) (finding, int) {
	said := s.near(topicIdentity, c.from, c.to)
	f := finding{sub: "identity", rule: "identity", severity: 4}
	d := c.value()
	set := func(rule string, bare float64) {
		f.rule, f.confidence = rule, bare
		if said {
			f.confidence = 0.96
		}
	}
	switch {
	case pattern18(d) && chineseBody(d) && chineseCheck(d) == 'x':
		set("cn-id", 0.96)
	case shaped(d, "llllllddlddldddl") && codiceFiscale(d):
		set("codice-fiscale", 0.97)
	case shaped(d, "ddddddddl") && spanish(d[:8]) == d[8]:
		set("dni", 0.8)
	case shaped(d, "ldddddddl") && d[0] >= 'x' && spanish(append([]byte{'0' + d[0] - 'x'}, d[1:8]...)) == d[8]:
		set("nie", 0.9)
	case shaped(d, "ldddddddl") && nric(d):
		set("nric", 0.88)
	case shaped(d, "lllllddddl") && isOneOf(rune(d[3]), "pchfatbljg"):
		set("pan", 0.62)
	case shaped(d, "lddddddddd") && (d[1] == '1' || d[1] == '2') && taiwanese(d):
		set("roc-id", 0.88)
	case shaped(d, "llddddddl") && isOneOf(rune(d[8]), "abcd"):
		set("nino", 0.6)
	case said && digits >= 5 && c.n >= 6 && c.n <= 20:
		f.confidence = 0.85
	default:
		return f, 0
	}
	return f, c.to
}

func pattern18(d []byte) bool { return shaped(d, "dddddddddddddddddl") && d[17] == 'x' }

// shaped reports whether d is made of letters (l) and digits (d) as in shape.
func shaped(d []byte, shape string) bool {
	if len(d) != len(shape) {
		return false
	}
	for i, c := range d {
		if (c >= '0' && c <= '9') != (shape[i] == 'd') {
			return false
		}
	}
	return true
}

// spanish is the letter of a DNI or NIE.
func spanish(d []byte) byte {
	n := 0
	for _, c := range d {
		n = n*10 + int(c-'0')
	}
	return "trwagmyfpdxbnjzsqvhlcke"[n%23]
}

// codiceFiscale checks the last letter (Italian ministerial decree of 23 December 1976).
func codiceFiscale(d []byte) bool {
	const odd = "\x01\x00\x05\x07\x09\x0d\x0f\x11\x13\x15\x02\x04\x12\x14\x0b\x03\x06\x08\x0c\x0e\x10\x0a\x16\x19\x18\x17"
	sum := 0
	for i, c := range d[:15] {
		v := int(c - '0')
		if c >= 'a' {
			v = int(c - 'a')
		}
		if i%2 == 0 {
			v = int(odd[v])
		}
		sum += v
	}
	return byte('a'+sum%26) == d[15]
}

// nric checks a Singapore number of citizens (s, t) and foreigners (f, g).
func nric(d []byte) bool {
	sum := weighted(d[1:], 2, 7, 6, 5, 4, 3, 2)
	switch d[0] {
	case 's':
		return "jzihgfedcba"[sum%11] == d[8]
	case 't':
		return "jzihgfedcba"[(sum+4)%11] == d[8]
	case 'f':
		return "xwutrqpnmlk"[sum%11] == d[8]
	case 'g':
		return "xwutrqpnmlk"[(sum+4)%11] == d[8]
	}
	return false
}

// taiwanese checks a national number of Taiwan: the letter stands for two digits.
func taiwanese(d []byte) bool {
	const order = "abcdefghjklmnpqrstuvxywzio"
	v := 0
	for i := range len(order) {
		if order[i] == d[0] {
			v = i + 10
		}
	}
	return (v/10+v%10*9+weighted(d[1:], 8, 7, 6, 5, 4, 3, 2, 1, 1))%10 == 0
}
