package risk

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// An app that played old logs begins to play live: nobody's risk rises since time
// went by, and what is years old is forgotten. An entry from long ago that comes then
// says nothing about others.
func TestTimeJumps(t *testing.T) {
	w := newWorld(5, 8)
	w.villains(w.populate(200))
	all := w.run()
	b := replay(all)
	then := b.Newest()
	scores := func(at int64) map[string]int {
		of := map[string]int{}
		for id := range w.kind {
			r, _ := b.Risk(engines.PlayerID(id), at)
			of[id] = r.Score
		}
		return of
	}
	rose := func(when string, before, after map[string]int, by int) {
		t.Helper()
		for id, score := range after {
			if score > before[id]+by {
				t.Errorf("%s: %s had %d and has %d", when, id, before[id], score)
			}
		}
	}
	before := scores(then)
	if top := slices.Max(slices.Collect(maps.Values(before))); top < 55 {
		t.Fatalf("the worst villain has %d: nothing to forget", top)
	}
	live := all[len(all)-1]
	for _, days := range []int64{3, 30, 400, 1100} {
		live.ID, live.At = fmt.Sprint("live", days), then+days*day
		b.Apply([]economy.Entry{live})
		after := scores(live.At)
		rose(fmt.Sprintf("%d days later", days), before, after, 2)
		before = after
	}
	for id, score := range before {
		if score >= 30 {
			t.Errorf("%s has %d for what it did three years ago", id, score)
		}
	}
	old := live
	old.ID, old.At, old.After = "old", then-200*day, 5
	b.Apply([]economy.Entry{old})
	rose("an old entry", before, scores(live.At), 1)
}
