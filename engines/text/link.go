package text

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// link is an address of a page in a message, units [from, to), its path from path.
type link struct {
	from, to, path int
	name           [80]byte // the host, folded
	n              int
	scheme, user   bool // http:// before it; somebody@ before the host
	evasive        bool // written so that a filter does not see it
	ip, mixed      bool // a number for a host; letters of several scripts
	known          bool // allowed, or a place that everybody links to
}

func (k *link) host() []byte { return k.name[:k.n] }

// hostUnit reports whether a unit can be part of a host's label.
func hostUnit(u *unit) bool {
	return u.class == classDigit || u.class.alphabetic() || u.r == '-' || u.r == '_'
}

// readLinks gathers the links of the message. A denied host is one whatever its
// top level.
func (s *scratch) readLinks(rules *linkRules) {
	units := s.norm.units
	floor := 0
	for i := 0; i < len(units); {
		switch {
		case units[i].r == ':' && i+2 < len(units) && units[i+1].r == '/' && units[i+2].r == '/':
			i = s.schemeLink(i, floor)
			floor = i
		case units[i].r == '.' && i+1 < len(units):
			i = s.bareLink(rules, i, floor)
			floor = max(floor, min(i, len(units)))
		default:
			i++
		}
	}
}

// schemeLink reads http://host/path around the colon at unit i.
func (s *scratch) schemeLink(i, floor int) int {
	units := s.norm.units
	from := i
	for from > floor && i-from < 8 && units[from-1].class == classLatin {
		from--
	}
	if from == i { // before it looks for an end, which may be far
		return i + 3
	}
	host := i + 3
	end := host
	for end < len(units) && !isSpace(units[end].r) && !isOneOf(units[end].r, "<>\"|") && !units[end].class.dense() {
		end++
	}
	k := link{from: from, scheme: true, evasive: hasPrefix(units[from:], "hxxp")}
	for j := host; j < end && units[j].r != '/'; j++ {
		if units[j].r == '@' {
			host, k.user = j+1, true
		}
	}
	if host >= end {
		return max(end, i+3)
	}
	k.finish(units, host, end)
	if k.n > 0 {
		s.links = append(s.links, k)
	}
	return max(end, i+3)
}

// finish reads the host at unit host of a link that ends before unit end.
func (k *link) finish(units []unit, host, end int) {
	k.path = k.readHost(units, host, end)
	for end > k.path && isOneOf(units[end-1].r, ".,;:!?)]}'\"") {
		end--
	}
	k.to = max(end, k.path)
	stops := 0
	k.ip = k.n > 0
	for _, c := range k.host() {
		k.ip = k.ip && (c == '.' || c >= '0' && c <= '9')
		if c == '.' {
			stops++
		}
	}
	k.ip = k.ip && stops == 3
}

// readHost takes the host in, look-alikes as Latin letters, and returns where it ends.
func (k *link) readHost(units []unit, i, end int) int {
	latin, other := false, false
	for first := i; i < end; i++ {
		u := &units[i]
		if isOneOf(u.r, "[](){}") && (i+1 < end && units[i+1].r == '.' || i > first && units[i-1].r == '.') {
			k.evasive = true
			continue
		}
		if u.r != '.' && !hostUnit(u) {
			break
		}
		latin, other = latin || u.class == classLatin, other || u.class.alphabetic() && u.class != classLatin
		k.push(hostByte(u))
	}
	k.mixed = latin && other
	for k.n > 0 && k.name[k.n-1] == '.' {
		k.n--
	}
	return i
}

func (k *link) push(c byte) {
	if k.n < len(k.name) {
		k.name[k.n] = c
		k.n++
	}
}

func hostByte(u *unit) byte {
	switch {
	case u.r < 0x80:
		return byte(u.r)
	case u.alt != 0:
		return u.alt
	}
	return '?'
}

// bareLink reads host.top/path around the full stop at unit i and returns where to go on.
func (s *scratch) bareLink(rules *linkRules, i, floor int) int {
	units := s.norm.units
	bracketed := i > floor+1 && isOneOf(units[i-1].r, "[({") && i+2 < len(units) && isOneOf(units[i+1].r, "])}")
	before, first := i, i+1
	if bracketed {
		before, first = i-1, i+2
	}
	from := hostBack(units, before, floor)
	host := first
	for host < len(units) && (hostUnit(&units[host]) || units[host].r == '.' && host+1 < len(units) && hostUnit(&units[host+1])) {
		host++
	}
	if from >= before || host == first || from > 0 && isOneOf(units[from-1].r, "@/") {
		return max(i+1, host)
	}
	end := s.pathEnd(host)
	k := link{from: from, evasive: bracketed}
	k.finish(units, from, end)
	top := host
	for top > from && units[top-1].r != '.' && !isOneOf(units[top-1].r, "])}") {
		top--
	}
	if k.n > 0 && (s.isHost(&k, i-from, top, host, end > host) || rules.deny.has(&k, units)) {
		s.links = append(s.links, k)
	}
	return max(end, i+1)
}

// hostBack walks back from unit i over what can be of a host, to its first letter or digit.
func hostBack(units []unit, i, floor int) int {
	from := i
	for from > floor && i-from < 70 && (hostUnit(&units[from-1]) || units[from-1].r == '.') {
		from--
	}
	for from < i && units[from].class != classDigit && !units[from].class.alphabetic() {
		from++
	}
	return from
}

// pathEnd returns where a port and a path end that stand at unit i, which is i
// where there is no path.
func (s *scratch) pathEnd(i int) int {
	units := s.norm.units
	end := i
	if end+1 < len(units) && units[end].r == ':' && units[end+1].class == classDigit {
		for end++; end < len(units) && units[end].class == classDigit; end++ {
		}
	}
	if end >= len(units) || units[end].r != '/' {
		return i
	}
	for end < len(units) && !isSpace(units[end].r) && !units[end].class.dense() && !isOneOf(units[end].r, "<>\"|") {
		end++
	}
	return end
}

// isHost reports whether what looks like a host is one: its top level is in units
// [top, host), its first label is so many units long.
func (s *scratch) isHost(k *link, label, top, host int, path bool) bool {
	units, from := s.norm.units, k.from
	name := units[top:host]
	switch {
	case k.ip:
		return path
	case name[0].class == classDigit:
		return false
	case strongTop(name), hasPrefix(units[from:], "www."), hasPrefix(name, "xn--"):
		return true
	case weakTop(name) && (path || k.evasive || k.mixed || label >= 8 || hasDigit(units[from:top]) || hasHyphen(units[from:top])):
		return true
	}
	return path && len(name) <= 12 && topLevel(name) && units[from].class == classLatin && label > 1
}

func hasHyphen(units []unit) bool {
	for i := range units {
		if units[i].r == '-' {
			return true
		}
	}
	return false
}

// linkSignals says what is wrong with each link.
func (s *scratch) linkSignals(rules *linkRules, out []engines.Signal) []engines.Signal {
	for i := range s.links {
		k := &s.links[i]
		if rules.allow.has(k, s.norm.units) && !k.user {
			k.known = true
			continue
		}
		sub, rule, severity, confidence := s.judgeLink(rules, k)
		if confidence > 0 {
			out = append(out, s.shape(engines.Spam, sub, rule, severity, confidence, k.from, max(k.to, k.from+1)))
		}
	}
	return out
}

func (s *scratch) judgeLink(rules *linkRules, k *link) (sub, rule string, severity int, confidence float64) {
	units := s.norm.units
	path := k.to > k.path+1
	switch {
	case rules.deny.has(k, units):
		return "advertising", "denied-host", 3, 0.95
	case rules.invites.has(k, units) && path && !k.user:
		return "advertising", "invite", 2, 0.85
	case k.user && k.scheme:
		return "phishing", "link-user", 3, 0.85
	case knownHosts.has(k, units):
		k.known = true
		if rules.denyAll {
			return "advertising", "link", 2, 0.85
		}
		return "", "", 0, 0
	}
	if c := imitates(k, rules); c > 0 {
		return "phishing", "imitation", 3, c
	}
	switch {
	case k.mixed:
		return "phishing", "mixed-host", 3, 0.8
	case k.ip && ownNetwork(k.host()):
		return "advertising", "link", 1, 0.2
	case k.ip:
		return "phishing", "ip-link", 3, 0.62
	case rules.denyAll:
		return "advertising", "link", 2, 0.85
	case shorteners.has(k, units):
		return "advertising", "short-link", 2, 0.5
	case k.evasive:
		return "advertising", "hidden-link", 2, 0.72
	}
	return "advertising", "link", 1, 0.3
}

// ownNetwork reports whether an address is of the machine itself or of one's own
// network (RFC 1918, RFC 1122).
func ownNetwork(host []byte) bool {
	for _, p := range [...]string{"127.", "10.", "192.168.", "0."} {
		if strings.HasPrefix(string(host), p) {
			return true
		}
	}
	return false
}
