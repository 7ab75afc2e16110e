package risk

import "slices"

// stash is what is counted for one player and item: enough to see, in any order of
// its entries, whether the pieces at the end are those at the start plus what came
// less what went.
type stash struct {
	next    int32 // of the same player, by number + 1
	item    int32
	firstAt int64
	lastAt  int64
	before  int64   // pieces before the first entry
	after   int64   // pieces after the last
	net     int64   // came less went
	biggest int64   // largest single gain
	found   float64 // pieces that came from the game, fading like amounts
	gains   uint32
	entries uint32
}

func (s *stash) add(at, count, after int64, sign int) bool {
	signed := count
	if sign < 0 {
		signed = -count
	}
	before, fits := below(after, count, sign)
	first := s.entries == 0
	// Entries of one millisecond: the order among them shows in the counts.
	if first || at < s.firstAt || at == s.firstAt && after == s.before {
		s.firstAt, s.before = at, before
	}
	if first || at > s.lastAt || at == s.lastAt && before == s.after {
		s.lastAt, s.after = at, after
	}
	sum := s.net + signed
	if (sum > s.net) != (signed > 0) && signed != 0 {
		fits = false
	} else {
		s.net = sum
	}
	s.entries++
	if sign > 0 {
		s.gains++
		s.biggest = max(s.biggest, count)
	}
	return fits
}

// silent is how many pieces appeared, or with a minus vanished, without an entry.
func (s *stash) silent() int64 { return s.after - s.before - s.net }

// stashOf is a player's stash of an item, a new one where there is none; nil where the
// entry is from before the time from which stashes are kept.
func (b *Book) stashOf(pl *player, item int32, at int64) *stash {
	for i := pl.stash; i != 0; {
		s := b.stashes.at(i - 1)
		if s.item == item {
			if at < b.stashFrom && s.firstAt >= b.stashFrom {
				return nil // the one of then was forgotten
			}
			return s
		}
		i = s.next
	}
	if at < b.stashFrom {
		return nil
	}
	if b.stashN >= int64(b.maxStashes) {
		b.forgetStashes()
		if at < b.stashFrom {
			return nil
		}
	}
	n := b.stashes.add()
	b.stashN++
	s := b.stashes.at(n)
	*s = stash{item: item, next: pl.stash, firstAt: at}
	pl.stash = n + 1
	return s
}

// forgetStashes forgets a quarter of the stashes, those with the oldest last entry. It
// is by event time: what is of before is not counted from then on either, so that it
// hardly matters in which order entries come. A player that comes back to such an
// item begins anew with it. Those of packed players are left out when these are read.
// Of 4 million it takes some tenths of a second, once in a million new ones.
func (b *Book) forgetStashes() {
	const samples = 1 << 12
	desk := takeDesk()
	defer desk.done()
	each := func(step int32, f func(at int64)) {
		for p := int32(1); p < int32(b.cards.n); p += step {
			if *b.cards.at(p)&cardAway != 0 {
				b.coldStashes(p, f)
				continue
			}
			pl, r := b.read(p, desk, ofStashes)
			for i := pl.stash; i != 0; i = r.stashes.at(i - 1).next {
				f(r.stashes.at(i - 1).lastAt)
			}
		}
	}
	when := make([]int64, 0, samples)
	each(int32(max(1, b.cards.n/samples)), func(at int64) { when = append(when, at) })
	if len(when) == 0 { // those that were looked at have none
		each(1, func(at int64) { when = append(when, at) })
	}
	slices.Sort(when)
	b.stashFrom = max(b.stashFrom, when[len(when)/4]+1)
	for number := range b.players.n {
		for at := &b.players.at(int32(number)).stash; *at != 0; {
			n := *at - 1
			s := b.stashes.at(n)
			if s.lastAt >= b.stashFrom {
				at = &s.next
				continue
			}
			*at = s.next
			b.stashes.drop(n)
		}
	}
	b.stashN = 0
	each(1, func(int64) { b.stashN++ })
}
