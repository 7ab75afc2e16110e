package review_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
)

func asked(text string) *engines.Item {
	item := said(text)
	item.Live, item.Session = false, ""
	return item
}

func TestSubmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{}, small)
		item := asked("iffy")
		if err := r.Submit(t.Context(), item); err != nil {
			t.Fatal(err)
		}
		if _, o, err := r.Result(t.Context(), "game", item.RequestID); err != nil || !o.Pending {
			t.Errorf("Result = %+v, %v; want pending", o, err)
		}
		for range 5 { // and it takes no room
			if err := r.Submit(t.Context(), item); !errors.Is(err, store.ErrExists) {
				t.Errorf("Submit again = %v, want ErrExists", err)
			}
		}
		stop := r.serve(t)
		synctest.Wait()
		defer stop()
		got, o, err := r.Result(t.Context(), "game", item.RequestID)
		if err != nil || o.Pending || o.Verdict.Suggestion != engines.Review || o.CaseID == "" || got.Text != "iffy" || o.RequestID != item.RequestID {
			t.Errorf("Result = %+v of %+v, %v; want the review with its case", o, got, err)
		}
		if _, _, err := r.Result(t.Context(), "game", "never submitted"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Result of no check = %v, want ErrNotFound", err)
		}
		if _, _, err := r.Result(t.Context(), "other", item.RequestID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Result for another app = %v, want ErrNotFound", err)
		}
		if left := r.disk.left(); len(left) != 0 {
			t.Errorf("pendings left: %v", left)
		}
	})
}

// A submitted pass has a result too, though passes are not recorded.
func TestSubmittedPassIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{})
		stop := r.serve(t)
		defer stop()
		item := asked("fine")
		if err := r.Submit(t.Context(), item); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, o, err := r.Result(t.Context(), "game", item.RequestID); err != nil || o.Pending || o.Verdict.Suggestion != engines.Pass {
			t.Errorf("Result = %+v, %v; want pass", o, err)
		}
	})
}

func TestSubmitRefuses(t *testing.T) {
	r := furnish(t, policy.Config{}, small)
	r.disk.before = func(context.Context, string) error { return errors.New("no") }
	for range 5 { // what is refused takes no room
		if err := r.Submit(t.Context(), asked("fine")); !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("Submit with the store down = %v, want ErrUnavailable", err)
		}
	}
	r.disk.before = nil
	for range 2 {
		if err := r.Submit(t.Context(), asked("fine")); err != nil {
			t.Fatalf("Submit = %v", err)
		}
	}
	if err := r.Submit(t.Context(), asked("fine")); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Submit on a full queue = %v, want ErrUnavailable", err)
	}
	if left := r.disk.left(); len(left) != 2 {
		t.Errorf("stored %d, want only what was accepted", len(left))
	}
}

// A process that dies after Submit: the next one finishes what was accepted.
func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := furnish(t, policy.Config{})
		want := map[engines.RequestID]engines.Suggestion{}
		for text, suggestion := range map[string]engines.Suggestion{
			"bad": engines.Block, "fine": engines.Pass, "iffy": engines.Review, "good": engines.Pass, "rude": engines.Review,
		} {
			item := asked(text)
			item.Context = &engines.Context{Player: []engines.Line{{Text: "earlier"}}}
			if err := before.Submit(t.Context(), item); err != nil {
				t.Fatal(err)
			}
			want[item.RequestID] = suggestion
		}
		for _, p := range before.disk.pendings {
			if p.Item.Context != nil || p.Item.Text == "" || p.App != "game" || p.Request != p.Item.RequestID {
				t.Errorf("stored %+v, want the item without its context", p)
			}
		}
		// Its queue is smaller than what is left.
		after := furnish(t, policy.Config{}, small, func(_ *review.Config, d *review.Deps) {
			d.Store, d.Node, d.Alone = before.disk, "next", true
		})
		stop := after.serve(t)
		if err := after.Resume(t.Context()); err != nil {
			t.Fatalf("Resume: %v", err)
		}
		synctest.Wait()
		for id, suggestion := range want {
			if _, o, err := after.Result(t.Context(), "game", id); err != nil || o.Pending || o.Verdict.Suggestion != suggestion {
				t.Errorf("Result(%s) = %+v, %v; want %s", id, o, err, suggestion)
			}
		}
		if got := len(before.disk.written()); got != len(want) {
			t.Errorf("%d results for %d checks", got, len(want))
		}
		stop()
	})
}

func TestResumeTakesNothingTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{}, func(c *review.Config, _ *review.Deps) { c.AsyncQueue = 4 })
		for range 3 {
			if err := r.Submit(t.Context(), asked("iffy")); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 { // what is here already takes no room
			if err := r.Resume(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		stop := r.serve(t)
		synctest.Wait()
		stop()
		if got := len(r.feed.events); got != 3 {
			t.Errorf("%d verdicts for 3 checks", got)
		}
	})
}

// A check belongs to the gateway that took it while that lives; when it has died
// another takes it up within its lease, and one result stands.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := inspectFunc(func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
			time.Sleep(time.Minute)
			return words(ctx, item, out)
		})
		one := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
			d.Node, d.Inspectors[engines.KindText] = "one", []review.Inspector{slow}
		})
		two := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) { d.Store, d.Node = one.disk, "two" })
		stopOne, stopTwo := one.serve(t), two.serve(t)
		followOne, followTwo := following(t, one.Desk), following(t, two.Desk)
		if err := one.Submit(t.Context(), asked("iffy")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(40 * time.Second) // one lives and works on it
		synctest.Wait()
		if p := one.disk.left(); len(p) != 1 || p[0].Owner != "one" || !p[0].Until.After(time.Now()) {
			t.Errorf("while its gateway lives: %+v", p)
		}
		followOne() // it hangs, and does not say that it lives any more
		time.Sleep(19 * time.Second)
		synctest.Wait()
		if got, left := len(one.disk.written()), len(one.disk.left()); got != 1 || left != 0 {
			t.Errorf("%d results, %d left; want that the other finished it", got, left)
		}
		time.Sleep(time.Minute) // one finishes too
		synctest.Wait()
		if got := len(one.disk.written()); got != 1 {
			t.Errorf("%d results, want the first alone", got)
		}
		followTwo()
		stopOne()
		stopTwo()
	})
}

// following runs Follow until what it returns is called.
func following(t *testing.T, d *review.Desk) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { d.Follow(ctx); close(done) }()
	return func() { cancel(); <-done }
}

// What one app has unfinished leaves room for the others.
func TestSubmitSharesTheQueue(t *testing.T) {
	r := furnish(t, policy.Config{}, func(c *review.Config, _ *review.Deps) { c.AsyncQueue, c.AsyncPerApp = 4, 2 })
	for i := range 4 {
		if err := r.Submit(t.Context(), asked("fine")); (err == nil) != (i < 2) || err != nil && !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("check %d of an app: %v", i, err)
		}
	}
	item := asked("fine")
	item.App = "other"
	if err := r.Submit(t.Context(), item); err != nil {
		t.Errorf("another app's: %v", err)
	}
}

func TestResumeFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{}, small)
		for range 2 {
			if err := r.Submit(t.Context(), asked("fine")); err != nil {
				t.Fatal(err)
			}
		}
		r.disk.pendings = append(r.disk.pendings, store.Pending{App: "game", Request: "old", Item: *asked("fine")})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.Resume(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Resume with a full queue that nobody serves = %v, want its context's error", err)
		}
	})
}

// Closing finishes the check in hand; the others stay for the next start.
func TestCloseLeavesPendings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := inspectFunc(func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
			time.Sleep(time.Second)
			return words(ctx, item, out)
		})
		r := furnish(t, policy.Config{}, func(c *review.Config, d *review.Deps) {
			c.AsyncWorkers = 1
			d.Inspectors[engines.KindText] = []review.Inspector{slow}
		})
		stop := r.serve(t)
		for range 3 {
			if err := r.Submit(t.Context(), asked("iffy")); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		stop()
		if done, left := len(r.disk.written()), len(r.disk.pendings); done != 1 || left != 2 {
			t.Errorf("done %d, left %d; want 1 and 2", done, left)
		}
		if err := r.Submit(t.Context(), asked("fine")); err != nil || len(r.disk.pendings) != 3 {
			t.Errorf("Submit after Serve = %v with %d stored; want it kept for the next start", err, len(r.disk.pendings))
		}
	})
}
