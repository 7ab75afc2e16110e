package classify

import (
	"encoding/binary"
	"math"
)

// Head is one question that the model answers.
type Head uint8

// The heads. Harassment has none: it is abuse of no graver kind.
const (
	Abuse Head = iota // insults, hate, threats, sexual or illegal talk
	Hate
	Violence
	Sexual
	Illegal
	Spam
	Privacy
	Political
	Heads int = iota
)

// String names the head.
func (h Head) String() string {
	return [...]string{"abuse", "hate", "violence", "sexual", "illegal", "spam", "privacy", "political"}[h]
}

// Scores holds a number for each head.
type Scores [Heads]float32

// Model is a trained classifier. It never changes and may be used concurrently.
type Model struct {
	table []byte // rows of one biased int8 weight for each head
	shift uint   // of a feature to its row
	// scale turns a sum of weights into a score.
	scale, bias Scores
	curves
	contrast contrast
	sum      [32]byte
}

// Sum is the SHA-256 of the weights file.
func (m *Model) Sum() [32]byte { return m.sum }

// A long message is read in windows of this many features, each half over the
// next, so that what surrounds an insult cannot drown it.
const window = 1600

// Score returns the raw scores of a message: of the window that scores highest,
// head by head. It allocates nothing once in has grown.
func (m *Model) Score(in *Input) Scores {
	in.extract()
	in.heard = false
	if len(in.features) <= window {
		return m.ScoreFeatures(in.features, in.named)
	}
	best := Scores{}
	for h := range best {
		best[h] = float32(math.Inf(-1))
	}
	var traits sums
	if in.common > 0 {
		traits.add(m, in.features[:in.common])
	}
	words := wordSums{in: in}
	first := min(in.common+window/2, len(in.features))
	before := words.add(m, in.common, first)
	for from := first; ; from += window / 2 {
		to := min(from+window/2, len(in.features))
		half := words.add(m, from, to)
		for h, v := range m.scores(traits.plus(before).plus(half)) {
			best[h] = max(best[h], v)
		}
		if to == len(in.features) {
			break
		}
		before = half
	}
	in.loudest, in.heard = words.loudest, true
	if in.named {
		best[Hate] += m.contrast.windows(in.features, in.common, m.shift)
	}
	return best
}

// scores are what sums of rows come to.
func (m *Model) scores(a sums) Scores {
	n := a.n
	norm := float32(1 / math.Sqrt(float64(max(n, 1))))
	var s Scores
	for h := range s {
		s[h] = m.bias[h] + m.scale[h]*norm*float32(a.total[h]-128*n)
	}
	return s
}

// sums adds rows: eight lanes of 8 bits, four at a time in 16.
type sums struct {
	total [Heads]int32
	n     int32
}

// plus is the sum of both.
func (a sums) plus(b sums) sums {
	for h := range a.total {
		a.total[h] += b.total[h]
	}
	a.n += b.n
	return a
}

const lanes = 0x00FF00FF00FF00FF

func (a *sums) add(m *Model, features []uint32) {
	a.n += int32(len(features))
	for len(features) > 0 {
		part := features[:min(len(features), 256)] // more could overflow a lane
		features = features[len(part):]
		var even, odd uint64
		for _, f := range part {
			row := binary.LittleEndian.Uint64(m.table[(f>>m.shift)*8:])
			even += row & lanes
			odd += row >> 8 & lanes
		}
		for k := range 4 {
			a.total[2*k] += int32(even >> (16 * k) & 0xFFFF)
			a.total[2*k+1] += int32(odd >> (16 * k) & 0xFFFF)
		}
	}
}

// weight returns the weight of a feature for a head.
func (m *Model) weight(f uint32, h Head) int32 {
	return int32(m.table[(f>>m.shift)*8+uint32(h)]) - 128
}

// ScoreFeatures returns the raw scores of features that an Input gave: of a
// message short enough for one window, what Score returns. Named says that it names a
// group of people.
func (m *Model) ScoreFeatures(features []uint32, named bool) Scores {
	var a sums
	a.add(m, features)
	s := m.scores(a)
	if named {
		s[Hate] += m.contrast.score(features, m.shift)
	}
	return s
}
