package storetest

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func penaltyOf(id string, player engines.PlayerID, kind store.PenaltyKind, at int64) store.Penalty {
	p := store.Penalty{App: "game", ID: id, Player: player, Kind: kind, Category: engines.Hate, Reason: "slurs", By: "senior", Created: at, Told: at}
	switch kind {
	case store.PenaltyWarn:
		p.Told, p.Expires, p.Ended = 0, at, at
	case store.PenaltyBan:
		p.Owed = store.OwedBan
	default:
		p.Expires = at + 1000
		if kind.BanType() != "" {
			p.Owed = store.OwedBan
		}
	}
	return p
}

func putPenalty(t *testing.T, s *sqlstore.Store, p store.Penalty) {
	t.Helper()
	stored, fresh, err := s.PutPenalty(t.Context(), p)
	must(t, err)
	same(t, "stored penalty", stored, p)
	if !fresh {
		t.Errorf("%s is not new", p.ID)
	}
}

func testPenalties(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	mute, warn, voice := penaltyOf("p1", "ann", store.PenaltyMuteText, at), penaltyOf("p2", "ann", store.PenaltyWarn, at+1), penaltyOf("p3", "bob", store.PenaltyMuteVoice, at+2)
	over := penaltyOf("p4", "ann", store.PenaltyMuteText, at-5000)
	for _, one := range []store.Penalty{mute, warn, voice, over} {
		putPenalty(t, s, one)
	}
	other := mute
	other.App, other.Player = "other", "zoe"
	putPenalty(t, s, other)
	again := mute
	again.Player, again.Reason = "eve", "none"
	stored, fresh, err := s.PutPenalty(ctx, again)
	must(t, err)
	if same(t, "the same id again", stored, mute); fresh {
		t.Error("the same id again is new")
	}
	_, err = s.PutBan(ctx, ban("b1", "ann", economy.TradeBan, at+3))
	must(t, err)
	_, err = s.PutBan(ctx, ban("b2", "ann", economy.Shadow, at+4))
	must(t, err)
	lock := store.Penalty{App: "game", ID: "b1", Player: "ann", Kind: store.PenaltyTradeLock, Reason: "bot_farming", By: "app/game", Created: at + 3, Told: at + 3}

	list := func(what string, q store.PenaltyQuery, want ...store.Penalty) {
		t.Helper()
		q.App, q.Now = "game", at+10
		if q.Limit == 0 {
			q.Limit = 100
		}
		got, err := s.Penalties(ctx, q)
		must(t, err)
		same(t, what, got, want)
	}
	list("all", store.PenaltyQuery{}, lock, voice, warn, mute, over)
	list("a page", store.PenaltyQuery{Limit: 2}, lock, voice)
	list("the next", store.PenaltyQuery{Limit: 2, Before: economy.Mark{At: voice.Created, ID: voice.ID}}, warn, mute)
	list("of one", store.PenaltyQuery{Player: "ann", Kind: store.PenaltyMuteText}, mute, over)
	list("trade locks", store.PenaltyQuery{Kind: store.PenaltyTradeLock}, lock)
	list("holding", store.PenaltyQuery{Holding: true, Player: "ann"}, lock, mute)
	list("nobody's", store.PenaltyQuery{Player: "nobody"})

	held, err := s.PenaltiesChanged(ctx, 0, at+10)
	must(t, err)
	if len(held) != 3 { // mute, voice, the other app's
		t.Errorf("holding at the start: %+v", held)
	}
	lifted, err := s.LiftPenalty(ctx, "game", "ann", "p1", "senior", "appeal", at+20)
	must(t, err)
	mute.Lifted, mute.LiftedBy, mute.LiftReason = at+20, "senior", "appeal"
	same(t, "lifted", lifted, mute)
	for _, wrong := range [][2]string{{"ann", "p1"}, {"bob", "p2"}, {"ann", "none"}, {"ann", "p4"}} {
		_, err := s.LiftPenalty(ctx, "game", engines.PlayerID(wrong[0]), wrong[1], "senior", "", at+20)
		wantErr(t, "lift "+wrong[1]+" of "+wrong[0], err, store.ErrNotFound)
	}

	// A warning is told once; one that was taken back is not.
	untold, err := s.UntoldWarnings(ctx, "game", "ann")
	must(t, err)
	same(t, "untold", untold, []store.Penalty{warn})
	wins, errs := race(8, func(int) error {
		ok, err := s.TellWarning(ctx, "game", "p2", at+30)
		if err == nil && !ok {
			err = store.ErrConflict
		}
		return err
	})
	if wins != 1 {
		t.Errorf("%d told it, %v", wins, errs)
	}
	putPenalty(t, s, penaltyOf("p5", "ann", store.PenaltyWarn, at+40))
	_, err = s.LiftPenalty(ctx, "game", "ann", "p5", "senior", "", at+50)
	must(t, err)
	untold, err = s.UntoldWarnings(ctx, "game", "ann")
	must(t, err)
	same(t, "untold then", untold, nil)
	wantAudit(t, p, "penalty", 6)
	wantAudit(t, p, "penalty.lift", 2)
}

func testPenaltiesEnd(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	for _, kind := range []store.PenaltyKind{store.PenaltyMuteText, store.PenaltyMuteVoice, store.PenaltySuspend, store.PenaltyWarn} {
		putPenalty(t, s, penaltyOf("p-"+string(kind), "ann", kind, at))
	}
	early, err := s.EndPenalties(ctx, at+999)
	must(t, err)
	same(t, "before their end", early, nil)
	var ended [8][]store.Penalty
	wins, errs := race(len(ended), func(i int) (err error) {
		ended[i], err = s.EndPenalties(ctx, at+1000)
		return err
	})
	sum := 0
	for _, list := range ended {
		sum += len(list)
	}
	if wins != len(ended) || sum != 2 {
		t.Errorf("%d penalties were ended by all who asked (%v), want the two mutes once each", sum, errs)
	}
	changed, err := s.PenaltiesChanged(ctx, at-1, at)
	must(t, err)
	if len(changed) != 4 {
		t.Errorf("changed: %+v", changed)
	}
	wantAudit(t, p, "penalty.expire", 2)
}

// What becomes of a penalty's ban becomes of the penalty, and the other way around
// what is still to be done about the ban is known.
func testPenaltyBans(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	owed := func(what string, want ...string) {
		t.Helper()
		list, err := s.OwedPenalties(ctx, at+1)
		must(t, err)
		var got []string
		for _, p := range list {
			got = append(got, p.ID+" "+p.Owed)
		}
		same(t, what, got, want)
	}
	get := func(id string) store.Penalty {
		t.Helper()
		list, err := s.Penalties(ctx, store.PenaltyQuery{App: "game", Limit: 10})
		must(t, err)
		for _, p := range list {
			if p.ID == id {
				return p
			}
		}
		t.Fatalf("no penalty %s in %+v", id, list)
		return store.Penalty{}
	}
	putPenalty(t, s, penaltyOf("x1", "ann", store.PenaltySuspend, at))
	putPenalty(t, s, penaltyOf("x2", "ann", store.PenaltyBan, at+1))
	owed("at first", "x1 ban", "x2 ban")
	_, err := s.PutBan(ctx, ban("x1", "ann", economy.Temporary, at))
	must(t, err)
	owed("once one is banned", "x2 ban")
	// Lifted before its ban is made: nothing is owed, and a ban that comes late is to go.
	_, err = s.LiftPenalty(ctx, "game", "ann", "x2", "senior", "error", at+2)
	must(t, err)
	owed("once the other is lifted")
	_, err = s.PutBan(ctx, ban("x2", "ann", economy.Permanent, at+1))
	must(t, err)
	owed("when its ban comes late", "x2 lift")
	_, err = s.LiftBans(ctx, economy.Lift{App: "game", Player: "ann", ID: "x2", Reason: "error", By: "senior", At: at, Now: at, Key: "k1", Request: "r1"})
	must(t, err)
	owed("once that is lifted")
	if p := get("x2"); p.Lifted != at+2 {
		t.Errorf("lifted twice: %+v", p)
	}
	// The ban itself is lifted: so is the penalty.
	_, err = s.LiftBans(ctx, economy.Lift{App: "game", Player: "ann", ID: "x1", Reason: "appeal", By: "app/game", At: at, Now: at, Key: "k2", Request: "r2"})
	must(t, err)
	if p := get("x1"); p.Lifted == 0 || p.LiftedBy != "app/game" || p.LiftReason != "appeal" {
		t.Errorf("its ban was lifted, the penalty is %+v", p)
	}
	// The ban ends by itself: so does the penalty.
	putPenalty(t, s, penaltyOf("x3", "bob", store.PenaltySuspend, at+2))
	_, err = s.PutBan(ctx, ban("x3", "bob", economy.Temporary, at))
	must(t, err)
	_, err = s.EndBans(ctx, at+5000, nil)
	must(t, err)
	if p := get("x3"); p.Ended == 0 || p.Status(at) != "expired" {
		t.Errorf("its ban has ended, the penalty is %+v", p)
	}
	// A lift that finds no ban any more is settled.
	putPenalty(t, s, penaltyOf("x4", "bob", store.PenaltySuspend, at))
	must(t, s.SettlePenalty(ctx, "game", "x4", store.OwedLift))
	owed("another debt settled", "x4 ban")
	must(t, s.SettlePenalty(ctx, "game", "x4", store.OwedBan))
	owed("settled")
	n, err := s.CountsOf(ctx, "game", "ann")
	must(t, err)
	same(t, "counts", n, store.PlayerCounts{Penalties: 2})
}

func testLadders(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	rules := store.LadderRules{
		Automatic: true, WindowDays: 30, Weights: map[string][]int{"default": {1, 2}}, Start: map[string]store.PenaltyKind{"illegal": store.PenaltySuspend},
		Steps: []store.LadderStep{
			{Weight: 1, Kind: store.PenaltyWarn},
			{Weight: 2, Kind: store.PenaltySuspend, Hours: 24, WindowDays: 7, Categories: []engines.Category{engines.Spam}},
		},
		Layers: map[string]store.LadderLayer{"segment/minor": {WindowDays: 7, Weights: map[string][]int{"spam": {3}}, Start: map[string]store.PenaltyKind{}}},
	}
	l := store.Ladder{App: "game", Rules: rules, By: "admin"}
	first, err := s.PutLadder(ctx, l, 0)
	must(t, err)
	if first.Version != 1 || first.Changed < at {
		t.Errorf("stored: %+v", first)
	}
	_, err = s.PutLadder(ctx, l, 0)
	wantErr(t, "an old version", err, store.ErrConflict)
	wins, errs := race(8, func(int) error { _, err := s.PutLadder(ctx, l, 1); return err })
	if wins != 1 {
		t.Errorf("%d of 8 stored version 2", wins)
	}
	for _, err := range errs {
		wantErr(t, "one of several", err, store.ErrConflict)
	}
	l.App = "other"
	_, err = s.PutLadder(ctx, l, 0)
	must(t, err)
	all, err := s.LaddersChanged(ctx, 0)
	must(t, err)
	if len(all) != 2 || all[0].Version+all[1].Version != 3 {
		t.Fatalf("newest: %+v", all)
	}
	same(t, "rules", all[0].Rules, rules)
	none, err := s.LaddersChanged(ctx, time.Now().UnixMilli()+60_000)
	must(t, err)
	same(t, "later", none, nil)
	wantAudit(t, p, "ladder", 3)
}
