package policies

import (
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// The interval of a share, against values worked out by hand from Wilson's formula.
func TestInterval(t *testing.T) {
	for _, c := range []struct {
		s         share
		low, high float64
	}{
		{share{0, 0}, 0, 1},
		{share{0, 100}, 0, 0.0622},
		{share{50, 100}, 0.3755, 0.6245},
		{share{100, 100}, 0.9378, 1},
		{share{10, 1000}, 0.0045, 0.0220},
	} {
		low, high := c.s.interval()
		if math.Abs(low-c.low) > 5e-4 || math.Abs(high-c.high) > 5e-4 {
			t.Errorf("%v: %.4f to %.4f, want %.4f to %.4f", c.s, low, high, c.low, c.high)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name        string
		b           store.RolloutBounds
		live, draft [3]float64 // pass, review, block
		out         bool
	}{
		{"equal", defaultBounds, [3]float64{9000, 900, 100}, [3]float64{9000, 900, 100}, false},
		{"too few on one side", defaultBounds, [3]float64{100_000, 0, 0}, [3]float64{0, 0, 199}, false},
		{"enough", defaultBounds, [3]float64{100_000, 0, 0}, [3]float64{0, 0, 200}, true},
		{"blocks far apart", defaultBounds, [3]float64{950, 0, 50}, [3]float64{800, 0, 200}, true},
		{"blocks less", defaultBounds, [3]float64{800, 0, 200}, [3]float64{990, 0, 10}, true},
		{"chance may be it", defaultBounds, [3]float64{199, 0, 1}, [3]float64{195, 0, 5}, false},
		{"a factor of small shares", defaultBounds, [3]float64{99_900, 0, 100}, [3]float64{99_000, 0, 1000}, true},
		{"within the factor", defaultBounds, [3]float64{99_900, 0, 100}, [3]float64{99_800, 0, 200}, false},
		{"reviews far apart", defaultBounds, [3]float64{9000, 1000, 0}, [3]float64{7000, 3000, 0}, true},
		{"no bounds", store.RolloutBounds{Least: 1}, [3]float64{1000, 0, 0}, [3]float64{0, 0, 1000}, false},
		{"nothing", defaultBounds, [3]float64{}, [3]float64{}, false},
	} {
		if got := outside(&c.b, c.live, c.draft); (got != "") != c.out {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// Where the two sides say the same, chance alone seldom stops a rollout: of many looks
// at sides drawn from one share none does.
func TestChanceStopsNothing(t *testing.T) {
	r := uint64(1)
	draw := func(n int, p float64) (s [3]float64) {
		for range n {
			r ^= r << 13
			r ^= r >> 7
			r ^= r << 17
			i := 0
			if float64(r>>11)/(1<<53) < p {
				i = engines.Block.Rank()
			}
			s[i]++
		}
		return s
	}
	for i := range 300 {
		p := []float64{.001, .01, .1, .3}[i%4]
		if why := outside(&defaultBounds, draw(20_000, p), draw(200, p)); why != "" {
			t.Errorf("look %d at a share of %v: %s", i, p, why)
		}
	}
}

// Every category has a place to be counted in.
func TestCategoriesHaveRoom(t *testing.T) {
	if room := len(armCounts{}.categories); len(categories) > room {
		t.Errorf("%d categories, room for %d", len(categories), room)
	}
}
