package economy

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// What an operator says of a player's risk stands in the place of the model's until it
// ends, here and at other gateways, for trades and for what tightens its chat.
func TestOverride(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		here, there := serve(t, store), serve(t, store)
		var list []Entry
		for i := range 80 {
			list = append(list, earn("p", strconv.Itoa(i), here.at()), earn("q", strconv.Itoa(i), here.at()))
		}
		if _, err := here.Submit(t.Context(), "game", list); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, here, "p", 80)
		o, err := here.Override(t.Context(), Override{App: "game", Player: "p", Score: 5, By: "ann", Reason: "known"}, 2)
		if err != nil || o.Until != here.at()+2*time.Hour.Milliseconds() {
			t.Fatalf("%+v, %v", o, err)
		}
		r, _, err := here.Risk(t.Context(), "game", "p")
		if err != nil || r.Score != 5 || r.Level != Normal || r.Override == nil || *r.Override != o || len(r.Factors) == 0 || r.Factors[0] != (Factor{OperatorOverride, -75}) {
			t.Errorf("%+v, %v", r, err)
		}
		wantRisk(t, here, "q", 80)
		e, err := here.Evaluate(t.Context(), "game", &Proposal{Sender: "p", Receiver: "q"})
		if err != nil || e.Score != 5 {
			t.Errorf("a trade: %+v, %v", e, err)
		}
		w, err := here.Around(t.Context(), "game", "p", 1, 10)
		if err != nil || w.Players[0].Risk.Score != 5 {
			t.Errorf("around: %+v, %v", w.Players, err)
		}
		here.Standing("game", "p")
		rests(2 * standingTick)
		if s := here.Standing("game", "p"); s.EconomyRisk != 5 {
			t.Errorf("standing %d", s.EconomyRisk)
		}
		rests(2 * followEvery)
		if got := there.overrides.get(PlayerKey{"game", "p"}, there.at()); got == nil || *got != o {
			t.Errorf("elsewhere %+v", got)
		}

		if _, err := here.Override(t.Context(), Override{App: "game", Player: "nobody", Score: 5}, 2); !errors.Is(err, ErrUnknownPlayer) {
			t.Errorf("of nobody: %v", err)
		}
		here.pass(2 * time.Hour)
		wantRisk(t, here, "p", 80)

		// One that is taken back, and a store that is away.
		if _, err := here.Override(t.Context(), Override{App: "game", Player: "p", Score: 95}, 1); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, here, "p", 95)
		if _, err := here.Override(t.Context(), Override{App: "game", Player: "p"}, 0); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, here, "p", 80)
		store.fail(errors.New("away"))
		if _, err := here.Override(t.Context(), Override{App: "game", Player: "p", Score: 1}, 1); err == nil {
			t.Error("set, though it is not stored")
		}
		wantRisk(t, here, "p", 80)
		store.fail(nil)
	})
}

// A restart reads what holds; who was cleared has no case.
func TestOverrideOutlastsARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		store.said = []Override{{App: "game", Player: "p", Score: 0, Until: 1790000000000 + 60_000, Changed: 1}}
		r := serve(t, store)
		for i := range 90 {
			if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", strconv.Itoa(i), r.at())}); err != nil {
				t.Fatal(err)
			}
		}
		wantRisk(t, r, "p", 0)
		high := []AtRisk{{Player: "p", Risk: Risk{Score: 90, Level: Critical}}, {Player: "q", Risk: Risk{Score: 80, Level: High}}}
		r.rises(t.Context(), r.shelf("game"), &watched{high: map[engines.PlayerID]Level{}, calmed: map[engines.PlayerID]struct{}{}}, high, r.at(), 10)
		store.mu.Lock()
		defer store.mu.Unlock()
		if len(store.alerts) != 1 || store.alerts[0].Player != "q" {
			t.Errorf("cases %+v", store.alerts)
		}
	})
}

func TestOverridesAreBounded(t *testing.T) {
	r := serve(t, newFakeStore())
	if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
		t.Fatal(err)
	}
	list := make([]Override, overridesAtMost)
	for i := range list {
		list[i] = Override{App: "game", Player: engines.PlayerID(strconv.Itoa(i)), Until: r.at() + 1000, Changed: r.at()}
	}
	r.overrides.put(list, r.at())
	set := func() error {
		_, err := r.Override(t.Context(), Override{App: "game", Player: "p", Score: 1}, 1)
		return err
	}
	if err := set(); !errors.Is(err, ErrOverrides) {
		t.Errorf("one too many: %v", err)
	}
	r.pass(time.Second)
	if err := set(); err != nil {
		t.Errorf("when they have ended: %v", err)
	}
	r.overrides.put(nil, r.at()+time.Hour.Milliseconds()*10)
	if n := len(r.overrides.of); n != 0 {
		t.Errorf("%d are kept for ever", n)
	}
}

// An erasure takes what an operator has said of the player out of every gateway: at once
// where its note is heard, else with what is read anew; what was said of others stays.
func TestErasureTakesTheOverride(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		here, there := serve(t, store), serve(t, store)
		var list []Entry
		for i := range 80 {
			list = append(list, earn("p", strconv.Itoa(i), here.at()), earn("q", strconv.Itoa(i), here.at()))
		}
		if _, err := here.Submit(t.Context(), "game", list); err != nil {
			t.Fatal(err)
		}
		for _, player := range []engines.PlayerID{"p", "q"} {
			if _, err := here.Override(t.Context(), Override{App: "game", Player: player, Score: 5}, 2); err != nil {
				t.Fatal(err)
			}
		}
		rests(2 * followEvery)
		holds := func(when string, r *rig, want ...engines.PlayerID) {
			t.Helper()
			for _, player := range []engines.PlayerID{"p", "q"} {
				if got := r.overrides.get(PlayerKey{"game", player}, r.at()) != nil; got != slices.Contains(want, player) {
					t.Errorf("%s: %s has an override: %v", when, player, got)
				}
			}
		}
		holds("before", there, "p", "q")

		here.ForgetPlayer("game", "p") // when it begins: the row is still there
		rests(2 * followEvery)
		store.mu.Lock()
		store.said = slices.DeleteFunc(store.said, func(o Override) bool { return o.Player == "p" })
		store.mu.Unlock()
		here.ForgetPlayer("game", "p")
		holds("where it was heard of", here, "q")
		holds("where it was not", there, "p", "q")
		there.Forget("game")
		store.fail(errors.New("away"))
		rests(2 * followEvery)
		holds("while the store is away", there, "p", "q")
		store.fail(nil)
		rests(2 * followEvery)
		holds("in the end", there, "q")
		holds("in the end, here", here, "q")
	})
}
