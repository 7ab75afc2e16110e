package risk

const slabBits = 10

// slab is a growing array that never moves what it holds: growing copies nothing
// and a pointer into it stays good.
type slab[T any] struct {
	blocks []*[1 << slabBits]T
	free   []int32 // numbers to use again
	n      int
}

func (s *slab[T]) at(i int32) *T {
	return &s.blocks[i>>slabBits][i&(1<<slabBits-1)]
}

// add makes room for one more, which is empty, and returns its number.
func (s *slab[T]) add() int32 {
	if k := len(s.free); k > 0 {
		i := s.free[k-1]
		s.free = s.free[:k-1]
		return i
	}
	if s.n>>slabBits == len(s.blocks) {
		s.blocks = append(s.blocks, new([1 << slabBits]T))
	}
	s.n++
	return int32(s.n - 1)
}

// drop empties a place and leaves it to the next.
func (s *slab[T]) drop(i int32) {
	var none T
	*s.at(i) = none
	s.free = append(s.free, i)
}

// used is how many there are.
func (s *slab[T]) used() int { return s.n - len(s.free) }

// cut drops all from number n on; nothing was dropped before.
func (s *slab[T]) cut(n int32) {
	s.n = int(n)
	kept := (s.n + 1<<slabBits - 1) >> slabBits
	clear(s.blocks[kept:])
	s.blocks = s.blocks[:kept]
}

// reset drops all and keeps the room.
func (s *slab[T]) reset() {
	for i := range s.n {
		var none T
		*s.at(int32(i)) = none
	}
	s.n, s.free = 0, s.free[:0]
}
