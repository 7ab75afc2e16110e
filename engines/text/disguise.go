package text

import (
	"slices"
	"strings"
)

// disguiser makes the disguises of one word.
type disguiser struct {
	index    *guessIndex
	known    *wordFilter
	pattern  int32
	language string
	buf      []rune // for one disguise
}

// put adds a disguise, unless it is an ordinary word.
func (d *disguiser) put(word []rune, s step) {
	if h := hashRunes(word); !d.known.has(h) {
		d.index.add(h, guess{d.pattern, s})
	}
}

// run makes all disguises of word.
func (d *disguiser) run(word []rune, phrase bool) {
	if phrase {
		word = slices.DeleteFunc(word, func(r rune) bool { return r == ' ' })
		d.backwards(word)
		return
	}
	c := classify(word[0])
	for _, r := range word {
		if classify(r) != c {
			return
		}
	}
	switch {
	case c == classHangul:
		d.backwards(word)
		d.put([]rune(onLatinKeys(word)), stepLayout)
		return
	case c.dense():
		if len(word) >= 3 {
			d.backwards(word)
		}
		return
	}
	// The word itself, for those whose spaces were moved. It may be ordinary.
	d.index.add(hashRunes(word), guess{d.pattern, 0})
	if len(word) >= 4 {
		d.backwards(word)
	}
	if c == classCyril {
		d.layout(word)
		d.romanised(word)
	}
	if c == classLatin {
		d.sounds(word)
	}
	if len(word) >= 5 && len(word) <= 12 {
		d.swaps(word)
	}
	if isLanguage(d.language, "ar") && c == classLatin {
		d.arabizi(string(word))
	}
}

// backwards adds the word read from its end.
func (d *disguiser) backwards(word []rune) {
	d.buf = append(d.buf[:0], word...)
	slices.Reverse(d.buf)
	d.put(d.buf, stepReversed)
}

// swaps adds the word with two inner neighbours swapped, its halves exchanged,
// and without one or all of its inner vowels.
func (d *disguiser) swaps(word []rune) {
	n := len(word)
	d.buf = append(d.buf[:0], word...)
	for i := 1; i+2 < n; i++ {
		d.buf[i], d.buf[i+1] = d.buf[i+1], d.buf[i]
		d.put(d.buf, stepSwapped)
		d.buf[i], d.buf[i+1] = d.buf[i+1], d.buf[i]
	}
	d.buf = append(append(d.buf[:0], word[2:]...), word[:2]...)
	d.put(d.buf, stepSwapped)
	bare := append(make([]rune, 0, n), word[0])
	for i := 1; i < n; i++ {
		if !vowel(word[i]) {
			bare = append(bare, word[i])
			continue
		}
		if i < n-1 {
			d.buf = append(append(d.buf[:0], word[:i]...), word[i+1:]...)
			d.put(d.buf, stepSwapped)
		}
	}
	if len(bare) >= 4 {
		d.put(bare, stepSwapped)
	}
}

func vowel(r rune) bool {
	switch r {
	case 'a', 'e', 'i', 'o', 'u', 'а', 'е', 'и', 'о', 'у', 'ы', 'э', 'ю', 'я':
		return true
	}
	return false
}

// respellings are other letters for the same sound or shape in Latin script.
var respellings = [...][2]string{
	{"f", "ph"},
	{"ck", "kk"},
	{"ck", "q"},
	{"ck", "cc"},
	{"ck", "x"},
	{"c", "k"},
	{"ck", "k"},
	{"s", "z"},
	{"i", "y"},
	{"u", "oo"},
	{"ss", "zz"},
	{"t", "tt"},
	{"g", "gg"},
	{"er", "ah"},
	{"ch", "tch"},
	{"ks", "x"},
}

// reshapings are letters that look like another or two others.
var reshapings = [...][2]string{{"w", "vv"}, {"u", "v"}, {"m", "rn"}, {"d", "cl"}, {"l", "i"}, {"i", "l"}}

// sounds adds other spellings of the same sound.
func (d *disguiser) sounds(word []rune) {
	w := string(word)
	for _, r := range reshapings {
		if out := strings.ReplaceAll(w, r[0], r[1]); out != w && len(out) >= 4 {
			d.put([]rune(out), stepLookalike)
		}
	}
	for _, r := range respellings {
		if out := strings.ReplaceAll(w, r[0], r[1]); out != w && len(out) >= 4 {
			d.put([]rune(out), stepSwapped)
		}
	}
}

// layout adds what the keys of a Cyrillic word give on a Latin keyboard.
func (d *disguiser) layout(word []rune) {
	const cyrillic, latin = "йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
	keys := []rune(cyrillic)
	out := make([]rune, 0, len(word))
	plain := true
	for _, r := range word {
		k := slices.Index(keys, r)
		if k < 0 {
			return
		}
		out = append(out, rune(latin[k]))
		plain = plain && latin[k] >= 'a' && latin[k] <= 'z'
	}
	if plain && len(word) < 5 { // too short not to be a word somewhere
		return
	}
	d.put(out, stepLayout)
}

// arabiziDigits are the letters that digits stand for in Arabic written in Latin script.
var arabiziDigits = [...][2]string{{"7", "h"}, {"5", "kh"}, {"3", "a"}, {"2", ""}, {"6", "t"}, {"8", "gh"}, {"9", "q"}, {"9", "s"}}

// arabizi adds an Arabic word in Latin letters with its digits as letters and the
// other way round.
func (d *disguiser) arabizi(w string) {
	all := w
	for _, a := range arabiziDigits {
		all = strings.ReplaceAll(all, a[0], a[1])
		if a[1] == "" {
			continue
		}
		if out := strings.ReplaceAll(w, a[1], a[0]); out != w && len(out) >= 3 {
			d.put([]rune(out), stepLeet)
		}
		if out := strings.Replace(w, a[1], a[0], 1); out != w && len(out) >= 3 {
			d.put([]rune(out), stepLeet)
		}
	}
	if all != w && len(all) >= 4 {
		d.put([]rune(all), stepLeet)
	}
}
