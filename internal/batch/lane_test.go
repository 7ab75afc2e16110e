package batch

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// watched is a desk that somebody always waits for.
type watched struct {
	Desk
	asked atomic.Uint64
}

func (w *watched) Live() uint64 { return w.asked.Add(1) }

// committing is a store that says how many commit a chunk.
type committing struct {
	Store
	in, out func()
}

func (c committing) FinishChunk(ctx context.Context, r store.BatchResult, now time.Time) (store.Batch, error) {
	c.in()
	defer c.out()
	return c.Store.FinishChunk(ctx, r, now)
}

// renewing is a store that counts claims that were renewed.
type renewing struct {
	Store
	renewed *atomic.Int64
}

func (r renewing) RenewChunk(ctx context.Context, c *store.BatchChunk, until time.Time) error {
	err := r.Store.RenewChunk(ctx, c, until)
	if err == nil {
		r.renewed.Add(1)
	}
	return err
}

// While somebody waits for verdicts, one worker at a time computes or commits; while
// nobody does, all of them do.
func TestOneAtATime(t *testing.T) {
	for _, live := range []bool{true, false} {
		h := furnish(t)
		var inside, most atomic.Int64
		in := func() {
			n := inside.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
		}
		out := func() { inside.Add(-1) }
		h.words.look = func(_ context.Context, n uint64) {
			in()
			defer out()
			for !live && n == 1 && inside.Load() == 1 { // another comes, or the test ends late
				<-time.After(time.Millisecond)
			}
		}
		s := h.service("one", func(c *Config, d *Deps) {
			c.Workers, c.LiveShare = 4, 1
			if live {
				d.Desk = &watched{Desk: d.Desk}
			}
			d.Store = committing{d.Store, in, out}
		})
		b := h.submit(s, store.BatchUpload{Body: body(many(8 * chunkLines)...)})
		h.start(s)
		if b = h.done(s, b); b.Done != 8*chunkLines || b.Errors != 0 {
			t.Errorf("live %t: %+v", live, b)
		}
		if n := most.Load(); live && n != 1 || !live && n < 2 {
			t.Errorf("live %t: %d at once", live, n)
		}
	}
}

// A file that is looked at for long keeps no other worker from its lines.
func TestFileLeavesTheLane(t *testing.T) {
	h := furnish(t)
	looked := make(chan struct{})
	var waits atomic.Bool
	var once sync.Once
	h.words.look = func(ctx context.Context, _ uint64) {
		h.words.mu.Lock()
		begun := h.words.asked["bad"] > 0 // the file
		h.words.mu.Unlock()
		if !begun {
			return
		}
		if !waits.CompareAndSwap(false, true) {
			once.Do(func() { close(looked) })
			return
		}
		select {
		case <-looked:
		case <-ctx.Done():
		case <-time.After(30 * time.Second):
			t.Error("no other line was looked at beside the file")
		}
	}
	s := h.service("one", func(c *Config, d *Deps) {
		c.Workers = 2
		d.Desk = &watched{Desk: d.Desk}
	})
	lines := append([]string{`{"kind":"audio","content_base64":"YmFk"}`}, many(2*chunkLines)...)
	b := h.submit(s, store.BatchUpload{Body: body(lines...)})
	h.start(s)
	if b = h.done(s, b); b.Done != len(lines) || b.Errors != 0 {
		t.Errorf("%+v", b)
	}
}
