package text

import (
	"math/bits"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// The words of rules are gathered over all languages, and a short word of one is an
// ordinary word of another: a message is read with the words of its own language
// and with those that are used everywhere, which the English ones are.

// everywhere marks the words that count in every message.
const everywhere uint32 = 1

// elsewhere marks the words of languages that are not in vocabLanguages: they
// count in every message too, for nothing tells whether they should.
const elsewhere uint32 = 1 << 31

// vocabLanguages have a bit each, from the second on.
var vocabLanguages = [...]string{
	"es", "pt", "fr", "de", "it", "nl", "pl", "ru", "uk", "tr", "ar", "fa", "hi", "bn", "id", "ms", "vi", "th", "tl", "ja", "ko", "zh",
	"sv", "da", "nb", "fi", "cs", "ro", "hu", "el",
}

var vocabTags = sync.OnceValue(func() (tags [len(vocabLanguages)]lang.Tag) {
	for i, name := range vocabLanguages {
		tags[i] = lang.Parse(name)
	}
	return tags
})

// vocabLanguage returns the bit of a language of a list.
func vocabLanguage(name string) uint32 {
	switch name {
	case "en", "und", "mul":
		return everywhere
	}
	for i, known := range vocabLanguages {
		if name == known {
			return 2 << i
		}
	}
	return elsewhere
}

// siblings returns the languages that a short message is taken for where it is in
// the other: their words of trade are much the same.
func siblings(bit uint32) (all uint32) {
	for _, pair := range [...][2]string{{"ru", "uk"}, {"id", "ms"}, {"es", "pt"}} {
		a, b := vocabLanguage(pair[0]), vocabLanguage(pair[1])
		if bit&(a|b) != 0 {
			all |= a | b
		}
	}
	return all
}

// hear drops the words of languages that the message is not in. The language is
// asked for only where a word needs it.
func (s *scratch) hear() {
	heard, asked := everywhere|elsewhere, everywhere|elsewhere
	kept := s.words[:0]
	s.topics, s.facets, s.stance = 0, 0, 0
	for _, w := range s.words {
		for open := w.langs &^ asked; open != 0 && w.langs&heard == 0; open &= open - 1 {
			bit := open & -open
			asked |= bit
			if tag := vocabTags()[bits.TrailingZeros32(bit)-1]; lang.Kin(tag, s.hint) || s.plausible(tag) {
				heard |= bit | siblings(bit)
			}
		}
		if w.langs&heard != 0 || w.topics&topicForeign != 0 {
			kept = append(kept, w)
			s.topics |= w.topics
			s.facets |= w.facets
			s.stance |= w.stance
		}
	}
	s.words = kept
}

// topicForeign are the words of things that keep their own language: an address, a
// document, a mailbox.
const topicForeign = topicStreet | topicIdentity | topicAt | topicDot
