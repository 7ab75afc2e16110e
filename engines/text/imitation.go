package text

import (
	"bytes"
	"strings"
)

// imitates is how likely a host pretends to be a well-known one: a letter off, a
// look-alike, or the true host as a mere part of another.
func imitates(k *link, rules *linkRules) float64 {
	host := string(k.host())
	if c := wearsHost(host, rules); c > 0 {
		return c
	}
	label := siteLabel(host)
	if label == "" {
		return 0
	}
	plain := unconfused(label)
	best := 0.0
	for _, b := range brands {
		best = max(best, resembles(label, plain, b))
	}
	if best > 0 && best < 0.8 {
		for _, bait := range baits {
			if strings.Contains(host, bait) {
				return 0.86
			}
		}
	}
	return best
}

// wearsHost reports hosts that begin with another: discord.com.example.ru.
func wearsHost(host string, rules *linkRules) float64 {
	for rest := host; ; {
		i := strings.LastIndexByte(rest, '.')
		if i < 0 {
			return 0
		}
		rest = rest[:i]
		inner := rest
		for {
			if paths, ok := knownHosts[inner]; ok && paths == nil && len(inner) >= 8 {
				return 0.86
			}
			if paths, ok := rules.allow[inner]; ok && paths == nil && inner == rest && strings.Contains(inner, ".") {
				return 0.8
			}
			j := strings.IndexByte(inner, '.')
			if j < 0 {
				break
			}
			inner = inner[j+1:]
		}
	}
}

// siteLabel is the label of a host that names the site.
func siteLabel(host string) string {
	for range 2 {
		i := strings.LastIndexByte(host, '.')
		if i < 0 {
			return ""
		}
		host = host[:i]
		label := host[strings.LastIndexByte(host, '.')+1:]
		if label != "co" && label != "com" {
			return label
		}
	}
	return ""
}

// resembles is how much a label looks like a brand's name.
func resembles(label, plain, brand string) float64 {
	long := len(brand) >= 6
	switch {
	case label == brand:
		return 0.4 // the brand's name under another top level
	case plain == brand, long && (oneEdit(label, brand) || oneEdit(plain, brand)):
		return 0.9
	case long && strings.Contains(plain, brand), len(brand) >= 7 && len(plain) > len(brand)+2 && nearPrefix(plain, brand):
		return 0.45
	}
	return 0
}

// unconfused reads digits and pairs that look like a letter as that letter.
func unconfused(label string) string {
	b := []byte(label)
	for i, c := range b {
		switch c {
		case '0':
			b[i] = 'o'
		case '1':
			b[i] = 'l'
		case '3':
			b[i] = 'e'
		case '5':
			b[i] = 's'
		}
	}
	b = bytes.ReplaceAll(b, []byte("rn"), []byte("m"))
	return string(bytes.ReplaceAll(b, []byte("vv"), []byte("w")))
}

// nearPrefix reports whether label begins with something one letter off b.
func nearPrefix(label, b string) bool {
	return len(label) > len(b) && (oneEdit(label[:len(b)], b) || oneEdit(label[:len(b)+1], b) || oneEdit(label[:len(b)-1], b))
}

// oneEdit reports whether a and b differ by one letter put in, left out, changed
// or swapped with its neighbour.
func oneEdit(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if a == b || len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	if len(a) > len(b) {
		return a[i+1:] == b[i:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
