package text

import "github.com/portcullis-gg/portcullis/engines"

// internetAddresses finds addresses of machines: 203.0.113.7, 2001:db8::7, and
// hardware addresses.
func (s *scratch) internetAddresses(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); {
		if !hexUnit(&units[i]) || i > 0 && (isASCIIWord(&units[i-1]) || isOneOf(units[i-1].r, ".:-/")) {
			i++
			continue
		}
		from := i
		for i < len(units) && (hexUnit(&units[i]) || isOneOf(units[i].r, ".:-")) {
			i++
		}
		to := i
		for to > from && isOneOf(units[to-1].r, ".:-") {
			to--
		}
		if to == len(units) || !isASCIIWord(&units[to]) {
			if f, end := s.machine(from, to); f.confidence > 0 {
				out = s.tell(out, f, from, end)
			}
		}
	}
	return out
}

// machine tells what kind of address units [from, to) are.
func (s *scratch) machine(from, to int) (finding, int) {
	units := s.norm.units[from:to]
	dots, colons, dashes := countOf(units, '.'), countOf(units, ':'), countOf(units, '-')
	switch {
	case dots >= 3:
		return s.ip4(from, to)
	case (colons == 5 || dashes == 5) && hexGroups(units, 6, 2):
		return finding{"network", "mac", 2, 0.75}, to
	case colons >= 3 && ip6(units):
		return finding{"network", "ip", 3, 0.82}, to
	}
	return finding{}, 0
}

func countOf(units []unit, r rune) int {
	n := 0
	for i := range units {
		if units[i].r == r {
			n++
		}
	}
	return n
}

func hexUnit(u *unit) bool { return u.class == classDigit || u.r >= 'a' && u.r <= 'f' }

// octets reads four numbers up to 255 and returns where they end, or 0.
func octets(units []unit, from, to int) (values [4]int, end int) {
	k, digits := 0, 0
	for end = from; end < to; end++ {
		u := &units[end]
		switch {
		case u.class == classDigit && digits < 3 && (digits == 0 || values[k] > 0):
			values[k] = values[k]*10 + int(u.r-'0')
			digits++
			if values[k] > 255 {
				return values, 0
			}
			continue
		case u.r == '.' && digits > 0 && k < 3:
			k, digits = k+1, 0
			continue
		case u.r != ':':
			return values, 0
		}
		to = end
	}
	if k != 3 || digits == 0 {
		return values, 0
	}
	return values, end
}

// ip4 judges an address of four numbers. Versions have small ones, machines of one's
// own network say nothing of anybody, and a game server's is meant to be told.
func (s *scratch) ip4(from, to int) (finding, int) {
	o, end := octets(s.norm.units, from, to)
	own := o[0] == 10 || o[0] == 127 || o[0] == 0 || o[0] == 192 && o[1] == 168 || o[0] == 172 && o[1]&^15 == 16
	if end == 0 || own || s.wordBefore(from, versionWords[:]) {
		return finding{}, 0
	}
	large := 0
	for _, v := range o {
		if v >= 30 {
			large++
		}
	}
	f := finding{"network", "ip", 3, 0.62}
	switch {
	case end < to || s.wordBefore(from, serverWords[:]):
		f.confidence = 0.4
	case s.wordBefore(from, ipWords[:]) || s.said(topicThird|topicSpread, from-40, from):
		f.confidence = 0.88
	case large < 2:
		f.confidence = 0.35
	}
	return f, end
}

var (
	versionWords = [...]string{"version", "ver", "v", "build", "patch", "update", "release", "firmware", "driver", "chapter", "section"}
	serverWords  = [...]string{"connect", "server", "host", "join", "ping", "dns", "lobby", "サーバー", "服务器", "서버", "сервер", "servidor", "serveur"}
	ipWords      = [...]string{"ip", "address", "addr", "айпи"}
)

// wordBefore reports whether one of the words stands among the three before unit i.
func (s *scratch) wordBefore(i int, words []string) bool {
	units := s.norm.units
	end := i
	for range 3 {
		for end > 0 && !units[end-1].class.letter() {
			if i-end > 24 {
				return false
			}
			end--
		}
		start := end
		for start > 0 && units[start-1].class.letter() {
			start--
		}
		for _, w := range words {
			if runesAt(units, start, foldedWord(w)) == end && end > start {
				return true
			}
		}
		if end = start; end == 0 {
			return false
		}
	}
	return false
}

// foldedWord is w as texts are folded: hiragana for katakana. The lists here are
// folded but for that.
func foldedWord(w string) string {
	if w == "サーバー" {
		return "さーばー"
	}
	return w
}

// ip6 reports whether groups of hexadecimal digits make an address: eight, or
// fewer around a double colon, with more than the digits of a time.
func ip6(units []unit) bool {
	groups, double, size, long := 0, 0, 0, false
	for i := range units {
		switch u := &units[i]; {
		case u.r == ':':
			if i+1 < len(units) && units[i+1].r == ':' {
				double++
			}
			if size > 0 {
				groups++
			}
			size = 0
		case hexUnit(u):
			size++
			long = long || size > 2 || u.class != classDigit
		default:
			return false
		}
		if size > 4 {
			return false
		}
	}
	if size > 0 {
		groups++
	}
	return long && double <= 1 && (groups == 8 && double == 0 || double == 1 && groups >= 3 && groups < 8)
}

// hexGroups reports whether units are n groups of size hexadecimal digits, with a letter.
func hexGroups(units []unit, n, size int) bool {
	if len(units) != n*size+n-1 {
		return false
	}
	letter := false
	for i := range units {
		sep := i%(size+1) == size
		if sep != !hexUnit(&units[i]) || sep && units[i].r != units[size].r {
			return false
		}
		letter = letter || units[i].class == classLatin
	}
	return letter
}
