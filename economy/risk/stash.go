package risk

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
