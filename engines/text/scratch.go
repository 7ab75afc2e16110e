package text

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// scratch is the memory of one inspection, reused by the next.
type scratch struct {
	norm  normaliser
	alt   altBuilder
	plain view
	// evasive are the views that alt builds, the second where the first is ambiguous.
	evasive [2]view
	// misses are words that are no disguise.
	misses misses
	hits   []hit
	// sorted and ranks are what hits are put in order by.
	sorted []hit
	ranks  []rank
	// ordered and rows are what many ranks are sorted with.
	ordered  []rank
	rows     []int32
	allows   []engines.Span
	contexts []nearby
	// told are the context words that the message has, sorted.
	told []int32
	// name is set when the item is a name: one token in which inner words count.
	name bool
	// kana, japanese and chinese say which lists of Han characters speak.
	kana, japanese, chinese bool
	// digits, at, dots and money count what the rules begin at.
	digits, at, dots, money int
	// spokenScratch is the language of the message.
	spokenScratch
	// frameScratch is what the frames are made of.
	frameScratch
	// ruleScratch is what the rules remember of the message.
	ruleScratch
	// modelScratch is how the classifier reads the message.
	modelScratch
}

func newScratch() *scratch { return &scratch{norm: normaliser{folds: theFolds()}} }

// begin normalises the item and forgets the last one.
func (s *scratch) begin(item *engines.Item) {
	s.norm.run(item.Text)
	s.ruleScratch.reset()
	s.decoded = s.decoded[:0]
	s.misses.reset()
	s.spokenScratch.reset(item.Language)
	s.frameScratch.reset()
	s.hits, s.allows, s.contexts = s.hits[:0], s.allows[:0], s.contexts[:0]
	s.name = item.Kind == engines.KindName
	s.japanese = strings.HasPrefix(item.Language, "ja")
	s.chinese = strings.HasPrefix(item.Language, "zh")
	s.kana, s.digits, s.at, s.dots, s.money = false, 0, 0, 0, 0
	for i := range s.norm.units {
		u := &s.norm.units[i]
		switch {
		case u.class == classHira || u.class == classKata:
			s.kana = true
		case u.class == classDigit:
			s.digits++
		case u.r == '@':
			s.at++
		case u.r == '.':
			s.dots++
		case u.r == ',' || u.r == '。' || u.r == '·':
			s.stops++
		case currencySign(u.r):
			s.money++
		}
	}
}

// keep bounds what an idle scratch holds on to, so that one long text does not
// cost memory for ever.
func (s *scratch) keep() bool {
	return cap(s.norm.units) <= 1<<16 && cap(s.hits) <= 1<<16 && s.input.Small()
}
