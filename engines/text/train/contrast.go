package train

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// The contrast is a linear support vector machine with squared hinge loss, learnt by
// dual coordinate descent (Hsieh and others 2008) from rows that name a group: hate
// set beside what only looks like it. Its penalty keeps what a few thousand rows
// show; without one the table learns the rows by heart.
const (
	contrastCost   = 0.3
	contrastPasses = 15
	// contrastMix is what the contrast weighs beside the head for hate.
	contrastMix = 1
	// plainCost is the cost of a row of clean chat.
	plainCost = 0.1
)

// example is a row of the contrast.
type example struct {
	features []uint32
	norm     float32 // of a feature
	square   float32 // length of the row
	y        float32 // 1 or -1
	cost     float32
	alpha    float32
}

// contrast learns the weights and puts them into t.
func contrast(t *classify.Trained, set *dataset, seed uint64, say func(string, ...any)) {
	var rows []example
	yes := 0
	for i := range set.train {
		s := &set.train[i]
		cost := s.contrastCost()
		if cost == 0 {
			continue
		}
		e := newExample(s.features, 32-t.Bits)
		e.cost, e.y = cost*float32(math.Sqrt(float64(s.repeat))), -1
		if s.yes.has(int(classify.Hate)) {
			e.y = 1
			yes++
		}
		rows = append(rows, e)
	}
	w, bias := descend(rows, t.Bits, seed)
	sizes := make([]float32, len(w))
	for i := range w {
		sizes[i] = float32(math.Abs(float64(w[i])))
	}
	slices.Sort(sizes)
	unit := max(sizes[len(sizes)-1-len(sizes)/10000], 1e-6) / 127
	t.Contrast = make([]int8, len(w))
	for i := range w {
		t.Contrast[i] = int8(max(-127, min(127, math.Round(float64(w[i]/unit)))))
	}
	t.ContrastScale, t.ContrastBias, t.ContrastMix = unit, bias, contrastMix
	say("contrast: %d rows, %d of them hate", len(rows), yes)
}

// contrastCost is what a row teaches the contrast; 0 for nothing.
func (s *sample) contrastCost() float32 {
	if !s.asked.has(int(classify.Hate)) || s.hidden {
		return 0
	}
	switch {
	case contrasts[s.source]:
		return contrastCost
	case s.named && s.written:
		return contrastCost
	case s.named && s.clean:
		return plainCost
	}
	return 0
}

// newExample measures a row: a feature that stands k times has k² of its length.
func newExample(features []uint32, shift uint) example {
	e := example{features: features, norm: float32(1 / math.Sqrt(float64(max(1, len(features)))))}
	cells := make([]uint32, len(features))
	for i, f := range features {
		cells[i] = f >> shift
	}
	slices.Sort(cells)
	for from := 0; from < len(cells); {
		to := from
		for to < len(cells) && cells[to] == cells[from] {
			to++
		}
		e.square += float32((to - from) * (to - from))
		from = to
	}
	e.square *= e.norm * e.norm
	return e
}

// descend finds the weights; the bias is the weight of a feature that all rows have.
func descend(rows []example, bits uint, seed uint64) (w []float32, bias float32) {
	w = make([]float32, 1<<bits)
	shift := 32 - bits
	rng := rand.New(rand.NewPCG(seed, 11))
	order := rng.Perm(len(rows))
	for range contrastPasses {
		rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, i := range order {
			r := &rows[i]
			sum := float32(0)
			for _, f := range r.features {
				sum += w[f>>shift]
			}
			slack := 1 / (2 * r.cost)
			grad := r.y*(sum*r.norm+bias) - 1 + slack*r.alpha
			next := max(0, r.alpha-grad/(r.square+1+slack))
			step := (next - r.alpha) * r.y
			if r.alpha = next; step == 0 {
				continue
			}
			for _, f := range r.features {
				w[f>>shift] += step * r.norm
			}
			bias += step
		}
	}
	return w, bias
}
