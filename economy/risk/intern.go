package risk

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// names gives out small numbers for strings; 0 is the empty string. The strings lie
// one after the other in blocks of memory without pointers.
type names struct {
	index  table
	places slab[uint32] // by number: block and unit
	blocks [][]byte
	fill   int // of the last block
}

const (
	nameUnit  = 4
	nameBits  = 14 // of a place, the units of a block
	nameBlock = nameUnit << nameBits
)

func newNames() names {
	n := names{}
	*n.places.at(n.places.add()) = n.keep("")
	return n
}

func (n *names) id(s string) int32 {
	if s == "" {
		return 0
	}
	h := swift(s)
	if id := n.index.find(h, func(id int32) bool { return n.name(id) == s }); id != 0 {
		return id
	}
	id := n.places.add()
	*n.places.at(id) = n.keep(s)
	n.index.put(h, id)
	return id
}

// find is id without giving out a new number.
func (n *names) find(s string) (int32, bool) {
	if s == "" {
		return 0, true
	}
	id := n.index.find(swift(s), func(id int32) bool { return n.name(id) == s })
	return id, id != 0
}

// name is the string of a number.
func (n *names) name(id int32) string {
	place := *n.places.at(id)
	b := n.blocks[place>>nameBits][place&(1<<nameBits-1)*nameUnit:]
	length, k := int(b[0]), 1
	if length >= 0x80 {
		v, more := binary.Uvarint(b)
		length, k = int(v), more
	}
	return unsafe.String(unsafe.SliceData(b[k:]), length) // it is never written to again
}

// len is how many numbers there are, that of the empty string included.
func (n *names) len() int { return n.places.n }

// keep stores a string. One that is larger than a block has one of its own.
func (n *names) keep(s string) uint32 {
	var head [binary.MaxVarintLen64]byte
	k := binary.PutUvarint(head[:], uint64(len(s)))
	size := (k + len(s) + nameUnit - 1) / nameUnit * nameUnit
	if len(n.blocks) == 0 || n.fill+size > len(n.blocks[len(n.blocks)-1]) {
		n.blocks, n.fill = append(n.blocks, make([]byte, max(nameBlock, size))), 0
	}
	last := len(n.blocks) - 1
	b := n.blocks[last][n.fill:]
	copy(b, head[:k])
	copy(b[k:], s)
	place := uint32(last<<nameBits + n.fill/nameUnit)
	if n.fill += size; n.fill > nameBlock-nameUnit { // no place there has a name any more
		n.fill = len(n.blocks[last])
	}
	return place
}

// prints gives out small numbers for strings that nobody wants back, such as the ids
// of devices: they are kept as hashes of 64 bits. 0 is the empty string.
type prints struct {
	index table
	list  slab[uint64]
}

func newPrints() prints {
	p := prints{}
	p.list.add()
	return p
}

func (p *prints) id(s string) int32 {
	if s == "" {
		return 0
	}
	h := swift(s)
	if id := p.index.find(h, func(id int32) bool { return *p.list.at(id) == h }); id != 0 {
		return id
	}
	id := p.list.add()
	*p.list.at(id) = h
	p.index.put(h, id)
	return id
}

// find is id without giving out a new number.
func (p *prints) find(s string) (int32, bool) {
	if s == "" {
		return 0, true
	}
	h := swift(s)
	id := p.index.find(h, func(id int32) bool { return *p.list.at(id) == h })
	return id, id != 0
}

// hash is FNV-1a, 64 bits: the same in every process, which map hashes are not.
func hash(seed uint64, s string) uint64 {
	h := seed ^ 14695981039346656037
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h)
}

// swift is a hash of eight bytes a step, the same in every process.
func swift(s string) uint64 {
	h := uint64(len(s)) * 0x9e3779b97f4a7c15
	for len(s) >= 8 {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		h = bits.RotateLeft64(h^w*0xff51afd7ed558ccd, 29) * 0xc4ceb9fe1a85ec53
		s = s[8:]
	}
	w := uint64(0)
	for i := range len(s) {
		w |= uint64(s[i]) << (8 * i)
	}
	return mix(h ^ w*0xff51afd7ed558ccd)
}

// mix spreads the bits of h (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
