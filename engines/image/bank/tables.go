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

// key is what group g of a hash looks like in width bits. Groups take every 11th bit:
// neighbours in a perceptual hash go together, and would fill few keys. A hash is taken
// apart by spread once for all groups.
func (s *spread) key(g, width int) uint32 { return s[g] & (1<<width - 1) }

// spread has the bits of a hash, every 11th of them together.
type spread [groups]uint32

func (s *spread) of(w *words) {
	*s = spread{}
	// Bit i of the hash is bit i/11 of group i%11.
	i := 0
	for place := 0; place < widest; place++ {
		for g := range groups {
			s[g] |= uint32(w[i/64]>>(i%64)&1) << place
			i++
		}
	}
}

// index makes the tables.
func (p *nearPart) index() {
	n := len(p.hashes)
	if n <= plain {
		return
	}
	p.width = min(bits.Len(uint(n))-4, widest)
	for g := range groups {
		p.tables[g] = table{starts: make([]uint32, 1<<p.width+1), places: make([]uint32, n)}
	}
	var s spread
	for i := range p.hashes {
		s.of(&p.hashes[i])
		for g := range groups {
			p.tables[g].starts[s.key(g, p.width)+1]++
		}
	}
	for g := range groups {
		p.tables[g].add()
	}
	// The places go in from behind, so that each start ends up where it belongs.
	for i := n - 1; i >= 0; i-- {
		s.of(&p.hashes[i])
		for g := range groups {
			t := &p.tables[g]
			k := s.key(g, p.width) + 1
			t.starts[k]--
			t.places[t.starts[k]] = uint32(i)
		}
	}
	for g := range groups {
		starts := p.tables[g].starts
		copy(starts, starts[1:])
		starts[len(starts)-1] = uint32(n)
	}
}

// add makes counts of keys, one place on, the ends of their places.
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
	var parts spread
	parts.of(&s.hash)
	// With d differences to allow in all, groups of which each has more than its share
	// would make more than d.
	share, more := (s.within+1)/groups-1, (s.within+1)%groups
	for g := range groups {
		flips := share
		if g < more {
			flips++
		}
		p.tables[g].visit(parts.key(g, p.width), p.width, flips, s)
	}
}

// visit looks at what has a key, or one that differs from it in up to some bits.
func (t *table) visit(key uint32, width, flips int, s *search) {
	if flips < 0 {
		return
	}
	t.at(key, s)
	if flips == 0 {
		return
	}
	for i := range width {
		one := key ^ 1<<i
		t.at(one, s)
		if flips == 1 {
			continue
		}
		for j := range i {
			t.at(one^1<<j, s)
		}
	}
}

func (t *table) at(key uint32, s *search) {
	for _, place := range t.places[t.starts[key]:t.starts[key+1]] {
		s.look(int(place))
	}
}
