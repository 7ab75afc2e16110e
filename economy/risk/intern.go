package risk

import "math/bits"

// names gives out small numbers for strings; 0 is the empty string.
type names struct{ ids map[string]int32 }

func newNames() names { return names{ids: map[string]int32{"": 0}} }

func (n *names) id(s string) int32 {
	if id, ok := n.ids[s]; ok {
		return id
	}
	id := int32(len(n.ids))
	n.ids[s] = id
	return id
}

// find is id without giving out a new number.
func (n *names) find(s string) (int32, bool) {
	id, ok := n.ids[s]
	return id, ok
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
