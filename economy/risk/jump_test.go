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

// A ban that ends by our clock stands in the model until it is told of its end, though
// the app's time jumps past it; one without such an end is over by the app's time.
func TestBanAcrossAJump(t *testing.T) {
	const then, now = origin + 100*day, origin + 400*day
	for name, ends := range map[string]int64{"by our clock": now + day, "by the app's time": 0} {
		b := New(Config{})
		ban := economy.Ban{ID: "1", Player: "banned", Type: economy.Temporary, Created: then, Expires: then + day, Ends: ends}
		b.Apply([]economy.Entry{visit("banned", then, then-50*day, "d1", ""), visit("other", then, then-50*day, "d9", "")})
		b.Ban(&ban)
		b.Apply([]economy.Entry{visit("new", now, now-day, "d1", "")})
		stands := func(want bool) {
			t.Helper()
			b.making.Lock()
			b.renew()
			b.making.Unlock()
			f, _ := b.Look(0, now)
			r, _ := b.Risk("new", now)
			linked := slices.ContainsFunc(r.Factors, func(f economy.Factor) bool { return f.Code == "banned_link" })
			e := b.Evaluate(&economy.Proposal{Sender: "banned", Receiver: "other", Deal: economy.Deal{Money: economy.Money{Type: "gold", Amount: 1}}, At: now}, now)
			barred := slices.Contains(e.Reasons, "banned_party")
			if len(f.Links) > 0 != want || linked != want || barred != want {
				t.Errorf("%s: links %v, banned_link %v, banned_party %v, want %v", name, f.Links, linked, barred, want)
			}
		}
		stands(ends != 0)
		ban.Ended = now
		b.Ban(&ban)
		stands(false)
	}
}
