package audio

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/phrases"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// lists is how many operators' lists are kept ready to be compared by sound. Full-rule:
// any other is forgotten, which makes its next window dearer and nothing else.
const lists = 64

// moved is how many guesses, the nearest ones, are tried over a word more or less too.
const moved = 6

// guesses finds what of the phrases that are looked for may have been said instead of
// what was written. It is safe for concurrent use.
type guesses struct {
	builtIn *phrases.List
	mu      sync.Mutex
	own     map[engines.Words]*phrases.List
}

// of is what a recogniser of a language asks for an item; nil where nothing is looked
// for. Phrases are compared as English is spelt, so it is asked of English alone.
func (g *guesses) of(item *engines.Item) func([]string) []speech.Guess {
	if base, _, _ := strings.Cut(strings.ToLower(item.Language), "-"); base != "en" && base != "" {
		return nil
	}
	own := g.list(item)
	if own.Len() == 0 && g.builtIn.Len() == 0 {
		return nil
	}
	return func(words []string) []speech.Guess {
		found := own.Near(words)
		for _, other := range g.builtIn.Near(words) {
			if !slices.ContainsFunc(found, func(f speech.Guess) bool { return f.Text == other.Text }) {
				found = append(found, other)
			}
		}
		slices.SortStableFunc(found, func(a, b speech.Guess) int { return cmp.Compare(a.Off, b.Off) })
		// Last, since a recogniser takes as many as it has the time for.
		for _, one := range found[:min(len(found), moved)] {
			found = append(found, phrases.Beside(words, one)...)
		}
		return found
	}
}

// list is the operator's own words for an item.
func (g *guesses) list(item *engines.Item) *phrases.List {
	w, ok := item.Words.(engines.Terms)
	if !ok {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	l, ok := g.own[item.Words]
	if ok {
		return l
	}
	l = phrases.New(w.Terms(item), phrases.Loose)
	if len(g.own) >= lists {
		for other := range g.own {
			delete(g.own, other)
			break
		}
	}
	if g.own == nil {
		g.own = map[engines.Words]*phrases.List{}
	}
	g.own[item.Words] = l
	return l
}
