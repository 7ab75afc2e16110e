package ocr

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestFitCustoms writes customs.txt of the sentences in the file that PORTCULLIS_FIT_CUSTOMS
// names, one a line.
func TestFitCustoms(t *testing.T) {
	name := os.Getenv("PORTCULLIS_FIT_CUSTOMS")
	if name == "" {
		t.Skip("fits nothing: PORTCULLIS_FIT_CUSTOMS names no file of sentences")
	}
	data, err := os.ReadFile(name) //nolint:gosec // named by whoever runs it
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("customs.txt", []byte(countCustoms(strings.Split(string(data), "\n"))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// countCustoms gives customs.txt of sentences.
func countCustoms(sentences []string) string {
	type count struct{ after, before, all float64 }
	counts := map[rune]*count{}
	var sum count
	for _, s := range sentences {
		last := rune(0)
		for word := range strings.FieldsSeq(s) {
			for i, c := range []rune(word) {
				kind := kindOf(string(c))
				if counts[kind] == nil {
					counts[kind] = &count{}
				}
				counts[kind].all++
				sum.all++
				if i == 0 && last != 0 {
					counts[kind].before++
					counts[last].after++
					sum.after++
				}
				last = kind
			}
		}
	}
	odds := func(n, all float64) int {
		const few = 3 // as if each had been seen so often, as usual
		usual := sum.after / sum.all
		p := (n + few*usual) / (all + few)
		return int(math.Round(10 * (math.Log(p/(1-p)) - math.Log(usual/(1-usual)))))
	}
	var kinds []rune
	for kind, c := range counts {
		if c.all >= 20 && kind != ' ' {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	var out strings.Builder
	for _, kind := range kinds {
		c := counts[kind]
		fmt.Fprintf(&out, "%c %d %d\n", kind, odds(c.after, c.all), odds(c.before, c.all))
	}
	return out.String()
}
