package risk

import (
	"math"
	"math/bits"
)

// On an event day a game pays or moves far more than usual, to everybody. What is
// many times a player's own usual then says little about the player, so such days are
// told from the app's own hours: the middle entry and how many there are, against the
// same hour of other days. Neither moves by what a few do.

const (
	// keepBeats is how many days of hours are looked at.
	keepBeats = 30
	// beatCells is by how many cells currencies are kept apart.
	beatCells = 4
	// beatLeast is how many entries an hour must have to be heard.
	beatLeast = 20
	// usualDays is how many other days must tell what is usual.
	usualDays = 3
)

// beatKey is an hour since 1970 and the cell of a currency.
type beatKey struct{ hour, cell int32 }

// beat is what all players earned in an hour: entries by the doublings of amounts.
type beat struct {
	n  uint32
	by [64]uint32
}

// hear counts an entry that was earned.
func (b *Book) hear(word uint32, at, amount int64) {
	k := beatKey{hourOf(at), int32(word % beatCells)}
	last := &b.lastBeat[k.cell]
	if k.hour != last.hour || last.beat == nil {
		if k.hour < hourOf(b.newest)-24*keepBeats {
			return
		}
		x := b.beats[k]
		if x == nil {
			x = &beat{}
			b.beats[k] = x
			b.forgetBeats()
		}
		last.hour, last.beat = k.hour, x
	}
	last.beat.n++
	last.beat.by[bits.Len64(uint64(max(0, amount)))]++
}

// forgetBeats drops the hours that are too old, where they are many.
func (b *Book) forgetBeats() {
	if len(b.beats) < 2*24*keepBeats*beatCells {
		return
	}
	for k := range b.beats {
		if k.hour < hourOf(b.newest)-24*keepBeats {
			delete(b.beats, k)
		}
	}
}

// middle is the middle amount, between two doublings as far as the counts go.
func (x *beat) middle() float64 {
	left := float64(x.n) / 2
	for i, n := range x.by {
		if left < float64(n) {
			return math.Exp2(float64(i) - 1 + left/float64(n))
		}
		left -= float64(n)
	}
	return 0
}

// pulses is a series by hour of what a population did.
type pulses map[int32]float64

// events finds how far each day is an event: from income and from trades.
func (s *snapshot) events(b *Book) {
	var income [beatCells]pulses
	b.mu.RLock()
	for k, x := range b.beats {
		if x.n < beatLeast || k.hour <= hourOf(s.at)-24*keepBeats {
			continue
		}
		if income[k.cell] == nil {
			income[k.cell] = pulses{}
		}
		income[k.cell][k.hour] = x.middle() * float64(x.n)
	}
	b.mu.RUnlock()
	s.event = map[int32]float64{}
	for _, p := range income {
		p.tell(s.event)
	}
	for h, n := range s.trades {
		if n < beatLeast {
			delete(s.trades, h)
		}
	}
	s.trades.tell(s.event)
	s.trades = nil
}

// tell notes for each day how far it is an event: in the middle of its hours, how
// many times the usual of the same hour of other days there was.
func (p pulses) tell(event map[int32]float64) {
	days := map[int32][]float64{}
	for h, v := range p {
		var others []float64
		for d := int32(-keepBeats); d <= keepBeats; d++ {
			if o, ok := p[h+24*d]; ok && d != 0 {
				others = append(others, o)
			}
		}
		if len(others) >= usualDays {
			days[h/24] = append(days[h/24], v/median(others))
		}
	}
	for d, ratios := range days {
		event[d] = max(event[d], ramp(math.Log2(median(ratios)), math.Log2(2.5), math.Log2(5)))
	}
}

// eventful is how far a time is on an event day.
func (s *snapshot) eventful(at int64) float64 { return s.event[hourOf(at)/24] }

// lately is how far the last day is part of one.
func (s *snapshot) lately() float64 {
	today := hourOf(s.at) / 24
	past := float64(s.at%day) / float64(day)
	return max(s.event[today], s.event[today-1]*(1-past))
}

// tradedAt counts a deal to the hour's.
func (s *snapshot) tradedAt(at int64) {
	if h := hourOf(at); s.trades != nil && h > hourOf(s.at)-24*keepBeats {
		s.trades[h]++
	}
}

// feast lowers what is many times the usual, on a day on which it is usual. A pace as
// even as a machine's is no more so than on other days.
func (m *marks) feast(n *node, event float64) {
	most, what := int8(0), code(0)
	for i := range m.n {
		if catalogue[m.codes[i]].group == groupHabit && m.value[i] > most {
			most, what = m.value[i], m.codes[i]
		}
	}
	if what == earnVelocity || most > 0 && what == tradeFrequency {
		m.lower(eventDay, .5*n.festive(event))
	}
}

// festive is how far what a player did of late is what everybody does on an event
// day: its own income stays within what is high among others.
func (n *node) festive(event float64) float64 {
	return event * (1 - ramp(float64(n.burst), 1, 3))
}
