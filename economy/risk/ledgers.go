package risk

import (
	"cmp"
	"math"
	"slices"
)

// rate is which part of entries gets lost on the way to the service. It is told by
// debits alone: nobody profits from money that vanishes, so gaps that lose money are
// losses of logs, and logs of credits are lost as often.
type rate struct {
	old, young float64 // of entries a day old and of newer ones, which may yet come
	items      float64
}

// settled is after which time a missing entry is taken to be lost.
const settled = day

// gap is money that appeared in, or with a minus vanished from, a wallet.
type gap struct {
	player int32
	amount int64
	at     int64
	value  float32 // days of income
	alike  float32 // credits of the wallet at least about as large
}

// ledgers judges what does not add up.
func (s *snapshot) ledgers(b *Book, m *moves) {
	slices.SortFunc(m.missed, func(x, y missing) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.what, y.what), cmp.Compare(x.amount, y.amount))
	})
	var gaps []gap
	var negOld, negYoung, debits, itemNeg, itemEntries float64
	type silence struct {
		player int32
		needed float64 // how many of the largest ordinary gains
		gains  float64
		value  float32
	}
	var silences []silence
	var ends []end
	s.eachPlayer(b, func(p int32, pl *player) {
		for i := pl.wallet; i != 0; {
			number := i - 1
			w := b.wallets.at(number)
			i = w.next
			debits += float64(w.debits)
			ends = append(ends[:0], w.chain.ends[:]...)
			if w.chain.far != 0 {
				for _, e := range b.far[number] {
					ends = append(ends, e)
				}
			}
			eachGap(ends, func(amount, at int64) {
				if m.explains(p, w.cur, amount) {
					return
				}
				if amount < 0 {
					if s.at-at > settled {
						negOld++
					} else {
						negYoung++
					}
					return
				}
				alike := 0.0
				for c := sizeOf(amount*2/3 + 1); c < len(w.size); c++ {
					alike += float64(w.size[c])
				}
				g := gap{player: p, amount: amount, at: at, alike: float32(alike)}
				if int(w.cur) < len(s.unit) {
					g.value = float32(float64(amount) / s.unit[w.cur])
				}
				gaps = append(gaps, g)
			})
		}
		for i := pl.stash; i != 0; {
			st := b.stashes.at(i - 1)
			i = st.next
			itemEntries += float64(st.entries)
			q := st.silent()
			switch {
			case q > 0:
				q = max(0, q-m.due(p, -st.item))
			case q < 0:
				itemNeg++
			}
			if q <= 0 || int(st.item) >= len(s.price) {
				continue
			}
			silences = append(silences, silence{
				player: p, needed: float64(q) / float64(max(1, st.biggest)), gains: float64(st.gains),
				value: float32(float64(q) * s.price[st.item].mid),
			})
		}
	})
	span := max(1, float64(s.at-b.start())/float64(day))
	s.loss = rate{
		old:   max(1e-4, (negOld+1)/(debits+1000)),
		young: max(1e-3, (negYoung+1)/(debits/span+100)),
		items: max(1e-4, (itemNeg+1)/(itemEntries+1000)),
	}
	s.loss.young = max(s.loss.young, s.loss.old)
	s.surprise(gaps)
	for i := range silences {
		q := &silences[i]
		n := &s.nodes[q.player]
		// So many losses of the largest kind among the gains: a tenth may be as large.
		lambda := max(s.loss.items, s.loss.old) * (q.gains/10 + .5)
		v := ramp(-tail(math.Ceil(q.needed/1.5), lambda), 2.5, 8) * ramp(float64(q.value), .1, 1)
		n.silent = max(n.silent, float32(v))
	}
	for i := range m.double {
		d := &m.double[i]
		n := &s.nodes[d.player]
		n.double = float32(max(float64(n.double), fade(d.at, s.at, 90*day)))
	}
	s.copies(m)
}

func (b *Book) start() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.oldest
}

// surprise judges the gaps of each player: the k largest of them could be lost
// entries if the player had enough entries of that size.
func (s *snapshot) surprise(gaps []gap) {
	slices.SortFunc(gaps, func(x, y gap) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(y.value, x.value), cmp.Compare(x.at, y.at))
	})
	for i := 0; i < len(gaps); {
		j, best, lambda := i, 0.0, 0.0
		for ; j < len(gaps) && gaps[j].player == gaps[i].player; j++ {
			g := &gaps[j]
			rate := s.loss.old
			if s.at-g.at <= settled {
				rate = s.loss.young
			}
			lambda = max(lambda, rate*(float64(g.alike)+.3))
			v := ramp(-tail(float64(j-i+1), lambda), 3, 9) * ramp(float64(g.value), .1, 1) * fade(g.at, s.at, 90*day)
			best = max(best, v)
		}
		s.nodes[gaps[i].player].gap = float32(best)
		i = j
	}
}

// tail is the decimal logarithm of the chance of k or more where lambda are
// expected (Poisson), by its largest term, which is the first where it is small.
func tail(k, lambda float64) float64 {
	if k <= lambda {
		return 0
	}
	lg, _ := math.Lgamma(k + 1)
	return min(0, (k*math.Log(lambda)-lambda-lg)/math.Ln10)
}

// eachGap calls f for every hole in a chain of open ends, in the order of time: from
// an after without a before to the next before without an after.
func eachGap(ends []end, f func(amount, at int64)) {
	slices.SortFunc(ends, func(x, y end) int {
		return cmp.Or(cmp.Compare(x.at(), y.at()), cmp.Compare(x.n(), y.n()), cmp.Compare(x.value, y.value))
	})
	var last *end // an after that waits for the next before
	for i := range ends {
		e := &ends[i]
		switch {
		case e.n() == 0:
		case e.n() > 0:
			last = e
		case last != nil:
			// Both ends of one entry: the same line was logged twice.
			if last.at() != e.at() {
				if d := e.value - last.value; d != 0 && (d > 0) == (e.value > last.value) {
					f(d, e.at())
				}
			}
			last = nil
		}
	}
}

// explains reports whether a gap is a leg of a deal that the currency log lacks.
func (m *moves) explains(p, cur int32, amount int64) bool {
	i := m.search(p, cur)
	for ; i < len(m.missed) && m.missed[i].player == p && m.missed[i].what == cur; i++ {
		if m.missed[i].amount == amount {
			return true
		}
	}
	return false
}

// due is the sum of what deals say came in and the log lacks.
func (m *moves) due(p, what int32) (sum int64) {
	for i := m.search(p, what); i < len(m.missed) && m.missed[i].player == p && m.missed[i].what == what; i++ {
		sum += max(0, m.missed[i].amount)
	}
	return sum
}

func (m *moves) search(p, what int32) int {
	i, _ := slices.BinarySearchFunc(m.missed, missing{player: p, what: what}, func(x, y missing) int {
		if c := cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.what, y.what)); c != 0 {
			return c
		}
		return 1 // the first of them
	})
	return i
}
