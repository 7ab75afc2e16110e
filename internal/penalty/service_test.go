package penalty

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// One mild violation after another climbs the ladder; the same ruling twice strikes once.
func TestClimbing(t *testing.T) {
	w := newWorld(t)
	g := w.gate(Default(), "ann")
	g.reject("r1", engines.Harassment, 1)
	g.reject("r1", engines.Harassment, 1)
	g.wantHeard("warn ann harassment")
	w.want("warn given")
	g.wantMuted(false)

	w.pass(time.Minute)
	g.reject("r2", engines.Harassment, 2) // 3
	g.wantHeard("mute_text ann 1h0m0s harassment")
	g.wantMuted(true)
	if until, category, _ := g.Muted("game", "ann"); until.Sub(w.now) != time.Hour || category != engines.Harassment {
		t.Errorf("muted until %v for %s", until, category)
	}
	if _, _, voice := g.VoiceMuted("game", "ann"); voice {
		t.Error("a mute in text is one in voice")
	}
	w.pass(time.Minute)
	g.reject("r3", engines.Harassment, 4) // 8
	g.wantHeard("mute_text ann 72h0m0s harassment", "mute_voice ann 72h0m0s harassment")
	w.pass(time.Minute)
	g.reject("r4", engines.Hate, 4) // 16
	w.want("warn given", "mute_text active", "mute_text active", "mute_voice active", "suspend active")
	list, err := w.db.Bans(t.Context(), economy.BanQuery{App: "game", Player: "ann"})
	if err != nil || len(list) != 1 || list[0].Type != economy.Temporary || list[0].By != "ladder" || list[0].Reason != "hate" {
		t.Errorf("bans: %+v, %v", list, err)
	}
	if want := []engines.PlayerID{"ann", "ann", "ann", "ann"}; !slices.Equal(g.told, want) {
		t.Errorf("other gateways were told of %v, want %v", g.told, want)
	}
}

// An undone ruling takes back what rested on it alone, the ban too, and nothing else.
func TestUndo(t *testing.T) {
	w := newWorld(t)
	g := w.gate(Default(), "ann")
	g.reject("r1", engines.Harassment, 2) // 2: warn
	w.pass(time.Minute)
	g.reject("r2", engines.Harassment, 2) // 4: mute 1 h
	w.pass(time.Minute)
	g.reject("r3", engines.Hate, 4) // 12: mute, trade lock
	w.want("warn given", "mute_text active", "mute_text active", "trade_lock active")
	g.heard, g.changes = nil, nil
	undo := store.Ruling{Player: "ann", Request: "r3", Decision: store.DecideReject, Undone: true}
	g.rule(undo)
	g.rule(undo)
	w.want("warn given", "mute_text active", "mute_text lifted", "trade_lock lifted")
	g.wantHeard("mute_text ann 59m0s harassment") // the one from before is what is left
	slices.Sort(g.changes)
	if want := []string{"mute_text lifted", "trade_lock lifted"}; !slices.Equal(g.changes, want) {
		t.Errorf("changes: %q, want %q", g.changes, want)
	}
	if list, err := w.db.Bans(t.Context(), economy.BanQuery{App: "game", Player: "ann", Holding: true, At: 0, Now: w.now.UnixMilli()}); err != nil || len(list) != 0 {
		t.Errorf("bans that hold: %+v, %v", list, err)
	}
	// An approval of the same content undoes it as well, and a rejection strikes anew.
	g.rule(store.Ruling{Player: "ann", Request: "r2", Decision: store.DecideApprove})
	g.wantHeard("end of mute_text ann")
	w.want("warn given", "mute_text lifted", "mute_text lifted", "trade_lock lifted")
	w.pass(time.Minute)
	g.reject("r2", engines.Harassment, 2)
	g.wantHeard("mute_text ann 1h0m0s harassment")
	g.rule(store.Ruling{Player: "ann", Request: "r9", Decision: store.DecideApprove})
	g.rule(store.Ruling{Player: "ann", Request: "r2", Decision: store.DecideApprove, Undone: true})
	g.rule(store.Ruling{Request: "r5", Decision: store.DecideReject})
	g.wantHeard()
}

// Mutes end by themselves at every gateway; one that overlaps holds on.
func TestMutesEnd(t *testing.T) {
	w := newWorld(t)
	g, other := w.gate(Default(), "ann"), w.gate(Default(), "bob")
	give := func(p engines.PlayerID, id string, kind store.PenaltyKind, hours int64) {
		t.Helper()
		if _, err := g.Give(t.Context(), store.Penalty{App: "game", ID: id, Player: p, Kind: kind, Reason: "spam", By: "senior"}, hours); err != nil {
			t.Fatal(err)
		}
	}
	err := w.db.PutPlayers(t.Context(), []economy.PlayerKey{{App: "game", Player: "ann"}, {App: "game", Player: "bob"}})
	if err != nil {
		t.Fatal(err)
	}
	give("ann", "1", store.PenaltyMuteText, 1)
	give("ann", "2", store.PenaltyMuteText, 2)
	give("ann", "2", store.PenaltyMuteText, 9) // the same again
	give("bob", "3", store.PenaltyMuteVoice, 1)
	give("bob", "4", store.PenaltyMuteText, 0)
	other.Told("game", "bob")
	other.readAgain(t.Context(), <-other.Service.told)
	other.wantHeard("mute_text bob good ", "mute_voice bob 1h0m0s ")
	other.look(t.Context())
	other.wantHeard("mute_text ann 2h0m0s ") // it does not know who is here: the hub does
	g.heard = nil
	w.pass(time.Hour)
	g.wantMuted(true)
	g.look(t.Context())
	other.look(t.Context())
	g.wantHeard("end of mute_voice bob")
	other.wantHeard("end of mute_voice bob")
	w.pass(time.Hour)
	g.wantMuted(false) // at once, before anybody looks
	other.look(t.Context())
	g.look(t.Context())
	g.wantHeard("end of mute_text ann")
	w.want("mute_text expired", "mute_text expired")
	ends := 0
	for _, c := range append(g.changes, other.changes...) {
		if c == "mute_text expired" || c == "mute_voice expired" {
			ends++
		}
	}
	if ends != 3 {
		t.Errorf("the three ends were told %d times: %q, %q", ends, g.changes, other.changes)
	}
	if after := w.gate(Default()); len(after.mutes.of) != 1 {
		t.Errorf("after a restart %d players are muted, want bob alone", len(after.mutes.of))
	}
}

// A warning is told once, where its player is, or when the player comes.
func TestWarnings(t *testing.T) {
	w := newWorld(t)
	g, other := w.gate(Default()), w.gate(Default())
	g.reject("r1", engines.Spam, 1)
	g.wantHeard()
	other.here["ann"] = true
	other.Arrived(t.Context(), "game", "ann")
	other.Arrived(t.Context(), "game", "ann")
	other.look(t.Context())
	other.wantHeard("warn ann spam")
	g.reject("r2", engines.Spam, 1)
	other.look(t.Context())
	other.wantHeard("warn ann spam")
	g.here["ann"] = true
	g.look(t.Context())
	g.wantHeard()
}

func TestLift(t *testing.T) {
	w := newWorld(t)
	g := w.gate(Default(), "ann")
	ctx := t.Context()
	if _, err := g.Give(ctx, store.Penalty{App: "game", ID: "1", Player: "nobody", Kind: store.PenaltyWarn}, 0); !errors.Is(err, economy.ErrUnknownPlayer) {
		t.Errorf("a penalty of nobody: %v", err)
	}
	if _, err := g.Lift(ctx, "game", "nobody", "1", "senior", ""); !errors.Is(err, economy.ErrUnknownPlayer) {
		t.Errorf("a lift of nobody: %v", err)
	}
	g.reject("r1", engines.Harassment, 3)
	g.wantHeard("mute_text ann 1h0m0s harassment")
	list, err := g.Penalties(ctx, store.PenaltyQuery{App: "game", Player: "ann", Holding: true, Limit: 10})
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if _, err := g.Lift(ctx, "game", "ann", list[0].ID, "senior", "appeal"); err != nil {
		t.Fatal(err)
	}
	g.wantHeard("end of mute_text ann")
	if _, err := g.Lift(ctx, "game", "ann", list[0].ID, "senior", "appeal"); !errors.Is(err, ErrNone) {
		t.Errorf("a second lift: %v", err)
	}
	// A ban that the game made itself is a penalty too.
	if _, err := g.economy.Ban(ctx, economy.Ban{App: "game", ID: "b1", Player: "ann", Type: economy.Permanent, By: "app/game"}, 0); err != nil {
		t.Fatal(err)
	}
	p, err := g.Lift(ctx, "game", "ann", "b1", "senior", "appeal")
	if err != nil || p.Kind != store.PenaltyBan || p.Lifted == 0 {
		t.Errorf("lift of a ban: %+v, %v", p, err)
	}
	w.want("mute_text lifted", "ban lifted")
}

// While the economy is away a ban is owed, and made later, once; so is its lift.
func TestOwed(t *testing.T) {
	w := newWorld(t)
	g := w.gate(Default())
	g.economy.fail = errAway
	g.reject("r1", engines.Illegal, 4) // suspend
	w.want("suspend active")
	bans := func() int {
		list, err := w.db.Bans(t.Context(), economy.BanQuery{App: "game", Player: "ann", Holding: true, Now: w.now.UnixMilli()})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	later := func() (owed int) {
		t.Helper()
		w.pass(10 * time.Second)
		list, err := w.db.OwedPenalties(t.Context(), w.now.UnixMilli())
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			g.enact(context.Background(), &list[i])
		}
		return len(list)
	}
	settle := func() { // what a busy machine doesn't get done in its time is done at another
		t.Helper()
		for range 20 {
			if later() == 0 {
				return
			}
		}
	}
	later()
	if bans() != 0 {
		t.Error("there is a ban though the economy is away")
	}
	g.economy.fail = nil
	settle()
	if bans() != 1 {
		t.Errorf("%d bans, want 1", bans())
	}
	g.economy.fail = errAway
	g.rule(store.Ruling{Player: "ann", Request: "r1", Decision: store.DecideReject, Undone: true})
	if bans() != 1 {
		t.Error("the ban is gone though the economy is away")
	}
	g.economy.fail = nil
	settle()
	if bans() != 0 {
		t.Error("the ban is not lifted")
	}
	if list, err := w.db.OwedPenalties(t.Context(), w.now.UnixMilli()); err != nil || len(list) != 0 {
		t.Errorf("still owed: %+v, %v", list, err)
	}
}

// Blocks strike where the ladder says so, but not those that nobody acts on, nor
// those of a machine that was not all there.
func TestBlocks(t *testing.T) {
	w := newWorld(t)
	on := Default()
	on.Automatic = true
	g := w.gate(on)
	item := engines.Item{App: "game", Player: "ann", RequestID: "r1"}
	found := engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Spam, Severity: 1}, {Category: engines.Hate, Severity: 3}}}
	block := engines.Verdict{Finding: found, Action: engines.Drop, Mode: engines.RealTimeBlock}
	observed := engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Observed: &found, Mode: engines.MonitorOnly}
	degraded, review, bare := block, block, block
	degraded.Degraded = true
	review.Suggestion = engines.Review
	bare.Labels = nil
	nobody := item
	nobody.Player = ""
	for _, v := range []engines.Verdict{observed, degraded, review, bare} {
		g.Observed(&item, engines.Outcome{Verdict: v}, "stream")
	}
	g.Observed(&nobody, engines.Outcome{Verdict: block}, "stream")
	w.gate(Default()).Observed(&item, engines.Outcome{Verdict: block}, "stream")
	if len(g.blocks) != 0 {
		t.Fatalf("%d of them strike", len(g.blocks))
	}
	strike := func(request engines.RequestID) {
		t.Helper()
		item.RequestID = request
		g.Observed(&item, engines.Outcome{Verdict: block}, "stream")
		r := <-g.blocks
		if err := g.strike(t.Context(), &r.ruling, r.rules, true); err != nil {
			t.Fatal(err)
		}
	}
	strike("r1")
	strike("r2") // in the pause
	w.want("mute_text active")
	w.pass(on.AutomaticEvery)
	strike("r3")
	w.want("mute_text active", "mute_text active", "mute_voice active")
	strikes, err := w.db.Strikes(t.Context(), "game", "ann", economy.Mark{}, 10)
	if err != nil || len(strikes) != 2 || strikes[0].Category != engines.Hate || strikes[0].Weight != 5 || !strikes[0].Automatic {
		t.Errorf("strikes: %+v, %v", strikes, err)
	}
	// A moderator who finds the same message fit takes the strike back; to reject it adds nothing.
	g.reject("r1", engines.Hate, 3)
	g.rule(store.Ruling{Player: "ann", Request: "r3", Decision: store.DecideApprove})
	w.want("mute_text active", "mute_text lifted", "mute_voice lifted")
	rules := on.rules()
	if err := g.strike(t.Context(), &store.Ruling{App: "game", Player: "ann", Request: "r3", Category: engines.Hate, Severity: 3, By: byMachine}, &rules, true); err != nil {
		t.Fatal(err)
	}
	w.want("mute_text active", "mute_text lifted", "mute_voice lifted")
}

// A ladder of an app holds at every gateway, and only for that app.
func TestLadders(t *testing.T) {
	w := newWorld(t)
	g, other := w.gate(Default()), w.gate(Default())
	if l := g.Ladder("game"); l.Version != 0 || l.Rules.WindowDays != 90 {
		t.Errorf("at first: %+v", l)
	}
	rules := store.LadderRules{WindowDays: 1, Weights: map[string][]int{"default": {1}}, Steps: []store.LadderStep{{Weight: 1, Kind: store.PenaltyMuteText, Hours: 5}}}
	if _, err := g.PutLadder(t.Context(), store.Ladder{App: "game", Rules: rules, By: "admin"}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := other.PutLadder(t.Context(), store.Ladder{App: "game", Rules: rules, By: "admin"}, 0); !errors.Is(err, store.ErrConflict) {
		t.Errorf("of an old version: %v", err)
	}
	other.look(t.Context())
	for _, one := range []*gate{g, other} {
		if l := one.Ladder("game"); l.Version != 1 || l.Rules.WindowDays != 1 {
			t.Errorf("then: %+v", l)
		}
	}
	if l := other.Ladder("else"); l.Version != 0 {
		t.Errorf("another app's: %+v", l)
	}
	other.reject("r1", engines.Spam, 1)
	w.want("mute_text active")
}

// Serve works all of it: mutes end, blocks strike, and it ends with its context.
func TestServe(t *testing.T) {
	w := newWorld(t)
	on := Default()
	on.Automatic = true
	g := w.gate(on)
	g.deps.Now = time.Now
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); g.Serve(ctx) }()
	v := engines.Verdict{Finding: engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Illegal, Severity: 1}}}}
	g.Observed(&engines.Item{App: "game", Player: "ann", RequestID: "r"}, engines.Outcome{Verdict: v}, "rest")
	end := time.Now().Add(time.Minute)
	for muted := false; !muted; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not muted")
		}
		_, _, muted = g.Muted("game", "ann")
	}
	g.ToldLadders()
	g.Told("game", "ann")
	stop()
	<-done
}

// What a ladder says of layers holds for content under them, of a person's ruling and of
// blocks; a policy that can't be asked has the ruling come again.
func TestLadderOfALayer(t *testing.T) {
	w := newWorld(t)
	yes := true
	cfg := Default()
	cfg.Layers = Layers{
		"segment/minor": {Automatic: &yes, Weights: map[string][]int{"harassment": {4}}, Steps: []store.LadderStep{
			{Weight: 4, Kind: store.PenaltyMuteVoice, Hours: 2},
			{Weight: 1, Kind: store.PenaltyTradeLock, Hours: 3, Categories: []engines.Category{engines.Spam}},
		}, Start: map[string]store.PenaltyKind{"illegal": store.PenaltyMuteVoice}},
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	g := w.gate(cfg)
	g.layers, g.away = []string{"global/default", "segment/minor"}, errAway
	ruling := store.Ruling{App: "game", Player: "ann", Request: "r1", Category: engines.Harassment, Severity: 1, By: "mod", Decision: store.DecideReject}
	if err := g.Ruled(t.Context(), ruling); !errors.Is(err, engines.ErrUnavailable) {
		t.Fatalf("a ruling whose layers are not known: %v", err)
	}
	w.want()
	g.away = nil
	g.reject("r1", engines.Harassment, 1)
	w.want("mute_voice active")
	w.pass(time.Minute)
	g.reject("r2", engines.Spam, 1)
	w.want("mute_voice active", "trade_lock active")

	// An undone insult lifts its mute; the lock, on the ladder of spam, stands.
	w.pass(time.Minute)
	g.rule(store.Ruling{Player: "ann", Request: "r1", Decision: store.DecideApprove})
	w.want("mute_voice lifted", "trade_lock active")

	// Of who is no minor nothing is blocked into a strike, and an insult is a warning.
	item := &engines.Item{App: "game", Player: "ann", RequestID: "b1"}
	block := engines.Outcome{Verdict: engines.Verdict{
		Finding: engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Harassment, Severity: 1}}},
	}}
	g.layers = nil
	g.Observed(item, block, "")
	if n := len(g.blocks); n != 0 {
		t.Errorf("%d blocks strike without the layer", n)
	}
	g.reject("r3", engines.Harassment, 1)
	w.want("mute_voice lifted", "trade_lock active", "warn given")
	g.layers = []string{"segment/minor"}
	g.Observed(item, block, "")
	if n := len(g.blocks); n != 1 {
		t.Errorf("%d blocks strike under the layer", n)
	}
}
