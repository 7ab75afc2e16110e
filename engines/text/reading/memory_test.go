package reading

import (
	"errors"
	"log/slog"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestRemembered: a text is read once however often it is asked about, until enough others came;
// an answer that was too late for whoever asked is there for the next.
func TestRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		var takes atomic.Int64 // how long a run is
		takes.Store(int64(time.Minute))
		r := New(func(text string) (float64, error) {
			runs.Add(1)
			time.Sleep(time.Duration(takes.Load()))
			return float64(len(text)), nil
		}, Limits{Runs: 1, Slot: time.Second, Answer: time.Second, Remembered: 4}, slog.New(slog.DiscardHandler))
		defer r.Close()
		if _, ok := r.Read(t.Context(), "advert"); ok {
			t.Fatal("an answer of a minute came within a second")
		}
		time.Sleep(time.Hour)
		takes.Store(int64(time.Millisecond))
		for range 3 {
			if got, ok := r.Read(t.Context(), "advert"); !ok || got != 6 {
				t.Fatalf("Read = %v, %v, want 6", got, ok)
			}
		}
		if got, want := r.Counts(), (Counts{Again: 3, Late: 1}); got != want || runs.Load() != 1 {
			t.Fatalf("counts %+v in %d runs, want %+v in one", got, runs.Load(), want)
		}
		for i := range 8 { // two generations of others
			r.Read(t.Context(), strconv.Itoa(i))
		}
		r.Read(t.Context(), "advert")
		if got := r.Counts(); got.Again != 3 || got.Read != 9 {
			t.Errorf("counts %+v: what eight others came after is remembered, or others were not read", got)
		}
	})
}

// TestRememberedStays: what is asked for again and again outlives the others.
func TestRememberedStays(t *testing.T) {
	r := New(slow{}.read, Limits{Runs: 1, Slot: time.Hour, Answer: time.Hour, Remembered: 4}, slog.New(slog.DiscardHandler))
	defer r.Close()
	for i := range 100 {
		r.Read(t.Context(), "advert")
		r.Read(t.Context(), strconv.Itoa(i))
	}
	if got, want := r.Counts(), (Counts{Read: 101, Again: 99}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if n := len(r.known.young) + len(r.known.old); n > 8 {
		t.Errorf("%d answers are remembered, at most 8 may be", n)
	}
}

// TestFailureNotRemembered: a network that failed is asked again.
func TestFailureNotRemembered(t *testing.T) {
	broken := errors.New("broken")
	r := New(func(string) (float64, error) { err := broken; broken = nil; return 1, err },
		Limits{Runs: 1, Slot: time.Hour, Answer: time.Hour, Remembered: 4}, slog.New(slog.DiscardHandler))
	defer r.Close()
	if _, ok := r.Read(t.Context(), "text"); ok {
		t.Error("a failure is an answer")
	}
	if got, ok := r.Read(t.Context(), "text"); !ok || got != 1 {
		t.Errorf("Read = %v, %v, want 1", got, ok)
	}
}

// TestFloodIsReadOnce: of those who ask about one text at a time, one has it read and the others
// that have their turn after it are answered from memory.
func TestFloodIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs atomic.Int32
		r := New(func(text string) (float64, error) {
			runs.Add(1)
			time.Sleep(5 * time.Millisecond)
			return float64(len(text)), nil
		}, Limits{Runs: 1, Slot: time.Second, Answer: time.Second, Remembered: 4}, slog.New(slog.DiscardHandler))
		defer r.Close()
		for range 20 {
			go r.Read(t.Context(), "advert")
		}
		time.Sleep(time.Minute)
		if got, want := r.Counts(), (Counts{Read: 1, Again: 19}); got != want || runs.Load() != 1 {
			t.Errorf("counts %+v in %d runs, want %+v in one", got, runs.Load(), want)
		}
	})
}
