package bank

import (
	"encoding/binary"
	"math/bits"
)

// Exact is a set of hashes that is searched for equal ones. The zero value is empty.
// It is safe for concurrent use and does not change. A hash takes 37 bytes.
type Exact struct{ parts []*exactPart }

// exactPart has hashes in the order of their first bits.
type exactPart struct {
	hashes  []Hash
	numbers []uint32
	starts  []uint32 // where the hashes with given first bits begin
	shift   int      // what is left of the first 32 bits are those
}

// Len is how many hashes there are.
func (e Exact) Len() int {
	sum := 0
	for _, p := range e.parts {
		sum += len(p.hashes)
	}
	return sum
}

// Bytes is how much memory the set takes.
func (e Exact) Bytes() int {
	sum := 0
	for _, p := range e.parts {
		sum += 32*cap(p.hashes) + 4*(cap(p.numbers)+cap(p.starts))
	}
	return sum
}

// With returns the set with more hashes, numbered from first on, as Near.With does.
func (e Exact) With(first int, hashes []Hash) Exact {
	if len(hashes) == 0 {
		return e
	}
	parts, size := e.parts, len(hashes)
	for len(parts) > 0 && len(parts[len(parts)-1].hashes) <= 2*size {
		size += len(parts[len(parts)-1].hashes)
		parts = parts[:len(parts)-1]
	}
	width := min(max(bits.Len(uint(size))-3, 1), 28)
	made := &exactPart{hashes: make([]Hash, size), numbers: make([]uint32, size), starts: make([]uint32, 1<<width+1), shift: 32 - width}
	each := func(do func(h *Hash, number uint32)) {
		for _, p := range e.parts[len(parts):] {
			for i := range p.hashes {
				do(&p.hashes[i], p.numbers[i])
			}
		}
		for i := range hashes {
			do(&hashes[i], uint32(first+i))
		}
	}
	each(func(h *Hash, _ uint32) { made.starts[made.key(h)+1]++ })
	sum := uint32(0)
	for i, n := range made.starts {
		sum += n
		made.starts[i] = sum
	}
	next := append([]uint32(nil), made.starts...)
	each(func(h *Hash, number uint32) {
		at := &next[made.key(h)]
		made.hashes[*at], made.numbers[*at] = *h, number
		*at++
	})
	return Exact{parts: append(parts[:len(parts):len(parts)], made)}
}

func (p *exactPart) key(h *Hash) uint32 { return binary.BigEndian.Uint32(h[:]) >> p.shift }

// Find returns the entry of a hash, the first of several; gone says of an entry that it
// no longer counts, nil is none.
func (e Exact) Find(hash *Hash, gone func(number int) bool) (best Match, found bool) {
	for _, p := range e.parts {
		k := p.key(hash)
		for i := p.starts[k]; i < p.starts[k+1]; i++ {
			number := int(p.numbers[i])
			if p.hashes[i] == *hash && (!found || number < best.Number) && (gone == nil || !gone(number)) {
				best, found = Match{Number: number}, true
			}
		}
	}
	return best, found
}
