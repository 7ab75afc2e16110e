package text

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// spokenScratch is the language of a message: asked for by few messages, found once.
type spokenScratch struct {
	hint       lang.Tag
	hinted     string
	identified bool
	disguised  bool // letters stand apart or mean others, so that nothing tells the language
	spoken     lang.Result
}

func (s *spokenScratch) reset(hint string) {
	s.hint, s.hinted, s.identified, s.disguised = lang.Parse(hint), hint, false, false
}

// language identifies the message, once.
func (s *scratch) language() *lang.Result {
	if !s.identified {
		s.spoken = lang.Identify(s.text, s.hint)
		s.identified = true
	}
	return &s.spoken
}

const (
	spokenAt    = 0.15 // a language this probable is one that the message may be in
	undecidedAt = 0.5  // below it the identifier does not know
	fewLetters  = 8    // and with so few letters it never does
)

// plausible reports whether the message, or a clear part of it, may be in the
// language: it is probable, or there is too little to tell and nothing against it.
func (s *scratch) plausible(tag lang.Tag) bool {
	if tag == lang.None {
		return true
	}
	if s.disguised && lang.Kin(tag, s.hint) {
		return true
	}
	r := s.language()
	p := r.P(tag)
	if p >= spokenAt {
		return true
	}
	if r.Letters > fewLetters && r.Top[0].P >= undecidedAt {
		return false
	}
	if r.Letters <= fewLetters {
		return s.hint == lang.None || lang.Kin(s.hint, tag) // the hint knows better than so few letters
	}
	return p > 0
}

// shortMarked is how many letters a word with accents has that is another language's
// word with its own: got is no göt with a cedilla.
const shortMarked = 4

// speaks reports whether an entry's language can be that of the text. It matters
// for entries that ask for it, and for Han characters: the same ones mean other
// things in Japanese.
func (s *scratch) speaks(e *entry, p *pattern) bool {
	if (e.inLanguage || p.marked && !p.dense && p.length() <= shortMarked) && !s.plausible(e.tag) {
		return false
	}
	if s.elsewhere(e) {
		return false
	}
	if !p.dense || !p.han && !strings.HasPrefix(e.language, "zh") {
		return true
	}
	switch {
	case strings.HasPrefix(e.language, "zh"):
		return s.chinese || !s.kana && !s.japanese
	case strings.HasPrefix(e.language, "ja"):
		return s.kana || s.japanese
	}
	return true
}
