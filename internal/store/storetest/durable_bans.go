package storetest

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func ban(id string, player engines.PlayerID, typ economy.BanType, at int64) economy.Ban {
	b := economy.Ban{App: "game", ID: id, Player: player, Type: typ, Reason: "bot_farming", By: "app/game", Created: at, Request: engines.RequestID("r" + id)}
	if typ == economy.Temporary {
		b.Expires, b.Ends = at+1000, at+2000
	}
	return b
}

func testBans(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := time.Now().UnixMilli()
	put := func(b economy.Ban) economy.Ban {
		t.Helper()
		stored, err := s.PutBan(ctx, b)
		must(t, err)
		return stored
	}
	first := ban("b1", "p1", economy.Temporary, at)
	same(t, "stored ban", put(first), first)
	again := first
	again.Player, again.Request = "p9", "other"
	same(t, "the same id again", put(again), first)
	trade, gone, forever := ban("b2", "p1", economy.TradeBan, at+1), ban("b3", "p2", economy.Temporary, at-5000), ban("b4", "p2", economy.Permanent, at+2)
	for _, b := range []economy.Ban{trade, gone, forever} {
		put(b)
	}
	other := ban("b1", "p1", economy.Permanent, at)
	other.App = "other"
	put(other)

	list := func(what string, q economy.BanQuery, want ...economy.Ban) {
		t.Helper()
		q.App, q.At, q.Now = "game", at, at
		got, err := s.Bans(ctx, q)
		must(t, err)
		same(t, what, got, want)
	}
	list("all", economy.BanQuery{}, forever, trade, first, gone)
	list("holding", economy.BanQuery{Holding: true}, forever, trade, first)
	list("of one", economy.BanQuery{Player: "p1", Limit: 5}, trade, first)
	list("a page", economy.BanQuery{Limit: 2}, forever, trade)
	list("the next", economy.BanQuery{Limit: 2, Before: economy.Mark{At: trade.Created, ID: trade.ID}}, first, gone)
	list("nobody's", economy.BanQuery{Player: "p9"})

	lift := economy.Lift{App: "game", Player: "p1", Type: economy.TradeBan, Reason: "appeal", By: "app/game", At: at + 5, Now: at + 5, Key: "k1", Request: "r9"}
	trade.Lifted, trade.LiftedBy, trade.LiftReason, trade.LiftKey, trade.LiftRequest = at+5, "app/game", "appeal", "k1", "r9"
	for range 2 { // the second is the same request again
		lifted, err := s.LiftBans(ctx, lift)
		must(t, err)
		same(t, "lifted", lifted, []economy.Ban{trade})
		lift.Request = "r10"
	}
	lift.Key = "k2"
	lifted, err := s.LiftBans(ctx, lift)
	must(t, err)
	same(t, "lifted by another request", lifted, nil)
	lift.Player, lift.Type, lift.Key = "p2", "", "k3"
	lifted, err = s.LiftBans(ctx, lift)
	must(t, err)
	if len(lifted) != 1 || lifted[0].ID != "b4" { // the other had ended
		t.Errorf("lifted %v", lifted)
	}
	list("holding then", economy.BanQuery{Holding: true}, first)

	changed, err := s.BansChanged(ctx, 0, at)
	must(t, err)
	if len(changed) != 2 { // first and the other app's
		t.Errorf("%d bans stand, want 2: %v", len(changed), changed)
	}
	changed, err = s.BansChanged(ctx, at-60_000, at)
	must(t, err)
	if len(changed) != 5 {
		t.Errorf("%d bans changed, want 5", len(changed))
	}
	must(t, s.VerifyAudit(ctx, p.Config.Node))
	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	var n int
	must(t, raw.QueryRowContext(ctx, `SELECT count(*) FROM audit_log`).Scan(&n))
	if n != 7 { // five bans, two lifts
		t.Errorf("%d audit entries, want 7", n)
	}
}

// testBansEnd makes bans in an app's own time, which then jumps to ours.
func testBansEnd(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	const hours = 3_600_000
	now := time.Now().UnixMilli()
	old := ban("old", "p1", economy.Temporary, now-100*hours)
	old.Expires, old.Ends = old.Created+24*hours, now+24*hours
	_, err := s.PutBan(ctx, old)
	must(t, err)
	for what, test := range map[string]struct {
		at, now int64
		holds   bool
	}{
		"old logs":              {now - 99*hours, now, true},
		"old logs, a day on":    {now - 76*hours, now, false},
		"our clock":             {0, now, true},
		"our clock, much later": {0, now + 25*hours, false},
	} {
		list, err := s.Bans(ctx, economy.BanQuery{App: "game", Holding: true, At: test.at, Now: test.now})
		must(t, err)
		if len(list) > 0 != test.holds {
			t.Errorf("%s: %d bans hold", what, len(list))
		}
	}
	l := economy.Lift{App: "game", Player: "p1", At: now, Now: now, Ending: now - 76*hours, Key: "k1"}
	lifted, err := s.LiftBans(ctx, l)
	must(t, err)
	if len(lifted) != 0 {
		t.Errorf("a ban that ended was lifted: %v", lifted)
	}
	l.Ending, l.Key = 0, "k2"
	lifted, err = s.LiftBans(ctx, l)
	must(t, err)
	if len(lifted) != 1 || lifted[0].Lifted != now {
		t.Errorf("lifted %v, want the one at %d", lifted, now)
	}
}

// testBansConcurrent has one request arrive many times at once, and many requests
// lift one ban: each acts once.
func testBansConcurrent(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := time.Now().UnixMilli()
	_, errs := race(8, func(i int) error {
		b := ban("b1", "p1", economy.Permanent, at)
		b.Request = engines.RequestID(strconv.Itoa(i))
		_, err := s.PutBan(ctx, b)
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	wins, errs := race(8, func(i int) error {
		l, err := s.LiftBans(ctx, economy.Lift{App: "game", Player: "p1", At: at, Now: at, Key: strconv.Itoa(i)})
		if err == nil && len(l) == 0 {
			return errors.New("lifted before")
		}
		return err
	})
	if wins != 1 {
		t.Errorf("%d lifted the ban, want 1: %v", wins, errs)
	}
	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	var n int
	must(t, raw.QueryRowContext(ctx, `SELECT count(*) FROM audit_log`).Scan(&n))
	if n != 2 {
		t.Errorf("%d audit entries, want 2", n)
	}
}
