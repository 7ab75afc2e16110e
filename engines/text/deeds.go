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
	proofReached       // a way to be reached, be it only "message me"
	proofPriced        // a price in real money
	proofTermed        // a number beside a word of time
)

var deedsKnown = [...]deed{
	{[3]kind{{f: facetPill}, {t: topicTrade | topicDeliver | topicCheap, f: facetProcure}}, false, proofOutside, "drugs", "pills", 4, 0.86},
	{[3]kind{{f: facetPill}}, false, proofBoth, "drugs", "pills", 4, 0.8},
	{[3]kind{{f: facetPill}, {t: topicDrug}}, true, proofAsked, "drugs", "pills", 4, 0.8},
	{[3]kind{{f: facetPill}, {t: topicDrug}, {t: topicDeliver, f: facetProcure}}, true, proofNone, "drugs", "pills", 4, 0.8},
	{[3]kind{{t: topicDrug}, {f: facetProcure}}, false, proofSum, "drugs", "illegal-offer", 4, 0.8},
	{[3]kind{{t: topicPaper}, {f: facetShortcut}}, false, proofAsked, "fraud", "forged-papers", 4, 0.88},
	{[3]kind{{t: topicPaper}, {f: facetShortcut}, {t: topicMake | topicTrade | topicDeliver | topicForged, f: facetProcure}}, false, proofNone, "fraud", "forged-papers", 4, 0.86},
	{[3]kind{{t: topicPaper}, {t: topicForged | topicMake, f: facetProcure}}, false, proofAsked, "fraud", "forged-papers", 4, 0.8},
	{[3]kind{{t: topicWeapon}, {t: topicUnlicensed}}, false, proofAsked, "weapons", "unlicensed-weapon", 4, 0.88},
	{[3]kind{{t: topicWeapon}, {t: topicUnlicensed}, {f: facetProcure}}, false, proofNone, "weapons", "unlicensed-weapon", 4, 0.9},
	{[3]kind{{t: topicWeapon}, {t: topicDeliver}}, false, proofOutside, "weapons", "illegal-offer", 4, 0.82},
	{[3]kind{{t: topicStolen}, {t: topicThings}}, false, proofSum, "fraud", "stolen-goods", 3, 0.82},
	{[3]kind{{t: topicFraud}}, false, proofBoth, "fraud", "illegal-offer", 4, 0.82},
	{[3]kind{{t: topicFraud}, {f: facetShortcut}}, false, proofAsked, "fraud", "forged-papers", 4, 0.8},
	{[3]kind{{t: topicYoung}, {t: topicHush}}, false, proofNone, "child_safety", "grooming", 4, 0.88},
	{[3]kind{{t: topicWeapon}, {f: facetProcure}}, false, proofOutside, "weapons", "illegal-offer", 4, 0.82},
	{[3]kind{{t: topicKiller}}, false, proofAsked, "violence", "killer-for-hire", 4, 0.84},
	{[3]kind{{f: facetVanish}, {f: facetPerson}}, false, proofSum, "violence", "killer-for-hire", 4, 0.84},
	{[3]kind{{f: facetVanish}, {f: facetPerson}, {f: facetHire | facetPaid}}, false, proofNone, "violence", "killer-for-hire", 4, 0.8},
	{[3]kind{{t: topicBank}, {f: facetShare}}, false, proofNone, "fraud", "mule-account", 3, 0.82},
	{[3]kind{{t: topicFraud | topicStolen, f: facetNote}, {f: facetShare}}, true, proofNone, "fraud", "shared-take", 3, 0.82},
	{[3]kind{{f: facetCyber}, {t: topicTrade | topicMoney | topicCheap, f: facetHire | facetProcure}}, false, proofNone, "fraud", "break-in-for-hire", 3, 0.82},
	{[3]kind{{f: facetCyber}}, false, proofOutside, "fraud", "break-in-for-hire", 3, 0.82},
	{[3]kind{{f: facetOrgan}, {t: topicTrade, f: facetHire}}, false, proofAsked, "violence", "organs", 4, 0.86},
	{[3]kind{{f: facetSedate}, {f: facetUnnoticed}}, false, proofNone, "drugs", "sedatives", 4, 0.88},
	{[3]kind{{f: facetSedate}, {t: topicTrade | topicDeliver, f: facetProcure}}, false, proofAsked, "drugs", "sedatives", 4, 0.82},
	{[3]kind{{t: topicLeap, f: facetWound}, {f: facetRelief}}, false, proofNone, "self_harm", "told-to-die", 4, 0.86},
	{[3]kind{{f: facetWound}, {t: topicOver}}, false, proofNone, "self_harm", "told-to-die", 4, 0.86},
	{[3]kind{{t: topicAlone, f: facetPickup}, {t: topicHush}}, false, proofNone, "child_safety", "grooming", 4, 0.88},
	{[3]kind{{f: facetPickup}, {t: topicYoung | topicAge | topicPhoto}}, false, proofNone, "child_safety", "grooming", 4, 0.84},
	{[3]kind{{f: facetNote}, {t: topicForged | topicMake}}, true, proofNone, "fraud", "forged-money", 4, 0.86},
	{[3]kind{{f: facetNote}, {t: topicCheap | topicDeliver}}, true, proofOutside, "fraud", "forged-money", 4, 0.78},
}

// deedAnchors are the kinds that deeds are looked for around.
var deedAnchors = func() (all kind) {
	for i := range deedsAll {
		all.t |= deedsAll[i].parts[0].t
		all.f |= deedsAll[i].parts[0].f
	}
	return all
}()

var deedsAll = slices.Concat(deedsKnown[:], deedsLured[:])

// spam reports whether a deed breaks no law.
func (d *deed) spam() bool { return d.sub == "rmt" }

// deeds appends the surest deed that is a crime and the surest that is spam.
func (s *scratch) deeds(out []engines.Signal) []engines.Signal {
	var best [2]engines.Signal
	var near anchored
	for i := range s.words {
		w := &s.words[i]
		if !deedAnchors.of(w.topics, w.facets) || near.by(w, deedAnchors) {
			continue
		}
		e := s.gather(w)
		for k := range deedsAll {
			d := &deedsAll[k]
			if !d.parts[0].of(w.topics, w.facets) || !e.done(d) {
				continue
			}
			at, category := 0, engines.Illegal
			if d.spam() {
				at, category = 1, engines.Spam
			}
			if c := d.surely * e.intended(d); c > best[at].Confidence {
				best[at] = s.shape(category, d.sub, d.rule, d.severity, c, e.from, e.to)
			}
		}
	}
	for _, sig := range best {
		if sig.Confidence > 0 {
			out = append(out, sig)
		}
	}
	return out
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
	case d.sub == "violence" && !e.has(topicPlay|topicScene):
		return e.played()
	}
	return e.doubt() * e.played()
}
