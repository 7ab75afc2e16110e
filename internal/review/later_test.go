package review_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
)

var deferred = policy.Config{Mode: engines.DeferredReview}

// small queues, one worker each.
func small(c *review.Config, _ *review.Deps) {
	c.DeferredWorkers, c.DeferredQueue, c.AsyncWorkers, c.AsyncQueue, c.PassQueue = 1, 2, 1, 2, 2
}

func TestDeferredQueueFull(t *testing.T) {
	r := furnish(t, deferred, small) // nothing serves
	for i := range 2 {
		if o, err := r.Check(t.Context(), said("bad")); err != nil || !o.Pending {
			t.Fatalf("check %d = %+v, %v; want pending", i, o, err)
		}
	}
	o, err := r.Check(t.Context(), said("bad"))
	if err != nil || o.Pending || o.Verdict.Action != engines.Drop || o.CaseID == "" {
		t.Errorf("check on a full queue = %+v, %v; want the verdict now", o, err)
	}
	w := r.disk.written()
	if len(w) != 1 || w[0].message != nil {
		t.Errorf("commits = %+v, want one, without a message that nobody saw", w)
	}
}

func TestDeferredIsForLiveContent(t *testing.T) {
	r := furnish(t, deferred)
	item := said("bad")
	item.Live = false
	o, err := r.Check(t.Context(), item)
	if err != nil || o.Pending || o.Verdict.Action != engines.Drop || o.CaseID == "" {
		t.Errorf("Check = %+v, %v; want the verdict now", o, err)
	}
}

func TestDeferredKeepsItsOwnItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, deferred)
		item := said("bad")
		if _, err := r.Check(t.Context(), item); err != nil {
			t.Fatal(err)
		}
		*item = engines.Item{} // the caller's again
		stop := r.serve(t)
		synctest.Wait()
		stop()
		if calls := r.scenes.got(); len(calls) != 1 || calls[0].item.Text != "bad" || calls[0].o.Verdict.Action != engines.Drop {
			t.Errorf("late calls = %+v, want bad to be retracted", calls)
		}
	})
}

// A store that is down delays the late verdict; nothing is acted on before it is on disk.
func TestDeferredWaitsForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, deferred, small)
		up := time.Now().Add(10 * time.Second)
		r.disk.before = func(context.Context, string) error {
			if time.Now().Before(up) {
				return store.ErrUnavailable
			}
			return nil
		}
		stop := r.serve(t)
		if _, err := r.Check(t.Context(), said("bad")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if calls := r.scenes.got(); len(calls) != 0 {
			t.Errorf("acted before the record: %+v", calls)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if calls := r.scenes.got(); len(calls) != 1 || len(r.disk.written()) != 1 {
			t.Errorf("late calls = %+v, commits = %d; want one each", calls, len(r.disk.written()))
		}
		stop()
	})
}

func TestCloseDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := inspectFunc(func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
			time.Sleep(100 * time.Millisecond)
			return words(ctx, item, out)
		})
		cfg := deferred
		cfg.Record = policy.RecordAll
		r := furnish(t, cfg, func(c *review.Config, d *review.Deps) {
			c.DeferredWorkers = 1
			d.Inspectors[engines.KindText] = []review.Inspector{slow}
		})
		stop := r.serve(t)
		for _, text := range []string{"bad", "fine", "iffy", "fine"} {
			if _, err := r.Check(t.Context(), said(text)); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		if got := len(r.scenes.got()); got != 2 {
			t.Errorf("late verdicts = %d, want 2", got)
		}
		if got := len(r.disk.recorded()); got != 2 {
			t.Errorf("passes recorded = %d, want 2", got)
		}
		// A closed desk still answers, with nothing put off.
		if o, err := r.Check(t.Context(), said("bad")); err != nil || o.Pending || o.Verdict.Action != engines.Drop {
			t.Errorf("Check after Serve = %+v, %v; want the verdict now", o, err)
		}
	})
}

func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := deferred
		cfg.Record = policy.RecordAll
		r := furnish(t, cfg)
		r.disk.before = func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
		stop := r.serve(t)
		for _, text := range []string{"bad", "fine"} {
			if _, err := r.Check(t.Context(), said(text)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		start := time.Now()
		stop()
		if took, most := time.Since(start), review.Default().CloseTimeout; took > most {
			t.Errorf("closing took %v, want at most %v", took, most)
		}
		if got := r.scenes.got(); len(got) != 0 {
			t.Errorf("acted without a record: %+v", got)
		}
	})
}

func TestPassesAreRecordedAsThePolicySays(t *testing.T) {
	for _, c := range []struct {
		name     string
		cfg      policy.Config
		min, max int
		weight   float64
	}{
		{"unless it says anything", policy.Config{}, 20, 90, 20},
		{"flagged", policy.Config{Record: policy.RecordFlagged}, 0, 0, 0},
		{"all", policy.Config{Record: policy.RecordAll}, 1000, 1000, 1},
		{"sampled", policy.Config{Record: policy.RecordSampled, SampleRate: 0.25}, 150, 350, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := furnish(t, c.cfg)
				stop := r.serve(t)
				for range 1000 {
					if _, err := r.Check(t.Context(), said("fine")); err != nil {
						t.Fatal(err)
					}
				}
				stop()
				got := r.disk.recorded()
				if len(got) < c.min || len(got) > c.max {
					t.Errorf("recorded %d of 1000, want %d to %d", len(got), c.min, c.max)
				}
				for _, d := range got {
					if d.Weight != c.weight || d.Content != "fine" || d.Verdict.Suggestion != engines.Pass {
						t.Fatalf("record %+v, want weight %v", d, c.weight)
					}
				}
			})
		})
	}
}

// What the queue or the store drops shows in the weight of what it takes.
func TestLostPassesKeepTheirWeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{Record: policy.RecordAll}, small)
		refused := false
		r.disk.before = func(context.Context, string) error {
			if !refused {
				refused = true
				return errors.New("once")
			}
			return nil
		}
		for range 10 { // nothing serves yet: 2 wait, 8 are dropped
			if _, err := r.Check(t.Context(), said("fine")); err != nil {
				t.Fatal(err)
			}
		}
		stop := r.serve(t)
		time.Sleep(time.Second) // the store refuses the batch
		synctest.Wait()
		other := said("fine")
		other.App = "other"
		for _, item := range []*engines.Item{other, said("fine")} {
			if _, err := r.Check(t.Context(), item); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		weight := map[engines.AppID]float64{}
		for _, d := range r.disk.recorded() {
			weight[d.App] += d.Weight
		}
		if math.Abs(weight["game"]-11) > 1e-9 || weight["other"] != 1 {
			t.Errorf("weights = %v, want game 11, other 1", weight)
		}
	})
}
