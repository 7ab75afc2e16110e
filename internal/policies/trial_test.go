package policies_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const strict = `{"categories":{"harassment":{"action":"block","strictness":5}}}`

// wide are bounds that nothing leaves.
var wide = store.RolloutBounds{Least: 1}

// In shadow the draft is counted and changes nothing, whatever it says.
func TestShadowDoesNothing(t *testing.T) {
	k := newKeeper(t, openStore(t))
	serve(t, k)
	before := decide(k, "arena", "p")
	r := begin(t, k, change("channel", "arena", strict), wide, store.RolloutShadow, 0)
	for i := range 40 {
		if got := decide(k, "arena", engines.PlayerID(fmt.Sprint("p", i))); fmt.Sprint(got) != fmt.Sprint(before) {
			t.Fatalf("in shadow the verdict is %+v, want %+v", got, before)
		}
		decide(k, "square", "p") // whom the layer does not concern
	}
	eventually(t, "the counts", func() bool {
		s := statsOf(t, k, &r)
		return len(s.Steps) == 1 && s.Steps[0].Pairs[1][2] == 40
	})
	s := statsOf(t, k, &r)
	one := s.Steps[0]
	if one.Step != "shadow" || one.Live != [3]int64{0, 40, 0} || one.Draft != [3]int64{} || len(one.Categories) != 1 || one.Categories[0].Both != 40 {
		t.Errorf("counts %+v", one)
	}
	item := engines.Item{App: "game", Kind: engines.KindText, Text: "idiot", Scene: "arena", Player: "p", RequestID: "r", ReceivedAt: time.Now()}
	for text, want := range map[string]engines.Suggestion{"idiot": engines.Block, "good evening": ""} {
		item.Text = text
		rules, arm := k.Resolve(&item)
		v := policy.Decide(&item, signals(text), nil, engines.Standing{}, rules)
		_, shadow := arm.Decided(t.Context(), &item, signals(text), nil, engines.Standing{}, v)
		if got := shadow; (got == nil) != (want == "") || got != nil && got.Suggestion != want {
			t.Errorf("of %q the draft in shadow says %+v, want %q", text, got, want)
		}
	}
	if len(s.Samples) == 0 || s.Samples[0].Live != engines.Review || s.Samples[0].Draft != engines.Block {
		t.Errorf("samples %+v", s.Samples)
	}
}

// A share decides for its players alone: the same ones at every gateway and after
// every start, and those of a smaller share are in every larger one.
func TestShares(t *testing.T) {
	db := openStore(t)
	one, two := newKeeper(t, db), newKeeper(t, db)
	serve(t, one)
	serve(t, two)
	r := begin(t, one, change("channel", "arena", strict), wide, store.RolloutPartial, 1)
	const players = 4000
	in := map[int]bool{}
	for _, share := range []int{1, 10, 50, 100} {
		if r.Share < share {
			r = advance(t, one, r)
		}
		eventually(t, "the share at the other gateway", func() bool {
			v := decide(two, "arena", "probe")
			return strings.Contains(v.PolicyVersion, r.ID) && drafted(two) == drafted(one)
		})
		third := newKeeper(t, db)
		n := 0
		for i := range players {
			player := engines.PlayerID(fmt.Sprint("player-", i))
			v := decide(one, "arena", player)
			draft := v.Suggestion == engines.Block
			if draft != strings.HasSuffix(v.PolicyVersion, "/draft") {
				t.Fatalf("%s is decided %s by %s", player, v.Suggestion, v.PolicyVersion)
			}
			for _, k := range []*policies.Keeper{two, third} {
				if got := decide(k, "arena", player); got.PolicyVersion != v.PolicyVersion {
					t.Fatalf("%s is decided by %s and by %s", player, v.PolicyVersion, got.PolicyVersion)
				}
			}
			if in[i] && !draft {
				t.Fatalf("%s was in a smaller share and is not in %d %%", player, share)
			}
			if in[i] = draft; draft {
				n++
			}
		}
		// Three standard deviations of a binomial draw.
		p := float64(share) / 100
		if off := math.Abs(float64(n) - players*p); off > 3*math.Sqrt(players*p*(1-p))+1 {
			t.Errorf("%d of %d players are in %d %%", n, players, share)
		}
		if got := decide(one, "arena", ""); (got.Suggestion == engines.Block) != (share == 100) {
			t.Errorf("at %d %% what names no player is %s", share, got.Suggestion)
		}
	}
	r = advance(t, one, r)
	if r.State != store.RolloutLive || r.Published != 1 {
		t.Errorf("at the end it is %+v", r)
	}
	if v := decide(one, "arena", "p"); v.Suggestion != engines.Block || strings.Contains(v.PolicyVersion, r.ID) {
		t.Errorf("once it is live: %s by %s", v.Suggestion, v.PolicyVersion)
	}
}

// drafted counts players that the draft decides.
func drafted(k *policies.Keeper) (n int) {
	for i := range 200 {
		if strings.HasSuffix(decide(k, "arena", engines.PlayerID(fmt.Sprint("x", i))).PolicyVersion, "/draft") {
			n++
		}
	}
	return n
}

// The way of a clean pass allocates nothing, whatever runs beside it.
func TestNothingIsAllocated(t *testing.T) {
	k := newKeeper(t, openStore(t))
	serve(t, k)
	item := engines.Item{App: "game", Kind: engines.KindText, Text: "good evening", Scene: "arena", Player: "p", RequestID: "r", ReceivedAt: time.Now()}
	pass := func() {
		r, arm := k.Resolve(&item)
		item.Words = r.Words()
		v := policy.Decide(&item, nil, nil, engines.Standing{}, r)
		if arm != nil {
			arm.Decided(context.Background(), &item, nil, nil, engines.Standing{}, v)
		}
		if v.Suggestion != engines.Pass {
			t.Fatal(v.Suggestion)
		}
	}
	if n := testing.AllocsPerRun(100, pass); n != 0 {
		t.Errorf("%v allocations without a layer of its own", n)
	}
	put(t, k, change("segment", "standard", `{"strictness":4}`), 0)
	begin(t, k, change("channel", "arena", strict), wide, store.RolloutShadow, 0)
	if n := testing.AllocsPerRun(100, pass); n != 0 {
		t.Errorf("%v allocations under a rollout in shadow", n)
	}
}

// Words of the draft are looked for, and exceptions of the live policy that the draft
// does not have hold no more.
func TestTrialOfWords(t *testing.T) {
	k := newKeeper(t, openStore(t))
	serve(t, k)
	put(t, k, change("mode", "board", `{"exceptions":["idiot"]}`), 0)
	say := func(text string) {
		t.Helper()
		item := engines.Item{App: "game", Kind: engines.KindText, Text: text, Scene: "board", RequestID: engines.RequestID(text), ReceivedAt: time.Now()}
		if v := judge(k, &item); v.Suggestion != engines.Pass {
			t.Fatalf("%q is %s", text, v.Suggestion)
		}
	}
	r, err := k.Draft(t.Context(), change("mode", "board", `{"prohibited":["zorgon"]}`), policies.Plan{Bounds: &wide}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for r.State != store.RolloutShadow {
		if r.State == store.RolloutBacktest {
			await(t, k, r.Backtest)
		}
		r = advance(t, k, r)
	}
	say("idiot")
	say("the zorgon")
	say("good evening")
	eventually(t, "the counts", func() bool {
		s := statsOf(t, k, &r)
		return len(s.Steps) == 1 && s.Steps[0].Pairs == [3][3]int64{{1, 1, 1}}
	})
}
