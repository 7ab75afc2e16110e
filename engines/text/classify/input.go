package classify

import "slices"

// longestWord is where a run of letters without a space is cut, so that one of
// ten thousand letters is read in pieces.
const longestWord = 48

// Input is a message as the classifier reads it: words of folded runes, then
// evidence found by others. It is filled anew for each message and keeps its
// memory; the zero value is ready.
type Input struct {
	runes    []rune // " word word word "
	words    []word
	evidence []evidence
	scripts  uint32
	named    bool // the message names a group of people
	// features and the marks below are made by extract.
	features []uint32
	common   int // features before the first word's
	// loudest are the words that speak most, head by head, where heard says that Score
	// has looked: of a long message, whose rows it would cost as much to fetch again.
	loudest [Heads]loud
	heard   bool
	origins []origin
	explain bool
}

// word is one word of the input and where it came from.
type word struct {
	from, to    int32 // runes
	first, last int32 // positions that the caller gave
	chain       uint8 // words of different readings never stand side by side
	quiet       bool  // said already in another reading: only a neighbour
	whole       bool  // no n-grams of letters
	begin, end  int32 // its features
}

// evidence is something found by others, counted times over.
type evidence struct {
	key   uint64
	times int
	name  string
}

// Reset forgets the last message.
func (in *Input) Reset() {
	in.runes = append(in.runes[:0], ' ')
	in.words, in.evidence, in.scripts, in.named = in.words[:0], in.evidence[:0], 0, false
}

// Chain says how the following words belong together.
type Chain struct {
	// Reading numbers the reading of the message that the words are of: 0 is the
	// message as it stands.
	Reading uint8
	// Quiet words give no features of their own.
	Quiet bool
	// Whole words give no n-grams of letters.
	Whole bool
}

// Open begins a word.
func (in *Input) Open(c Chain) {
	n := int32(len(in.runes))
	in.words = append(in.words, word{from: n, to: n, chain: c.Reading, quiet: c.Quiet, whole: c.Whole})
}

// Rune appends a rune at position at, in units of the caller, to the open word.
// Runs of one rune count twice at most.
func (in *Input) Rune(r rune, at int32) {
	w := &in.words[len(in.words)-1]
	n := len(in.runes)
	if int(w.to-w.from) >= 2 && in.runes[n-1] == r && in.runes[n-2] == r {
		w.last = at
		return
	}
	if int(w.to-w.from) >= longestWord {
		c := Chain{Reading: w.chain, Quiet: w.quiet, Whole: w.whole}
		in.Close()
		in.Open(c)
		w = &in.words[len(in.words)-1]
	}
	if w.from == w.to {
		w.first = at
	}
	in.runes = append(in.runes, r)
	w.to, w.last = w.to+1, at
}

// Close ends the open word; one without runes is forgotten. It reports whether
// there was one.
func (in *Input) Close() bool {
	w := &in.words[len(in.words)-1]
	if w.from == w.to {
		in.words = in.words[:len(in.words)-1]
		return false
	}
	in.runes = append(in.runes, ' ')
	return true
}

// Loud takes back that the open word is quiet.
func (in *Input) Loud() { in.words[len(in.words)-1].quiet = false }

// Script notes that the message holds letters of script n (0 to 31).
func (in *Input) Script(n uint8) { in.scripts |= 1 << (n & 31) }

// Evidence adds what others found, as a feature that counts times over. Key
// identifies it, name tells operators what it is.
func (in *Input) Evidence(key uint64, times int, name string) {
	in.evidence = append(in.evidence, evidence{key, times, name})
}

// Named notes that the message names a group of people.
func (in *Input) Named() { in.named = true }

// Small bounds what an idle input holds on to: it reports whether it is small enough to keep.
func (in *Input) Small() bool { return cap(in.runes) <= 1<<17 && cap(in.features) <= 1<<20 }

// Features appends the features of the message to dst, for training: what is
// common to the whole message first.
func (in *Input) Features(dst []uint32) []uint32 {
	in.extract()
	return append(slices.Grow(dst, len(in.features)), in.features...)
}
