package text

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// TestManyPatterns builds an automaton as large as lists of sixty languages make.
func TestManyPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not for secrets: the same cases every time
	starts := []rune{'a', 'а', 'α', 'א', 'ا', 'अ', 'ก', 'あ', '가', '一', 'ა', 'ա'}
	patterns := make([][]rune, 30000)
	for i := range patterns {
		first := starts[rng.IntN(len(starts))]
		p := make([]rune, 4+rng.IntN(12))
		for k := range p {
			p[k] = first + rune(rng.IntN(26))
		}
		patterns[i] = p
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	a := newAutomaton(patterns)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 40<<20 {
		t.Errorf("automaton of %d patterns: %d bytes, want at most 40 MB", len(patterns), got)
	} else {
		t.Logf("automaton of %d patterns: %d states, %d bytes", len(patterns), len(a.nodes)-1, got)
	}
	runtime.KeepAlive(a)
}
