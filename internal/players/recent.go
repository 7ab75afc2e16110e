package players

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Bounds of what is kept of a player's recent violations. Rule when full: the oldest
// strikes count no more; no policy asks for more than recentStrikes of a category.
const (
	recentStrikes = 100
	// recentStep is by how much a strike may count longer than its time, so that many
	// of one hour stop at once.
	recentStep = time.Hour
)

// recentCounts are a player's violations by category while none of them is past its
// time. The map is shared with whoever asked: nobody writes to it once it is here.
type recentCounts struct {
	until int64 // epoch ms
	by    map[engines.Category]int
}

// recentOf counts the strikes of the last window, for now and for each time at which
// one of them will be past it: the verdicts in between read a map and make none.
func recentOf(strikes []store.StrikeWeight, window time.Duration, now int64) (steps []recentCounts) {
	ms, step := window.Milliseconds(), recentStep.Milliseconds()
	first := max(len(strikes)-recentStrikes, 0) // they come oldest first
	for i := first; i < len(strikes); i++ {
		if strikes[i].Created+ms <= now {
			continue
		}
		by := map[engines.Category]int{}
		for _, s := range strikes[i:] {
			if s.Category != "" {
				by[s.Category]++
			}
		}
		// Those of the next hour go with this one.
		for i+1 < len(strikes) && strikes[i+1].Created < strikes[i].Created+step-strikes[i].Created%step {
			i++
		}
		steps = append(steps, recentCounts{until: strikes[i].Created + ms, by: by})
	}
	return steps
}

// recent are the violations that count at a time, nil for none.
func (c *card) recent(at int64) map[engines.Category]int {
	for i := range c.violations {
		if at < c.violations[i].until {
			return c.violations[i].by
		}
	}
	return nil
}
