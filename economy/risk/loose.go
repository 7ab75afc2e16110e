package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
)

// loose is a transfer of the currency log that names neither a trade nor the other
// side, which it need not. A snapshot joins it to the trade that it is of, by player,
// currency, amount and time: the trade log alone does not say what a side had left, nor
// whether it was credited twice.
type loose struct {
	at, amount, after int64 // amount with a minus for a debit
	player, cur       int32
}

const (
	// looseWithin is how far the clocks of the currency log and the trade log may be apart.
	looseWithin = 5 * second
	// twiceWithin is how far two credits of one trade may be apart that only one was due for.
	twiceWithin = second
	// looseMost is how many of them are kept, 32 MB.
	looseMost = 1 << 20
)

// looseLegs are the loose transfers of the time for which deals are kept, in blocks by
// arrival. When full, the first block goes.
type looseLegs struct{ blocks []*looseBlock }

const looseBlockSize = 1 << 9

// looseBlock is filled once: a snapshot may read what was there without the lock.
type looseBlock struct {
	legs   [looseBlockSize]loose
	n      int
	newest int64
}

// looseLeg keeps a transfer without a trade.
func (b *Book) looseLeg(e *economy.Entry, p, cur int32) {
	l := &b.loose
	k := len(l.blocks)
	if k == 0 || l.blocks[k-1].n == looseBlockSize {
		b.forgetLoose()
		l.blocks = append(l.blocks, new(looseBlock))
		k = len(l.blocks)
	}
	bl := l.blocks[k-1]
	amount := e.Amount
	if e.Action == economy.TransferOut {
		amount = -amount
	}
	bl.legs[bl.n] = loose{e.At, amount, e.After, p, cur}
	bl.n++
	bl.newest = max(bl.newest, e.At)
}

// forgetLoose drops blocks of which all is too old, and the first ones where there are
// too many.
func (b *Book) forgetLoose() {
	l := &b.loose
	for len(l.blocks) > 0 && (l.blocks[0].newest < b.newest-keepDeals || len(l.blocks)*looseBlockSize >= looseMost) {
		l.blocks[0] = nil
		l.blocks = l.blocks[1:]
	}
}

// list are all of them, sorted by player, currency, amount and time.
func (l *looseLegs) list(b *Book) []loose {
	b.mu.RLock()
	blocks := slices.Clone(l.blocks)
	n := 0
	if k := len(blocks); k > 0 {
		n = blocks[k-1].n
	}
	b.mu.RUnlock()
	if len(blocks) == 0 {
		return nil
	}
	list := make([]loose, 0, (len(blocks)-1)*looseBlockSize+n)
	for _, bl := range blocks[:len(blocks)-1] {
		list = append(list, bl.legs[:]...)
	}
	list = append(list, blocks[len(blocks)-1].legs[:n]...)
	slices.SortFunc(list, func(x, y loose) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.cur, y.cur), cmp.Compare(x.amount, y.amount), cmp.Compare(x.at, y.at), cmp.Compare(x.after, y.after))
	})
	return list
}

// need is a debit or a credit that a deal speaks of and that no line has named it for.
type need struct {
	key         uint64 // of the deal
	at, amount  int64
	player, cur int32
}

func (n *need) of(l *loose) int {
	return cmp.Or(cmp.Compare(n.player, l.player), cmp.Compare(n.cur, l.cur), cmp.Compare(n.amount, l.amount))
}

// found is what a loose line says of a side of a deal.
type found struct {
	key    uint64
	player int32
	left   uint16 // of a debit: hash of the balance after it
	drain  uint8  // of a debit: of what there was, what went, as in a side
	how    uint8
}

const (
	foundDebit uint8 = iota
	foundCredit
	foundTwice // a credit that came a second time
)

func (f *found) compare(g *found) int {
	return cmp.Or(cmp.Compare(f.key, g.key), cmp.Compare(f.player, g.player), cmp.Compare(f.how, g.how))
}

// joinLoose finds the trades of loose transfers; nil where there are none. It sorts both, so
// that it does not matter in which order they came.
func (s *snapshot) joinLoose(b *Book) []found {
	legs := b.loose.list(b)
	if len(legs) == 0 {
		return nil
	}
	needs := s.needs(b, legs)
	var all []found
	for i := 0; i < len(needs); {
		j := i + 1
		for j < len(needs) && needs[j].player == needs[i].player && needs[j].cur == needs[i].cur && needs[j].amount == needs[i].amount {
			j++
		}
		for len(legs) > 0 && needs[i].of(&legs[0]) > 0 {
			legs = legs[1:]
		}
		n := 0
		for n < len(legs) && needs[i].of(&legs[n]) == 0 {
			n++
		}
		all = meet(all, needs[i:j], legs[:n])
		legs, i = legs[n:], j
	}
	slices.SortFunc(all, func(x, y found) int { return x.compare(&y) })
	return all
}

// needs are what deals speak of, of the time of the lines, in their order.
func (s *snapshot) needs(b *Book, legs []loose) []need {
	from := legs[0].at
	for i := range legs {
		from = min(from, legs[i].at)
	}
	var g gather[need]
	s.eachDeal(b, func(d *deal, _ []leg) {
		if d.flags&toldDeal == 0 || d.flags&forkDeal != 0 || d.at < from-looseWithin {
			return
		}
		for i := range d.side {
			from, to := &d.side[i], &d.side[1-i]
			if from.gives <= 0 {
				continue
			}
			if from.out == 0 {
				g.add(need{d.key, d.at, -from.gives, from.player, from.cur})
			}
			if to.inN == 0 {
				g.add(need{d.key, d.at, from.gives, to.player, from.cur})
			}
		}
	})
	needs := g.list()
	slices.SortFunc(needs, func(x, y need) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.cur, y.cur), cmp.Compare(x.amount, y.amount), cmp.Compare(x.at, y.at), cmp.Compare(x.key, y.key))
	})
	return needs
}

// meet gives each need the first line that is near enough in time and not taken. A credit that
// is left over is a second one of the need before it; a line that was logged twice has one balance.
func meet(all []found, needs []need, legs []loose) []found {
	k := 0
	for i := range needs {
		n := &needs[i]
		for k < len(legs) && legs[k].at < n.at-looseWithin {
			k++
		}
		if k == len(legs) {
			return all
		}
		if legs[k].at > n.at+looseWithin {
			continue
		}
		line, f := &legs[k], found{key: n.key, player: n.player}
		if n.amount > 0 {
			f.how = foundCredit
		} else {
			e := economy.Entry{Amount: -n.amount, After: line.after}
			f.drain, f.left = drained(&e), leftBy(&e)
		}
		for k++; k < len(legs) && legs[k].at <= line.at+twiceWithin && (i+1 == len(needs) || legs[k].at < needs[i+1].at-looseWithin); k++ {
			if f.how == foundCredit && legs[k].after != line.after {
				f.how = foundTwice
			}
		}
		all = append(all, f)
	}
	return all
}

// fill writes into a deal what its loose lines say.
func (s *snapshot) fill(d *deal) {
	if len(s.lines) == 0 || d.flags&toldDeal == 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(s.lines, d.key, func(f found, key uint64) int { return cmp.Compare(f.key, key) })
	for ; i < len(s.lines) && s.lines[i].key == d.key; i++ {
		f := &s.lines[i]
		side := d.find(f.player)
		if side < 0 {
			continue
		}
		x, gives := &d.side[side], d.side[1-side].gives
		switch f.how {
		case foundDebit:
			x.out, x.drain, x.outEnd = x.gives, f.drain, f.left
		case foundCredit:
			x.in, x.inAt, x.inCur, x.inN = gives, d.at, d.side[1-side].cur, 1
		case foundTwice:
			x.in, x.inAt, x.inCur, x.inN = gives+min(gives, math.MaxInt64-gives), d.at, d.side[1-side].cur, 2
			d.flags |= coinDouble
		}
	}
}

// loosePart saves them.
type loosePart struct{ v *looseLegs }

func (p loosePart) put(s *saver) {
	s.number(int64(len(p.v.blocks)))
	for _, bl := range p.v.blocks {
		s.number(bl.newest)
		putList(s, bl.legs[:bl.n])
	}
}

func (p loosePart) get(l *loader) {
	var blocks []*looseBlock
	for n := l.number(); l.err == nil && n > 0; n-- {
		bl := &looseBlock{newest: l.number()}
		bl.n = copy(bl.legs[:], getList[loose](l))
		blocks = append(blocks, bl)
	}
	if l.err == nil {
		p.v.blocks = blocks
	}
}

func (p loosePart) layout() string { return "loose " + layoutOf[loose]() }
