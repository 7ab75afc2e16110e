package acoustic

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// What differs between two prints is what counting step by step says, at every delay, of
// sounds of any length.
func TestDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	make1 := func(n int64) (p Print) {
		for range n {
			p.bits[p.heard&(printRing-1)] = rng.Uint32() & (2*loud - 1)
			p.sure[p.heard&(printRing-1)] = rng.Uint32() & (loud - 1)
			p.heard++
		}
		return p
	}
	knows := 0
	for range 200 {
		a, b := make1(rng.Int64N(400)), make1(rng.Int64N(400))
		var of Trace
		(&Meter{prints: printer{Print: b}}).Leave(&of)
		var own backwards
		own.fill(min(echoSteps, a.known()), a.since)
		var other placed
		other.fill(&of)
		for lag := int64(-160); lag <= 160; lag++ {
			wrong, all, both := 0, 0, 0
			for i := max(0, -lag); i < min(echoSteps, a.known(), of.n-lag); i++ {
				x, sureX := a.since(i)
				y, sureY := of.since(i + lag)
				if x&y&loud != 0 {
					both++
					all += bits.OnesCount32(sureX & sureY)
					wrong += bits.OnesCount32((x ^ y) & sureX & sureY)
				}
			}
			got, known := differ(&own, &other, lag)
			if want := both >= echoEnough && all >= enoughBits; known != want || known && got != float64(wrong)/float64(all) {
				t.Fatalf("%d and %d steps, %d back: %v %v, want %d of %d, %v", a.heard, b.heard, lag, got, known, wrong, all, want)
			}
			if known {
				knows++
			}
		}
	}
	if knows < 100 {
		t.Errorf("only %d comparisons had enough", knows)
	}
}
