package bank

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Hash is one hash, as it is written.
type Hash = [32]byte

// MaxRadius is the largest distance that Near answers for.
const MaxRadius = 43

// Match is an entry that was found.
type Match struct {
	// Number is the entry's, as it was given when it was added.
	Number int
	// Distance is in how many bits its hash differs.
	Distance int
}

// Near is a set of hashes of 256 bits that is searched by distance. The zero value is
// empty. It is safe for concurrent use and does not change.
//
// It is a multi-index (Norouzi, Punjani, Fleet: "Fast search in Hamming space with
// multi-index hashing", 2012): of a hash, 11 disjoint groups of bits are each the key of
// a table. Of two hashes that differ in at most 31 bits, at least one group differs in
// at most 2 (11 groups with 3 or more make 33), so looking up every key within 2 bits
// of each group misses nothing; up to 43 bits it is 3 (11 groups with 4 make 44), which
// are six times as many keys. A table has 1/8 as many keys as there are hashes, up to
// 2^20; 10 million hashes take 0.8 GB: 32 bytes each, and 4 in each of 11 tables.
type Near struct{ parts []*nearPart }

// words is a hash in the form in which it is compared.
type words [4]uint64

func wordsOf(h *Hash) (w words) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(h[8*i:])
	}
	return w
}

func (w *words) distance(o *words) int {
	return bits.OnesCount64(w[0]^o[0]) + bits.OnesCount64(w[1]^o[1]) + bits.OnesCount64(w[2]^o[2]) + bits.OnesCount64(w[3]^o[3])
}

// Len is how many hashes there are.
func (n Near) Len() int {
	sum := 0
	for _, p := range n.parts {
		sum += len(p.hashes)
	}
	return sum
}

// Bytes is how much memory the set takes.
func (n Near) Bytes() int {
	sum := 0
	for _, p := range n.parts {
		sum += p.bytes()
	}
	return sum
}

// With returns the set with more hashes, numbered from first on. What was numbered
// before must be lower. Parts of the set that are no larger than twice what comes are
// made anew with it, so that a set of n has about log n parts and each hash is put
// into tables about as often.
func (n Near) With(first int, hashes []Hash) Near {
	if len(hashes) == 0 {
		return n
	}
	parts, size := n.parts, len(hashes)
	for len(parts) > 0 && len(parts[len(parts)-1].hashes) <= 2*size {
		size += len(parts[len(parts)-1].hashes)
		parts = parts[:len(parts)-1]
	}
	made := &nearPart{hashes: make([]words, 0, size)}
	for _, p := range n.parts[len(parts):] {
		made.runs = append(made.runs, p.runs.from(len(made.hashes))...)
		made.hashes = append(made.hashes, p.hashes...)
	}
	made.runs = append(made.runs, run{at: len(made.hashes), number: first})
	for i := range hashes {
		made.hashes = append(made.hashes, wordsOf(&hashes[i]))
	}
	made.index()
	return Near{parts: append(slices.Clip(parts), made)}
}

// Find returns the nearest entry within a radius, the first of those that are equally
// near; gone says of an entry that it no longer counts, nil is none.
func (n Near) Find(hash *Hash, radius int, gone func(number int) bool) (best Match, found bool) {
	s := search{hash: wordsOf(hash), within: min(radius, MaxRadius), gone: gone}
	for _, p := range n.parts {
		s.part = p
		p.visit(&s)
	}
	return s.best, s.found
}

// search is one search under way.
type search struct {
	hash   words
	within int // what is farther away does not count
	gone   func(int) bool
	part   *nearPart
	best   Match
	found  bool
}

func (s *search) look(at int) {
	d := s.hash.distance(&s.part.hashes[at])
	if d <= s.within {
		s.take(at, d)
	}
}

func (s *search) take(at, distance int) {
	number := s.part.runs.number(at)
	if s.found && distance == s.best.Distance && number >= s.best.Number {
		return
	}
	if s.gone != nil && s.gone(number) {
		return
	}
	s.best, s.found, s.within = Match{number, distance}, true, distance
}
