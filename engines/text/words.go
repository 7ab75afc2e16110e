package text

import "encoding/binary"

// wordBits is the size of the table of ordinary words.
const wordBits = 1 << 22

// seldom is how often a word must stand in doubtful rows to be an ordinary one.
const seldom = 3

// Words gathers ordinary words for data/words.bin. It is for engines/text/train.
type Words struct {
	counts map[uint64]int
	norm   normaliser
	view   view
}

// NewWords returns an empty Words.
func NewWords() *Words { return &Words{counts: map[uint64]int{}, norm: normaliser{folds: theFolds()}} }

// Add takes the words of a clean text. Those of a trusted one are ordinary at once;
// others must come three times.
func (w *Words) Add(text string, trusted bool) {
	w.norm.run(text)
	buildPlain(&w.view, w.norm.units, everySign)
	for p := range chunks(&w.view, w.view.whole()) {
		if p.letters <= 1 || p.letters > longestGuess {
			continue
		}
		w.counts[p.hash]++
		if trusted {
			w.counts[p.hash] += seldom
		}
	}
}

// Table returns the words as the Bloom filter that the engine reads, and how many
// they are.
func (w *Words) Table() (table []byte, words int) {
	filter := &wordFilter{bits: make([]uint64, wordBits/64)}
	for h, n := range w.counts {
		if n >= seldom {
			filter.add(h)
			words++
		}
	}
	for _, b := range filter.bits {
		table = binary.LittleEndian.AppendUint64(table, b)
	}
	return table, words
}
