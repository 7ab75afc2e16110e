package reading

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// slow answers after a time, with the length of the text.
type slow struct {
	takes time.Duration
	err   error
}

func (s slow) read(text string) (float64, error) {
	time.Sleep(s.takes)
	return float64(len(text)), s.err
}

func TestReader(t *testing.T) {
	limits := Limits{Runs: 1, Slot: 3 * time.Millisecond, Answer: 12 * time.Millisecond}
	for _, c := range []struct {
		name   string
		takes  time.Duration
		err    error
		budget time.Duration // of the caller, 0 for none
		before int           // others that ask at the same time
		ok     bool
		want   Counts
	}{
		{"read", 8 * time.Millisecond, nil, 0, 0, true, Counts{Read: 1}},
		{"late", 13 * time.Millisecond, nil, 0, 0, false, Counts{Late: 1}},
		{"no time left", 8 * time.Millisecond, nil, 9 * time.Millisecond, 0, false, Counts{Late: 1}},
		{"time enough", 8 * time.Millisecond, nil, 18 * time.Millisecond, 0, true, Counts{Read: 1}},
		{"full", 8 * time.Millisecond, nil, 0, 1, false, Counts{Read: 1, Full: 1}},
		{"turn in time", 2 * time.Millisecond, nil, 0, 1, true, Counts{Read: 2}},
		{"failed", time.Millisecond, errors.New("broken"), 0, 0, false, Counts{Failed: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := New(slow{c.takes, c.err}.read, limits, slog.New(slog.DiscardHandler))
				for range c.before {
					go r.Read(t.Context(), "before")
				}
				synctest.Wait()
				ctx := t.Context()
				if c.budget > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.budget)
					defer cancel()
				}
				begun := time.Now()
				got, ok := r.Read(ctx, "text")
				if ok != c.ok || ok && got != 4 {
					t.Errorf("Read = %v, %v, want %v", got, ok, c.ok)
				}
				if spent := time.Since(begun); spent > limits.Answer {
					t.Errorf("it took %v", spent)
				}
				time.Sleep(time.Second) // those before are done
				synctest.Wait()
				if got := r.Counts(); got != c.want {
					t.Errorf("counts %+v, want %+v", got, c.want)
				}
				r.Close()
			})
		})
	}
}

// TestReaderGivesUp: who stops asking waits no longer, whether for a turn or for an answer.
func TestReaderGivesUp(t *testing.T) {
	for name, want := range map[string]Counts{"answer": {Late: 1}, "turn": {Read: 1, Full: 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := New(slow{time.Minute, nil}.read, Limits{Runs: 1, Slot: time.Hour, Answer: time.Hour}, slog.New(slog.DiscardHandler))
				if name == "turn" {
					go r.Read(t.Context(), "before")
					synctest.Wait()
				}
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				begun := time.Now()
				if _, ok := r.Read(ctx, "text"); ok || time.Since(begun) != time.Second {
					t.Errorf("Read = %v after %v, want nothing after a second", ok, time.Since(begun))
				}
				time.Sleep(3 * time.Minute)
				synctest.Wait()
				if got := r.Counts(); got != want {
					t.Errorf("counts %+v, want %+v", got, want)
				}
				r.Close()
			})
		})
	}
}
