package whisper

import (
	"unicode"
)

// encode is a word in tokens, as the network was taught to write it: its bytes, of which
// neighbours are put together as long as that makes a token, the commonest first (byte
// pair encoding, Sennrich et al. 2016). GPT-2's vocabulary has its tokens in that order.
// A space stands before a word that is not glued.
func (t *tokens) encode(word string, glued bool) []int {
	if word == "" {
		return nil
	}
	var all []int
	first := word
	if !glued {
		first = " " + word
	}
	for len(first) > 0 {
		n := piece(first)
		all = append(all, t.merge(first[:n])...)
		first = first[n:]
	}
	return all
}

// piece is the length of what is put together at most: letters, figures or marks, with a
// space before them.
func piece(s string) int {
	kind := func(r rune) int {
		switch {
		case unicode.IsLetter(r):
			return 1
		case unicode.IsNumber(r):
			return 2
		}
		return 3
	}
	n := 0
	if s[0] == ' ' {
		n = 1
	}
	of := 0
	for i, r := range s[n:] {
		k := kind(r)
		if of == 0 {
			of = k
		}
		if k != of || r == ' ' {
			return max(n+i, 1)
		}
	}
	return len(s)
}

// merge is a piece in tokens, nil where a byte is none.
func (t *tokens) merge(s string) []int {
	if id, ok := t.ids[s]; ok {
		return []int{id}
	}
	parts := make([]string, 0, len(s))
	for i := range len(s) {
		parts = append(parts, s[i:i+1])
	}
	for {
		best, at := len(t.bytes), -1
		for i := 1; i < len(parts); i++ {
			if id, ok := t.ids[parts[i-1]+parts[i]]; ok && id < best {
				best, at = id, i
			}
		}
		if at < 0 {
			break
		}
		parts[at-1] += parts[at]
		parts = append(parts[:at], parts[at+1:]...)
	}
	ids := make([]int, len(parts))
	for i, p := range parts {
		id, ok := t.ids[p]
		if !ok {
			return nil
		}
		ids[i] = id
	}
	return ids
}
