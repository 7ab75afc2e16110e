package risk

import "math"

// copies follows each individual item from hand to hand. Who gives it must have
// got it: a giver that is not the last known holder has a copy, or the log of how
// it came back is lost. And an item that comes round to a former holder, paid for
// each time, is traded for the look of it.
func (s *snapshot) copies(m *moves) {
	breaks := map[int32]float64{} // by player, weighed by age
	handed := map[int32]float64{}
	for i := 0; i < len(m.items); {
		j := i
		for ; j < len(m.items) && m.items[j].uid == m.items[i].uid; j++ {
		}
		s.chainOf(m.items[i:j], breaks, handed)
		s.circle(m.items[i:j])
		i = j
	}
	for p, k := range breaks {
		lambda := max(s.loss.old, s.loss.items) * (handed[p] + 2)
		s.nodes[p].dup = float32(ramp(-tail(k, lambda), 2, 6))
	}
}

// held is how many of one individual item a player has, as far as is known.
type held struct {
	player int32
	n      int
}

func (s *snapshot) chainOf(items []move, breaks, handed map[int32]float64) {
	var hands []held
	of := func(p int32) *held {
		for i := range hands {
			if hands[i].player == p {
				return &hands[i]
			}
		}
		hands = append(hands, held{player: p})
		return &hands[len(hands)-1]
	}
	known := false // who had it at first
	for i := range items {
		mv := &items[i]
		copied := false
		if mv.from != 0 {
			handed[mv.from]++
			h := of(mv.from)
			switch {
			case h.n > 0:
				h.n--
			case known:
				copied = true
			}
		}
		known = true
		if mv.to != 0 {
			of(mv.to).n++
		}
		if !copied {
			continue
		}
		w := fade(mv.at, s.at, 90*day)
		if s.at-mv.at < settled {
			w *= .6 // what is missing may be late
		}
		breaks[mv.from] += w
		if mv.to != 0 && gaveBefore(items[:i], mv) {
			breaks[mv.to] += w
		}
	}
}

// gaveBefore reports whether the same hands had passed the same item before.
func gaveBefore(items []move, mv *move) bool {
	for i := range items {
		if items[i].from == mv.from && items[i].to == mv.to {
			return true
		}
	}
	return false
}

// circle finds items that come back to former holders by way of others, for money.
func (s *snapshot) circle(items []move) {
	for i := range items {
		mv := &items[i]
		if mv.from == 0 || mv.to == 0 || mv.paid <= 0 {
			continue
		}
		k := left(items[:i], mv.to)
		if hands := i - k; k >= 0 && hands >= 2 {
			w := float32(fade(mv.at, s.at, halfLife) / math.Sqrt(float64(hands)))
			for _, h := range items[k : i+1] {
				s.nodes[h.from].returns += w
			}
		}
	}
}

// left is when a player last gave the item away, if all since was paid for; else -1.
func left(items []move, player int32) int {
	for k := len(items) - 1; k >= 0; k-- {
		switch mv := &items[k]; {
		case mv.from == 0 || mv.to == 0 || mv.paid <= 0:
			return -1
		case mv.from == player:
			return k
		}
	}
	return -1
}
