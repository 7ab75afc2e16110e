package history

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// disk is a store that can fail or hang.
type disk struct {
	mu     sync.Mutex
	stored []store.SceneMessage
	fail   error
	hang   chan struct{}
	swept  map[engines.AppID]time.Time
}

func (d *disk) PutSceneMessages(_ context.Context, ms []store.SceneMessage) error {
	if d.hang != nil {
		<-d.hang
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail != nil {
		return d.fail
	}
	d.stored = append(d.stored, ms...)
	return nil
}

func (d *disk) SceneApps(context.Context) ([]engines.AppID, error) {
	return []engines.AppID{"game", "short", "off"}, nil
}

func (d *disk) SweepSceneMessages(_ context.Context, app engines.AppID, before time.Time) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.swept[app] = before
	return 1, nil
}

func newRecorder(tb testing.TB, cfg Config, d *disk) *Recorder {
	tb.Helper()
	d.swept = map[engines.AppID]time.Time{}
	r, err := New(cfg, d, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func said(app engines.AppID, n int) *engines.Item {
	return &engines.Item{
		RequestID: engines.RequestID(fmt.Sprint("m", n)), App: app, Player: "ann", Scene: "lobby", Session: "s", Kind: engines.KindText,
		Text: "hello", Language: "en", Live: true, ReceivedAt: time.Unix(1790000000, 0).UTC(),
	}
}

func passed() engines.Outcome {
	return engines.Outcome{Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Deliver}}
}

func TestWhatIsKept(t *testing.T) {
	cfg := Default()
	cfg.Apps = map[string]int{"off": 0}
	d := &disk{}
	r := newRecorder(t, cfg, d)
	item := func(change func(*engines.Item)) *engines.Item {
		it := said("game", 1)
		change(it)
		return it
	}
	verdict := func(change func(*engines.Verdict)) engines.Outcome {
		o := passed()
		change(&o.Verdict)
		return o
	}
	for _, c := range []struct {
		what string
		item *engines.Item
		o    engines.Outcome
		kept bool
	}{
		{"delivered", said("game", 1), passed(), true},
		{"of a game server, which delivers itself", item(func(it *engines.Item) { it.Live = false }), passed(), false},
		{"in no scene", item(func(it *engines.Item) { it.Scene = "" }), passed(), false},
		{"of an app that keeps none", said("off", 1), passed(), false},
		{"dropped", said("game", 1), verdict(func(v *engines.Verdict) { v.Action = engines.Drop }), false},
		{"held", said("game", 1), verdict(func(v *engines.Verdict) { v.Action = engines.Hold }), false},
		{"flagged and delivered, stored with its verdict", said("game", 1), verdict(func(v *engines.Verdict) { v.Suggestion = engines.Review }), false},
		{"observed", said("game", 1), verdict(func(v *engines.Verdict) { v.Observed = &engines.Finding{Suggestion: engines.Block} }), false},
	} {
		r.Observed(c.item, c.o, "stream")
		got := len(r.queue) == 1
		if got {
			<-r.queue
		}
		if got != c.kept {
			t.Errorf("%s: kept = %v, want %v", c.what, got, c.kept)
		}
	}
}

func TestWritesBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r := newRecorder(t, Default(), d)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { r.Serve(ctx); close(done) }()
		r.Observed(said("game", 1), passed(), "stream")
		time.Sleep(r.cfg.Interval)
		synctest.Wait()
		it := said("game", 1)
		want := store.SceneMessage{
			App: "game", Scene: "lobby", Message: "m1", Player: "ann", Session: "s", Content: "hello", Language: "en", State: "delivered", Sent: it.ReceivedAt,
		}
		d.mu.Lock()
		if diff := cmp.Diff([]store.SceneMessage{want}, d.stored); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		d.mu.Unlock()
		for i := range 300 { // more than one batch, written at the end
			r.Observed(said("game", i+2), passed(), "stream")
		}
		stop()
		<-done
		if len(d.stored) != 301 {
			t.Errorf("%d stored at the end, want 301", len(d.stored))
		}
		r.Observed(said("game", 999), passed(), "stream") // after it: counted, not a panic
		if got := testutil.ToFloat64(r.dropped); got != 1 {
			t.Errorf("dropped = %v, want 1", got)
		}
	})
}

// A store that hangs costs messages, never a verdict's time.
func TestFullQueueDropsAndCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := Default()
		cfg.Queue, cfg.Batch = 10, 1
		d := &disk{hang: make(chan struct{})}
		r := newRecorder(t, cfg, d)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { r.Serve(ctx); close(done) }()
		r.Observed(said("game", 0), passed(), "stream")
		synctest.Wait() // it hangs in the store
		for i := range 25 {
			r.Observed(said("game", i+1), passed(), "stream")
		}
		close(d.hang)
		stop()
		<-done
		if stored, dropped := len(d.stored), testutil.ToFloat64(r.dropped); stored != 11 || dropped != 15 {
			t.Errorf("stored %d, dropped %v, want 11 and 15", stored, dropped)
		}
	})
}

func TestFailedWritesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{fail: store.ErrUnavailable}
		r := newRecorder(t, Default(), d)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { r.Serve(ctx); close(done) }()
		r.Observed(said("game", 1), passed(), "stream")
		stop()
		<-done
		if dropped, written := testutil.ToFloat64(r.dropped), testutil.ToFloat64(r.written); dropped != 1 || written != 0 {
			t.Errorf("dropped %v, written %v, want 1 and 0", dropped, written)
		}
	})
}

func TestSweepByApp(t *testing.T) {
	cfg := Default()
	cfg.Apps = map[string]int{"short": 2, "off": 0}
	d := &disk{}
	r := newRecorder(t, cfg, d)
	at := time.Unix(1790000000, 0)
	if err := r.Sweep(t.Context(), at); err != nil {
		t.Fatal(err)
	}
	want := map[engines.AppID]time.Time{"game": at.AddDate(0, 0, -7), "short": at.AddDate(0, 0, -2), "off": at}
	if diff := cmp.Diff(want, d.swept); diff != "" {
		t.Errorf("swept before (-want +got):\n%s", diff)
	}
}

func TestValidateNamesEveryKey(t *testing.T) {
	cfg := Config{Days: -1, Apps: map[string]int{"game": 5000}}
	err := cfg.Validate()
	for _, key := range []string{"history.days", "history.apps.game", "history.queue", "history.batch", "history.interval"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate() = %v, want it to name %s", err, key)
		}
	}
	cfg = Default()
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
}

// BenchmarkObserved is what a verdict pays for the history.
func BenchmarkObserved(b *testing.B) {
	cfg := Default()
	r := newRecorder(b, cfg, &disk{})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-r.queue:
			case <-stop:
				return
			}
		}
	})
	item, o := said("game", 1), passed()
	b.ReportAllocs()
	for b.Loop() {
		r.Observed(item, o, "stream")
	}
	close(stop)
	wg.Wait()
}
