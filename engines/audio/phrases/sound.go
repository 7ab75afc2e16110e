package phrases

import (
	"strings"
	"unicode"
)

// Sounds are written with a letter each: what recognisers and ears confuse has the same
// one. Voice (b and p, d and t) is lost in noise first, so it is not told apart, nor are
// vowels.
const (
	vowel   = 'A'
	lips    = 'P' // b, p
	teeth   = 'T' // d, t, th
	palate  = 'K' // c, g, k, q
	breath  = 'F' // f, v, ph
	hiss    = 'S' // s, z, soft c
	hush    = 'X' // ch, j, sh, soft g
	nose    = 'N' // m, n, ng
	liquidL = 'L'
	liquidR = 'R'
)

// soundOf writes the sounds of a word: "" where it has no Latin letters.
func soundOf(word string) string {
	l := latin(word)
	out := make([]byte, 0, len(l))
	add := func(b byte) {
		if n := len(out); n == 0 || out[n-1] != b {
			out = append(out, b)
		}
	}
	for i := 0; i < len(l); {
		n := 1
		switch rest := l[i:]; {
		case i == 0 && starts(rest, "kn", "gn", "wr", "ps"):
			// the first letter is silent
		case starts(rest, "tch", "sch"):
			add(hush)
			n = 3
		case starts(rest, "igh", "ugh", "eigh"):
			add(vowel)
			n = strings.IndexByte(rest, 'g') + 2
		case starts(rest, "sh", "ch", "tio", "sio", "cio"):
			add(hush)
			n = 2
		case starts(rest, "ph"):
			add(breath)
			n = 2
		case starts(rest, "th", "dt"):
			add(teeth)
			n = 2
		case starts(rest, "ck", "gh", "qu"):
			add(palate)
			n = 2
		case starts(rest, "mb") && len(rest) == 2, starts(rest, "ng") && len(rest) == 2:
			add(nose)
			n = 2
		case starts(rest, "dg", "ge", "gi", "gy") && i > 0:
			add(hush)
			n = 1 + len(rest[1:min(2, len(rest))])*b2i(rest[0] == 'd')
		case starts(rest, "ce", "ci", "cy"):
			add(hiss)
		case rest == "e" && i > 1: // silent at the end
		default:
			single(add, rest[0], i)
		}
		i += n
	}
	return string(out)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// single is the sound of a letter by itself.
func single(add func(byte), c byte, at int) {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		add(vowel)
	case 'y', 'w', 'h': // consonants at the start alone, and weak ones
		if c == 'y' && at > 0 {
			add(vowel)
		}
	case 'b', 'p':
		add(lips)
	case 'd', 't':
		add(teeth)
	case 'c', 'g', 'k', 'q':
		add(palate)
	case 'f', 'v':
		add(breath)
	case 's', 'z':
		add(hiss)
	case 'x':
		add(palate)
		add(hiss)
	case 'j':
		add(hush)
	case 'm', 'n':
		add(nose)
	case 'l':
		add(liquidL)
	case 'r':
		add(liquidR)
	}
}

func starts(s string, with ...string) bool {
	for _, w := range with {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// latin are the letters a to z of a word.
func latin(word string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, word)
}
