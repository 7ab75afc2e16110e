package storetest

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func strikeOf(id string, player engines.PlayerID, weight int, at int64) store.Strike {
	return store.Strike{
		App: "game", ID: id, Player: player, Category: engines.Harassment, SubLabel: "insult", Severity: 2, Weight: weight,
		Case: "c-" + engines.CaseID(id), Request: "r-" + engines.RequestID(id), By: "mod", Turn: 1, Created: at,
	}
}

// muteAt mutes at a weight, as a ladder of one step does.
func muteAt(step int) func(store.Strike, []store.Strike) []store.Penalty {
	return func(now store.Strike, standing []store.Strike) []store.Penalty {
		sum := 0
		for _, st := range standing {
			sum += st.Weight
		}
		if sum < step {
			return nil
		}
		return []store.Penalty{{
			App: now.App, ID: "p-" + now.ID, Player: now.Player, Kind: store.PenaltyMuteText, Category: now.Category, By: "ladder",
			Strike: now.ID, Step: step, Window: 1000, Counted: "hate,spam", Created: now.Created, Expires: now.Created + 60_000, Told: now.Created,
		}}
	}
}

func give(t *testing.T, s *sqlstore.Store, w store.StrikeWish, step int) store.Struck {
	t.Helper()
	out, err := s.Strike(t.Context(), w, muteAt(step))
	must(t, err)
	return out
}

// wantAudit wants so many entries of an action.
func wantAudit(t *testing.T, p Place, action string, want int) {
	t.Helper()
	raw := p.Core(t)
	var n int
	err := raw.QueryRowContext(t.Context(), `SELECT count(*) FROM audit_log WHERE action = '`+action+`'`).Scan(&n)
	must(t, errors.Join(err, raw.Close()))
	if n != want {
		t.Errorf("%d audit entries of %s, want %d", n, action, want)
	}
}

func testStrikes(t *testing.T, p Place) {
	t.Helper()
	s, at := p.Open(t), time.Now().UnixMilli()
	first := strikeOf("s1", "p", 2, at)
	same(t, "the first", give(t, s, store.StrikeWish{Strike: first, Since: at - 1000}, 3), store.Struck{Strike: first, Fresh: true})
	again := first
	again.Weight, again.By, again.Turn = 9, "other", 0
	same(t, "the same ruling again", give(t, s, store.StrikeWish{Strike: again, Since: at - 1000}, 3), store.Struck{Strike: first})
	second := strikeOf("s2", "p", 2, at+1)
	out := give(t, s, store.StrikeWish{Strike: second, Since: at - 1000}, 3)
	if !out.Fresh || len(out.Penalties) != 1 || out.Penalties[0].Strike != "s2" {
		t.Errorf("the second: %+v", out)
	}
	late := strikeOf("s3", "p", 2, at+5000)
	if out := give(t, s, store.StrikeWish{Strike: late, Since: at + 4000}, 3); !out.Fresh || out.Penalties != nil {
		t.Errorf("one after the window: %+v", out)
	}
	if out := give(t, s, store.StrikeWish{Strike: strikeOf("s4", "q", 2, at), Since: at - 1000}, 3); out.Penalties != nil {
		t.Errorf("another player's: %+v", out)
	}
	known, err := s.PlayerKnown(t.Context(), "game", "q")
	must(t, err)
	if !known {
		t.Error("a player with a strike is not known")
	}

	auto := strikeOf("a1", "p", 1, at+6000)
	auto.Automatic, auto.By = true, "system"
	if out := give(t, s, store.StrikeWish{Strike: auto, Pause: at}, 99); !out.Fresh {
		t.Errorf("an automatic one: %+v", out)
	}
	auto.ID = "a2"
	if out := give(t, s, store.StrikeWish{Strike: auto, Pause: at}, 99); out.Fresh {
		t.Errorf("an automatic one within the pause: %+v", out)
	}
	if out := give(t, s, store.StrikeWish{Strike: auto, Pause: at + 6000}, 99); !out.Fresh {
		t.Errorf("an automatic one after the pause: %+v", out)
	}
	list, err := s.Strikes(t.Context(), "game", "p", economy.Mark{At: at + 6000, ID: "a2"}, 2)
	must(t, err)
	if len(list) != 2 || list[0].ID != "a1" || list[1].ID != "s3" {
		t.Errorf("a page of strikes: %+v", list)
	}
	wantAudit(t, p, "strike", 6)
}

// Each of two strikes at once sees the other, so that one of them gives the penalty.
func testStrikesConcurrent(t *testing.T, p Place) {
	t.Helper()
	s, at := p.Open(t), time.Now().UnixMilli()
	const n = 16
	given := make([]int, n)
	wins, errs := race(n, func(i int) error {
		out, err := s.Strike(t.Context(), store.StrikeWish{Strike: strikeOf("s"+string(rune('a'+i)), "p", 1, at), Since: at}, muteAt(n))
		given[i] = len(out.Penalties)
		return err
	})
	sum := 0
	for _, k := range given {
		sum += k
	}
	if wins != n || sum != 1 {
		t.Errorf("%d of %d strikes were stored (%v), and gave %d penalties, want 1", wins, n, errs, sum)
	}
	var fresh atomic.Int64
	_, errs = race(n, func(int) error {
		out, err := s.Strike(t.Context(), store.StrikeWish{Strike: strikeOf("one", "q", 1, at), Since: at}, muteAt(1))
		if out.Fresh {
			fresh.Add(1)
		}
		return err
	})
	if fresh.Load() != 1 || len(errs) > 0 {
		t.Errorf("the same ruling %d times at once struck %d times, %v", n, fresh.Load(), errs)
	}
}

func testUndoStrike(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	rests := func(p *store.Penalty, standing []store.Strike) bool {
		sum := 0
		for _, st := range standing {
			sum += st.Weight
		}
		return sum >= p.Step
	}
	for i, id := range []string{"s1", "s2", "s3"} {
		give(t, s, store.StrikeWish{Strike: strikeOf(id, "p", 2, at+int64(i)), Since: at}, 4)
	}
	out, err := s.UndoStrike(ctx, "game", "s1", "senior", at+10, rests)
	must(t, err)
	if out.Strike.Undone != at+10 || out.Strike.UndoneBy != "senior" || out.Penalties != nil {
		t.Errorf("undone: %+v; the others still carry the mutes", out)
	}
	_, err = s.UndoStrike(ctx, "game", "s1", "senior", at+11, rests)
	wantErr(t, "undo it again", err, store.ErrNotFound)
	_, err = s.UndoStrike(ctx, "other", "s2", "senior", at+11, rests)
	wantErr(t, "undo as another app", err, store.ErrNotFound)
	out, err = s.UndoStrike(ctx, "game", "s2", "senior", at+12, rests)
	must(t, err)
	if len(out.Penalties) != 2 || out.Penalties[0].Lifted != at+12 || out.Penalties[0].LiftedBy != "senior" {
		t.Errorf("undone: %+v, want both mutes lifted", out)
	}
	// It is given again: another turn of the same strike.
	back := give(t, s, store.StrikeWish{Strike: strikeOf("s2", "p", 2, at+20), Since: at}, 99)
	if !back.Fresh || back.Strike.Turn != 2 || back.Strike.Undone != 0 {
		t.Errorf("given again: %+v", back)
	}
	auto := strikeOf("s1", "p", 2, at+30)
	auto.Automatic = true
	if out := give(t, s, store.StrikeWish{Strike: auto, Since: at}, 99); out.Fresh || out.Strike.Undone == 0 {
		t.Errorf("a machine gives again what a person took back: %+v", out)
	}
	wantAudit(t, p, "strike.undo", 2)
	wantAudit(t, p, "penalty.lift", 2)
}
