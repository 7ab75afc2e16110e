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
	at     int64
	value  float32 // days of income
	alike  float32 // credits of the wallet at least about as large
}

// silence is pieces of an item without an origin.
type silence struct {
	player int32
	needed float64 // how many of the largest ordinary gains they would be
	gains  float64
	value  float32
}

// audit gathers what does not add up, and how many entries there were.
type audit struct {
	gaps     []gap
	silences []silence
	ends     []end // scratch
	spent    map[debit][]payout

	negOld, negYoung, debits float64
	itemNeg, itemEntries     float64
}

// ledgers judges what does not add up.
func (s *snapshot) ledgers(b *Book, m *moves) {
	slices.SortFunc(m.missed, func(x, y missing) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.what, y.what), cmp.Compare(x.amount, y.amount))
	})
	a := audit{spent: map[debit][]payout{}}
	s.eachPlayer(b, ofWallets|ofStashes, func(p int32, pl *player, r *records) {
		for i := pl.wallet; i != 0; i = r.wallets.at(i - 1).next {
			s.wallet(&a, b, m, p, i-1, r.wallets.at(i-1))
		}
		for i := pl.stash; i != 0; i = r.stashes.at(i - 1).next {
			s.stash(&a, m, p, r.stashes.at(i-1))
		}
	})
	span := max(1, float64(s.at-b.start())/float64(day))
	s.loss = rate{
		old:   max(1e-4, (a.negOld+1)/(a.debits+1000)),
		young: max(1e-3, (a.negYoung+1)/(a.debits/span+100)),
		items: max(1e-4, (a.itemNeg+1)/(a.itemEntries+1000)),
	}
	s.loss.young = max(s.loss.young, s.loss.old)
	s.surprise(a.gaps)
	for i := range a.silences {
		q := &a.silences[i]
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
	s.claimed(b)
	s.owed(b)
	s.forks(b)
	s.spent(b, a.spent)
}

// wallet gathers the gaps of a wallet.
func (s *snapshot) wallet(a *audit, b *Book, m *moves, p, number int32, w *wallet) {
	a.debits += float64(w.debits)
	a.ends = append(a.ends[:0], w.chain.ends[:]...)
	if w.chain.far != 0 { // then the number is that of the book
		for _, e := range b.far[number] {
			a.ends = append(a.ends, e)
		}
	}
	eachGap(a.ends, w, m.of(p, w.cur), func(amount, at int64) {
		switch {
		case amount > 0:
			a.spent[debit{p, w.cur, amount}] = nil
			g := gap{player: p, at: at}
			for c := sizeOf(amount/3*2 + 1); c < len(w.size); c++ {
				g.alike += float32(w.size[c])
			}
			if int(w.cur) < len(s.unit) {
				g.value = float32(float64(amount) / s.unit[w.cur])
			}
			a.gaps = append(a.gaps, g)
		case s.at-at > settled:
			a.negOld++
		default:
			a.negYoung++
		}
	}, func(amount int64) {
		if amount < 0 {
			a.spent[debit{p, w.cur, -amount}] = nil
		}
	})
}

// stash gathers the pieces of a stash that came in silence.
func (s *snapshot) stash(a *audit, m *moves, p int32, st *stash) {
	a.itemEntries += float64(st.entries)
	q := st.silent()
	if q < 0 {
		a.itemNeg++
		return
	}
	if q -= m.due(p, -st.item); q <= 0 || int(st.item) >= len(s.price) {
		return
	}
	a.silences = append(a.silences, silence{
		player: p, needed: float64(q) / float64(max(1, st.biggest)), gains: float64(st.gains), value: float32(float64(q) * s.price[st.item].mid),
	})
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

// due is the sum of what deals say came in and the log lacks.
func (m *moves) due(p, what int32) (sum int64) {
	for _, x := range m.of(p, what) {
		sum += max(0, x.amount)
	}
	return sum
}

// of is what is missing of a player's currency or item.
func (m *moves) of(p, what int32) []missing {
	i, _ := slices.BinarySearchFunc(m.missed, missing{player: p, what: what}, func(x, y missing) int {
		if c := cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.what, y.what)); c != 0 {
			return c
		}
		return 1 // the first of them
	})
	j := i
	for j < len(m.missed) && m.missed[j].player == p && m.missed[j].what == what {
		j++
	}
	return m.missed[i:j]
}
