package risk

// gather is a list of unknown length on its way to be one of just that length: what
// append leaves behind as it grows is several times as much.
type gather[T any] struct {
	full [][]T
	last []T
	n    int
}

const gatherAtOnce = 1 << 12

func (g *gather[T]) add(v T) {
	if len(g.last) == cap(g.last) {
		if g.last != nil {
			g.full = append(g.full, g.last)
		}
		g.last = make([]T, 0, min(gatherAtOnce, max(16, g.n)))
	}
	g.last = append(g.last, v)
	g.n++
}

// list is what was gathered, which is then forgotten.
func (g *gather[T]) list() []T {
	list := make([]T, 0, g.n)
	for i, part := range g.full {
		list = append(list, part...)
		g.full[i] = nil
	}
	list = append(list, g.last...)
	*g = gather[T]{}
	return list
}
