package history

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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
	chunks []int // messages of each
	fail   error
	hang   chan struct{}
	swept  map[engines.AppID]time.Time
}

func (d *disk) PutSceneChunks(_ context.Context, list []store.SceneChunk) error {
	if d.hang != nil {
		<-d.hang
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail != nil {
		return d.fail
	}
	for i := range list {
		said, err := list[i].Read()
		if err != nil {
			return err
		}
		d.stored = append(d.stored, said...)
		d.chunks = append(d.chunks, list[i].Messages)
	}
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
		got := r.wait.bytes > 0
		r.wait = newGathering(&r.cfg)
		if got != c.kept {
			t.Errorf("%s: kept = %v, want %v", c.what, got, c.kept)
		}
	}
}

// serve runs a recorder on fake time; stop ends it and waits for it.
func serve(t *testing.T, r *Recorder) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { r.Serve(ctx); close(done) }()
	return func() { cancel(); <-done }
}

// seen is what the store has, by message, in order.
func (d *disk) seen() (ids []engines.RequestID) {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range d.stored {
		ids = append(ids, m.Message)
	}
	return ids
}

func in(scene engines.SceneID, item *engines.Item) *engines.Item {
	item.Scene = scene
	return item
}

func TestWritesBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r := newRecorder(t, Default(), d)
		stop := serve(t, r)
		r.Observed(said("game", 1), passed(), "stream")
		time.Sleep(r.cfg.Interval - time.Second)
		synctest.Wait()
		if got := d.seen(); len(got) != 0 {
			t.Errorf("%v were written before their time", got)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		it := said("game", 1)
		want := store.SceneMessage{
			App: "game", Scene: "lobby", Message: "m1", Player: "ann", Session: "s", Content: "hello", Language: "en", State: "delivered", Sent: it.ReceivedAt,
		}
		d.mu.Lock()
		if diff := cmp.Diff([]store.SceneMessage{want}, d.stored); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
		d.chunks = nil
		d.mu.Unlock()
		for i := range 100 { // full chunks go at once, the rest at the end
			r.Observed(said("game", i+2), passed(), "stream")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := d.seen(); len(got) != 1+96 {
			t.Errorf("%d are stored, want 97", len(got))
		}
		stop()
		if diff := cmp.Diff([]int{32, 32, 32, 4}, d.chunks); diff != "" {
			t.Errorf("chunks (-want +got):\n%s", diff)
		}
		r.Observed(said("game", 999), passed(), "stream") // after it: counted, not a panic
		if got := testutil.ToFloat64(r.dropped); got != 1 {
			t.Errorf("dropped = %v, want 1", got)
		}
		if got := testutil.ToFloat64(r.written); got != 101 {
			t.Errorf("written = %v, want 101", got)
		}
	})
}

// What was said around something flagged is there for whoever looks at it.
func TestFlaggedHasItsSceneWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r := newRecorder(t, Default(), d)
		defer serve(t, r)()
		flagged := passed()
		flagged.Verdict.Suggestion = engines.Block
		r.Observed(said("game", 1), passed(), "stream")
		r.Observed(in("elsewhere", said("game", 2)), passed(), "stream")
		r.Observed(said("game", 3), flagged, "stream")
		r.Observed(said("game", 4), passed(), "stream")
		time.Sleep(lookEvery * lookRest)
		synctest.Wait()
		if diff := cmp.Diff([]engines.RequestID{"m1"}, d.seen()); diff != "" {
			t.Errorf("at once (-want +got):\n%s", diff)
		}
		time.Sleep(r.cfg.After)
		synctest.Wait()
		if diff := cmp.Diff([]engines.RequestID{"m1", "m4"}, d.seen()); diff != "" {
			t.Errorf("after it (-want +got):\n%s", diff)
		}
		// However much is flagged, a scene is written once in After.
		before := len(d.chunks)
		for i := range 100 {
			r.Observed(said("game", 100+i), passed(), "stream")
			r.Observed(said("game", 0), flagged, "stream")
			time.Sleep(r.cfg.After / 10)
		}
		time.Sleep(2 * r.cfg.After)
		synctest.Wait()
		if got := len(d.seen()); got != 2+100+1 { // the one elsewhere has waited for long enough
			t.Errorf("%d stored, want 103", got)
		}
		if got := len(d.chunks) - before; got > 12 {
			t.Errorf("%d chunks for 10 times After", got)
		}
	})
}

// A store that hangs costs messages, never a verdict's time.
func TestFullMemoryDropsAndCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := Default()
		cfg.Memory = minMemory
		d := &disk{hang: make(chan struct{})}
		r := newRecorder(t, cfg, d)
		stop := serve(t, r)
		long := func(n int) *engines.Item {
			it := in(engines.SceneID(fmt.Sprint("s", n)), said("game", n))
			it.Text = strings.Repeat("x", 1000)
			return it
		}
		for i := range 2000 {
			r.Observed(long(i), passed(), "stream")
			if i%10 == 0 {
				time.Sleep(10 * time.Millisecond)
			}
		}
		if r.wait.bytes > cfg.Memory {
			t.Errorf("%d bytes wait, more than %d", r.wait.bytes, cfg.Memory)
		}
		close(d.hang)
		stop()
		stored, dropped := len(d.stored), testutil.ToFloat64(r.dropped)
		if stored < 600 || dropped < 600 || stored+int(dropped) != 2000 {
			t.Errorf("stored %d, dropped %v of 2000", stored, dropped)
		}
		if d.stored[0].Scene != "s0" {
			t.Errorf("%s went first, want the oldest", d.stored[0].Scene)
		}
		if r.wait.bytes != 0 || r.wait.held != 0 {
			t.Errorf("%d bytes wait, %d of them in scenes, and nothing waits", r.wait.bytes, r.wait.held)
		}
	})
}

// Where scenes hold more than half, the oldest go before their time.
func TestOldestGoEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := Default()
		cfg.Memory = minMemory
		d := &disk{}
		r := newRecorder(t, cfg, d)
		defer serve(t, r)()
		for i := range 5000 {
			r.Observed(in(engines.SceneID(fmt.Sprint("s", i)), said("game", i)), passed(), "stream")
			time.Sleep(time.Millisecond)
		}
		if got := d.seen(); len(got) < 1000 || got[0] != "m0" {
			t.Errorf("%d went early", len(got))
		}
		if got := testutil.ToFloat64(r.dropped); got != 0 {
			t.Errorf("dropped = %v", got)
		}
	})
}

func TestFailedWritesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{fail: store.ErrUnavailable}
		r := newRecorder(t, Default(), d)
		stop := serve(t, r)
		for i := range 3 * writeAtOnce {
			r.Observed(in(engines.SceneID(fmt.Sprint("s", i)), said("game", i)), passed(), "stream")
		}
		stop()
		if dropped, written := testutil.ToFloat64(r.dropped), testutil.ToFloat64(r.written); dropped != 3*writeAtOnce || written != 0 {
			t.Errorf("dropped %v, written %v, want %d and 0", dropped, written, 3*writeAtOnce)
		}
	})
}

// An erasure finds what waited, and nothing comes after it.
func TestForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r := newRecorder(t, Default(), d)
		defer serve(t, r)()
		bob := in("other", said("game", 2))
		bob.Player = "bob"
		r.Observed(said("game", 1), passed(), "stream")
		r.Observed(bob, passed(), "stream")
		r.Forget("game", "ann")
		r.Observed(said("game", 3), passed(), "stream") // was on its way
		r.Observed(said("elsewhere", 4), passed(), "stream")
		time.Sleep(lookEvery)
		synctest.Wait()
		if diff := cmp.Diff([]engines.RequestID{"m1"}, d.seen()); diff != "" {
			t.Errorf("written (-want +got):\n%s", diff)
		}
		time.Sleep(goneFor + time.Second)
		synctest.Wait()
		r.Observed(said("game", 5), passed(), "stream") // the player came back
		time.Sleep(r.cfg.Interval + time.Second)
		synctest.Wait()
		got := d.seen()
		slices.Sort(got)
		if diff := cmp.Diff([]engines.RequestID{"m1", "m2", "m4", "m5"}, got); diff != "" {
			t.Errorf("written (-want +got):\n%s", diff)
		}
	})
}

// Somebody asks for a message that is not stored yet: it is found, and on its way.
func TestSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{hang: make(chan struct{})}
		r := newRecorder(t, Default(), d)
		defer serve(t, r)()
		for i := range 40 {
			r.Observed(said("game", i), passed(), "stream")
		}
		find := func(id engines.RequestID, want bool) {
			t.Helper()
			if m, ok := r.Said("game", "lobby", id); ok != want || ok && (m.Content != "hello" || m.Message != id) {
				t.Errorf("Said(%s) = %+v, %v", id, m, ok)
			}
		}
		find("m39", true)
		find("m3", true)
		find("m99", false)
		if _, ok := r.Said("game", "elsewhere", "m3"); ok {
			t.Error("found in another scene")
		}
		time.Sleep(lookEvery)
		synctest.Wait() // it hangs in the store
		find("m3", true)
		close(d.hang)
		if got := d.seen(); len(got) != 40 {
			t.Errorf("%d stored, want 40", len(got))
		}
		find("m3", false)
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
	for _, key := range []string{"history.days", "history.apps.game", "history.memory", "history.chunk", "history.interval", "history.after"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate() = %v, want it to name %s", err, key)
		}
	}
	cfg = Default()
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
}

// BenchmarkObserved is what a verdict pays for the history, 2,000 scenes at once; the
// store takes chunks for nothing.
func BenchmarkObserved(b *testing.B) {
	cfg := Default()
	cfg.Memory = 1 << 30 // nothing is dropped, which would be less work
	r := newRecorder(b, cfg, &disk{fail: store.ErrUnavailable})
	ctx, stop := context.WithCancel(b.Context())
	var wg sync.WaitGroup
	wg.Go(func() { r.Serve(ctx) })
	items := make([]*engines.Item, 2000)
	for i := range items {
		items[i] = in(engines.SceneID(fmt.Sprint("match-", i)), said("game", 1))
		items[i].RequestID = engines.RequestID(fmt.Sprintf("01a0c5d3-3a7b-7fff-8000-%012x", i))
		items[i].Session = "0198c1f3-7b1e-7000-8000-000000000000"
		items[i].Text = "see you at the gate, bring the others"
	}
	o, n := passed(), 0
	b.ReportAllocs()
	for b.Loop() {
		r.Observed(items[n%len(items)], o, "stream")
		n++
	}
	stop()
	wg.Wait()
}

// TestGather has what waits of a player in the store before it answers, and leaves the
// scenes in which the player said nothing.
func TestGather(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &disk{}
		r := newRecorder(t, Default(), d)
		<-r.Gather("game", "ann") // nothing waits: no wait
		defer serve(t, r)()
		bob := said("game", 1)
		bob.Player, bob.Scene = "bob", "arena"
		r.Observed(bob, passed(), "stream")
		r.Observed(said("game", 2), passed(), "stream")
		<-r.Gather("game", "ann")
		if diff := cmp.Diff([]engines.RequestID{"m2"}, d.seen()); diff != "" {
			t.Error(diff)
		}
		d.mu.Lock()
		d.fail = errors.New("disk full")
		d.mu.Unlock()
		r.Observed(said("game", 3), passed(), "stream")
		<-r.Gather("game", "ann") // a store that fails is not waited for
	})
}
