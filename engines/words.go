package engines

import (
	"fmt"
	"strings"
)

// Words are an operator's own words, prohibited ones and exceptions, that count
// for an item. It is safe for concurrent use.
type Words interface {
	// Hits appends where the words stand in item.Text.
	Hits(item *Item, out []WordHit) []WordHit
}

// OverMessages ends the rule of a signal that rests on what its player said before, too.
const OverMessages = "+context"

// Terms is Words whose prohibited ones can be listed, for who looks for them in other
// ways than in text. It must be comparable.
type Terms interface {
	Words
	// Terms are the prohibited words that count for the item.
	Terms(item *Item) []string
}

// WordHit is a place where one of the operator's words stands.
type WordHit struct {
	// Span is in code points of the item's text. One that begins below 0 is of a word
	// that began so many code points before the item, in the player's lines before it;
	// the signal's begins at 0 then.
	Span Span
	// Exception voids what was found at a place that it overlaps, unless it is only a
	// part of that place: "middlesex" voids "sex" in it, "ass" does not void "asshole".
	Exception bool
	// Rank says how specific the layer is that has the word. An exception voids
	// prohibited words of its own rank and of lower ones.
	Rank int
	// Signal is what a prohibited word is a sign of; its Span is the hit's, from 0 on.
	Signal Signal
}

// Word is one entry of an operator's list as a matcher looks for it.
type Word struct {
	Term string
	// Match is word, substring, prefix or phrase; "" is what the script suggests: a
	// whole word where words are written apart, the start of one in Korean, anywhere
	// in scripts without spaces.
	Match string
	// Language restricts the entry to messages that may be in it, BCP 47; "" is any.
	Language string
}

// FoundWord is where a matcher found one of its words.
type FoundWord struct {
	Word int  // index of what the matcher was made of
	Span Span // which may begin below 0, see WordHit
}

// WordMatcher looks for the words that it was made of. It is safe for concurrent
// use. Find appends every place, overlapping ones too, in no order; with the item's
// Context also those of words that began in what its player has just said.
type WordMatcher interface {
	Find(item *Item, out []FoundWord) []FoundWord
}

// Covers reports whether an exception that stands at s voids what was found at a
// place: it overlaps it, and is not only a part of it.
func (s Span) Covers(place Span) bool {
	part := place.Start <= s.Start && s.End <= place.End && s != place
	return s.Start < place.End && place.Start < s.End && !part
}

// WordFault is a word that no matcher can be made of.
type WordFault struct {
	Word   int // index
	Reason string
}

// WordFaults are all of them.
type WordFaults []WordFault

func (f WordFaults) Error() string {
	var b strings.Builder
	for i, w := range f {
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "word %d: %s", w.Word, w.Reason)
	}
	return b.String()
}
