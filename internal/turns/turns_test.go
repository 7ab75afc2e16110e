package turns

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type job struct{ id, state string }

func (j *job) JobID() string { return j.id }
func (j *job) GoesOn() bool  { return j.state == "queued" || j.state == "running" }
func (j *job) Cancel()       { j.state = "cancelled" }

func start(ctx context.Context, q *Queue[*job], do func(ctx context.Context, j *job)) (wait func()) {
	var wg sync.WaitGroup
	wg.Go(func() { q.Run(ctx, do) })
	wg.Go(func() { q.Beat(ctx, time.Second) })
	return wg.Wait
}

// Jobs are done one after the other; what could not be written is written later, and
// then forgotten; at the end what is left is cancelled.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var written []string
		var away error
		q := New(2, func(_ context.Context, j *job) error {
			if away == nil {
				written = append(written, j.id+" "+j.state)
			}
			return away
		})
		full := errors.New("full")
		add := func(id string) error {
			return q.Add(&job{id, "queued"}, func(have map[string]*job) error {
				if len(have) == 2 {
					return full
				}
				return nil
			})
		}
		if err := errors.Join(add("a"), add("b")); err != nil {
			t.Fatal(err)
		}
		if err := add("c"); !errors.Is(err, full) {
			t.Errorf("a third: %v", err)
		}
		ctx, stop := context.WithCancel(t.Context())
		wait := start(ctx, q, func(ctx context.Context, j *job) {
			q.Change(ctx, j, func() { j.state = "running" })
			select {
			case <-ctx.Done():
				return
			case <-time.After(1500 * time.Millisecond):
			}
			q.Change(ctx, j, func() { j.state, away = "done", errors.New("away") })
		})
		time.Sleep(1600 * time.Millisecond) // a is done, which is not written
		synctest.Wait()
		if n := q.Len(); n != 2 {
			t.Errorf("%d jobs are kept, one of them unwritten", n)
		}
		q.Note(func() { away = nil })
		time.Sleep(500 * time.Millisecond) // beat: a is written and forgotten
		synctest.Wait()
		if n := q.Len(); n != 1 {
			t.Errorf("%d jobs are kept", n)
		}
		stop() // b runs
		wait()
		synctest.Wait()
		seen := map[string]bool{}
		for _, w := range written {
			seen[w] = true
		}
		for _, w := range []string{"a running", "a done", "b queued", "b cancelled"} {
			if !seen[w] {
				t.Errorf("%q was never written: %v", w, written)
			}
		}
		if n := q.Len(); n != 0 || seen["b done"] {
			t.Errorf("%d jobs are kept: %s", n, fmt.Sprint(written))
		}
	})
}
