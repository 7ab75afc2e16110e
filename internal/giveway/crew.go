package giveway

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Crew is some threads that the kernel runs behind the others, for the parts of requests
// that take milliseconds and that nobody waits for at a screen.
type Crew struct {
	work chan func() // rule when full: who brings work waits until a thread is free
	done chan struct{}
	wg   sync.WaitGroup
}

// NewCrew starts so many threads, at least one.
func NewCrew(n int) *Crew {
	c := &Crew{work: make(chan func()), done: make(chan struct{})}
	for range max(1, n) {
		c.wg.Go(func() {
			Now()
			for {
				select {
				case f := <-c.work:
					f()
				case <-c.done:
					return
				}
			}
		})
	}
	return c
}

// Do has f run on one of the threads and waits for its end; after Close it runs f
// itself. A panic of f is the caller's. Within f, Do must not be called.
func (c *Crew) Do(f func()) {
	end := make(chan any, 1)
	select {
	case <-c.done:
		f()
		return
	case c.work <- func() {
		defer func() {
			wrong := recover()
			if wrong != nil {
				wrong = fmt.Sprintf("%v\n%s", wrong, debug.Stack())
			}
			end <- wrong
		}()
		f()
	}:
	}
	if wrong := <-end; wrong != nil {
		panic(wrong)
	}
}

// Close ends the threads once what they have begun is done.
func (c *Crew) Close() {
	close(c.done)
	c.wg.Wait()
}
