package main

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// mostConnections to Redis: the pool's 32, the 10 that go-redis keeps for pipelines,
// the listener, and a few that are being replaced.
const mostConnections = 48

// TestConnectionsLeaveNothing opens and closes many connections, in every way
// that clients leave, and counts what the gateway still holds.
func TestConnectionsLeaveNothing(t *testing.T) {
	t.Parallel()
	const rounds, perRound, workers = 6, 200, 25
	redis := startRedis(t)
	env := []string{"PORTCULLIS_REDIS_URL=" + redis.url}
	dir := t.TempDir()
	p := serveProcess(t, env, "--data", dir)
	game := newCaller(t, p, env, dir)
	crowd(t, game, perRound, workers) // pools are filled
	// The pool of connections to Redis has a size of its own, and grows by chance.
	held := func() footprint {
		f := measure(t, p)
		f.files -= redis.connections(t)
		return f
	}
	base := held()
	for range rounds {
		crowd(t, game, perRound, workers)
		if t.Failed() {
			return
		}
	}
	got := held()
	for end := time.Now().Add(patience); !got.within(base) && time.Now().Before(end); got = held() {
		time.Sleep(100 * time.Millisecond)
	}
	if !got.within(base) {
		t.Errorf("after %d connections: %v, want about %v\n%s", rounds*perRound, got, base, fetch(t, p.admin+"/debug/pprof/goroutine?debug=1"))
	}
	eventually(t, fmt.Sprintf("at most %d connections to Redis", mostConnections), func() bool {
		return redis.connections(t) <= mostConnections
	})
}

// crowd connects n players, a few at a time. The same names come back each
// round, so that a session replaces that of the round before.
func crowd(t *testing.T, game *caller, n, workers int) {
	t.Helper()
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				c := &player{from: game, name: fmt.Sprintf("p%d", i), scenes: []string{lobby}}
				if err := visit(t, c, i); err != nil {
					t.Errorf("connection %d: %v", i, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func visit(t *testing.T, c *player, i int) error {
	t.Helper()
	if i%5 == 0 { // never says hello
		err := c.dial(t.Context())
		if err == nil {
			c.cut()
		}
		return err
	}
	if err := c.hello(t.Context()); err != nil {
		return err
	}
	if i%2 == 0 {
		c.cut()
		return nil
	}
	return c.ws.Close(1000, "")
}
