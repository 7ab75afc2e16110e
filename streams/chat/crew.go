package chat

import "sync"

// crew counts the goroutines that Drain waits for. Other than a WaitGroup it can
// be asked for more while somebody waits: pushes come from the desk and from other
// gateways at any time. Once it is closed and nobody is left it takes no one.
type crew struct {
	mu     sync.Mutex
	n      int
	closed bool
	gone   chan struct{} // made by close; closed once nobody is left
}

// add counts one more; false once the crew has gone.
func (c *crew) add() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed && c.n == 0 {
		return false
	}
	c.n++
	return true
}

func (c *crew) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.closed && c.n == 0 {
		close(c.gone)
	}
}

// start runs f on a goroutine of the crew; false once the crew has gone.
func (c *crew) start(f func()) bool {
	if !c.add() {
		return false
	}
	go func() {
		defer c.done()
		f()
	}()
	return true
}

// close returns a channel that is closed once nobody is left.
func (c *crew) close() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed, c.gone = true, make(chan struct{})
		if c.n == 0 {
			close(c.gone)
		}
	}
	return c.gone
}
