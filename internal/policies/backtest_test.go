package policies_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// past is a decision of a while ago; d says what is not usual of it.
func past(tb testing.TB, db *sqlstore.Store, text string, was engines.Suggestion, weight float64, set func(d *store.Decision)) engines.RequestID {
	tb.Helper()
	d := store.Decision{
		App: "game", Request: engines.RequestID(uuid.Must(uuid.NewV7()).String()), Scene: "arena", Kind: engines.KindText, Content: text, Weight: weight,
		Created: time.Now(), Signals: signals(text),
		Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: was}, Mode: engines.RealTimeBlock, Action: engines.Deliver},
	}
	for _, s := range d.Signals {
		d.Verdict.Labels = append(d.Verdict.Labels, engines.Label{Category: s.Category, Confidence: s.Confidence})
	}
	if set != nil {
		set(&d)
	}
	if err := db.PutDecisions(tb.Context(), []store.Decision{d}); err != nil {
		tb.Fatal(err)
	}
	return d.Request
}

func replay(tb testing.TB, k *policies.Keeper, id string, drafts ...policies.Change) store.BacktestDiff {
	tb.Helper()
	begun, err := k.Replay(tb.Context(), store.PolicyBacktest{App: "game", ID: id, By: "ann", To: time.Now().Add(time.Minute).UnixMilli()}, drafts)
	if err != nil {
		tb.Fatal(err)
	}
	if begun.State != store.PolicyBacktestQueued || begun.From >= begun.To {
		tb.Errorf("it begins as %+v", begun)
	}
	b := await(tb, k, id)
	if b.State != store.PolicyBacktestDone || b.Reached != b.To || !strings.Contains(b.Drafts, `"layer":"channel","name":"arena"`) {
		tb.Fatalf("it ends as %+v", b)
	}
	return b.Result
}

// Stored decisions are decided again with all that they rested on, and count with
// their weights.
func TestBacktest(t *testing.T) {
	db := openStore(t)
	k := newKeeper(t, db)
	serve(t, k)
	insult := past(t, db, "idiot", engines.Review, 1, nil)
	past(t, db, "good evening", engines.Pass, 10, nil)
	elsewhere := past(t, db, "idiot", engines.Review, 1, func(d *store.Decision) { d.Scene = "square" })
	lenient := past(t, db, "idiot", engines.Pass, 4, func(d *store.Decision) {
		d.Circumstances.StrictLevel = 1
		d.Verdict.Labels = nil
	})
	late := past(t, db, "hello", engines.Review, 1, func(d *store.Decision) {
		d.Circumstances.Faults = []engines.Fault{{Engine: "text", Reason: engines.ReasonLate}}
	})
	observed := past(t, db, "idiot", engines.Pass, 1, func(d *store.Decision) {
		d.Verdict.Observed = &engines.Finding{Suggestion: engines.Review, Labels: d.Verdict.Labels}
		d.Verdict.Labels, d.Verdict.Mode = nil, engines.MonitorOnly
	})
	past(t, db, "idiot", engines.Review, 1, func(d *store.Decision) { d.App = "other" })

	got := replay(t, k, "b1", change("channel", "arena", strict))
	want := store.BacktestDiff{
		Decisions: 6, Weight: 18,
		Pairs: []store.PairWeight{
			{Was: engines.Pass, Is: engines.Pass, Weight: 14}, {Was: engines.Review, Is: engines.Review, Weight: 2}, {Was: engines.Review, Is: engines.Block, Weight: 2},
		},
		Categories: []store.CategoryWeight{{Category: engines.Harassment, Was: 3, Is: 3, Both: 3}},
	}
	samples := map[engines.RequestID]engines.Suggestion{}
	for _, s := range got.Samples {
		samples[s.Request] = s.Draft
	}
	got.Samples = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[engines.RequestID]engines.Suggestion{insult: engines.Block, observed: engines.Block}, samples); diff != "" {
		t.Errorf("samples (-want +got):\n%s\nthe others: %s %s %s", diff, elsewhere, lenient, late)
	}
	if got := decide(k, "arena", "p").Suggestion; got != engines.Review {
		t.Errorf("a back-test holds: %s", got)
	}
}

// Words of a draft are looked for in what content is kept.
func TestBacktestOfWords(t *testing.T) {
	db := openStore(t)
	k := newKeeper(t, db)
	serve(t, k)
	past(t, db, "the zorgon", engines.Pass, 1, nil)
	// What engines found then stands, whatever they would say today.
	past(t, db, "zorgon, idiot", engines.Review, 1, func(d *store.Decision) {
		d.Signals = []engines.Signal{{Category: engines.Hate, Confidence: .7, Source: engines.SourceModel}}
		d.Verdict.Labels = []engines.Label{{Category: engines.Hate}}
	})
	past(t, db, "", engines.Pass, 1, nil) // its content is no longer kept
	past(t, db, "idiot", engines.Pass, 1, func(d *store.Decision) {
		d.Signals[0].Excepted = true
		d.Verdict.Labels = nil
	})
	got := replay(t, k, "b1", change(store.ListLayer, "studio", `{"prohibited":["zorgon"]}`), change("channel", "arena", `{"lists":["studio"]}`))
	if diff := cmp.Diff([]store.PairWeight{
		{Was: engines.Pass, Is: engines.Pass, Weight: 1},
		{Was: engines.Pass, Is: engines.Review, Weight: 1},
		{Was: engines.Pass, Is: engines.Block, Weight: 1},
		{Was: engines.Review, Is: engines.Block, Weight: 1},
	}, got.Pairs); diff != "" || got.Bare != 1 {
		t.Errorf("pairs (-want +got):\n%s\n%d without content, want 1", diff, got.Bare)
	}
	want := []store.CategoryWeight{{Category: engines.Hate, Was: 1, Is: 1, Both: 1}, {Category: engines.Harassment, Is: 3}}
	if diff := cmp.Diff(want, got.Categories); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
}

// One back-test of an app at a time; one that was under way when its gateway went says
// so, and stops nobody.
func TestBacktestsOfAnApp(t *testing.T) {
	db := openStore(t)
	k := newKeeper(t, db)
	draft := change("channel", "arena", strict)
	ask := func(k *policies.Keeper, id string, drafts ...policies.Change) error {
		_, err := k.Replay(t.Context(), store.PolicyBacktest{App: "game", ID: id, By: "ann"}, drafts)
		return err
	}
	if err := ask(k, "b1", draft); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*policies.Keeper{"this gateway": k, "another": newKeeper(t, db)} {
		if err := ask(other, "b2", draft); !errors.Is(err, store.ErrRunning) {
			t.Errorf("a second one at %s: %v", name, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var wg sync.WaitGroup
	wg.Go(func() { k.Serve(ctx) })
	wg.Wait()
	if b := await(t, k, "b1"); b.State != store.PolicyBacktestCancelled && b.State != store.PolicyBacktestDone {
		t.Errorf("after its gateway went it is %s", b.State)
	}
	next := newKeeper(t, db)
	if err := ask(next, "b3", draft); err != nil {
		t.Errorf("after that: %v", err)
	}

	_, err := k.Replay(t.Context(), store.PolicyBacktest{App: "third", ID: "b4", From: 9, To: 5}, []policies.Change{draft})
	if _, ok := errors.AsType[policy.Faults](err); !ok {
		t.Errorf("of a time that ends before it begins: %v", err)
	}
	err = ask(next, "b5", draft, change("channel", "square", `{"strictness":7}`))
	if faults, ok := errors.AsType[policy.Faults](err); !ok || len(faults) != 1 || faults[0].Pointer != "/1/body/strictness" {
		t.Errorf("of a draft that is wrong: %v", err)
	}
}

func TestTry(t *testing.T) {
	k := newKeeper(t, openStore(t))
	put(t, k, change("mode", "board", `{"exceptions":["idiot"]}`), 0)
	item := engines.Item{App: "game", Kind: engines.KindText, Text: "idiot", Scene: "board", ReceivedAt: time.Now()}
	gone := change("mode", "board", "")
	gone.Remove = true
	got, err := k.Try(t.Context(), []policies.Change{gone}, &item)
	if err != nil {
		t.Fatal(err)
	}
	if got.Live.Suggestion != engines.Pass || got.Draft.Suggestion != engines.Review {
		t.Errorf("live %s, draft %s", got.Live.Suggestion, got.Draft.Suggestion)
	}
	if diff := cmp.Diff([]string{"base", "mode/board"}, got.LiveBy.Layers); diff != "" {
		t.Errorf("layers in force (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"base"}, got.DraftBy.Layers); diff != "" {
		t.Errorf("layers of the draft (-want +got):\n%s", diff)
	}
	if item.Words != nil {
		t.Error("the item was changed")
	}
}

// A rollout whose back-test is out of its bounds stops before it has decided anything.
func TestBacktestOutOfBounds(t *testing.T) {
	db := openStore(t)
	k := newKeeper(t, db)
	serve(t, k)
	for range 30 {
		past(t, db, "idiot", engines.Review, 1, nil)
	}
	bounds := store.RolloutBounds{Block: store.Bound{Absolute: .2}, Least: 20}
	r, err := k.Draft(t.Context(), change("channel", "arena", strict), policies.Plan{Bounds: &bounds}, 0)
	if err != nil {
		t.Fatal(err)
	}
	r = advance(t, k, advance(t, k, r))
	eventually(t, "the stop", func() bool {
		got, err := k.Rollout(t.Context(), r.PolicyKey, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got.State == store.RolloutStopped && got.Step == store.RolloutBacktest
	})
}

// stubborn is a store that lets nobody but people change a rollout.
type stubborn struct{ *sqlstore.Store }

func (s stubborn) PutRollout(ctx context.Context, r store.Rollout, was int, by string, publish *store.Policy) (store.Rollout, error) {
	if by == "" {
		return store.Rollout{}, store.ErrUnavailable
	}
	return s.Store.PutRollout(ctx, r, was, by, publish)
}

// One that could not be stopped when its back-test was out of bounds goes no further.
func TestBacktestOutOfBoundsIsNotPassed(t *testing.T) {
	db := openStore(t)
	k := newKeeper(t, stubborn{db})
	serve(t, k)
	for range 30 {
		past(t, db, "idiot", engines.Review, 1, nil)
	}
	bounds := store.RolloutBounds{Block: store.Bound{Absolute: .2}, Least: 20}
	r, err := k.Draft(t.Context(), change("channel", "arena", strict), policies.Plan{Bounds: &bounds}, 0)
	if err != nil {
		t.Fatal(err)
	}
	r = advance(t, k, advance(t, k, r))
	await(t, k, r.Backtest)
	if _, err := k.Advance(t.Context(), order(&r)); !errors.Is(err, policies.ErrState) {
		t.Errorf("advance past its bounds: %v", err)
	}
}
