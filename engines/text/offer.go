package text

import "github.com/portcullis-gg/portcullis/engines"

// reach is how far apart, in units, the parts of an offer may stand.
const reach = 70

// mostBeside is how many words on either side are looked at: many more than stand there but
// where one is repeated.
const mostBeside = 32

// evidence is what stands within reach of a ware.
type evidence struct {
	from, to int
	topics   topic
	facets   facet
	langs    uint32 // of the words that are not weak
	price    bool   // an amount of real money
	amount   bool   // a bulk of the ware: 500k, 10m, 3億
	contact  bool   // a handle, an invitation, a number to call, a site
	soft     bool   // only asked to write: message me
	handle   bool   // of these, not a link
	link     bool
	plain    bool  // nothing but the verb and the ware: selling gold
	drugs    int   // words of drugs, at different places
	frauds   int   // words of fraud
	opening  bool  // the message begins with it, or with the verb before it
	long     bool  // in a long text words of many topics meet by chance
	denied   bool  // somebody warns, reports, or asks
	inGame   bool  // the ware is a price: for 300 gold
	paid     bool  // a way to pay is named that no game has
	coins    bool  // a price in a game's own money
	sum      bool  // a number that may be a price
	tagged   bool  // a number after the word for a price
	alias    bool  // a name as people have it in networks, in no place that says so: mrkush420
	asked    bool  // the message ends as a question
	beside   kind  // of the words that are no part of the ware's own
	ratio    bool  // how much of a game's money one of the real buys: 1:350
	bid      bool  // a number beside what asks for offers: offers over 200
	treats   int   // nicknames of drugs, at different places
	treated  int32 // where the last of them ends
	serves   int   // services that are no trade of anybody's, at different places
	served   int32 // where the last of them ends
	termed   bool  // a number beside a word of time: 18 a month
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
	s.looks.begin(len(s.words))
	for i := range s.words {
		w := &s.words[i]
		ware := w.topics&(topicWare|topicIllegal) != 0
		if int(w.from) < last || !ware && (w.topics&(topicSell|topicBuy) == 0 || s.digits == 0 && w.facets&facetPaid == 0 && s.facets&facetPaid == 0) {
			continue
		}
		if s.looks.enough(w) {
			continue
		}
		e := s.look(i)
		if ware {
			last = int(w.from) + 8 // words side by side share their surroundings
		}
		if c := e.sold(w.topics); c > trade.Confidence {
			trade = s.shape(engines.Spam, "rmt", "offer", 3, c, e.from, e.to)
		}
		if c, sub := e.illegal(w.topics); c > illegal.Confidence {
			illegal = s.shape(engines.Illegal, sub, "illegal-offer", 4, c, e.from, e.to)
		}
	}
	for _, sig := range [...]engines.Signal{trade, illegal} {
		if sig.Confidence > 0 {
			out = append(out, sig)
		}
	}
	return out
}

// sold is how likely game wares, or what no word names, are sold for real money
// around a word on the topics.
func (e *evidence) sold(t topic) float64 {
	c := 0.0
	if t&(topicWare|topicSell|topicBuy) != 0 {
		c = e.unnamed()
	}
	if t&topicWare != 0 {
		c = max(c, e.trade())
	}
	return c
}

// gather looks at the surroundings of a ware. Weak words count when another word of
// their language stands there.
func (s *scratch) gather(at int) evidence {
	w := &s.words[at]
	e := evidence{from: int(w.from), to: int(w.to), opening: w.from <= 1 && len(s.norm.units) < 40, long: len(s.norm.units) > 160}
	e.from, _ = s.amount(e.from)
	e.inGame = w.topics&topicGoods != 0 && s.isPrice(e.from, int(w.from))
	low, high := int(w.from)-reach, int(w.to)+reach
	first := max(s.wordsFrom(low), at-mostBeside)
	beside := s.words[first:min(at+mostBeside+1, len(s.words))]
	for k := range beside {
		if int(beside[k].from) >= high {
			beside = beside[:k]
			break
		}
	}
	s.weak = s.weak[:0]
	for pass := range 2 {
		for i := range beside {
			v := &beside[i]
			// The ware is not its own verb: "hesap satış" has two words, "boost" one.
			if v.from < w.to && w.from < v.to && v.topics&w.topics != 0 && v != w {
				continue
			}
			switch {
			case pass == 0 && !v.weak:
				e.langs |= v.langs
				e.add(s, v, w)
			case pass == 1 && v.weak && s.fits(v, e.langs, beside):
				e.add(s, v, w)
			}
		}
	}
	e.asked = s.asked()
	s.signs(&e, low, high)
	return e
}

// add takes a word in. Ways to be reached count with a handle after them when they
// are short, for those are ordinary words too (line, wa).
func (e *evidence) add(s *scratch, v, w *word) {
	t := v.topics
	if v != w && v.to > w.from && v.from < w.to {
		t &^= w.topics // part of the ware's own words
	}
	if t&topicContact != 0 && !e.reach(s, v) {
		t &^= topicContact
	}
	e.count(t)
	e.sums(s, t, v, w)
	e.lures(s, v)
	e.treat(v)
	e.serve(v)
	if v != w && (v.from < w.from || v.to > w.to) && (v.from > w.from || v.to < w.to) {
		e.beside.t |= t
		e.beside.f |= v.facets
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
		if v.from > w.to+20 || w.from > v.to+40 || s.within(v) {
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
