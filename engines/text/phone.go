package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// phoneLanguages are the languages of countries whose numbers are known at once by
// those who speak them. English is left out: it is written everywhere.
var phoneLanguages = map[string]string{
	"RU": "ru", "ES": "es", "MX": "es", "AR": "es", "CO": "es", "PE": "es", "CL": "es", "BR": "pt", "PT": "pt", "CN": "zh-Hans", "TW": "zh-Hant",
	"JP": "ja", "KR": "ko", "VN": "vi", "ID": "id", "TH": "th", "TR": "tr", "DE": "de", "AT": "de", "FR": "fr", "IT": "it", "PL": "pl", "UA": "uk",
	"SA": "ar", "EG": "ar", "AE": "ar",
}

//go:embed data/phone.txt
var phoneData string

// phonePattern is one way in which numbers are written inside a country.
type phonePattern struct {
	digits []uint16 // by place, the set of digits allowed
	groups []int
	bare   bool     // also without groups
	trunk  bool     // begins with 0
	spoken lang.Tag // the language of the country
}

// phonePlans are the numbering plans of data/phone.txt.
type phonePlans struct {
	lengths  map[string][2]int // country code to the fewest and most digits after it
	patterns [16][]phonePattern
}

var thePhones = sync.OnceValue(func() *phonePlans { return readPhones(phoneData) })

func readPhones(data string) *phonePlans {
	p := &phonePlans{lengths: map[string][2]int{}}
	for line := range strings.Lines(data) {
		f := strings.Fields(line)
		if len(f) < 5 || f[0] == "#" {
			continue
		}
		low, _ := strconv.Atoi(f[2]) // the file is ours: its test reads every line
		high, _ := strconv.Atoi(f[3])
		p.lengths[f[0]] = [2]int{low, high}
		for _, text := range f[4:] {
			if text == "0" {
				continue
			}
			q := readPhonePattern(text)
			q.spoken = lang.Parse(phoneLanguages[f[1]])
			p.patterns[len(q.digits)] = append(p.patterns[len(q.digits)], q)
		}
	}
	return p
}

func readPhonePattern(text string) phonePattern {
	q := phonePattern{bare: text[0] == '=' || text[0] == '0', trunk: text[0] == '0'}
	text = strings.TrimPrefix(text, "=")
	group := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '-':
			q.groups = append(q.groups, group)
			group = 0
			continue
		case 'x':
			q.digits = append(q.digits, 0x3FF)
		case '{':
			set := uint16(0)
			for i++; text[i] != '}'; i++ {
				if text[i] == '-' {
					for d := text[i-1]; d <= text[i+1]; d++ {
						set |= 1 << (d - '0')
					}
					continue
				}
				set |= 1 << (text[i] - '0')
			}
			q.digits = append(q.digits, set)
		default:
			q.digits = append(q.digits, 1<<(c-'0'))
		}
		group++
	}
	q.groups = append(q.groups, group)
	return q
}

// phone finds telephone numbers: international ones by country code and length,
// national ones by how a country writes them, others where a word says so.
func (s *scratch) phone(n *number) (finding, bool) {
	f := finding{sub: "contact", rule: "phone", severity: 2}
	said := !s.said(topicOrder, n.from-16, n.from) && n.n >= 7 && n.n <= 15 && s.near(topicPhone|topicContact, n.from, n.to)
	switch {
	case n.n > 15 || n.n < 7 || same(n.value()) || s.nobodys(n):
		return f, false
	case n.plus && n.international():
		f.confidence = 0.9
	case n.plus && !said:
		return f, false
	case n.date() || n.decimals():
		return f, false
	default:
		f.confidence = n.national(s)
		if said {
			f.confidence = max(f.confidence+0.08, 0.78)
			if n.n == 7 && n.ngroups == 1 {
				f.confidence = 0.6
			}
		}
	}
	return f, f.confidence > 0
}

// international reports whether a number with a plus is a telephone number of a
// country, and not a gain: those are round or come in threes.
func (n *number) international() bool {
	d := n.value()
	if n.n < 9 || n.n > 15 || n.n > 8 && string(d[n.n-5:]) == "00000" {
		return false
	}
	for length := 1; length <= 3; length++ {
		want, ok := thePhones().lengths[string(d[:length])]
		if !ok {
			continue
		}
		rest := n.n - length
		if d[length] == '0' { // +44 (0)20
			rest--
		}
		if rest < want[0] || rest > want[1] {
			return false
		}
		return length != 1 || d[0] != '1' || d[1] >= '2' && d[4] >= '2'
	}
	return false
}

// national is how sure it is that the number is written as in some country.
func (n *number) national(s *scratch) float64 {
	d := n.value()
	best := 0.0
	for i := range thePhones().patterns[n.n] {
		p := &thePhones().patterns[n.n][i]
		if !p.fits(d) {
			continue
		}
		switch {
		case n.ngroups == 1 && p.bare && (p.trunk || s.han()):
			best = max(best, 0.82)
		case n.ngroups == 1 && p.bare:
			best = max(best, 0.6)
		case n.ngroups > 1 && n.grouped(p.groups...) && n.uniform():
			c := p.groupedConfidence(n)
			if c < 0.66 && n.n >= 10 && p.spoken != lang.None && (lang.Kin(p.spoken, s.hint) || s.plausible(p.spoken)) {
				c = 0.66
			}
			best = max(best, c)
		case n.ngroups > 1 && p.trunk && n.uniform() && n.groups[n.ngroups-1] > 1 && n.seps[1] != '.':
			best = max(best, 0.72)
		}
	}
	return best
}

// groupedConfidence is how sure a number in this grouping is: three groups of
// three parted by spaces are also points of a map.
func (p *phonePattern) groupedConfidence(n *number) float64 {
	switch {
	case p.trunk, n.n >= 10 && n.seps[1] == '-':
		return 0.87
	case n.n >= 10 && n.units() > 0:
		return 0.8
	case n.n >= 10 && n.seps[1] == '.':
		return 0.7
	case n.n >= 10:
		return 0.45
	}
	return 0.3
}

// units counts the brackets around the first group.
func (n *number) units() int {
	width := n.to - n.from - n.n
	return max(width-(n.ngroups-1)-1, 0)
}

func (p *phonePattern) fits(d []byte) bool {
	for i, c := range d {
		if p.digits[i]&(1<<(c-'0')) == 0 {
			return false
		}
	}
	return true
}

// uniform reports whether the separators after the first agree and none is a slash.
func (n *number) uniform() bool {
	first := 2
	if n.ngroups > 3 && n.seps[2] == ' ' { // a bracket or a space closes the code, other signs part the rest
		first = 3
	}
	for i := 1; i < min(n.ngroups, len(n.seps)); i++ {
		if n.seps[i] == '/' || i > first && n.seps[i] != n.seps[first] {
			return false
		}
	}
	return n.ngroups <= len(n.seps)
}

// date reports whether the number is a day, with a time perhaps.
func (n *number) date() bool {
	d := n.value()
	year := func(b []byte) bool { return string(b[:2]) == "19" || string(b[:2]) == "20" }
	switch {
	case n.ngroups >= 3 && n.groups[0] == 4 && n.groups[1] <= 2 && n.groups[2] <= 2:
		return year(d)
	case n.ngroups >= 3 && n.groups[0] <= 2 && n.groups[1] <= 2 && n.groups[2] == 4:
		return year(d[n.groups[0]+n.groups[1]:])
	}
	return false
}

// decimals reports whether the groups are a quantity: 1.234.567 or 12345.6789.
func (n *number) decimals() bool {
	if n.ngroups == 2 && n.seps[1] == '.' {
		return true
	}
	if n.ngroups < 2 || n.groups[0] > 3 || n.digits[0] == '0' || n.seps[1] == '-' {
		return false
	}
	for i := 1; i < min(n.ngroups, len(n.groups)); i++ {
		if n.groups[i] != 3 || n.seps[i] != n.seps[1] {
			return false
		}
	}
	return n.seps[1] == '.' || n.groups[0] < 3 && !n.plus
}

// han reports whether the message has Han characters.
func (s *scratch) han() bool {
	for i := range s.norm.units {
		if s.norm.units[i].class == classHan {
			return true
		}
	}
	return false
}

// bankNumber finds numbers that a word says are of a bank account.
func (s *scratch) bankNumber(n *number) (finding, bool) {
	ok := (n.n >= 8 || n.n == 7 && s.han()) && n.n <= 20 && !n.decimals() && s.near(topicBank, n.from, n.to)
	return finding{"payment", "account", 3, 0.8}, ok
}
