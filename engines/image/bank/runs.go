package bank

import "sort"

// run says that entries from a place on are numbered from a number on.
type run struct{ at, number int }

// runs are in order of both.
type runs []run

// from returns the runs as they are behind n other entries.
func (r runs) from(n int) runs {
	moved := make(runs, len(r))
	for i, one := range r {
		moved[i] = run{one.at + n, one.number}
	}
	return moved
}

// number is that of the entry at a place.
func (r runs) number(at int) int {
	i := sort.Search(len(r), func(i int) bool { return r[i].at > at }) - 1
	return r[i].number + at - r[i].at
}
