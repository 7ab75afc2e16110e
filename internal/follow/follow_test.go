package follow

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A look goes back a minute behind the last that succeeded; each minute one reads all.
func TestFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		var mu sync.Mutex         // guards what follows
		var looks []time.Duration // how far back each went; -1 for all
		var fail error
		missed := 0
		f := New(time.Now, func(_ context.Context, since int64) error {
			mu.Lock()
			defer mu.Unlock()
			if since == 0 {
				looks = append(looks, -1)
			} else {
				looks = append(looks, time.UnixMilli(since).Sub(begin))
			}
			return fail
		}, func(context.Context, error) {
			mu.Lock()
			defer mu.Unlock()
			missed++
		})
		if err := f.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); f.Serve(ctx) }()

		sleep := func(d time.Duration) {
			mu.Unlock()
			time.Sleep(d)
			synctest.Wait()
			mu.Lock()
		}
		mu.Lock()
		sleep(500 * time.Millisecond)
		f.Told()
		f.Told() // one look is enough for both
		sleep(0)
		fail = errors.New("away")
		sleep(600 * time.Millisecond) // at 1 s, in vain
		fail = nil
		sleep(time.Second) // at 2 s
		minute := -time.Minute
		want := []time.Duration{-1, minute, minute + 500*time.Millisecond, minute + 500*time.Millisecond}
		if len(looks) < 4 || !slices.Equal(looks[:4], want) || missed != 1 {
			t.Errorf("looks %v, %d missed; want %v, 1", looks, missed, want)
		}
		looks = nil
		sleep(time.Minute)
		if all := slices.Index(looks, -1); all < 0 || slices.Contains(looks[all+1:], -1) {
			t.Errorf("in a minute all was not read once: %v", looks)
		}
		mu.Unlock()
		stop()
		<-done
	})
}
