package text

import (
	_ "embed" // the tables below
	"strconv"
	"strings"
)

//go:embed data/confusables.txt
var confusablesData string

//go:embed data/simplified.txt
var simplifiedData string

// lookalike is the Latin letter that a rune is read as.
type lookalike struct {
	letter byte
	loose  bool
}

// lookalikes reads the table of look-alikes.
func lookalikes() map[rune]lookalike {
	out := make(map[rune]lookalike, 2048)
	for line := range strings.Lines(confusablesData) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		letter, loose := strings.CutPrefix(fields[0], "~")
		for _, code := range fields[1:] {
			if cp, err := strconv.ParseUint(code, 16, 21); err == nil {
				out[rune(cp)] = lookalike{letter: letter[0], loose: loose}
			}
		}
	}
	for i, r := range []rune(brailleLetters) {
		out[r] = lookalike{letter: 'a' + byte(i)}
	}
	for r, letter := range pictures {
		out[r] = lookalike{letter: letter, loose: true}
	}
	return out
}

// brailleLetters are a to z in Braille.
const brailleLetters = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"

// pictures are symbols put in the place of a letter. They count beside letters only.
var pictures = map[rune]byte{
	'⭕': 'o', '🔴': 'o', '🟠': 'o', '🔵': 'o', '⚫': 'o', '⚪': 'o', '○': 'o', '◯': 'o', '❌': 'x', '✖': 'x', '❎': 'x', '✝': 't', '✚': 't', '➕': 't', '💲': 's', '💰': 's',
	'©': 'c', '®': 'r', '€': 'e', '£': 'l', '¥': 'y', 'ℹ': 'i', '§': 's', '†': 't', '❗': 'i', '❕': 'i', '❶': 'i', '🎱': 'b', '🍩': 'o', '☪': 'c', '🌙': 'c', '⚡': 'z', '🔪': 'i',
}

// simplified reads the table of Han variants.
func simplified() map[rune]rune {
	out := make(map[rune]rune, 8192)
	for line := range strings.Lines(simplifiedData) {
		if line[0] == '#' {
			continue
		}
		pairs := []rune(strings.TrimSpace(line))
		for i := 0; i+1 < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
	}
	for r, to := range out { // a Japanese form may lead to a traditional one
		if next, ok := out[to]; ok {
			out[r] = next
		}
	}
	return out
}

// leet is the letter that an ASCII digit or sign stands for inside a word, 0 when
// none. One and the bar may be i or l: second asks for the other reading.
func leet(r rune, second bool) rune {
	if r >= rune(len(leets)) {
		return 0
	}
	if second && leets[r] == 'i' {
		return 'l'
	}
	return rune(leets[r])
}

// leets are what leet reads at first. A table: all of a long message is asked for.
var leets = [...]byte{
	'0': 'o', '1': 'i', '2': 'z', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '8': 'b', '9': 'g',
	'!': 'i', '$': 's', '(': 'c', '+': 't', '@': 'a', '|': 'i', '¢': 'c',
}

// cyrillic is the Cyrillic letter that a Latin letter or a digit stands for inside
// a Cyrillic word, 0 when none.
func cyrillic(r rune) rune {
	switch r {
	case 'a', '@':
		return 'а'
	case 'b', '6':
		return 'б'
	case 'c':
		return 'с'
	case 'e':
		return 'е'
	case 'h':
		return 'н'
	case 'i', 'u', '!', '1':
		return 'и'
	case 'k':
		return 'к'
	case 'm':
		return 'м'
	case 'o', '0':
		return 'о'
	case 'p':
		return 'р'
	case 't', '7':
		return 'т'
	case 'x':
		return 'х'
	case 'y':
		return 'у'
	case '3':
		return 'з'
	case '4':
		return 'ч'
	case 'n':
		return 'п'
	case 'r':
		return 'г'
	}
	return 0
}
