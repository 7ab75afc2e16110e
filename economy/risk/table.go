package risk

// table finds numbers above 0 by 64-bit hashes. It is many small tables, each of
// which grows by itself: to grow one of millions at once would hold up everything.
// What two hashes share in it is told apart by the caller.
type table struct {
	parts [tableParts]struct {
		slots []uint64 // 32 bits of the hash, 32 of the number; 0: free
		n     int
	}
}

const (
	tableParts = 256
	// tableFill is how full a part gets before it doubles, in sixteenths.
	tableFill = 13
)

// find is the number with a hash for which same says so; 0 where there is none.
func (t *table) find(h uint64, same func(n int32) bool) int32 {
	p := &t.parts[h%tableParts]
	if len(p.slots) == 0 {
		return 0
	}
	tag, mask := uint32(h>>8), uint32(len(p.slots)-1)
	for i := tag & mask; ; i = (i + 1) & mask {
		s := p.slots[i]
		if s == 0 {
			return 0
		}
		if uint32(s>>32) == tag && same(int32(uint32(s))) {
			return int32(uint32(s))
		}
	}
}

// put adds a number.
func (t *table) put(h uint64, n int32) {
	p := &t.parts[h%tableParts]
	if p.n*16 >= len(p.slots)*tableFill {
		old := p.slots
		p.slots = make([]uint64, max(8, 2*len(old)))
		for _, s := range old {
			if s != 0 {
				place(p.slots, s)
			}
		}
	}
	place(p.slots, uint64(uint32(h>>8))<<32|uint64(uint32(n)))
	p.n++
}

func place(slots []uint64, s uint64) {
	mask := uint32(len(slots) - 1)
	i := uint32(s>>32) & mask
	for slots[i] != 0 {
		i = (i + 1) & mask
	}
	slots[i] = s
}

// drop takes a number out that was put with a hash.
func (t *table) drop(h uint64, n int32) {
	p := &t.parts[h%tableParts]
	if len(p.slots) == 0 {
		return
	}
	want, mask := uint64(uint32(h>>8))<<32|uint64(uint32(n)), uint32(len(p.slots)-1)
	i := uint32(h>>8) & mask
	for p.slots[i] != want {
		if p.slots[i] == 0 {
			return
		}
		i = (i + 1) & mask
	}
	p.n--
	// What comes after and was put there for want of room moves up.
	for j := i; ; {
		j = (j + 1) & mask
		s := p.slots[j]
		if s == 0 {
			break
		}
		if home := uint32(s>>32) & mask; (j-home)&mask >= (j-i)&mask {
			p.slots[i], i = s, j
		}
	}
	p.slots[i] = 0
}
