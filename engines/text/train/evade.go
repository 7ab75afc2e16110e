package train

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// evasions are ways to hide words. Clean rows are changed as toxic ones are, so
// that the trick itself says nothing.
var evasions = []func(rng *rand.Rand, word []rune) []rune{
	parted(' '), parted('.'), parted('-'), parted('_'), parted('*'), parted('\u200b'),
	leet, lookalikes, stretched, masked, swapped, dropped, vowelless, doubled, accented, fancy, stuffed, cut, spoken, split,
}

// evade hides about 60 % of the words of a text, all by the same trick, or turns
// the text as a whole.
func evade(rng *rand.Rand, text string) string {
	switch rng.IntN(24) {
	case 0:
		runes := []rune(text)
		slices.Reverse(runes)
		return string(runes)
	case 1:
		return strings.Join(strings.Fields(text), "")
	case 2:
		return strings.Join(strings.Split(text, ""), " ")
	case 3:
		return strings.Join(strings.Split(text, ""), "\n")
	}
	trick := evasions[rng.IntN(len(evasions))]
	words := strings.Split(text, " ")
	for i, w := range words {
		runes := []rune(w)
		if len(runes) < 2 || rng.Float64() > 0.6 {
			continue
		}
		words[i] = string(trick(rng, runes))
	}
	return strings.Join(words, " ")
}

func parted(sign rune) func(*rand.Rand, []rune) []rune {
	return func(_ *rand.Rand, word []rune) []rune {
		var out []rune
		for i, r := range word {
			if i > 0 {
				out = append(out, sign)
			}
			out = append(out, r)
		}
		return out
	}
}

// change replaces letters that the table has, each with the chance given.
func change(rng *rand.Rand, word []rune, table map[rune]string, chance float64) []rune {
	var out []rune
	for _, r := range word {
		if to := []rune(table[unicode.ToLower(r)]); len(to) > 0 && rng.Float64() < chance {
			out = append(out, to[rng.IntN(len(to))])
			continue
		}
		out = append(out, r)
	}
	return out
}

var (
	leetTable = map[rune]string{'a': "4@", 'e': "3", 'i': "1!", 'o': "0", 's': "5$", 't': "7", 'l': "1", 'b': "8", 'g': "9"}
	lookTable = map[rune]string{
		'a': "аα", 'e': "её", 'i': "іι", 'o': "оο", 'c': "сϲ", 'p': "р", 'x': "х", 'y': "у", 's': "ѕ", 'h': "һ", 'k': "к", 'b': "ь", 'n': "ո", 'u': "υ",
		'а': "a", 'е': "e", 'о': "o", 'р': "p", 'с': "c", 'у': "y", 'х': "x", 'к': "k", 'в': "b", 'т': "t",
	}
	nearTable = map[rune]string{'a': "sq", 'e': "rw", 'i': "uo", 'o': "ip", 't': "ry", 'n': "bm", 's': "ad", 'r': "et", 'u': "yi", 'c': "xv", 'k': "jl"}
)

func leet(rng *rand.Rand, word []rune) []rune { return change(rng, word, leetTable, 0.6) }

func lookalikes(rng *rand.Rand, word []rune) []rune { return change(rng, word, lookTable, 0.5) }

func stretched(rng *rand.Rand, word []rune) []rune {
	i := rng.IntN(len(word))
	return slices.Insert(slices.Clone(word), i, slices.Repeat(word[i:i+1], 1+rng.IntN(5))...)
}

// masked puts signs in place of inner letters.
func masked(rng *rand.Rand, word []rune) []rune {
	out := slices.Clone(word)
	sign := []rune("*#_-.")[rng.IntN(5)]
	for i := 1; i < len(out)-1; i++ {
		if rng.Float64() < 0.45 || i == 1 && len(out) < 5 {
			out[i] = sign
		}
	}
	return out
}

func swapped(rng *rand.Rand, word []rune) []rune {
	out := slices.Clone(word)
	i := rng.IntN(len(out) - 1)
	out[i], out[i+1] = out[i+1], out[i]
	return out
}

func dropped(rng *rand.Rand, word []rune) []rune {
	if len(word) < 4 {
		return change(rng, word, nearTable, 0.3)
	}
	i := 1 + rng.IntN(len(word)-1)
	return slices.Delete(slices.Clone(word), i, i+1)
}

func vowelless(rng *rand.Rand, word []rune) []rune {
	out := word[:1:1]
	for _, r := range word[1:] {
		if strings.ContainsRune("aeiouаеиоу", unicode.ToLower(r)) && rng.Float64() < 0.8 {
			continue
		}
		out = append(out, r)
	}
	return out
}

func doubled(_ *rand.Rand, word []rune) []rune {
	var out []rune
	for _, r := range word {
		out = append(out, r, r)
	}
	return out
}

// accented puts marks on letters.
func accented(rng *rand.Rand, word []rune) []rune {
	var out []rune
	for _, r := range word {
		out = append(out, r)
		if unicode.IsLetter(r) && rng.Float64() < 0.5 {
			out = append(out, rune(0x300+rng.IntN(16)))
		}
	}
	return out
}

// fancy writes ASCII letters in a mathematical or full-width alphabet.
func fancy(rng *rand.Rand, word []rune) []rune {
	base := []rune{0x1D41A, 0x1D4EA, 0x1D5BA, 0xFF41, 0x24D0, 0x1F170}[rng.IntN(6)]
	out := slices.Clone(word)
	for i, r := range out {
		if l := unicode.ToLower(r); l >= 'a' && l <= 'z' {
			out[i] = base + l - 'a'
		}
	}
	return out
}

// stuffed puts a sign, digit or emoji into a word.
func stuffed(rng *rand.Rand, word []rune) []rune {
	signs := []rune("~^|/1x·•😂❤,'")
	return slices.Insert(slices.Clone(word), 1+rng.IntN(len(word)-1), signs[rng.IntN(len(signs))])
}

func cut(_ *rand.Rand, word []rune) []rune {
	if len(word) < 5 {
		return word
	}
	return word[:len(word)-1]
}

// spoken writes Latin words as they sound.
func spoken(_ *rand.Rand, word []rune) []rune {
	r := strings.NewReplacer("you", "u", "are", "r", "ck", "k", "ph", "f", "f", "ph", "er", "a", "qu", "kw", "c", "k", "th", "d", "ing", "in", "s", "z", "ee", "33")
	return []rune(r.Replace(string(word)))
}

// split puts one space into a word.
func split(rng *rand.Rand, word []rune) []rune {
	return slices.Insert(slices.Clone(word), 1+rng.IntN(len(word)-1), ' ')
}
