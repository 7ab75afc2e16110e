package risk

import "errors"

// errAway says that what is out of the process can't be read now.
var errAway = errors.New("players that are out of the process can't be read")

// coldPart is the players that are out of the process. A book that is read has all of
// them in it, until it sends them again.
type coldPart struct{ b *Book }

// put may wait for the Cold with b.mu held: at the end of a process.
func (p coldPart) put(s *saver) {
	b := p.b
	if b.cold.lost.Load() {
		s.err = errors.Join(s.err, errAway)
		return
	}
	s.number(int64(b.cold.n))
	d := takeDesk()
	defer d.done()
	for n := range int32(len(b.cold.blocks)) {
		if b.cold.blocks[n].live == 0 {
			continue
		}
		players := d.list[:0]
		for q := max(1, n<<coldBits); q < min((n+1)<<coldBits, int32(b.cards.n)); q++ {
			players = append(players, q)
		}
		d.list = players
		clear(d.fetched)
		if list, _ := b.missing(d, players); !b.fetch(d, list) {
			s.err = errors.Join(s.err, errAway)
			return
		}
		for _, q := range players {
			if *b.cards.at(q)&cardAway == 0 {
				continue
			}
			record := d.fetched[q].record
			if record == nil {
				s.err = errors.Join(s.err, errAway)
				return
			}
			s.number(int64(q))
			putList(s, record)
		}
	}
}

func (p coldPart) get(l *loader) {
	b := p.b
	for n := l.number(); n > 0 && l.err == nil; n-- {
		q, record := l.number(), getList[byte](l)
		if l.err != nil {
			return
		}
		if q <= 0 || q >= int64(b.cards.n) || len(record) < recordHead || len(record) > recordMost+unitBytes {
			l.err = ErrSaved
			return
		}
		place, ok := b.packed.put(int32(q), record, b.moved)
		if !ok {
			l.err = ErrSaved
			return
		}
		*b.cards.at(int32(q)) = cardOf(place, *b.cards.at(int32(q))&cardNamed)
	}
}

func (p coldPart) layout() string { return "cold" }
