package giveway

import (
	"testing"
	"time"
)

// A thread that rests has not run.
func TestSpent(t *testing.T) {
	done := make(chan struct{})
	go func() { // the thread ends with it, and its priority
		defer close(done)
		Now()
		before := Spent()
		for n := 0; Spent()-before < 5*time.Millisecond; n++ { // ends: to look takes time
			_ = n
		}
		ran := Spent()
		time.Sleep(50 * time.Millisecond)
		if rested := Spent() - ran; before <= 0 || rested > 25*time.Millisecond {
			t.Errorf("it had run for %v at first, and for %v of a rest of 50 ms", before, rested)
		}
	}()
	<-done
}
