package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
)

func testOverrides(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	now := time.Now().UnixMilli()
	a := economy.Override{App: "game", Player: "a", Score: 3, Until: now + 60_000, By: "ann", Reason: "known", Changed: now - 5000}
	b := economy.Override{App: "game", Player: "b", Score: 90, Until: now - 1000, By: "app/game", Reason: "over", Changed: now}
	other := economy.Override{App: "other", Player: "a", Score: 0, Until: now + 60_000, By: "bob", Reason: "r", Changed: now}
	for _, o := range []economy.Override{a, b, other} {
		must(t, s.PutOverride(ctx, o))
	}
	changed := func(since int64) (list []economy.Override) {
		t.Helper()
		list, err := s.OverridesChanged(ctx, since, now)
		must(t, err)
		slices.SortFunc(list, func(x, y economy.Override) int {
			return int(x.App[0])*256 + int(x.Player[0]) - int(y.App[0])*256 - int(y.Player[0])
		})
		return list
	}
	same(t, "those that hold", changed(0), []economy.Override{a, other})
	same(t, "those that changed", changed(now), []economy.Override{b, other})
	a.Score, a.Until, a.Changed = 80, now+90_000, now+1
	must(t, s.PutOverride(ctx, a))
	same(t, "one that changed again", changed(now+1), []economy.Override{a})
	must(t, s.VerifyAudit(ctx, p.Config.Node))

	// One that ended a day ago is swept, as soon as a store is opened.
	b.Until = now - 25*time.Hour.Milliseconds()
	must(t, s.PutOverride(ctx, b))
	p.Open(t)
	for until := time.Now().Add(patience); len(changed(1)) != 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("an override of yesterday is not swept")
		}
	}
}
