package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
)

const (
	// ratePeers is how many players must earn from a source before one of them is
	// measured by the others, and within a window likewise.
	ratePeers = 50
	// rateFlows is how many sources are compared at most, those with most players.
	rateFlows = 256
)

// rates is what players earn within each window by source: how far one of them is
// from the others shows on the scale of its own source and window, so that a day on
// which everybody earns ten times as much flags nobody.
type rates struct {
	of    map[flowKey]*earners
	least map[uint32]float64 // by currency, below which nobody is looked at
}

// earners is what those who earn from one source do.
type earners struct {
	span [economy.Spans]tally
	pace tally // of an hour, when they last did
}

// longDay is how many hours a day somebody may play: nobody is fast by that alone.
const longDay = 16

// tally counts amounts by their size, eight steps to a doubling.
type tally struct {
	n    int
	by   [512]uint32
	high float64 // what one in twenty exceeds; 0 where there are too few to say
}

func (t *tally) add(v float64) {
	t.n++
	t.by[sizeStep(v)]++
}

// sizeStep is the step of an amount on a scale of doublings.
func sizeStep(v float64) int {
	const one = 127 << 3 // of a float32's exponent and first bits
	return int(min(511, max(0, int32(math.Float32bits(float32(max(1, v)))>>20)-one)))
}

// quantile is an amount that a part of those counted does not exceed.
func (t *tally) quantile(q float64) float64 {
	left := int(q * float64(t.n))
	for i, n := range t.by {
		if left -= int(n); left < 0 {
			return float64(math.Float32frombits(uint32(i+1+127<<3) << 20))
		}
	}
	return math.Inf(1)
}

// newRates picks the sources to compare.
func (s *snapshot) newRates(b *Book) *rates {
	type popular struct {
		key flowKey
		n   int32
	}
	var list []popular
	r := &rates{of: map[flowKey]*earners{}, least: map[uint32]float64{itemsWord: 20}}
	b.mu.RLock()
	for k, n := range b.earners {
		if n >= ratePeers {
			list = append(list, popular{k, n})
		}
	}
	for cur, word := range b.coinWords {
		if cur < len(s.unit) {
			r.least[word] = s.unit[cur] / 2
		}
	}
	b.mu.RUnlock()
	slices.SortFunc(list, func(x, y popular) int {
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.key.source, y.key.source), cmp.Compare(x.key.what, y.key.what))
	})
	for _, p := range list[:min(len(list), rateFlows)] {
		r.of[p.key] = &earners{}
	}
	return r
}

// add counts what a player earned; b.mu is held.
func (r *rates) add(in *records, pl *player, at int64) {
	r.each(in, pl, func(f *flow, e *earners) {
		e.pace.add(float64(f.sum[2*economy.Hour]))
		for span := range economy.Spans {
			if sum, n := f.window(span, at); n > 0 {
				e.span[span].add(sum)
			}
		}
	})
}

// each calls f for the flows of a player that are compared; b.mu is held.
func (r *rates) each(in *records, pl *player, f func(x *flow, e *earners)) {
	for i := pl.flow; i != 0; {
		x := in.flows.at(i - 1)
		i = x.next
		if course(x.when&3) != wayEarned || x.source == restFlow {
			continue
		}
		if t := r.of[x.key()]; t != nil {
			f(x, t)
		}
	}
}

// settle finds what is high.
func (r *rates) settle() {
	for _, e := range r.of {
		pace := e.pace.quantile(.95)
		for i := range e.span {
			if t := &e.span[i]; t.n >= ratePeers {
				t.high = max(t.quantile(.95), pace*max(1, longDay*float64(spanHours[i])/24))
			}
		}
	}
}

// over is how many times what is high a player earned, where that is most; b.mu is held.
func (r *rates) over(in *records, pl *player, at int64) (most float64) {
	r.each(in, pl, func(f *flow, e *earners) {
		for span := range economy.Spans {
			high := e.span[span].high
			if high == 0 {
				continue
			}
			if sum, n := f.window(span, at); n > 0 && sum >= r.least[f.what] {
				most = max(most, sum/high)
			}
		}
	})
	return most
}
