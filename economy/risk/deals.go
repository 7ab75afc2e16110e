package risk

import "slices"

// deals are the trades of the last keepDeals, in blocks by arrival. Entries come for
// the newest of them: but for some, the blocks are packed (packdeals.go).
type deals struct {
	blocks []*dealBlock // those from first on; earlier ones are gone
	first  int32        // number of the first block
	index  table        // by key
	open   int          // blocks that are not packed
	most   int          // of them, 64 KB each
	clock  int64        // of uses
}

const (
	// keepDeals is for how long trades are kept one by one.
	keepDeals = 30 * day
	dealBits  = 8
)

// dealBlock is a number of deals. Where it is packed there is nothing but packed and
// newest.
type dealBlock struct {
	deals  []deal
	legs   []leg
	packed []byte
	newest int64
	used   int64
}

func (bl *dealBlock) legsOf(d *deal) []leg {
	return bl.legs[d.legs : d.legs+int32(d.nItems)+int32(d.nBack)]
}

// len is how many deals a block has.
func (bl *dealBlock) len() int {
	if bl.packed != nil {
		return packedDeals(bl.packed)
	}
	return len(bl.deals)
}

// key is that of one of its deals.
func (bl *dealBlock) key(i int) uint64 {
	if bl.packed != nil {
		return packedKey(bl.packed, i)
	}
	return bl.deals[i].key
}

// read is a block unpacked, itself or into; b.mu is held.
func (bl *dealBlock) read(into *dealBlock) *dealBlock {
	if bl.packed == nil {
		return bl
	}
	into.deals, into.legs = unpackDeals(bl.packed, bl.newest, into.deals[:0], into.legs[:0])
	return into
}

// find is the number of the deal with a key.
func (s *deals) find(key uint64) (n int32, ok bool) {
	n = s.index.find(key, func(n int32) bool {
		n--
		return s.blocks[n>>dealBits-s.first].key(int(n&(1<<dealBits-1))) == key
	})
	return n - 1, n != 0
}

// dealOf is the deal with a key, a new one where there is none.
func (b *Book) dealOf(key uint64, at int64) (*deal, *dealBlock) {
	s := &b.deals
	s.clock++
	if n, ok := s.find(key); ok {
		bl := s.blocks[n>>dealBits-s.first]
		bl.used = s.clock
		if bl.packed != nil {
			bl.deals, bl.legs = unpackDeals(bl.packed, bl.newest, make([]deal, 0, 1<<dealBits), nil)
			bl.packed = nil
			s.opened()
		}
		return &bl.deals[n&(1<<dealBits-1)], bl
	}
	if len(s.blocks) == 0 || s.blocks[len(s.blocks)-1].len() == 1<<dealBits {
		b.forgetDeals()
		// A pointer into a block stays good while it grows.
		s.blocks = append(s.blocks, &dealBlock{deals: make([]deal, 0, 1<<dealBits), used: s.clock})
		s.opened()
	}
	bl := s.blocks[len(s.blocks)-1]
	bl.used = s.clock
	bl.deals = append(bl.deals, deal{key: key, at: at})
	bl.newest = max(bl.newest, at)
	s.index.put(key, (s.first+int32(len(s.blocks))-1)<<dealBits+int32(len(bl.deals)))
	return &bl.deals[len(bl.deals)-1], bl
}

// opened packs the block that was not used for longest, if there are too many. That
// is never the last one, which is filled, nor the one just opened.
func (s *deals) opened() {
	if s.open++; s.open <= s.most {
		return
	}
	var old *dealBlock
	for _, bl := range s.blocks[:len(s.blocks)-1] {
		if bl.packed == nil && bl.used != s.clock && (old == nil || bl.used < old.used) {
			old = bl
		}
	}
	if old != nil {
		old.packed = packDeals(old)
		old.deals, old.legs = nil, nil
		s.open--
	}
}

// forgetDeals drops blocks of which all deals are too old, and the first ones where
// there are too many.
func (b *Book) forgetDeals() {
	s := &b.deals
	for len(s.blocks) > 0 && (s.blocks[0].newest < b.newest-keepDeals || len(s.blocks)<<dealBits > b.maxDeals) {
		bl := s.blocks[0]
		for i := range bl.len() {
			s.index.drop(bl.key(i), s.first<<dealBits+int32(i)+1)
		}
		if bl.packed == nil {
			s.open--
		}
		s.blocks[0] = nil
		s.blocks = s.blocks[1:]
		s.first++
	}
	if len(b.finds) > b.maxDeals {
		b.finds = slices.Clone(b.finds[len(b.finds)/2:]) // a snapshot may be reading the old ones
	}
}
