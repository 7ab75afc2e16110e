package text

import (
	"reflect"
	"testing"
)

// TestFoldSmall: terms of small Latin letters fold as any term does.
func TestFoldSmall(t *testing.T) {
	terms := []string{"a", "aa", "ab", "aab", "abba", "a b", "aa  bb", "a   a", "mississippi", "zzzzzz z zz"}
	for i := range shared(t).lexicon.entries {
		e := &shared(t).lexicon.entries[i]
		for j := len(e.rule) - 1; j >= 0; j-- {
			if e.rule[j] == '/' {
				terms = append(terms, e.rule[j+1:])
				break
			}
		}
	}
	small := 0
	for _, term := range terms {
		if !smallLatin(term) {
			continue
		}
		small++
		if got, want := foldSmall(term), foldAny(term, everySign); !reflect.DeepEqual(got, want) {
			t.Fatalf("foldSmall(%q) = %+v, foldAny %+v", term, got, want)
		}
	}
	if small < 10000 {
		t.Errorf("%d terms of small letters were compared", small)
	}
	for _, term := range []string{"", " a", "a ", "A", "é", "a1", "a-b"} {
		if smallLatin(term) {
			t.Errorf("smallLatin(%q)", term)
		}
	}
}
