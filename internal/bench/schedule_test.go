package bench

import (
	"testing"
	"time"
)

// TestSchedule holds the open loop: a stall delays nothing that comes after it,
// and what it held up keeps the time it was due.
func TestSchedule(t *testing.T) {
	const start = 5 * time.Second
	s := newSchedule(start, 1000, 3*time.Millisecond, 7*time.Millisecond)
	if s.warm != 3 || s.total != 10 {
		t.Fatalf("warm, total = %d, %d, want 3, 10", s.warm, s.total)
	}
	take := func(now time.Duration) (got []int) {
		for {
			i, ok := s.take(now)
			if !ok {
				return got
			}
			got = append(got, i)
		}
	}
	if got := take(start - 1); len(got) != 0 {
		t.Errorf("before the start: took %v, want none", got)
	}
	if got := take(start); len(got) != 1 || got[0] != 0 {
		t.Errorf("at the start: took %v, want [0]", got)
	}
	if at, ok := s.wake(); !ok || at != start+time.Millisecond {
		t.Errorf("wake = %v, %v, want 1 ms after the start", at, ok)
	}
	if got := take(start + 6500*time.Microsecond); len(got) != 6 || got[0] != 1 || got[5] != 6 {
		t.Errorf("after a stall of 6.5 ms: took %v, want 1 to 6", got)
	}
	if got, want := s.due(1), start+time.Millisecond; got != want {
		t.Errorf("due(1) after the stall = %v, want %v", got, want)
	}
	if got := take(start + time.Hour); len(got) != 3 {
		t.Errorf("at the end: took %v, want the last 3", got)
	}
	if _, ok := s.wake(); ok {
		t.Error("wake after the last message: want none")
	}
}
