package eval

import (
	_ "embed" // what is said
	"math/rand/v2"
	"regexp"
	"strings"
)

//go:embed ordinary.txt
var ordinarySpeech string

// slot is a choice of words in a line of ordinary speech.
var slot = regexp.MustCompile(`\{[^{}]*\}`)

// ordinaryLines are the lines for voices that something is tuned on, or for those held
// out: what all say by turns with what sounds like a phrase of a block list.
func ordinaryLines(tuned bool) (plain, near []string) {
	n := map[bool]int{}
	for line := range strings.Lines(ordinarySpeech) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		text, isNear := strings.CutPrefix(line, "+ ")
		if n[isNear]++; (n[isNear]%2 == 1) != tuned {
			continue
		}
		if isNear {
			near = append(near, text)
		} else {
			plain = append(plain, text)
		}
	}
	return plain, near
}

// ordinary gives sentences without a phrase of a block list, by turns, where near is set,
// with some that sound like one. No line comes again until all others of its kind came.
func ordinary(r *rand.Rand, tuned, near bool) func() (said string, like bool) {
	var kinds [2][]string
	kinds[0], kinds[1] = ordinaryLines(tuned)
	var order [2][]int
	n := 0
	return func() (string, bool) {
		kind, at := 0, n
		if near {
			kind, at = n%2, n/2
		}
		of := kinds[kind]
		if at %= len(of); at == 0 {
			order[kind] = r.Perm(len(of))
		}
		line := of[order[kind][at]]
		n++
		return slot.ReplaceAllStringFunc(line, func(s string) string { return pick(r, strings.Split(s[1:len(s)-1], "|")) }) + ".", kind == 1
	}
}
