package text

import (
	"math/bits"

	"github.com/portcullis-gg/portcullis/engines"
)

// reach is how far apart, in units, the parts of an offer may stand.
const reach = 70

// evidence is what stands within reach of a ware.
type evidence struct {
	from, to int
	topics   topic
	langs    uint32 // of the words that are not weak
	price    bool   // an amount of real money
	amount   bool   // a bulk of the ware: 500k, 10m, 3億
	contact  bool   // a handle, an invitation, a number to call, a site
	soft     bool   // only asked to write: message me
	handle   bool   // of these, not a link
	link     bool
	plain    bool // nothing but the verb and the ware: selling gold
	opening  bool // the message begins with it, or with the verb before it
	long     bool // in a long text words of many topics meet by chance
	denied   bool // somebody warns, reports, or asks
}

func (e *evidence) has(t topic) bool { return e.topics&t != 0 }

func (e *evidence) span(from, to int) {
	e.from, e.to = min(e.from, from), max(e.to, to)
}

const (
	topicWare    = topicGoods | topicAccount | topicBoost | topicCheat
	topicIllegal = topicDrug | topicWeapon | topicFraud
	topicTrade   = topicSell | topicBuy
	topicAdvert  = topicSell | topicBuy | topicCheap | topicDeliver | topicTrusted
)

// offers finds adverts: what a game gives for real money, and what the law forbids
// to trade. One signal of each, at the surest place.
func (s *scratch) offers(out []engines.Signal) []engines.Signal {
	var trade, illegal engines.Signal
	last := -1
	for i := range s.words {
		w := &s.words[i]
		if w.topics&(topicWare|topicIllegal) == 0 || int(w.from) < last {
			continue
		}
		e := s.gather(w)
		last = int(w.from) + 8 // words side by side share their surroundings
		if w.topics&topicWare != 0 {
			if c := e.trade(); c > trade.Confidence {
				trade = s.shape(engines.Spam, "rmt", "offer", 3, c, e.from, e.to)
			}
		}
		if w.topics&topicIllegal != 0 {
			if c, sub := e.illegal(w.topics); c > illegal.Confidence {
				illegal = s.shape(engines.Illegal, sub, "illegal-offer", 4, c, e.from, e.to)
			}
		}
	}
	if trade.Confidence > 0 {
		out = append(out, trade)
	}
	if illegal.Confidence > 0 {
		out = append(out, illegal)
	}
	return out
}

// gather looks at the surroundings of a ware. Weak words count when another word of
// their language stands there.
func (s *scratch) gather(w *word) evidence {
	e := evidence{from: int(w.from), to: int(w.to), opening: w.from <= 1 && len(s.norm.units) < 40, long: len(s.norm.units) > 160}
	e.from, _ = s.amount(e.from)
	low, high := int(w.from)-reach, int(w.to)+reach
	first := s.wordsFrom(low)
	for pass := range 2 {
		for i := first; i < len(s.words) && int(s.words[i].from) < high; i++ {
			v := &s.words[i]
			// The ware is not its own verb: "hesap satış" has two words, "boost" one.
			if v.from < w.to && w.from < v.to && v.topics&w.topics != 0 && v != w {
				continue
			}
			switch {
			case pass == 0 && !v.weak:
				e.langs |= v.langs
				e.add(s, v, w)
			case pass == 1 && v.weak && e.fits(s, v, first, high):
				e.add(s, v, w)
			}
		}
	}
	s.signs(&e, low, high)
	return e
}

// fits reports whether a weak word has a word of its language beside it.
func (e *evidence) fits(s *scratch, v *word, first, high int) bool {
	if bits.OnesCount32(e.langs&v.langs&^1) > 0 {
		return true
	}
	for i := first; i < len(s.words) && int(s.words[i].from) < high; i++ {
		o := &s.words[i]
		if o != v && o.weak && o.langs&v.langs != 0 && o.topics&(topicAdvert|topicWare|topicMoney|topicIllegal) != 0 && o.topics != v.topics && (o.to <= v.from || v.to <= o.from) {
			return v.topics&(topicNegate|topicThird) == 0
		}
	}
	return false
}

// add takes a word in. Ways to be reached count with a handle after them when they
// are short, for those are ordinary words too (line, wa).
func (e *evidence) add(s *scratch, v, w *word) {
	t := v.topics
	if v != w && v.to > w.from && v.from < w.to {
		t &^= w.topics // part of the ware's own words
	}
	if t&topicContact != 0 {
		switch {
		case s.handleAfter(int(v.to)):
			e.contact, e.handle = true, true
			e.span(int(v.from), int(v.to))
		case s.phrase(v):
			e.soft = true
			t &^= topicContact
		case v.to-v.from <= 4 && !s.norm.units[v.from].class.dense():
			t &^= topicContact
		}
	}
	if t&topicMoney != 0 && s.digitBefore(int(v.from)) {
		e.price = true
		from, _ := s.amount(int(v.from))
		e.span(from, int(v.to))
	}
	if t&topicMoney != 0 && v.to-v.from <= 3 && !e.price {
		t &^= topicMoney
	}
	if t&topicSell != 0 && v.from <= 1 && w.from >= v.to && w.from-v.to <= 2 {
		e.opening = true
		e.plain = len(s.norm.units) <= int(w.to)+5
	}
	if t&topicNegate != 0 {
		// A denial holds for what follows it closely, or for all of it.
		if v.from > w.to+20 || w.from > v.to+40 {
			t &^= topicNegate
		} else {
			e.denied = true
		}
	}
	e.topics |= t
	if t&(topicAdvert|topicContact) != 0 {
		e.span(int(v.from), int(v.to))
	}
}

// trade is how likely game wares are traded for real money. Trade inside the game
// names no real money, no site, no way to be reached outside, and no bulk.
func (e *evidence) trade() float64 {
	verb := e.has(topicTrade)
	pitch := bits.OnesCount32(uint32(e.topics & (topicCheap | topicDeliver | topicTrusted)))
	money := e.price || e.has(topicMoney)
	outside := e.contact || e.has(topicContact)
	c := 0.0
	switch {
	case e.has(topicBoost | topicAccount | topicCheat):
		switch {
		case verb && (money || outside || e.soft || pitch > 0):
			c = 0.93
		case e.has(topicCheat) && verb, e.has(topicAccount) && e.has(topicSell):
			c = 0.78
		case e.has(topicAccount) && verb, e.has(topicBoost) && e.has(topicSell):
			c = 0.6
		case e.price && outside, pitch > 0 && (money || outside), pitch > 1:
			c = 0.86
		case e.has(topicBoost|topicCheat) && (e.price || e.handle), e.has(topicFree|topicClick) && e.link:
			c = 0.72
		case e.has(topicAccount) && e.contact && e.has(topicGoods):
			c = 0.7
		}
	}
	if e.has(topicGoods) {
		c = max(c, e.goods(verb, pitch, money, outside))
	}
	return c * e.doubt()
}

// doubt is what words of denial leave: who gives a price or a contact means "no scam".
func (e *evidence) doubt() float64 {
	switch {
	case e.long && !e.handle && !e.price:
		return 0.6
	case !e.denied:
		return 1
	case e.price || e.handle:
		return 0.92
	}
	return 0.5
}

func (e *evidence) goods(verb bool, pitch int, money, outside bool) float64 {
	switch {
	case verb && e.price, e.price && (e.contact || pitch > 0), verb && e.contact && e.link:
		return 0.93
	case e.price && e.amount:
		return 0.88
	case verb && pitch > 0 && (e.amount || outside || money), pitch > 1 && (outside || e.amount || verb), verb && e.contact:
		return 0.88
	case verb && money:
		return 0.8
	case pitch > 0 && (e.contact || money):
		return 0.78
	case e.plain, verb && outside, verb && pitch > 0, e.link && (e.has(topicFree) || e.amount):
		return 0.6
	}
	return 0
}

// illegal is how likely drugs, weapons or forged papers are offered, and of what kind.
// Guns are also sold inside games, so they need money, a contact or a delivery.
func (e *evidence) illegal(t topic) (float64, string) {
	verb := e.has(topicTrade)
	outside := e.price || e.has(topicMoney) || e.handle || e.soft || e.has(topicContact) || e.has(topicDeliver)
	sub, c := "drugs", 0.0
	switch {
	case t&topicFraud != 0:
		sub = "fraud"
	case t&topicWeapon != 0 && t&topicDrug == 0:
		sub = "weapons"
	}
	switch {
	case verb && (outside || e.link), e.handle && (e.price || e.has(topicDeliver)):
		c = 0.93
	case e.handle && e.has(topicCheap|topicDeliver|topicTrusted):
		c = 0.9
	case sub == "weapons":
		if e.handle {
			c = 0.8
		}
	case e.handle, e.price && e.has(topicDeliver):
		c = 0.86
	case sub == "fraud" && verb:
		c = 0.85
	case e.has(topicSell) && (e.opening || e.amount), outside && e.has(topicCheap):
		c = 0.62
	case verb:
		c = 0.5
	}
	return c * e.doubt(), sub
}
