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
	if b.stashes.n >= b.maxStashes && len(b.stashFree) == 0 {
		b.forgetStashes()
		if at < b.stashFrom {
			return nil
		}
	}
	var n int32
	if k := len(b.stashFree); k > 0 {
		n = b.stashFree[k-1]
		b.stashFree = b.stashFree[:k-1]
	} else {
		n = b.stashes.add()
	}
	s := b.stashes.at(n)
	*s = stash{item: item, next: pl.stash, firstAt: at}
	pl.stash = n + 1
	return s
}

// forgetStashes frees a quarter of the stashes, those with the oldest last entry. It
// is by event time: what is of before is not counted from then on either, so that it
// hardly matters in which order entries come. A player that comes back to such an
// item begins anew with it. Of 4 million it takes 0.15 s, once in a million new ones.
func (b *Book) forgetStashes() {
	const samples = 1 << 12
	when := make([]int64, 0, samples)
	for i := 0; i < b.stashes.n; i += max(1, b.stashes.n/samples) {
		when = append(when, b.stashes.at(int32(i)).lastAt)
	}
	slices.Sort(when)
	b.stashFrom = max(b.stashFrom, when[len(when)/4]+1)
	for p := range b.players.n {
		for at := &b.players.at(int32(p)).stash; *at != 0; {
			n := *at - 1
			s := b.stashes.at(n)
			if s.lastAt >= b.stashFrom {
				at = &s.next
				continue
			}
			*at = s.next
			b.stashFree = append(b.stashFree, n)
		}
	}
}
