package players

import (
	"maps"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Strikes count for their time by category, go one by one, and at most an hour late.
func TestRecent(t *testing.T) {
	const window = 7 * 24 * time.Hour
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC).UnixMilli()
	ago := func(d time.Duration, c engines.Category) store.StrikeWeight {
		return store.StrikeWeight{Category: c, Weight: 1, Created: now - d.Milliseconds()}
	}
	strikes := []store.StrikeWeight{
		ago(8*24*time.Hour, engines.Spam), ago(6*24*time.Hour, engines.Harassment), ago(25*time.Hour, engines.Spam),
		ago(24*time.Hour-time.Minute, ""), ago(30*time.Minute, engines.Harassment), ago(20*time.Minute, engines.Harassment),
	}
	c := card{violations: recentOf(strikes, window, now)}
	type counts = map[engines.Category]int
	for _, at := range []struct {
		in   time.Duration
		want counts
	}{
		{0, counts{engines.Harassment: 3, engines.Spam: 1}},
		{24*time.Hour - 1*time.Millisecond, counts{engines.Harassment: 3, engines.Spam: 1}},
		{24 * time.Hour, counts{engines.Harassment: 2, engines.Spam: 1}},
		{6*24*time.Hour + time.Minute, counts{engines.Harassment: 2}},
		{window - 30*time.Minute, counts{engines.Harassment: 2}}, // with the next one of its hour
		{window - 20*time.Minute, nil},
	} {
		if got := c.recent(now + at.in.Milliseconds()); !maps.Equal(got, at.want) {
			t.Errorf("after %v: %v, want %v", at.in, got, at.want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = c.recent(now) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
	var many []store.StrikeWeight
	for i := range 1000 {
		many = append(many, ago(time.Duration(1000-i)*time.Minute, engines.Hate))
	}
	c = card{violations: recentOf(many, window, now)}
	if got := c.recent(now)[engines.Hate]; got != recentStrikes {
		t.Errorf("%d of 1000 strikes count, want %d", got, recentStrikes)
	}
	if n := len(c.violations); n > 3 { // by the hour: of 100 minutes
		t.Errorf("kept for %d times", n)
	}
}

// The strikes of a player reach its standing, and one that is taken back leaves it.
func TestRecentStanding(t *testing.T) {
	w := newWorld(t)
	g := w.serve(patient())
	g.profile("ann", store.Profile{})
	w.strikeFor("ann", "s1", engines.Harassment)
	w.strikeFor("ann", "s2", engines.Harassment)
	has := func(n int) func() bool {
		return func() bool { return g.Standing("game", "ann").Recent[engines.Harassment] == n }
	}
	eventually(t, "both count", has(2))
	_, err := w.db.UndoStrike(t.Context(), "game", "s1", "mod", w.clock().UnixMilli(), func(*store.Penalty, []store.Strike) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "one does not any more", has(1))
	w.pass(8 * 24 * time.Hour)
	if got := g.Standing("game", "ann").Recent; got != nil {
		t.Errorf("after its time: %v", got)
	}
}
