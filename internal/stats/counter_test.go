package stats

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sums is an Adder that keeps sums in memory; it is away where err is set.
type sums struct {
	mu   sync.Mutex
	err  error
	hour map[string][]int64
	day  map[string][]int64
	n    int
}

func (s *sums) AddStats(_ context.Context, counts []store.StatCount) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.hour == nil {
		s.hour, s.day = map[string][]int64{}, map[string][]int64{}
	}
	add := func(m map[string][]int64, key string, counts []int64) {
		if m[key] == nil {
			m[key] = make([]int64, len(counts))
		}
		for i, n := range counts {
			m[key][i] += n
		}
	}
	for _, c := range counts {
		s.n++
		key := fmt.Sprintf("%s %s %s", c.Cube.Shape().Table, c.App, strings.Join(c.Dims, "|"))
		if !c.OnlyDay {
			add(s.hour, key, c.Counts)
		}
		if !c.OnlyHour {
			add(s.day, key, c.Counts)
		}
	}
	return nil
}

// of sums what has a prefix.
func (s *sums) of(m map[string][]int64, prefix string) (n int64) {
	for key, counts := range m {
		if strings.HasPrefix(key, prefix) {
			n += counts[0]
		}
	}
	return n
}

func text(scene string, language string) *engines.Item {
	return &engines.Item{App: "game", Kind: engines.KindText, Scene: engines.SceneID(scene), Language: language, Segment: "standard", Region: "jp"}
}

func outcome(s engines.Suggestion, labels ...engines.Label) engines.Outcome {
	action := map[engines.Suggestion]engines.Action{engines.Pass: engines.Deliver, engines.Review: engines.Hold, engines.Block: engines.Drop}[s]
	return engines.Outcome{Took: 3 * time.Millisecond, Verdict: engines.Verdict{
		Finding: engines.Finding{Suggestion: s, Labels: labels}, Action: action, Mode: engines.RealTimeBlock,
	}}
}

func newTestCounter(s Adder) *Counter { return NewCounter(s, nil, slog.New(slog.DiscardHandler), nil) }

func TestCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sums{}
		c := newTestCounter(s)
		insult := engines.Label{Category: engines.Harassment, SubLabel: "insult", Source: engines.SourceLexicon}
		rude := engines.Label{Category: engines.Harassment, SubLabel: "profanity", Source: engines.SourceModel}
		c.Observed(text("lobby", "ja-JP"), outcome(engines.Pass), "stream")
		c.Observed(text("lobby", "JA"), outcome(engines.Pass), "stream")
		c.Observed(text("lobby", "zh-hant-TW"), outcome(engines.Block, insult, rude), "rest")
		observed := outcome(engines.Pass)
		observed.Verdict.Observed = &engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{rude}}
		observed.Verdict.Mode, observed.Verdict.Degraded, observed.Took = engines.MonitorOnly, true, 2*time.Second
		c.Observed(text("", ""), observed, "rest")
		if err := c.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		buckets := func(i int) []int64 {
			b := make([]int64, store.StatBuckets)
			b[i] = 1
			return b
		}
		for key, want := range map[string][]int64{
			"stat_verdict game text|stream|real_time_block|ja|jp|standard|pass|deliver|no":                   {2, 6000, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			"stat_verdict game text|rest|real_time_block|zh-Hant|jp|standard|block|drop|no":                  append([]int64{1, 3000}, buckets(2)...),
			"stat_verdict game text|rest|monitor_only||jp|standard|review|deliver|yes":                       append([]int64{1, 2_000_000}, buckets(13)...),
			"stat_label game harassment|insult|lexicon|text|real_time_block|zh-Hant|jp|standard|block|drop":  {1, 1},
			"stat_label game harassment|profanity|model|text|real_time_block|zh-Hant|jp|standard|block|drop": {1, 0},
			"stat_label game harassment|profanity|model|text|monitor_only||jp|standard|review|deliver":       {1, 1},
			"stat_scene game lobby|text|real_time_block":                                                     {3, 0, 1, 0},
			"stat_scene game |text|monitor_only":                                                             {1, 1, 0, 1},
		} {
			for name, m := range map[string]map[string][]int64{"hour": s.hour, "day": s.day} {
				if fmt.Sprint(m[key]) != fmt.Sprint(want) {
					t.Errorf("%s %s = %v, want %v", name, key, m[key], want)
				}
			}
		}
		if len(s.hour) != 8 {
			t.Errorf("%d rows, want 8: %v", len(s.hour), s.hour)
		}
		n := s.n
		if err := c.Flush(t.Context()); err != nil || s.n != n {
			t.Errorf("a second write: %v, %d more", err, s.n-n)
		}
	})
}

// However many names callers make up, cells are bounded and nothing goes uncounted.
func TestNamesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sums{}
		c := newTestCounter(s)
		const hours, each = 3, 6000
		for range hours {
			for i := range each {
				it := text(fmt.Sprintf("match-%d", i), fmt.Sprintf("x%d", i))
				it.Region, it.Segment = fmt.Sprintf("r%d", i%100), fmt.Sprintf("s%d", i%90)
				c.Observed(it, outcome(engines.Review, engines.Label{Category: engines.Spam, SubLabel: strconv.Itoa(i)}), "rest")
				c.Entries("game", []economy.Entry{{Log: economy.Currency, What: strconv.Itoa(i), Action: economy.Earn, Source: strconv.Itoa(i), Amount: 1 << 62}})
			}
			a := c.of("game")
			for _, sl := range a.slots {
				if len(sl.verdicts) > maxCells+1 || len(sl.labels) > maxCells+1 || len(sl.scenes) > maxCells+1 || len(sl.economy) > maxCells+1 {
					t.Errorf("%d verdict, %d label, %d scene, %d economy cells", len(sl.verdicts), len(sl.labels), len(sl.scenes), len(sl.economy))
				}
			}
			if err := c.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
		}
		for _, table := range []string{"stat_verdict", "stat_label", "stat_scene", "stat_economy"} {
			for name, m := range map[string]map[string][]int64{"hour": s.hour, "day": s.day} {
				if got := s.of(m, table); got != hours*each {
					t.Errorf("%s by %s: %d, want %d", table, name, got, hours*each)
				}
			}
		}
		names := map[string]int{}
		for key := range s.day {
			names[strings.Fields(key)[0]]++
		}
		if names["stat_scene"] > maxDayScenes+1 {
			t.Errorf("%d scenes in a day", names["stat_scene"])
		}
	})
}

// Nothing is lost while the store is away, nor at the end, but what is past the bound.
func TestStoreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sums{err: fmt.Errorf("away: %w", engines.ErrUnavailable)}
		c := newTestCounter(s)
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { c.Serve(ctx) })
		for range 60 {
			c.Observed(text("lobby", "en"), outcome(engines.Pass), "rest")
			time.Sleep(time.Hour)
			synctest.Wait()
		}
		s.mu.Lock()
		s.err = nil
		s.mu.Unlock()
		stop()
		wg.Wait()
		got, lost := s.of(s.hour, "stat_verdict"), c.Lost()
		if got+lost != 60 || got < maxSlots {
			t.Errorf("%d counted and %d lost of 60, want %d at least counted", got, lost, maxSlots)
		}
	})
}

// What the store cannot take keeps nothing else back.
func TestRefusedCountsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sums{err: errors.New("not like this")}
		c := newTestCounter(s)
		c.Observed(text("lobby", "en"), outcome(engines.Pass), "rest")
		if err := c.Flush(t.Context()); err == nil {
			t.Error("Flush() = nil")
		}
		s.err = nil
		c.Observed(text("lobby", "en"), outcome(engines.Pass), "rest")
		if err := c.Flush(t.Context()); err != nil || s.of(s.hour, "stat_verdict") != 1 {
			t.Errorf("Flush() = %v, %d counted, want 1", err, s.of(s.hour, "stat_verdict"))
		}
	})
}

func TestCountsConcurrently(t *testing.T) {
	s := &sums{}
	c := newTestCounter(s)
	ctx, stop := context.WithCancel(t.Context())
	var writer, callers sync.WaitGroup
	writer.Go(func() {
		for ctx.Err() == nil {
			if err := c.Flush(context.WithoutCancel(ctx)); err != nil {
				t.Error(err)
			}
		}
	})
	const each = 2000
	for g := range 8 {
		callers.Go(func() {
			for i := range each {
				it := text(strconv.Itoa(i%300), "en")
				it.App = engines.AppID(fmt.Sprint("game", g%3))
				c.Observed(it, outcome(engines.Block, engines.Label{Category: engines.Hate}), "rest")
			}
		})
	}
	callers.Wait()
	stop()
	writer.Wait()
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"stat_verdict", "stat_label", "stat_scene"} {
		if got := s.of(s.day, table); got != 8*each {
			t.Errorf("%s: %d, want %d", table, got, 8*each)
		}
	}
}

func BenchmarkObserved(b *testing.B) {
	label := engines.Label{Category: engines.Harassment, SubLabel: "insult", Source: engines.SourceLexicon}
	for name, o := range map[string]engines.Outcome{"pass": outcome(engines.Pass), "two_labels": outcome(engines.Block, label, engines.Label{Category: engines.Hate})} {
		b.Run(name, func(b *testing.B) {
			c := newTestCounter(&sums{})
			items := make([]*engines.Item, 64)
			for i := range items {
				items[i] = text(fmt.Sprint("scene-", i), []string{"ja", "en-GB", "ko", "zh-Hans"}[i%4])
			}
			for _, it := range items {
				c.Observed(it, o, "stream")
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c.Observed(items[i%len(items)], o, "stream")
			}
		})
	}
}

func TestObservedAllocatesNothing(t *testing.T) {
	c := newTestCounter(&sums{})
	it, o := text("lobby", "EN-us"), outcome(engines.Block, engines.Label{Category: engines.Hate})
	c.Observed(it, o, "rest")
	if n := testing.AllocsPerRun(100, func() { c.Observed(it, o, "rest") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
