package policy

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestWords runs the tests that prohibited words bring, each with the words of its
// own layer or list alone. It returns those that fail, with pointers as Compile has
// them, and the words that can't be looked for. It is for whoever saves or loads
// words: tests of ten thousand words take a second or so.
func TestWords(layers []Layer, words Words) (f Faults) {
	for i := range layers {
		s := &layers[i].Settings
		f = append(f, testWords(layers[i].ID(), s.Prohibited, s.Exceptions, words.Compile)...)
	}
	for name, l := range sorted(words.Lists) {
		f = append(f, testWords("list/"+name, l.Prohibited, l.Exceptions, words.Compile)...)
	}
	return f
}

func testWords(id string, prohibited []ProhibitedWord, exceptions []ExceptionWord, compile func([]engines.Word) (engines.WordMatcher, error)) Faults {
	if len(prohibited) == 0 || compile == nil {
		return nil
	}
	c := wordCompiler{wordSet: &wordSet{}}
	c.source(id, prohibited, exceptions)
	matcher, err := compile(c.terms)
	if err != nil {
		c.blame(err)
		return c.faults
	}
	c.matcher = matcher
	for i := range prohibited {
		w := &prohibited[i]
		for k, text := range w.MustHit {
			if hit, excepted := c.finds(i, w.Language, text); !hit {
				c.faults.add(fmt.Sprintf("%s/must_hit/%d", c.at[i], k), "%q is not hit by %q%s", text, w.Term, excepted)
			}
		}
		for k, text := range w.MustPass {
			if hit, _ := c.finds(i, w.Language, text); hit {
				c.faults.add(fmt.Sprintf("%s/must_pass/%d", c.at[i], k), "%q is hit by %q", text, w.Term)
			}
		}
	}
	return c.faults
}

// finds reports whether word i is found in a text where no exception covers it; if
// not, why names the exception that does.
func (c *wordCompiler) finds(i int, language, text string) (hit bool, why string) {
	item := engines.Item{Kind: engines.KindText, Text: text, Language: language}
	found := c.matcher.Find(&item, nil)
	for _, f := range found {
		if f.Word != i {
			continue
		}
		covered := false
		for _, x := range found {
			if c.words[x.Word].exception && x.Span.Covers(f.Span) {
				covered, why = true, fmt.Sprintf(": the exception %q covers it", c.terms[x.Word].Term)
			}
		}
		if !covered {
			return true, ""
		}
	}
	return false, why
}
