package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// testSweepPenalties: what is past its time goes, but for what holds and what that
// rests on.
func testSweepPenalties(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now().UnixMilli()
	old, before := at-2*dayMS, at-dayMS
	strikes := func(player engines.PlayerID, id string, when int64) {
		st := strikeOf(id, player, 1, when)
		give(t, s, store.StrikeWish{Strike: st}, 99)
	}
	strikes("ann", "old", old)
	strikes("ann", "young", at)
	strikes("bob", "basis", old) // a ban for good rests on it, and on what is beside it
	strikes("bob", "beside", old)
	strikes("cy", "cy", old) // a warning holds nothing
	penalties := func(id string, player engines.PlayerID, kind store.PenaltyKind, change func(*store.Penalty)) {
		pen := penaltyOf(id, player, kind, old)
		change(&pen)
		putPenalty(t, s, pen)
	}
	penalties("ban", "bob", store.PenaltyBan, func(p *store.Penalty) { p.Strike = "basis" })
	penalties("over", "ann", store.PenaltyMuteText, func(p *store.Penalty) { p.Strike = "old" })
	penalties("warned", "cy", store.PenaltyWarn, func(p *store.Penalty) { p.Strike = "cy" })
	penalties("holds", "dan", store.PenaltyMuteVoice, func(p *store.Penalty) { p.Expires = at + dayMS })
	_, err := s.EndPenalties(ctx, at)
	must(t, err)
	apps, err := s.PenaltyApps(ctx)
	must(t, err)
	same(t, "apps", apps, []engines.AppID{"game"})

	left := func() (ids []string) {
		t.Helper()
		for _, player := range []engines.PlayerID{"ann", "bob", "cy", "dan"} {
			list, err := s.Strikes(ctx, "game", player, economy.Mark{}, 10)
			must(t, err)
			for _, st := range list {
				ids = append(ids, "strike "+st.ID)
			}
		}
		list, err := s.Penalties(ctx, store.PenaltyQuery{App: "game", Limit: 10})
		must(t, err)
		for i := range list {
			ids = append(ids, "penalty "+list[i].ID)
		}
		slices.Sort(ids)
		return ids
	}
	all := left()
	for _, c := range []struct {
		app    engines.AppID
		before int64
		want   int64
	}{{"other", at, 0}, {"game", old, 0}} {
		n, err := s.SweepPenalties(ctx, c.app, c.before)
		if err != nil || n != c.want {
			t.Errorf("of %s before %v: %d, %v", c.app, time.UnixMilli(c.before), n, err)
		}
	}
	same(t, "nothing is past its time", left(), all)
	// What was changed since, as the end of a mute that was noted only now, stays a while.
	_, err = s.SweepPenalties(ctx, "game", before)
	must(t, err)
	same(t, "left", left(), []string{"penalty ban", "penalty holds", "penalty over", "penalty warned", "strike basis", "strike beside", "strike young"})
	_, err = s.SweepPenalties(ctx, "game", at+2*dayMS)
	must(t, err)
	same(t, "left later", left(), []string{"penalty ban", "penalty holds", "strike basis", "strike beside"})
}
