package risk

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// A table says what a map says, among hashes of which many share their bits.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var x table
	keys := []uint64{0} // by number
	in := map[uint64]int32{}
	for range 200_000 {
		h := r.Uint64N(3000)<<8 | r.Uint64N(2)
		if r.IntN(40) == 0 {
			h |= 1 << 60 // the same slot, another key
		}
		found := x.find(h, func(n int32) bool { return keys[n] == h })
		if found != in[h] {
			t.Fatalf("hash %x is found as %d, want %d", h, found, in[h])
		}
		switch {
		case found == 0:
			keys = append(keys, h)
			in[h] = int32(len(keys) - 1)
			x.put(h, in[h])
		case r.IntN(2) == 0:
			x.drop(h, found)
			delete(in, h)
		}
	}
	if n := x.parts[0].n + x.parts[1].n; n != len(in) {
		t.Errorf("%d are in it, want %d", n, len(in))
	}
}

// Names come back as they were, however long.
func TestNames(t *testing.T) {
	n := newNames()
	var list []string
	for i := range 30_000 {
		s := strconv.Itoa(i) + strings.Repeat("x", i%200)
		if i%5000 == 0 {
			s += strings.Repeat("long", nameBlock/3*(1+i/10_000))
		}
		list = append(list, s)
		if id := n.id(s); int(id) != i+1 {
			t.Fatalf("number %d, want %d", id, i+1)
		}
	}
	for i, s := range list {
		if id, ok := n.find(s); !ok || int(id) != i+1 || n.id(s) != id || n.name(id) != s {
			t.Fatalf("%.20q is found as %d (%v) and called %.20q", s, id, ok, n.name(id))
		}
	}
	if _, ok := n.find("nobody"); ok || n.len() != len(list)+1 {
		t.Errorf("a stranger is known, or %d names are kept", n.len())
	}
	if id, ok := n.find(""); id != 0 || !ok || n.id("") != 0 || n.name(0) != "" {
		t.Error("the empty string is not 0")
	}
}
