package voice

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestOrder(t *testing.T) {
	const ms = int64(time.Millisecond)
	type in struct {
		seq uint16
		at  int64 // ms
	}
	for name, c := range map[string]struct {
		in         []in
		want       []uint16
		lost, late int64
	}{
		"in order":       {in: []in{{1, 0}, {2, 20}, {3, 40}}, want: []uint16{1, 2, 3}},
		"swapped":        {in: []in{{1, 0}, {3, 20}, {2, 21}, {4, 60}}, want: []uint16{1, 2, 3, 4}},
		"lost":           {in: []in{{1, 0}, {3, 40}, {4, 60}, {5, 85}}, want: []uint16{1, 3, 4, 5}, lost: 1},
		"wraps":          {in: []in{{65534, 0}, {65535, 20}, {0, 40}, {1, 60}}, want: []uint16{65534, 65535, 0, 1}},
		"wraps swapped":  {in: []in{{65535, 0}, {1, 20}, {0, 21}}, want: []uint16{65535, 0, 1}},
		"twice":          {in: []in{{1, 0}, {2, 20}, {2, 21}, {1, 22}}, want: []uint16{1, 2}, late: 2},
		"held twice":     {in: []in{{1, 0}, {3, 1}, {3, 2}, {2, 3}}, want: []uint16{1, 2, 3}, late: 1},
		"too late":       {in: []in{{1, 0}, {3, 20}, {4, 70}, {2, 71}}, want: []uint16{1, 3, 4}, lost: 1, late: 1},
		"replayed":       {in: []in{{500, 0}, {501, 20}, {300, 21}, {502, 40}}, want: []uint16{500, 501, 502}, late: 1},
		"starts anew":    {in: []in{{50_000, 0}, {10, 20}, {11, 40}, {12, 60}}, want: []uint16{50_000, 11, 12}, late: 1},
		"one odd packet": {in: []in{{10, 0}, {40_000, 5}, {11, 20}, {12, 40}}, want: []uint16{10, 11, 12}, late: 1},
	} {
		var o order
		var got []uint16
		give := func(p packet, _ int) { got = append(got, p.seq) }
		for _, p := range c.in {
			o.push(packet{source: 1, seq: p.seq, arrived: p.at * ms}, give)
			o.expire(p.at*ms, give)
		}
		if !slices.Equal(got, c.want) || o.lost != c.lost || o.late != c.late {
			t.Errorf("%s: %v lost %d late %d, want %v lost %d late %d", name, got, o.lost, o.late, c.want, c.lost, c.late)
		}
	}
}

// Another source is another sequence, however its numbers lie.
func TestOrderOfAnotherSource(t *testing.T) {
	var o order
	var got []uint32
	give := func(p packet, _ int) { got = append(got, p.source) }
	o.push(packet{source: 1, seq: 7}, give)
	o.push(packet{source: 1, seq: 9}, give)
	o.push(packet{source: 2, seq: 3}, give)
	o.push(packet{source: 2, seq: 4}, give)
	if want := []uint32{1, 1, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("sources %v, want %v", got, want)
	}
}

// Whatever comes, nothing goes on twice or backwards, and little waits.
func TestOrderOfAnything(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test's
	var o order
	last, started := uint16(0), false
	give := func(p packet, _ int) {
		if started && int16(p.seq-last) <= 0 && !o.started {
			t.Fatalf("%d after %d", p.seq, last)
		}
		last, started = p.seq, true
	}
	base := uint16(0)
	for i := range 100_000 {
		base++
		seq := base + uint16(rnd.IntN(40)) - 20
		if rnd.IntN(1000) == 0 {
			base = uint16(rnd.Uint32())
		}
		now := int64(i) * int64(20*time.Millisecond)
		o.push(packet{source: 1, seq: seq, arrived: now}, give)
		o.expire(now, give)
		if len(o.held) > heldMost {
			t.Fatalf("%d packets wait", len(o.held))
		}
	}
}

// A ring that nobody empties drops the oldest, and says how many.
func TestRingDropsTheOldest(t *testing.T) {
	var r ring
	for i := range ringSize + 10 {
		r.put(packet{seq: uint16(i)})
	}
	list, dropped := r.take(nil)
	if dropped != 10 || len(list) != ringSize || list[0].seq != 10 || list[ringSize-1].seq != ringSize+9 {
		t.Errorf("dropped %d, has %d from %d", dropped, len(list), list[0].seq)
	}
	if list, dropped = r.take(nil); len(list) != 0 || dropped != 0 || !r.empty() {
		t.Errorf("the ring is not empty: %d, %d", len(list), dropped)
	}
}
