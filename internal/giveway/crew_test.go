package giveway

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestCrew(t *testing.T) {
	c := NewCrew(2)
	var now, most, all atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			c.Do(func() {
				n := now.Add(1)
				for {
					m := most.Load()
					if n <= m || most.CompareAndSwap(m, n) {
						break
					}
				}
				all.Add(1)
				now.Add(-1)
			})
		})
	}
	wg.Wait()
	if all.Load() != 40 || most.Load() > 2 {
		t.Errorf("%d ran, %d of them at once; want 40, at most 2", all.Load(), most.Load())
	}
	wrong := func() (wrong any) {
		defer func() { wrong = recover() }()
		c.Do(func() { panic("odd") })
		return nil
	}
	if text, _ := wrong().(string); !strings.HasPrefix(text, "odd\n") {
		t.Errorf("a panic came out as %q", text)
	}
	c.Do(func() { all.Add(1) }) // the thread goes on
	c.Close()
	c.Do(func() { all.Add(1) }) // without them
	if all.Load() != 42 {
		t.Errorf("%d ran, want 42", all.Load())
	}
}
