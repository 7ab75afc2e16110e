package risk

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Records are where they are said to be, however often others come, go and are moved,
// and holes don't add up.
func TestPages(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const owners = 4000
	var s pages
	var places [owners + 1]uint32
	kept := map[int32][]byte{}
	moves := 0
	moved := func(owner int32, from, to uint32) {
		moves++
		if places[owner] != from {
			t.Fatalf("%d moves from %d, it is at %d", owner, from, places[owner])
		}
		places[owner] = to
	}
	most := 0
	for range 120_000 {
		owner := 1 + r.Int32N(owners)
		if kept[owner] != nil {
			s.drop(places[owner])
			delete(kept, owner)
			if r.IntN(10) == 0 {
				continue
			}
		}
		record := make([]byte, recordHead+1+r.IntN(900))
		if r.IntN(500) == 0 {
			record = make([]byte, recordMost)
		}
		for i := recordHead; i < len(record); i++ {
			record[i] = byte(r.Uint32())
		}
		place, ok := s.put(owner, record, moved)
		if !ok {
			t.Fatal("there is no room")
		}
		places[owner] = place
		kept[owner] = bytes.Clone(record[recordHead:])
		most = max(most, s.live)
	}
	units := 0
	for owner, want := range kept {
		got := s.record(places[owner])
		units += len(got) / unitBytes
		if !bytes.HasPrefix(got[recordHead:], want) {
			t.Fatalf("the record of %d is another", owner)
		}
	}
	if units != s.live {
		t.Errorf("%d units live, want %d", s.live, units)
	}
	if held := len(s.list) * pageUnits; moves == 0 || held > most*5/4+3*pageUnits {
		t.Errorf("%d units are held for %d at most, after %d moves", held, most, moves)
	}
}
