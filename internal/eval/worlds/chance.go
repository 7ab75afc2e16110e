package worlds

import (
	"fmt"
	"math"
)

func (w *World) uniform(lo, hi float64) float64 { return lo + (hi-lo)*w.rng.Float64() }

// between is a whole number from lo up to before hi.
func (w *World) between(lo, hi int) int {
	if hi <= lo+1 {
		return lo
	}
	return lo + w.rng.IntN(hi-lo)
}

func (w *World) chance(p float64) bool { return w.rng.Float64() < p }

// spread is a factor about 1, lognormal.
func (w *World) spread(sigma float64) float64 { return math.Exp(sigma * w.rng.NormFloat64()) }

// hours is a time span between so many hours, in ms.
func (w *World) hours(lo, hi float64) int64 { return int64(w.uniform(lo, hi) * float64(hour)) }

func (w *World) minutes(lo, hi float64) int64 { return int64(w.uniform(lo, hi) * float64(minute)) }

func pick[T any](w *World, of []T) T { return of[w.rng.IntN(len(of))] }

// some are n of a list, or all, each once.
func some[T any](w *World, of []T, n int) []T {
	list := make([]T, 0, min(n, len(of)))
	for _, i := range w.rng.Perm(len(of))[:min(n, len(of))] {
		list = append(list, of[i])
	}
	return list
}

// name is an id that nothing else has.
func (w *World) name(kind string) string {
	for {
		id := fmt.Sprintf("%s%08x", kind, w.rng.Uint32())
		if _, taken := w.names[id]; !taken {
			w.names[id] = struct{}{}
			return id
		}
	}
}

func ring(kind string, n int) string { return fmt.Sprintf("%s-%d", kind, n) }
