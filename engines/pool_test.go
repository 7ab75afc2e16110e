package engines_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type engineFunc func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error)

func (f engineFunc) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	return f(ctx, item, out)
}

var (
	seen  = engines.Signal{Category: engines.Spam, Confidence: 0.9}
	found = engineFunc(func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
		return append(out, seen), nil
	})
)

func newPool(t *testing.T, cfg engines.PoolConfig) *engines.Pool {
	t.Helper()
	cfg.Name = "eye"
	if cfg.Slots == 0 {
		cfg.Slots = 1
	}
	if cfg.Deadline == 0 {
		cfg.Deadline = time.Second
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	p, err := engines.NewPool(cfg)
	if err != nil {
		t.Fatalf("NewPool: %v", err)
	}
	return p
}

// both runs a test inline and apart.
func both(t *testing.T, f func(t *testing.T, inline bool)) {
	t.Helper()
	for name, inline := range map[string]bool{"inline": true, "apart": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, inline) })
		})
	}
}

func TestPoolNamesEveryFaultOfItsConfig(t *testing.T) {
	_, err := engines.NewPool(engines.PoolConfig{Queue: -1})
	if err == nil {
		t.Fatal("NewPool(zero) = nil error")
	}
	for _, want := range []string{"Name", "Engine", "Slots", "Queue", "Deadline"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("NewPool error %q does not name %s", err, want)
		}
	}
}

func TestPoolAppends(t *testing.T) {
	both(t, func(t *testing.T, inline bool) {
		t.Helper()
		p := newPool(t, engines.PoolConfig{Engine: found, Inline: inline})
		defer p.Close()
		first := engines.Signal{Category: engines.Hate}
		got, fault := p.Inspect(t.Context(), &engines.Item{}, []engines.Signal{first})
		if fault != nil {
			t.Helper()
			t.Errorf("fault = %v, want none", fault)
		}
		if diff := cmp.Diff([]engines.Signal{first, seen}, got); diff != "" {
			t.Errorf("signals (-want +got):\n%s", diff)
		}
	})
}

func TestPoolFaults(t *testing.T) {
	type c struct {
		name   string
		engine engineFunc
		want   string
		kept   int // signals that still count
	}
	for _, c := range []c{
		{"error", func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
			return append(out, seen), errors.New("secret words")
		}, engines.ReasonFailed, 1},
		{"panic", func(context.Context, *engines.Item, []engines.Signal) ([]engines.Signal, error) {
			panic("secret words")
		}, engines.ReasonFailed, 0},
		{"runtime panic", func(_ context.Context, i *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
			return out[len(i.Text):], nil
		}, engines.ReasonFailed, 0},
		{"deadline", func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
			return append(out, seen), context.DeadlineExceeded
		}, engines.ReasonLate, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			both(t, func(t *testing.T, inline bool) {
				t.Helper()
				var log bytes.Buffer
				p := newPool(t, engines.PoolConfig{Engine: c.engine, Inline: inline, Log: slog.New(slog.NewTextHandler(&log, nil))})
				got, fault := p.Inspect(t.Context(), &engines.Item{Text: "secret words"}, nil)
				if fault == nil || fault.Reason != c.want || fault.Engine != "eye" {
					t.Helper()
					t.Errorf("fault = %v, want {eye %s}", fault, c.want)
				}
				if len(got) != c.kept {
					t.Errorf("signals = %v, want %d", got, c.kept)
				}
				if _, fault = p.Inspect(t.Context(), &engines.Item{}, nil); fault != nil && fault.Reason == engines.ReasonOverloaded {
					t.Error("the slot was not given back")
				}
				p.Close()
				if c.want == engines.ReasonFailed && !strings.Contains(log.String(), "engine=eye") {
					t.Errorf("log %q does not name the engine", log.String())
				}
				if strings.Contains(log.String(), "secret") {
					t.Errorf("log has content: %s", log.String())
				}
			})
		})
	}
}

func TestPoolLeavesAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Bool
		item := &engines.Item{Text: "first"}
		p := newPool(t, engines.PoolConfig{Deadline: 10 * time.Millisecond, Engine: engineFunc(
			func(_ context.Context, mine *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
				time.Sleep(time.Second) // heeds no context
				if mine.Text != "first" {
					t.Errorf("the engine reads %q, want what was given", mine.Text)
				}
				ended.Store(true)
				return append(out, seen), nil
			})})
		start := time.Now()
		out := make([]engines.Signal, 0, 4)
		got, fault := p.Inspect(t.Context(), item, out)
		if fault == nil || fault.Reason != engines.ReasonLate || len(got) != 0 {
			t.Errorf("Inspect = %v, %v; want a late fault", got, fault)
		}
		if took := time.Since(start); took != 10*time.Millisecond {
			t.Errorf("took %v, want the deadline", took)
		}
		item.Text = "second" // the caller's again

		// What ignores its deadline still holds its slot.
		if _, fault := p.Inspect(t.Context(), item, nil); fault == nil || fault.Reason != engines.ReasonOverloaded {
			t.Errorf("second Inspect: fault = %v, want overloaded", fault)
		}
		p.Close()
		if !ended.Load() {
			t.Error("Close returned before the engine ended")
		}
	})
}

func TestPoolLeavesWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, engines.PoolConfig{Engine: engineFunc(
			func(ctx context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
				<-ctx.Done()
				return out, ctx.Err()
			})})
		defer p.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, fault := p.Inspect(ctx, &engines.Item{}, nil); fault == nil || fault.Reason != engines.ReasonLate {
			t.Errorf("fault = %v, want late", fault)
		}
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("took %v, want 1ms", took)
		}
	})
}

func TestPoolBounds(t *testing.T) {
	both(t, func(t *testing.T, inline bool) {
		t.Helper()
		release := make(chan struct{})
		var mu sync.Mutex
		var running, most int
		count := func(n int) {
			mu.Lock()
			defer mu.Unlock()
			running += n
			most = max(most, running)
		}
		p := newPool(t, engines.PoolConfig{Slots: 2, Queue: 3, Inline: inline, Deadline: time.Minute, Engine: engineFunc(
			func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
				t.Helper()
				count(1)
				defer count(-1)
				<-release
				return append(out, seen), nil
			})})
		var overloaded, ok atomic.Int64
		var wg sync.WaitGroup
		for range 9 {
			wg.Go(func() {
				switch _, fault := p.Inspect(t.Context(), &engines.Item{}, nil); {
				case fault == nil:
					ok.Add(1)
				case fault.Reason == engines.ReasonOverloaded:
					overloaded.Add(1)
				}
			})
		}
		synctest.Wait()
		if got := overloaded.Load(); got != 4 {
			t.Errorf("overloaded at once = %d, want 4 (2 run, 3 wait)", got)
		}
		if got, want := p.Load(), (engines.Load{Busy: 2, Slots: 2, Waiting: 3, Queue: 3}); got != want {
			t.Errorf("Load() = %+v, want %+v", got, want)
		}
		close(release)
		wg.Wait()
		if got, want := p.Load(), (engines.Load{Slots: 2, Queue: 3}); got != want {
			t.Errorf("Load() after all = %+v, want %+v", got, want)
		}
		if got := ok.Load(); got != 5 {
			t.Errorf("inspected = %d, want 5", got)
		}
		if most != 2 {
			t.Errorf("most at once = %d, want 2", most)
		}
		p.Close()
	})
}

func TestPoolWaitEndsAtTheDeadline(t *testing.T) {
	both(t, func(t *testing.T, inline bool) {
		t.Helper()
		release := make(chan struct{})
		p := newPool(t, engines.PoolConfig{Queue: 2, Inline: inline, Deadline: 20 * time.Millisecond, Engine: engineFunc(
			func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
				t.Helper()
				<-release
				return out, nil
			})})
		var wg sync.WaitGroup
		wg.Go(func() { p.Inspect(t.Context(), &engines.Item{}, nil) })
		synctest.Wait()
		start := time.Now()
		_, fault := p.Inspect(t.Context(), &engines.Item{}, nil)
		if fault == nil || fault.Reason != engines.ReasonLate || time.Since(start) != 20*time.Millisecond {
			t.Errorf("fault = %v after %v, want late after 20ms", fault, time.Since(start))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, fault := p.Inspect(ctx, &engines.Item{}, nil); fault == nil || fault.Reason != engines.ReasonLate {
			t.Errorf("cancelled wait: fault = %v, want late", fault)
		}
		close(release)
		wg.Wait()
		p.Close()
	})
}

func TestPoolClose(t *testing.T) {
	both(t, func(t *testing.T, inline bool) {
		t.Helper()
		release := make(chan struct{})
		p := newPool(t, engines.PoolConfig{Queue: 1, Inline: inline, Deadline: time.Minute, Engine: engineFunc(
			func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
				t.Helper()
				<-release
				return append(out, seen), nil
			})})
		var ran, waited *engines.Fault
		var wg sync.WaitGroup
		wg.Go(func() { _, ran = p.Inspect(t.Context(), &engines.Item{}, nil) })
		synctest.Wait()
		wg.Go(func() { _, waited = p.Inspect(t.Context(), &engines.Item{}, nil) })
		synctest.Wait()
		closed := make(chan struct{})
		go func() { p.Close(); close(closed) }()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("Close returned while an inspection ran")
		default:
		}
		close(release)
		<-closed
		wg.Wait()
		if ran != nil {
			t.Errorf("running inspection: fault = %v, want none", ran)
		}
		if waited == nil || waited.Reason != engines.ReasonOverloaded {
			t.Errorf("waiting inspection: fault = %v, want overloaded", waited)
		}
		if _, fault := p.Inspect(t.Context(), &engines.Item{}, nil); fault == nil || fault.Reason != engines.ReasonOverloaded {
			t.Errorf("after Close: fault = %v, want overloaded", fault)
		}
		p.Close()
	})
}

func TestPoolCounts(t *testing.T) {
	reg := prometheus.NewRegistry()
	good := newPool(t, engines.PoolConfig{Engine: found, Inline: true, Registry: reg})
	defer good.Close()
	bad, err := engines.NewPool(engines.PoolConfig{
		Name: "other", Slots: 1, Deadline: time.Second, Registry: reg, Log: slog.New(slog.DiscardHandler),
		Engine: engineFunc(func(context.Context, *engines.Item, []engines.Signal) ([]engines.Signal, error) {
			return nil, errors.New("no")
		}),
	})
	if err != nil {
		t.Fatalf("a second pool on one registry: %v", err)
	}
	defer bad.Close()
	for range 3 {
		good.Inspect(t.Context(), &engines.Item{}, nil)
	}
	bad.Inspect(t.Context(), &engines.Item{}, nil)

	got := map[string]float64{}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "portcullis_engine_inspections_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			var key []string
			for _, l := range m.GetLabel() {
				key = append(key, l.GetName()+"="+l.GetValue())
			}
			if v := m.GetCounter().GetValue(); v > 0 {
				got[strings.Join(key, " ")] = v
			}
		}
	}
	want := map[string]float64{"engine=eye outcome=ok": 3, "engine=other outcome=failed": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestPoolInlineAllocatesNothing(t *testing.T) {
	p := newPool(t, engines.PoolConfig{Engine: found, Inline: true})
	defer p.Close()
	ctx, item, out := t.Context(), &engines.Item{Text: "hello"}, make([]engines.Signal, 0, 4)
	if got := testing.AllocsPerRun(1000, func() { p.Inspect(ctx, item, out) }); got != 0 {
		t.Errorf("allocations = %v, want 0", got)
	}
}

func BenchmarkPoolInline(b *testing.B) {
	p, err := engines.NewPool(engines.PoolConfig{Name: "bench", Engine: found, Slots: 64, Deadline: time.Second, Inline: true})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	ctx, item, out := b.Context(), &engines.Item{Text: "hello"}, make([]engines.Signal, 0, 4)
	b.ReportAllocs()
	for b.Loop() {
		p.Inspect(ctx, item, out)
	}
}
