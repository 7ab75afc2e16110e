package risk

import (
	"math"
	"slices"
)

// copies follows each individual item from hand to hand. Who gives it must have
// got it: a giver that is not the last known holder has a copy, or the log of how
// it came back is lost. And an item that comes round to a former holder, paid for
// each time, is traded for the look of it.
func (s *snapshot) copies(m *moves) {
	c := copied{breaks: map[int32]float64{}, handed: map[int32]float64{}, resold: map[int32]twice{}, reborn: map[int32]twice{}, returns: map[int32]float64{}}
	for i := 0; i < len(m.items); {
		j := i
		for ; j < len(m.items) && m.items[j].uid == m.items[i].uid; j++ {
		}
		s.chainOf(m.items[i:j], &c)
		s.circle(m.items[i:j])
		i = j
	}
	for p, k := range c.breaks {
		lambda := max(s.loss.old, s.loss.items) * (c.handed[p] + 2)
		s.nodes[p].dup = float32(ramp(-tail(k, lambda), 2, 6))
	}
	s.twice(&c, c.resold, 1)
	usual := 0.0 // where it is nothing rare, the game means something else by it
	if len(c.reborn) >= habit {
		usual = ramp(float64(len(c.reborn))/c.found, .01, .05)
	}
	s.twice(&c, c.reborn, 1-usual)
}

// copied is what the ways of individual items say of players.
type copied struct {
	breaks  map[int32]float64 // what they gave and did not have, weighed by age
	handed  map[int32]float64
	resold  map[int32]twice   // sold again without coming back
	reborn  map[int32]twice   // got from the game again without going away
	returns map[int32]float64 // how often what went came back
	found   float64           // how many came from the game
}

// twice is how often a player did with an item what can be done once.
type twice struct {
	n, logged float64 // of n, those of which the item log has the earlier line too
	at        int64
	young     bool
}

func (t twice) add(mv *move, logged, young bool) twice {
	t.n++
	if logged {
		t.logged++
	}
	t.at, t.young = max(t.at, mv.at), t.young || young
	return t
}

// twice judges what can be done once. What could explain it is a lost line of how an
// item came back or went, which is as frequent as such lines times the app's loss
// rate; where the item log has its lines too, two would have to be lost. As many
// players as that explains among all there are may be innocent.
func (s *snapshot) twice(c *copied, list map[int32]twice, part float64) {
	rate := max(s.loss.old, s.loss.items)
	all := .3
	for _, n := range c.returns {
		all += n
	}
	for p, t := range list {
		r := rate
		if t.young {
			r *= 3 // what is missing may be late
		}
		r = min(r, 1)
		if t.logged == t.n {
			r *= r
		}
		v := part * ramp(-tail(t.n, r*(c.returns[p]+.3)), 1.5, 4) * (1 - min(1, r*all/float64(len(list))))
		s.nodes[p].dup = max(s.nodes[p].dup, float32(v*fade(t.at, s.at, 90*day)))
	}
}

// held is how many of one individual item a player has, as far as is known.
type held struct {
	player int32
	n      int
	away   int    // handed over outside of trades, or to one that is told elsewhere
	had    bool   // it ever had one
	line   uint16 // of the log, how it came from the game
	at     int64  // and when
}

func (s *snapshot) chainOf(items []move, c *copied) {
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
		if mv.how == moveTrade && repeated(items[:i], mv) {
			continue
		}
		if mv.from != 0 {
			c.handed[mv.from]++
			if !of(mv.from).give(mv.how) && known {
				s.copy(items[:i], mv, c)
			}
		}
		known = true
		if mv.to == 0 {
			continue
		}
		s.shared(hands, mv, c)
		s.arrive(of(mv.to), mv, c)
		if mv.how == moveIn {
			settle(hands)
		}
	}
}

// settle notes that what was handed over outside of trades has come to somebody.
func settle(hands []held) {
	for k := range hands {
		hands[k].away = 0
	}
}

// give counts that an item left a player, and reports whether the player had it. What
// was handed over outside of trades may be told by one besides.
func (h *held) give(how uint8) bool {
	h.had = true
	switch {
	case how == moveOut:
		if h.n > 0 {
			h.n--
			h.away++
		}
	case h.n > 0:
		h.n--
	case h.away > 0:
		h.away--
	default:
		return false
	}
	return true
}

// arrive counts that an item came to a player.
func (s *snapshot) arrive(h *held, mv *move, c *copied) {
	switch {
	case mv.how == moveIn: // a trade may have said it
		h.n = max(h.n, 1)
	case mv.how == moveFound && h.n > 0 && h.line == mv.line:
		return // a line that was logged twice has one count
	case mv.how == moveFound && h.n > 0 && h.line != 0:
		c.reborn[mv.to] = c.reborn[mv.to].add(mv, false, s.at-mv.at < settled)
	case h.had && h.n == 0:
		c.returns[mv.to]++
		h.n++
	default:
		h.n++
	}
	h.had = true
	if mv.how == moveFound {
		h.line, h.at = mv.line, mv.at
		c.found++
	} else {
		h.line = 0
	}
}

// foundWithin is within what time one individual item comes from the game to two
// players that are both noted. Later it may have been dropped in silence.
const foundWithin = minute

// shared notes an item that came from the game to a player while another has it from
// there, as where two buy one thing at once.
func (s *snapshot) shared(hands []held, mv *move, c *copied) {
	if mv.how != moveFound {
		return
	}
	for k := range hands {
		h := &hands[k]
		if h.player == mv.to || h.n == 0 || h.line == 0 || mv.at-h.at > foundWithin {
			continue
		}
		young := s.at-mv.at < settled
		c.reborn[mv.to] = c.reborn[mv.to].add(mv, false, young)
		c.reborn[h.player] = c.reborn[h.player].add(mv, false, young)
	}
}

// copy notes a giver that does not hold what it gives.
func (s *snapshot) copy(before []move, mv *move, c *copied) {
	young := s.at-mv.at < settled
	if k := gave(before, mv.from); k >= 0 && mv.how == moveTrade {
		c.resold[mv.from] = c.resold[mv.from].add(mv, mv.logged && before[k].logged, young)
	}
	w := fade(mv.at, s.at, 90*day)
	if young {
		w *= .6 // what is missing may be late
	}
	c.breaks[mv.from] += w
	if mv.to != 0 && gaveBefore(before, mv) {
		c.breaks[mv.to] += w
	}
}

// gave is the last trade in which a player gave the item; -1 if none.
func gave(items []move, player int32) int {
	for k, mv := range slices.Backward(items) {
		if mv.from == player && mv.how == moveTrade {
			return k
		}
	}
	return -1
}

// repeated reports whether a trade was told before under another id, of the same time.
func repeated(items []move, mv *move) bool {
	for k := len(items) - 1; k >= 0 && items[k].at == mv.at; k-- {
		if items[k].from == mv.from && items[k].to == mv.to && items[k].how == moveTrade {
			return true
		}
	}
	return false
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
		case mv.how == moveIn || mv.how == moveOut: // the trades say it
		case mv.from == 0 || mv.to == 0 || mv.paid <= 0:
			return -1
		case mv.from == player:
			return k
		}
	}
	return -1
}

// eachFoundTwice calls f with the players that one individual item came to from the
// game, where it came twice, whatever there was in between.
func eachFoundTwice(finds []find, f func(player int32)) {
	var uids []uint64
	for i := range finds {
		if finds[i].how == moveFound {
			uids = append(uids, finds[i].uid)
		}
	}
	slices.Sort(uids)
	twice := map[uint64]bool{}
	for i := 1; i < len(uids); i++ {
		if uids[i] == uids[i-1] {
			twice[uids[i]] = true
		}
	}
	if len(twice) == 0 {
		return
	}
	for i := range finds {
		if finds[i].how == moveFound && twice[finds[i].uid] {
			f(finds[i].player)
		}
	}
}
