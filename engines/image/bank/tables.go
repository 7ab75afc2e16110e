package bank

import "math/bits"

const (
	// groups is how many tables there are; see Near for why it is enough.
	groups = 11
	// widest bounds the bits of a key: 2^20 keys of 4 bytes take 4 MB a table.
	widest = 20
	// plain is how many hashes are compared one by one instead: it takes some 0.1 ms.
	plain = 16384
)

// nearPart is some of the hashes of a Near, with tables over them.
type nearPart struct {
	hashes []words
	runs   runs
	width  int // bits of a key; 0 where there are no tables
	tables [groups]table
}

// table has, for each key, the places of the hashes that have it: places[starts[key]:
// starts[key+1]].
type table struct{ starts, places []uint32 }

func (p *nearPart) bytes() int {
	n := 32 * cap(p.hashes)
	for i := range p.tables {
		n += 4 * (cap(p.tables[i].starts) + cap(p.tables[i].places))
	}
	return n
}

// key is what group g of a hash looks like in width bits: five bits of each of its
// quarters. Those of neighbouring coefficients of a picture go together, and groups of
// them alone would have few keys.
func (w *words) key(g, width int) uint32 {
	at := 5 * g
	k := w[0]>>at&31 | w[1]>>at&31<<5 | w[2]>>at&31<<10 | w[3]>>at&31<<15
	return uint32(k) & (1<<width - 1)
}

// index makes the tables, one after the other: each then stays in the cache.
func (p *nearPart) index() {
	n := len(p.hashes)
	if n <= plain {
		return
	}
	p.width = min(bits.Len(uint(n))-4, widest)
	for g := range groups {
		t := table{starts: make([]uint32, 1<<p.width+1), places: make([]uint32, n)}
		for i := range p.hashes {
			t.starts[p.hashes[i].key(g, p.width)]++
		}
		t.add()
		// The places go in from behind, so that each end becomes a start.
		for i := n - 1; i >= 0; i-- {
			k := p.hashes[i].key(g, p.width)
			t.starts[k]--
			t.places[t.starts[k]] = uint32(i)
		}
		p.tables[g] = t
	}
}

// add makes of counts of keys the ends of their places.
func (t *table) add() {
	sum := uint32(0)
	for i, n := range t.starts {
		sum += n
		t.starts[i] = sum
	}
}

// visit has s look at every hash that may be within its radius.
func (p *nearPart) visit(s *search) {
	if p.width == 0 {
		for i := range p.hashes {
			s.look(i)
		}
		return
	}
	// With d differences to allow in all, groups of which each has more than its share
	// would make more than d.
	share, more := (s.within+1)/groups-1, (s.within+1)%groups
	for g := range groups {
		flips := share
		if g < more {
			flips++
		}
		p.tables[g].visit(s.hash.key(g, p.width), p.width, flips, s)
	}
}

// visit looks at what has a key, or one that differs from it in up to some bits, of
// those below width.
func (t *table) visit(key uint32, width, flips int, s *search) {
	if flips < 0 {
		return
	}
	t.at(key, s)
	if flips == 0 {
		return
	}
	for i := range width {
		t.visit(key^1<<i, i, flips-1, s)
	}
}

func (t *table) at(key uint32, s *search) {
	for _, place := range t.places[t.starts[key]:t.starts[key+1]] {
		s.look(int(place))
	}
}
