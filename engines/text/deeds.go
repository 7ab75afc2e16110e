package text

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
)

// A deed is a crime told by the parts that it has in every language: what is dealt in or
// done, to whom, and what shows that it is meant outside a game: a price, a way to be
// reached, a way to send it. Each word alone is a word of anybody: "a guy", "disappear"
// and a sum are a murder ordered; pills, a colour and a courier are drugs.
type deed struct {
	parts    [3]kind // one word of each must stand within reach of the first
	apart    bool    // and none may be a part of it, nor it of them: "fake" of "fake money"
	proof    proof   // and this
	sub      string
	rule     string
	severity int
	surely   float64
}

// proof is what must stand beside the words of a deed.
type proof uint8

const (
	proofNone    proof = iota
	proofAsked         // a price, a sum, or a way to be reached, be it only "message me"
	proofSum           // a price or a sum
	proofOutside       // a price in real money, a name in a network, a link
	proofBoth          // a price or a sum, and a way to be reached
	proofBid           // an offer is asked for beside a number, or what proofOutside asks for
	proofTwice         // nicknames of drugs at two places
	proofPrice         // a price in real money, or a way to pay it
	proofName          // that, and a name in a network
	proofReached       // a way to be reached, be it only "message me"
	proofPriced        // a price in real money
	proofTermed        // a number beside a word of time
	proofServed        // services that are no trade of anybody's, at two places
)

// deedAnchors are the kinds that deeds are looked for around.
var deedAnchors = func() (all kind) {
	for _, d := range slices.Concat(crimesKnown, spamKnown) {
		all.t |= d.parts[0].t
		all.f |= d.parts[0].f
	}
	return all
}()

// crimesKnown are what the law forbids, spamKnown what only a game does.
var (
	crimesKnown = slices.Concat(deedsKnown[:], luredKnown[:])
	spamKnown   = slices.Concat(bargainsKnown[:], soldKnown[:], offeredKnown[:])
)

// deeds appends the surest deed and the surest trade.
func (s *scratch) deeds(out []engines.Signal) []engines.Signal {
	var trade, best engines.Signal
	var near anchored
	s.looks.begin(len(s.words))
	for i := range s.words {
		w := &s.words[i]
		if !deedAnchors.of(w.topics, w.facets) || near.by(w, deedAnchors) || s.looks.enough(w) {
			continue
		}
		e := s.look(i)
		if d, c := e.surest(crimesKnown, w); c > best.Confidence {
			best = s.shape(engines.Illegal, d.sub, d.rule, d.severity, c, e.from, e.to)
		}
		if d, c := e.surest(spamKnown, w); c > trade.Confidence {
			trade = s.shape(engines.Spam, d.sub, d.rule, d.severity, c, e.from, e.to)
		}
	}
	for _, sig := range [...]engines.Signal{trade, best} {
		if sig.Confidence > 0 {
			out = append(out, sig)
		}
	}
	return out
}

// surest returns the deed of a table that is most likely done around a word, and how likely.
func (e *evidence) surest(known []deed, w *word) (best *deed, likely float64) {
	for k := range known {
		d := &known[k]
		if d.surely <= likely || !d.parts[0].of(w.topics, w.facets) || !e.done(d) {
			continue
		}
		if c := d.surely * e.intended(d); c > likely {
			best, likely = d, c
		}
	}
	return best, likely
}

// done reports whether all parts of a deed stand there, and its proof.
func (e *evidence) done(d *deed) bool {
	around := kind{e.topics, e.facets}
	if d.apart {
		around = e.beside
	}
	for _, p := range d.parts[1:] {
		if !p.none() && !p.of(around.t, around.f) {
			return false
		}
	}
	sum := e.price || e.paid || e.sum || e.tagged || e.has(topicMoney)
	switch d.proof {
	case proofAsked:
		return sum || e.contact || e.soft || e.has(topicContact)
	case proofSum:
		return sum
	case proofOutside:
		return e.price || e.paid || e.contact || e.alias
	case proofBoth:
		return sum && (e.contact || e.alias)
	case proofBid:
		return e.bid || e.price || e.paid || e.contact || e.alias
	case proofPrice:
		return e.price || e.paid
	case proofName:
		return e.price && (e.handle || e.alias)
	case proofTwice:
		return e.treats > 1
	case proofServed:
		return e.serves > 1
	case proofReached:
		return e.contact || e.soft || e.alias || e.has(topicContact)
	case proofPriced:
		return e.price || e.tagged
	case proofTermed:
		return e.termed
	}
	return true
}

// anchored remembers around which kinds of words was looked last: words side by side
// share their surroundings.
type anchored struct {
	to    int32
	kinds kind
}

// by reports whether a word stands beside the last one and is of no other of the kinds.
func (a *anchored) by(w *word, kinds kind) bool {
	t, f := w.topics&kinds.t, w.facets&kinds.f
	if w.from < a.to && t&^a.kinds.t == 0 && f&^a.kinds.f == 0 {
		return true
	}
	if w.from >= a.to {
		a.kinds = kind{}
	}
	a.to, a.kinds = w.from+4, kind{a.kinds.t | t, a.kinds.f | f}
	return false
}

// intended is what denials and words of a game leave of a deed. Who is told to die or
// met as a child is in no less danger where somebody speaks of a game.
func (e *evidence) intended(d *deed) float64 {
	if left, ok := e.lured(d); ok {
		return left
	}
	switch {
	case d.sub == "child_safety" && !e.has(topicScene):
		return max(e.doubt(), 0.7)
	case d.sub == "self_harm" && e.has(topicPlay|topicScene):
		return 0.5
	case d.sub == "self_harm":
		return 1 // "you won't feel a thing" denies nothing
	case d.sub == "extremism" && e.has(topicPlay|topicScene), d.sub == "weapons" && e.has(topicGoods) && !e.has(topicUnlicensed):
		return 0.5 // an aim map, a gun's skin
	case d.sub == "violence" && !e.has(topicPlay|topicScene):
		return e.played()
	}
	return e.doubt() * e.played()
}
