package dispatch_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// gated is an engine that tells what it began, and ends when it is let.
type gated struct {
	begun chan string
	let   chan struct{}
}

func (g gated) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	g.begun <- string(item.Media.Bytes)
	select {
	case <-g.let:
		return out, nil
	case <-ctx.Done():
		return out, ctx.Err()
	}
}

// sender has pictures inspected and waits for all of them when the test ends.
func sender(t *testing.T, e *dispatch.Engine) (send func(content string, behind bool), wait func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	var wg sync.WaitGroup
	t.Cleanup(func() { cancel(); wg.Wait() })
	return func(content string, behind bool) {
		wg.Go(func() {
			item := picture(content)
			item.Behind = behind
			if _, err := e.Inspect(ctx, item, nil); err != nil {
				t.Errorf("%s: %v", content, err)
			}
		})
	}, wg.Wait
}

// waiting waits until so many jobs of both lanes are in the queue that no worker has.
func waiting(t *testing.T, e *dispatch.Engine, n int64) {
	t.Helper()
	within(t, fmt.Sprint(n, " jobs that wait"), func() bool {
		s, err := e.State(t.Context())
		sum := int64(0)
		for _, q := range s.Queues {
			sum += q.Waiting
		}
		return err == nil && sum == n
	})
}

// TestPriority: a worker takes the jobs that somebody waits for before those of a batch that
// came first, and keeps the rest of its slots free of a batch while it has one of the others.
func TestPriority(t *testing.T) {
	t.Run("order", func(t *testing.T) {
		url, node := mini(t), storetest.Unique("g")
		e := newEngine(t, setting(dispatch.Workers), storetest.OpenJobs(t, url, node), node, nil)
		send, wait := sender(t, e)
		const each = 4
		for i := range each {
			send(fmt.Sprint("batch ", i), true)
		}
		waiting(t, e, each)
		for i := range each {
			send(fmt.Sprint("live ", i), false)
		}
		waiting(t, e, 2*each)
		saw := make(chan string, 2*each)
		during(t, newWorker(t, url, named{saw}, 1).Serve)
		wait()
		for i := range 2 * each {
			if got := next(t, saw); strings.HasPrefix(got, "live") != (i < each) {
				t.Errorf("job %d was %q, want those of the batch last", i, got)
			}
		}
	})
	t.Run("slots", func(t *testing.T) {
		url, node := mini(t), storetest.Unique("g")
		e := newEngine(t, setting(dispatch.Workers), storetest.OpenJobs(t, url, node), node, nil)
		send, wait := sender(t, e)
		const slots, batch = 4, 3
		g := gated{begun: make(chan string, 1+batch), let: make(chan struct{}, 1+batch)}
		during(t, newWorker(t, url, g, slots).Serve)
		send("live", false)
		if got := next(t, g.begun); got != "live" {
			t.Fatalf("%q began", got)
		}
		for i := range batch {
			send(fmt.Sprint("batch ", i), true)
		}
		next(t, g.begun) // one of four slots
		waiting(t, e, batch-1)
		select {
		case got := <-g.begun:
			t.Errorf("%q began as well, beside one of its kind and one that somebody waits for", got)
		default:
		}
		for range 1 + batch { // with nobody waiting the batch has all slots
			g.let <- struct{}{}
		}
		wait()
	})
}
