package risk

const slabBits = 10

// slab is a growing array that never moves what it holds: growing copies nothing
// and a pointer into it stays good.
type slab[T any] struct {
	blocks []*[1 << slabBits]T
	n      int
}

func (s *slab[T]) at(i int32) *T {
	return &s.blocks[i>>slabBits][i&(1<<slabBits-1)]
}

// add makes room for one more and returns its number.
func (s *slab[T]) add() int32 {
	if s.n>>slabBits == len(s.blocks) {
		s.blocks = append(s.blocks, new([1 << slabBits]T))
	}
	s.n++
	return int32(s.n - 1)
}

// cut drops all from number n on.
func (s *slab[T]) cut(n int32) {
	s.n = int(n)
	kept := (s.n + 1<<slabBits - 1) >> slabBits
	clear(s.blocks[kept:])
	s.blocks = s.blocks[:kept]
}
