package policies_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// put stores a change that has to be taken.
func put(tb testing.TB, k *policies.Keeper, c policies.Change, was int) store.Policy {
	tb.Helper()
	p, proposal, err := k.Put(tb.Context(), c, was)
	if err != nil || proposal != nil {
		tb.Fatalf("Put %s/%s: %v, %v", c.Layer, c.Name, proposal, err)
	}
	return p
}

// decide is what the policy of a keeper makes of an insult in a scene.
func decide(k *policies.Keeper, scene engines.SceneID, player engines.PlayerID) engines.Verdict {
	item := engines.Item{App: "game", Kind: engines.KindText, Text: "idiot", Scene: scene, Player: player, RequestID: "r", ReceivedAt: time.Now()}
	return judge(k, &item)
}

// judge decides an item as the desk does.
func judge(k *policies.Keeper, item *engines.Item) engines.Verdict {
	r, arm := k.Resolve(item)
	item.Words = r.Words()
	found, faults := looks(context.Background(), item, nil)
	v := policy.Decide(item, found, faults, engines.Standing{}, r)
	if arm != nil {
		version, _ := arm.Decided(context.Background(), item, found, faults, engines.Standing{}, v)
		v.PolicyVersion = cmp.Or(version, v.PolicyVersion)
	}
	return v
}

func TestPutHoldsAtOnce(t *testing.T) {
	k := newKeeper(t, openStore(t))
	if got := decide(k, "arena", "p").Suggestion; got != engines.Review {
		t.Fatalf("at first it is %s", got)
	}
	p := put(t, k, change("channel", "arena", `{"categories":{"harassment":{"action":"block","strictness":5}}}`), 0)
	if p.Version != 1 || p.By != "ann" || p.How != store.ByPut {
		t.Errorf("stored %+v", p)
	}
	if got := decide(k, "arena", "p").Suggestion; got != engines.Block {
		t.Errorf("in the channel it is %s, want block", got)
	}
	if got := decide(k, "square", "p").Suggestion; got != engines.Review {
		t.Errorf("elsewhere it is %s, want review", got)
	}
	other := engines.Item{App: "other", Kind: engines.KindText, Text: "idiot", Scene: "arena", ReceivedAt: time.Now()}
	if got := judge(k, &other).Suggestion; got != engines.Review {
		t.Errorf("for another app it is %s, want review", got)
	}
	for _, was := range []int{0, 2} {
		if _, _, err := k.Put(t.Context(), change("channel", "arena", `{}`), was); !errors.Is(err, store.ErrConflict) {
			t.Errorf("Put after version %d: %v", was, err)
		}
	}
	gone := change("channel", "arena", "")
	gone.Remove = true
	put(t, k, gone, 1)
	if got := decide(k, "arena", "p").Suggestion; got != engines.Review {
		t.Errorf("without the layer it is %s", got)
	}
	if _, _, err := k.Put(t.Context(), gone, 2); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a second removal: %v", err)
	}
	back, err := k.Return(t.Context(), key("channel", "arena"), 1, 2, "bob", "again")
	if err != nil || back.Version != 3 || back.Of != 1 || back.How != store.ByReturn || back.By != "bob" {
		t.Errorf("Return = %+v, %v", back, err)
	}
	if got := decide(k, "arena", "p").Suggestion; got != engines.Block {
		t.Errorf("once it is back it is %s", got)
	}
}

// Every fault is told at once, with its place, also those that show beside other
// layers and lists only.
func TestPutFaults(t *testing.T) {
	k := newKeeper(t, openStore(t))
	put(t, k, change(store.ListLayer, "inner", `{"prohibited":["zorgon"]}`), 0)
	put(t, k, change(store.ListLayer, "outer", `{"lists":["inner"]}`), 0)
	put(t, k, change("mode", "board", `{"lists":["outer"]}`), 0)
	put(t, k, change(store.ListLayer, "loose", `{"prohibited":["zorgan"]}`), 0)
	put(t, k, change(store.ListLayer, "looser", `{"lists":["loose"]}`), 0)
	for name, c := range map[string]struct {
		policies.Change
		want []string
	}{
		"strictness":            {change("global", "default", `{"strictness":6,"categories":{"haet":{}}}`), []string{"/strictness", "/categories/haet"}},
		"not JSON":              {change("global", "default", `{"strictness":`), []string{""}},
		"no such layer":         {change("planet", "mars", `{}`), []string{""}},
		"no such segment":       {change("segment", "babies", `{}`), []string{""}},
		"an unknown key":        {change("global", "default", "strictnes: 3"), []string{"/strictnes"}},
		"a list that is not":    {change("mode", "name", `{"lists":["none"]}`), []string{"/lists/0"}},
		"a circle of lists":     {change(store.ListLayer, "inner", `{"lists":["outer"]}`), []string{"/lists/0"}},
		"a list of none":        {change(store.ListLayer, "more", `{"lists":["none"]}`), []string{"/lists/0"}},
		"a list of itself":      {change(store.ListLayer, "more", `{"lists":["more"]}`), []string{"/lists/0"}},
		"a circle nobody uses":  {change(store.ListLayer, "loose", `{"lists":["looser"]}`), []string{"/lists"}},
		"a word's test":         {change(store.ListLayer, "more", `{"prohibited":[{"term":"blargh","must_hit":["blurgh"]}]}`), []string{"/prohibited/0/must_hit/0"}},
		"an exception too wide": {change(store.ListLayer, "more", `{"exceptions":["*"]}`), []string{"/exceptions/0/term"}},
		"a list's name":         {change(store.ListLayer, "No Name", `{}`), []string{""}},
		"settings":              {change(store.SettingsLayer, store.SettingsName, `{"two_person":1,"time_zone":"Mars/Phobos","x":1}`), []string{"/time_zone", "/two_person", "/x"}},
		"other settings":        {change(store.SettingsLayer, "mine", `{}`), []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := k.Put(t.Context(), c.Change, versionOf(t, k, c.PolicyKey))
			faults, ok := errors.AsType[policy.Faults](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			var got []string
			for _, f := range faults {
				got = append(got, f.Pointer)
				if f.Reason == "" {
					t.Errorf("no reason at %q", f.Pointer)
				}
			}
			if diff := gocmp.Diff(c.want, got); diff != "" {
				t.Errorf("pointers (-want +got):\n%s\n%v", diff, err)
			}
		})
	}
	// An app's own list in the place of one that is built in may go.
	deps := depsOf(openStore(t))
	deps.Words.Lists = map[string]policy.List{"pack": {Prohibited: []policy.ProhibitedWord{{Term: "zorgon"}}}}
	other := keeperOf(t, deps)
	put(t, other, change(store.ListLayer, "pack", `{"prohibited":["blargh"]}`), 0)
	put(t, other, change("mode", "board", `{"lists":["pack"]}`), 0)
	back := change(store.ListLayer, "pack", "")
	back.Remove = true
	put(t, other, back, 1)

	used := change(store.ListLayer, "inner", "")
	used.Remove = true
	if _, _, err := k.Put(t.Context(), used, 1); !errors.Is(err, policies.ErrUsed) || !strings.Contains(err.Error(), "list/outer") {
		t.Errorf("removal of a list in use: %v", err)
	}
}

func versionOf(t *testing.T, k *policies.Keeper, key store.PolicyKey) int {
	t.Helper()
	v, err := k.Layer(t.Context(), key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	return v.Version
}

// Of many that change one version at two gateways one wins, while others decide.
func TestConcurrentPuts(t *testing.T) {
	db := openStore(t)
	two := [2]*policies.Keeper{newKeeper(t, db), newKeeper(t, db)}
	for was := range 3 {
		var wg sync.WaitGroup
		errs := make([]error, 16)
		for i := range errs {
			wg.Go(func() {
				_, _, errs[i] = two[i%2].Put(t.Context(), change("channel", "arena", fmt.Sprintf(`{"strictness":%d,"description":"%d"}`, 1+i%5, i)), was)
			})
			wg.Go(func() { decide(two[i%2], "arena", "p") })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if !errors.Is(err, store.ErrConflict) {
				t.Errorf("a loser got %v", err)
			}
		}
		if won != 1 {
			t.Errorf("%d of 16 changed version %d, want 1", won, was)
		}
	}
}

// What one gateway stores holds at another that was told nothing.
func TestFollow(t *testing.T) {
	db := openStore(t)
	one, two := newKeeper(t, db), newKeeper(t, db)
	serve(t, two)
	put(t, one, change("channel", "arena", `{"categories":{"harassment":{"action":"block","strictness":5}}}`), 0)
	eventually(t, "the layer at the other gateway", func() bool { return decide(two, "arena", "p").Suggestion == engines.Block })
	third := newKeeper(t, db)
	if got := decide(third, "arena", "p").Suggestion; got != engines.Block {
		t.Errorf("after a start it is %s", got)
	}
	if a, b := decide(one, "arena", "p"), decide(two, "arena", "p"); a.PolicyVersion != b.PolicyVersion {
		t.Errorf("the gateways name the policy %s and %s", a.PolicyVersion, b.PolicyVersion)
	}
}

// A stored layer that this release does not take is left out; the rest holds.
func TestBrokenLayerIsLeftOut(t *testing.T) {
	db := openStore(t)
	for _, p := range []store.Policy{
		{PolicyKey: key("channel", "arena"), Body: `{"categories":{"harassment":{"action":"block","strictness":5}}}`},
		{PolicyKey: key("channel", "square"), Body: `{"hologram":true}`},
		{PolicyKey: key("mode", "board"), Body: `{"lists":["gone"]}`},
	} {
		if _, err := db.PutPolicy(t.Context(), p, 0); err != nil {
			t.Fatal(err)
		}
	}
	k := newKeeper(t, db)
	if got := decide(k, "arena", "p").Suggestion; got != engines.Block {
		t.Errorf("in a channel whose layer is whole it is %s, want block", got)
	}
	if got := decide(k, "board", "p").Suggestion; got != engines.Review {
		t.Errorf("where the layer is broken it is %s, want what is built in", got)
	}
	put(t, k, change("channel", "third", `{"strictness":1}`), 0)
}

func TestListAndDiff(t *testing.T) {
	k := newKeeper(t, openStore(t))
	put(t, k, change("segment", "minor", `{"strictness":5,"prohibited":["a1","a2"]}`), 0)
	put(t, k, change("segment", "minor", "strictness: 4\nprohibited: [a2, {term: a3, note: n}]\nmode: pre_review"), 1)
	put(t, k, change("global", "default", `{}`), 0)
	list, err := k.List(t.Context(), "game")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range list {
		got = append(got, fmt.Sprintf("%s/%s %s %d", v.Layer, v.Name, v.Source, v.Version))
	}
	if diff := gocmp.Diff([]string{"base/default file 0", "global/default app 1", "segment/minor app 2"}, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	for versions, want := range map[[2]int][]policies.Difference{
		{1, 2}: {
			{"/mode", "", `"pre_review"`}, {"/prohibited/a1", `{"term":"a1"}`, ""}, {"/prohibited/a3", "", `{"note":"n","term":"a3"}`}, {"/strictness", "5", "4"},
		},
		{0, 1}: {{"/prohibited/a1", "", `{"term":"a1"}`}, {"/prohibited/a2", "", `{"term":"a2"}`}, {"/strictness", "4", "5"}},
		{2, 2}: nil,
	} {
		changes, err := k.Diff(t.Context(), key("segment", "minor"), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, changes); diff != "" {
			t.Errorf("from %d to %d (-want +got):\n%s", versions[0], versions[1], diff)
		}
	}
	if _, err := k.Diff(t.Context(), key("segment", "minor"), 1, 3); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a version that is not: %v", err)
	}
	v, err := k.Layer(t.Context(), key("segment", "minor"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := v.YAML()
	if err != nil || !strings.Contains(string(text), "mode: pre_review") {
		t.Errorf("as YAML: %s, %v", text, err)
	}
}

// The app's time zone is for schedules whose layers name none.
func TestTimeZone(t *testing.T) {
	k := newKeeper(t, openStore(t))
	put(t, k, change("channel", "arena", `{"schedule":[{"from":"22:00","to":"06:00","settings":{"categories":{"harassment":{"action":"block","strictness":5}}}}]}`), 0)
	at := func(hour int) engines.Suggestion {
		item := engines.Item{App: "game", Kind: engines.KindText, Text: "idiot", Scene: "arena", ReceivedAt: time.Date(2026, 1, 15, hour, 30, 0, 0, time.UTC)}
		return judge(k, &item).Suggestion
	}
	if at(14) != engines.Review || at(23) != engines.Block {
		t.Errorf("by UTC: %s at 14:30, %s at 23:30", at(14), at(23))
	}
	put(t, k, change(store.SettingsLayer, store.SettingsName, `{"time_zone":"Asia/Tokyo"}`), 0)
	if at(14) != engines.Block || at(22) != engines.Review { // 23:30 and 07:30 in Tokyo
		t.Errorf("by Tokyo's: %s at 14:30 UTC, %s at 22:30 UTC", at(14), at(22))
	}
}
