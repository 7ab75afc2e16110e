package text

import "github.com/portcullis-gg/portcullis/engines"

// ruleScratch is what the rules remember of one message.
type ruleScratch struct {
	// words are the vocabulary's words, topics the union of what they are about.
	words  []word
	topics topic
	facets facet
	stance stance
	// traits are what a deal is made of that the message may be.
	traits []uint8
	// gathered is what stands around words, bounded by mostGathered.
	gathered []gathered
	// weak are the kinds of weak words around a word.
	weak []weakKind
	// numbers are the runs of digits, links the addresses of pages.
	numbers []number
	links   []link
	private []engines.Span // units of personal data that a rule has told of
	ways    ways
	looks   looks
	read    []tells // what each unit is a sign of, where somebody asked
	stops   int     // commas and the like, which may stand for the stop of a host
}

func (r *ruleScratch) reset() {
	r.words, r.numbers, r.links, r.private = r.words[:0], r.numbers[:0], r.links[:0], r.private[:0]
	r.topics, r.facets, r.stance, r.stops, r.traits, r.read = 0, 0, 0, 0, r.traits[:0], r.read[:0]
	r.ways.all, r.ways.links, r.ways.private = r.ways.all[:0], 0, 0
	if r.gathered == nil {
		r.gathered = make([]gathered, 0, mostGathered)
	}
	r.gathered = r.gathered[:0]
}
