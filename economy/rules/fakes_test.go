package rules

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a store of two gateways.
type memory struct {
	mu       sync.Mutex
	rules    []economy.Rule // every version
	snoozes  []economy.Snooze
	counts   map[string]economy.RuleTally
	tests    map[string]economy.Backtest
	entries  []economy.Entry
	err      error         // of everything, when set
	pause    chan struct{} // DayOf waits for it, or its context's end
	asked    []int64       // days of DayOf
	allReads int           // RulesChanged from 0 on
}

func newMemory() *memory {
	return &memory{counts: map[string]economy.RuleTally{}, tests: map[string]economy.Backtest{}}
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

func (m *memory) newest(f func(*economy.Rule) bool) (list []economy.Rule) {
	for i := range m.rules {
		r := &m.rules[i]
		newer := slices.ContainsFunc(m.rules, func(o economy.Rule) bool { return o.App == r.App && o.Name == r.Name && o.Version > r.Version })
		if !newer && f(r) {
			list = append(list, *r)
		}
	}
	return list
}

func (m *memory) PutRule(_ context.Context, r economy.Rule, was int) (economy.Rule, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := 0
	for _, o := range m.newest(func(o *economy.Rule) bool { return o.App == r.App && o.Name == r.Name }) {
		have = o.Version
	}
	if have != was {
		return r, economy.ErrRuleVersion
	}
	r.Version, r.Changed = was+1, time.Now().UnixMilli()
	m.rules = append(m.rules, r)
	return r, m.err
}

func (m *memory) Rules(_ context.Context, app engines.AppID) ([]economy.Rule, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest(func(r *economy.Rule) bool { return r.App == app }), m.err
}

func (m *memory) RuleHistory(_ context.Context, app engines.AppID, name string, before, most int) (list []economy.Rule, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range slices.Backward(m.rules) {
		if r.App == app && r.Name == name && (before == 0 || r.Version < before) && len(list) < most {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, cmp.Or(m.err, economy.ErrNoRule)
	}
	return list, m.err
}

func (m *memory) RulesChanged(_ context.Context, since int64) ([]economy.Rule, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if since == 0 {
		m.allReads++
	}
	return m.newest(func(r *economy.Rule) bool { return r.Changed >= since }), m.err
}

func (m *memory) PutSnooze(_ context.Context, z economy.Snooze) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snoozes = append(m.snoozes, z)
	return m.err
}

func (m *memory) SnoozesChanged(context.Context, int64, int64) ([]economy.Snooze, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.snoozes), m.err
}

func (m *memory) AddRuleCounts(_ context.Context, counts []economy.RuleCount) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	for _, c := range counts {
		key := fmt.Sprint(c.Rule, c.Version, "@", c.Day)
		sum := m.counts[key]
		sum.Add(c.RuleTally)
		m.counts[key] = sum
	}
	return nil
}

func (m *memory) RuleCounts(context.Context, engines.AppID, string, int64) ([]economy.RuleCount, error) {
	return []economy.RuleCount{{Version: 2, Day: 100}, {Version: 1, Day: 99}, {Version: 1, Day: 90}}, nil
}

func (m *memory) PutBacktest(_ context.Context, b economy.Backtest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		b.Changed = time.Now().UnixMilli()
		m.tests[b.ID] = b
	}
	return m.err
}

func (m *memory) Backtest(_ context.Context, _ engines.AppID, _, id string) (economy.Backtest, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.tests[id]
	if !ok {
		return b, economy.ErrNoBacktest
	}
	return b, m.err
}

func (m *memory) Backtested(_ context.Context, _ engines.AppID, rule, deed string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.tests {
		if b.Rule == rule && b.Print == deed && b.State == economy.BacktestDone {
			return true, m.err
		}
	}
	return false, m.err
}

func (m *memory) DayOf(ctx context.Context, _ engines.AppID, day int64, each func([]economy.Entry) error) error {
	m.mu.Lock()
	m.asked = append(m.asked, day)
	entries, pause, err := m.entries, m.pause, m.err
	m.mu.Unlock()
	if pause != nil {
		select {
		case <-pause:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err != nil {
		return err
	}
	var list []economy.Entry
	for _, e := range entries {
		if dayOf(e.At) == day {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b economy.Entry) int { return cmp.Compare(a.At, b.At) })
	for chunk := range slices.Chunk(list, 3) {
		if err := each(chunk); err != nil {
			return err
		}
	}
	return nil
}

// asker is an economy of one player and one judgement.
type asker struct {
	features economy.Features
	risk     economy.Risk
	e        economy.Evaluation
	newest   int64
}

func (a *asker) Facts(_ context.Context, _ engines.AppID, p engines.PlayerID) (economy.Features, economy.Risk, error) {
	if p == "nobody" {
		return economy.Features{}, economy.Risk{}, economy.ErrUnknownPlayer
	}
	return a.features, a.risk, nil
}

func (a *asker) Weigh(context.Context, engines.AppID, *economy.Proposal) (e economy.Evaluation, s, r economy.Features, err error) {
	return a.e, a.features, a.features, nil
}
func (a *asker) Newest(context.Context, engines.AppID) (int64, error) { return a.newest, nil }

// keeper makes one over a store; told is called where others are told.
func keeper(t *testing.T, store *memory, told func()) *Keeper {
	t.Helper()
	k := New(Deps{
		Store: store, Known: known, Asker: func() Asker { return &asker{newest: 40 * dayMillis} }, Tell: told, Log: slog.New(slog.DiscardHandler),
		Book: func() economy.Book { return &countBook{of: map[engines.PlayerID]int{}} },
	})
	if err := k.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return k
}

func nobodyElse() {}

// countBook is a book whose features are how often a player was named: partners as a
// sender, givers as a receiver; each is 10 of its score.
type countBook struct {
	mu     sync.Mutex
	of     map[engines.PlayerID]int
	newest int64
}

func (b *countBook) Apply(entries []economy.Entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range entries {
		b.of[e.Player]++
		b.newest = max(b.newest, e.At)
	}
}

func (b *countBook) Risk(p engines.PlayerID, at int64) (economy.Risk, bool) {
	f, ok := b.Features(p, at)
	return economy.Risk{Score: f.Score, Level: economy.LevelOf(f.Score)}, ok
}

func (b *countBook) Features(p engines.PlayerID, _ int64) (economy.Features, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.of[p]
	return economy.Features{Partners: n, Score: min(10*n, 100)}, n > 0
}

func (b *countBook) Knows(p engines.PlayerID) bool { return b.of[p] > 0 }

func (b *countBook) Evaluate(p *economy.Proposal, _ int64) economy.Evaluation {
	if p.Deal.Money.Amount >= 500 {
		return economy.Evaluation{Suggestion: engines.Review, Score: 60, Reasons: []string{"price_deviation"}}
	}
	return economy.Evaluation{Suggestion: engines.Pass, Score: 10}
}
func (b *countBook) Ban(*economy.Ban)     {}
func (b *countBook) Save(io.Writer) error { return nil }
func (b *countBook) Look(seen uint64, _ int64) (economy.Findings, uint64) {
	return economy.Findings{}, seen
}

func (b *countBook) Around(engines.PlayerID, int, int, int64) (economy.Web, bool) {
	return economy.Web{}, false
}

func (b *countBook) Tend() bool    { return true }
func (b *countBook) Close()        {}
func (b *countBook) Newest() int64 { return b.newest }
