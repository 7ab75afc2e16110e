package risk

import "math/bits"

// names gives out small numbers for strings; 0 is the empty string. It finds a string
// by its hash, and the next free one where two have one hash.
type names struct {
	ids  map[uint64]int32
	list slab[string]
}

func newNames() names {
	n := names{ids: map[uint64]int32{}}
	n.id("")
	return n
}

func (n *names) id(s string) int32 {
	h := swift(s)
	for {
		id, ok := n.ids[h]
		if !ok {
			break
		}
		if *n.list.at(id) == s {
			return id
		}
		h++
	}
	id := n.list.add()
	*n.list.at(id) = s
	n.ids[h] = id
	return id
}

// find is id without giving out a new number.
func (n *names) find(s string) (int32, bool) {
	for h := swift(s); ; h++ {
		id, ok := n.ids[h]
		if !ok || *n.list.at(id) == s {
			return id, ok
		}
	}
}

// name is the string of a number.
func (n *names) name(id int32) string { return *n.list.at(id) }

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
