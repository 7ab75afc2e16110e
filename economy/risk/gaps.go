package risk

import (
	"cmp"
	"math"
	"slices"
)

// eachGap calls f for every hole in a chain of open ends: the amount that is missing,
// and when. But for the start and the end, a hole has an after and a before. Which
// belongs to which is told by legs that deals speak of and, for the rest, by the
// least movement of money: times do not tell where one balance came several times.
// twice is called for lines that were logged twice, with the signed amount.
func eachGap(ends []end, w *wallet, legs []missing, f func(amount, at int64), twice func(amount int64)) {
	afters, befores := holes(ends, w, twice)
	for _, l := range legs {
		for i := range afters {
			j := slices.IndexFunc(befores, func(e end) bool { return e.value-afters[i].value == l.amount })
			if j >= 0 {
				afters, befores = slices.Delete(afters, i, i+1), slices.Delete(befores, j, j+1)
				break
			}
		}
	}
	byValue := func(x, y end) int { return cmp.Or(cmp.Compare(x.value, y.value), cmp.Compare(x.packed, y.packed)) }
	slices.SortFunc(afters, byValue)
	slices.SortFunc(befores, byValue)
	for i := range min(len(afters), len(befores)) {
		x, y := &afters[i], &befores[i]
		switch d := y.value - x.value; {
		case d == 0:
		case (d > 0) == (y.value > x.value):
			f(d, y.at())
		case y.value > x.value: // saturated
			f(math.MaxInt64, y.at())
		}
	}
}

// holes sorts open ends into afters and befores, without the start and the end, and
// without lines that were logged twice: they leave both ends of one entry.
func holes(ends []end, w *wallet, twice func(amount int64)) (afters, befores []end) {
	for _, e := range ends {
		for range max(e.n(), -e.n()) {
			if e.n() > 0 {
				afters = append(afters, e)
			} else {
				befores = append(befores, e)
			}
		}
	}
	byTime := func(x, y end) int { return cmp.Or(cmp.Compare(x.at(), y.at()), cmp.Compare(x.value, y.value)) }
	slices.SortFunc(afters, byTime)
	slices.SortFunc(befores, byTime)
	afters = without(afters, w.after, len(afters)-1)
	befores = without(befores, w.before, 0)
	kept := afters[:0]
	for _, e := range afters {
		if j := slices.IndexFunc(befores, func(x end) bool { return x.at() == e.at() }); j >= 0 {
			if d := e.value - befores[j].value; (d > 0) == (e.value > befores[j].value) {
				twice(d)
			}
			befores = slices.Delete(befores, j, j+1)
			continue
		}
		kept = append(kept, e)
	}
	return kept, befores
}

// without takes out the end with a balance, or where there is none, which coarse
// clocks may cause, another.
func without(ends []end, value int64, other int) []end {
	if len(ends) == 0 {
		return ends
	}
	i := slices.IndexFunc(ends, func(e end) bool { return e.value == value })
	if i < 0 {
		i = other
	}
	return slices.Delete(ends, i, i+1)
}
