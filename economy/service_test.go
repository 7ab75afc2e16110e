package economy

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func wantRisk(t *testing.T, r *rig, player engines.PlayerID, want int) {
	t.Helper()
	risk, _, err := r.Risk(t.Context(), "game", player)
	if err != nil || risk.Score != want {
		t.Errorf("Risk(%s) = %+v, %v, want %d", player, risk, err, want)
	}
}

func TestSubmit(t *testing.T) {
	r := serve(t, newFakeStore())
	entries := []Entry{earn("p", "1", r.at()), earn("p", "2", r.at()), earn("p", "1", r.at())}
	for i, want := range []int{2, 0} {
		if n, err := r.Submit(t.Context(), "game", entries); n != want || err != nil {
			t.Errorf("submission %d: %d, %v, want %d", i, n, err, want)
		}
	}
	wantRisk(t, r, "p", 2)
	if _, _, err := r.Risk(t.Context(), "game", "q"); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("Risk of nobody: %v", err)
	}
	r.Named("game", "q")
	wantRisk(t, r, "q", 0)
}

// Submissions before, beside and after a replay are counted once each.
func TestCountedOnceBesideAReplay(t *testing.T) {
	store := newFakeStore()
	store.pause = make(chan struct{})
	for i := range 100 {
		e := earn("old", strconv.Itoa(i), 1790000000000)
		store.entries["game"+fmt.Sprint(e.Log, e.Player, e.ID)] = e
	}
	store.entries["ancient"] = earn("ancient", "1", 1790000000000-36*24*time.Hour.Milliseconds())
	r := serve(t, store)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				e := earn("new", fmt.Sprintf("%d-%d", w/2, i), r.at()) // two send the same
				if _, err := r.Submit(t.Context(), "game", []Entry{e, earn("old", strconv.Itoa(i), r.at())}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	close(store.pause)
	wg.Wait()
	wantRisk(t, r, "new", 200)
	wantRisk(t, r, "old", 100)
	book, ok := (*r.shelf("game").book.Load()).(*countBook)
	if !ok {
		t.Fatal("another book")
	}
	for id, n := range book.times {
		if n != 1 {
			t.Errorf("%s was counted %d times", id, n)
		}
	}
	if len(book.times) != 300 {
		t.Errorf("%d entries were counted, want 300", len(book.times))
	}
}

// What a failed submission stored all the same is counted once the store answers.
func TestStoredThoughFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p", 1)
		r.store.fail(engines.ErrUnavailable)
		if n, err := r.Submit(t.Context(), "game", []Entry{earn("p", "2", r.at())}); n != 0 || !errors.Is(err, engines.ErrUnavailable) {
			t.Errorf("Submit() = %d, %v", n, err)
		}
		wantRisk(t, r, "p", 1)
		rests(3 * retryAfter)
		r.store.fail(nil)
		if n, err := r.Submit(t.Context(), "game", []Entry{earn("p", "2", r.at())}); n != 0 || err != nil {
			t.Errorf("the retry: %d, %v, want a duplicate", n, err)
		}
		rests(3 * retryAfter)
		wantRisk(t, r, "p", 2)
	})
}

// Without a book questions wait, and are refused in the end.
func TestNoBook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		r.store.fail(engines.ErrUnavailable)
		if _, _, err := r.Risk(t.Context(), "game", "p"); !errors.Is(err, engines.ErrUnavailable) {
			t.Errorf("Risk: %v", err)
		}
		if _, err := r.Evaluate(t.Context(), "game", &Proposal{Sender: "a", Receiver: "b"}); !errors.Is(err, engines.ErrUnavailable) {
			t.Errorf("Evaluate: %v", err)
		}
	})
}

func TestEvaluateBanned(t *testing.T) {
	pass := Evaluation{Suggestion: engines.Pass, Score: 10, Reasons: []string{"price_deviation"}}
	block := Evaluation{Suggestion: engines.Block, Score: 100, Reasons: []string{BannedParty, "price_deviation"}}
	for _, test := range []struct {
		typ              BanType
		sender, receiver Evaluation
	}{
		{Temporary, block, block}, {Permanent, block, block}, {TradeBan, block, block}, {Withdrawal, block, pass}, {Shadow, pass, pass}, {Warning, pass, pass},
	} {
		t.Run(string(test.typ), func(t *testing.T) {
			r := serve(t, newFakeStore())
			r.Named("game", "bad")
			r.Named("game", "good")
			hours := int64(0)
			if test.typ == Temporary {
				hours = 24
			}
			if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "b", Player: "bad", Type: test.typ}, hours); err != nil {
				t.Fatal(err)
			}
			for i, p := range []Proposal{{Sender: "bad", Receiver: "good"}, {Sender: "good", Receiver: "bad"}} {
				got, err := r.Evaluate(t.Context(), "game", &p)
				if diff := cmp.Diff([]Evaluation{test.sender, test.receiver}[i], got); err != nil || diff != "" {
					t.Errorf("%+v: %v (-want +got):\n%s", p, err, diff)
				}
			}
		})
	}
	r := serve(t, newFakeStore())
	r.Named("game", "good")
	if _, err := r.Evaluate(t.Context(), "game", &Proposal{Sender: "good", Receiver: "nobody"}); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("a side that nobody knows: %v", err)
	}
}
