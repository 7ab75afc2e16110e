package text

import (
	"math/bits"
	"slices"

	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// The classifier is told what a message is made of where words of deals stand in it: the
// topics of its words and the signs of money and of ways to be reached, each and in
// pairs, without the words themselves. What is learnt of an offer in one language then
// holds in all, and so does what is said of the same things in play.

// mostTraits bounds what is told of one message; their pairs are about half its square.
const mostTraits = 18

// longestDeal is how many units a message may have whose words are told so: in a longer
// one words of many topics meet by chance.
const longestDeal = 240

// topicDeal are the topics that say something of a deal: the rest is of addresses, mails and numbers.
const topicDeal = topicAdvert | topicWare | topicIllegal | topicMoney | topicContact | topicFree | topicClick | topicNegate | topicStaff |
	topicBank | topicLobby | topicScam | topicForged | topicPaper | topicMake | topicUnlicensed | topicKiller | topicAdvance | topicMinor | topicMedia |
	topicSwap | topicAge | topicPhoto | topicHush | topicLeap | topicOver | topicDouble | topicReturn | topicHand | topicVerify |
	topicRent | topicSeek | topicPlay | topicCoin | topicStolen | topicThings | topicCause | topicEnlist | topicBomb | topicYoung |
	topicAlone | topicScene

// topicSpeaks are those of which one must stand in a message for it to be told at all.
const topicSpeaks = topicWare | topicIllegal | topicMeets | topicSell | topicScam | topicFree

// firstFacet is the trait of the first facet; those of topics stand before it.
const firstFacet = 64

// signs of a message that are no words.
const (
	signPrice = 128 + iota
	signSum
	signAmount
	signHandle
	signLink
	signSoft
	signCoins
	signPaid
	signRatio
	signAsked
	signTag
	signAlias
	signBid
)

// skeleton notes what a message is made of, for presentSkeleton.
func (s *scratch) skeleton() {
	s.traits = s.traits[:0]
	if s.topics&topicSpeaks == 0 && s.facets&^facetBeside == 0 || len(s.norm.units) > longestDeal {
		return
	}
	var t topic
	var f facet
	anchor := -1
	for i := range s.words {
		w := &s.words[i]
		if w.weak && w.topics&topicIllegal == 0 {
			continue
		}
		t, f = t|w.topics, f|w.facets
		if anchor < 0 && (w.topics&topicSpeaks != 0 || w.facets&^facetBeside != 0) {
			anchor = i
		}
	}
	if anchor < 0 {
		return
	}
	e := s.look(anchor)
	for _, sign := range [...]struct {
		yes bool
		id  uint8
	}{
		{e.price, signPrice},
		{e.sum && !e.price, signSum},
		{e.amount, signAmount},
		{e.handle, signHandle},
		{e.link, signLink},
		{e.soft, signSoft},
		{e.coins || e.inGame, signCoins},
		{e.paid, signPaid},
		{e.ratio, signRatio},
		{e.asked, signAsked},
		{e.tagged, signTag},
		{e.alias, signAlias},
		{e.bid, signBid},
	} {
		if sign.yes {
			s.trait(sign.id)
		}
	}
	s.traitsOf(f & facetFirst)
	for left := t & topicDeal; left != 0; left &= left - 1 {
		s.trait(uint8(bits.TrailingZeros64(uint64(left))))
	}
	s.traitsOf(f&^(facetFirst|facetUntold) | e.facets&facetChild)
}

// traitsOf notes facets.
func (s *scratch) traitsOf(f facet) {
	for ; f != 0; f &= f - 1 {
		s.trait(firstFacet + uint8(bits.TrailingZeros64(uint64(f))))
	}
}

func (s *scratch) trait(id uint8) {
	if len(s.traits) < mostTraits {
		s.traits = append(s.traits, id)
	}
}

// asked reports whether the message ends as a question.
func (s *scratch) asked() bool {
	for _, u := range slices.Backward(s.norm.units) {
		if u.r != ' ' {
			return u.r == '?' || u.r == '؟'
		}
	}
	return false
}

// How often a trait and a pair of them count.
const (
	traitTimes = 2
	pairTimes  = 1
)

// presentDeal tells the classifier what the message is made of.
func (s *scratch) presentDeal(in *classifier.Input) {
	for i, a := range s.traits {
		in.Evidence(0x5B0000|uint64(a), traitTimes, "a word of a deal")
		for _, b := range s.traits[i+1:] {
			in.Evidence(0x5C0000|uint64(a)<<8|uint64(b), pairTimes, "two words of a deal")
		}
	}
}
