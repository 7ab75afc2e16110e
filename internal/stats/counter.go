package stats

import (
	"log/slog"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// maxSlots is how many hours of an app wait to be written. Rule when full, as where
// the store is away for two days: the oldest hour is dropped, and counted as lost.
const maxSlots = 48

// maxLabels is how many labels of one verdict are looked at.
const maxLabels = 32

// Stated is what the statement of reasons of a verdict says; false where there is none.
// The verdict comes as a value, so that of passes nothing is left to the collector.
type Stated func(item *engines.Item, v engines.Verdict) (store.Statement, bool)

// Counter counts every verdict in memory, by app and hour. Observed and Entries are
// safe for concurrent use and never wait for a store. It implements review.Observer.
type Counter struct {
	store  Adder
	stated Stated
	log    *slog.Logger
	now    func() time.Time

	apps atomic.Pointer[map[engines.AppID]*counts]
	mu   sync.Mutex // that apps are added one by one
	lost atomic.Int64

	waiting []store.StatCount // read, not yet written; of Serve's goroutine alone
}

// NewCounter makes a counter; Serve writes what it counts. Statements are counted as
// stated says, nil for none; now is nil for time.Now.
func NewCounter(s Adder, stated Stated, log *slog.Logger, now func() time.Time) *Counter {
	if now == nil {
		now = time.Now
	}
	c := &Counter{store: s, stated: stated, log: log, now: now}
	c.apps.Store(&map[engines.AppID]*counts{})
	return c
}

// counts is what one app counted.
type counts struct {
	mu    sync.Mutex // held for some hundred ns, or while one app's cells are read
	slots []*slot    // by hour, the newest last

	day       int64
	dayScenes names
}

// of returns the counts of an app.
func (c *Counter) of(app engines.AppID) *counts {
	if a := (*c.apps.Load())[app]; a != nil {
		return a
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old := *c.apps.Load()
	if a := old[app]; a != nil {
		return a
	}
	apps := make(map[engines.AppID]*counts, len(old)+1)
	maps.Copy(apps, old)
	a := &counts{}
	apps[app] = a
	c.apps.Store(&apps)
	return a
}

// slot is where what happens now is counted; a.mu is held.
func (a *counts) slot(c *Counter, ms int64) *slot {
	hour := ms - ms%store.StatHour.Milliseconds()
	if n := len(a.slots); n > 0 && a.slots[n-1].hour >= hour { // a clock that steps back stays in its hour
		return a.slots[n-1]
	}
	if len(a.slots) == maxSlots {
		c.lost.Add(a.slots[0].total())
		a.slots = append(a.slots[:0], a.slots[1:]...)
	}
	s := newSlot(hour)
	a.slots = append(a.slots, s)
	if day := ms - ms%store.StatDay.Milliseconds(); day != a.day {
		a.day, a.dayScenes = day, names{most: maxDayScenes}
	}
	return s
}

// Observed counts a verdict.
func (c *Counter) Observed(item *engines.Item, o engines.Outcome, way string) {
	now := c.now().UnixMilli()
	v := &o.Verdict
	found := v.Found()
	var said store.Statement
	states := false
	if c.stated != nil {
		said, states = c.stated(item, o.Verdict)
	}
	a := c.of(item.App)
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.slot(c, now)
	key := verdictKey{
		kind: item.Kind, way: way, mode: v.Mode, language: item.Language, region: item.Region, segment: item.Segment,
		suggestion: found.Suggestion, action: v.Action, degraded: v.Degraded,
	}
	cell := s.verdicts[key]
	if cell == nil {
		cell = s.verdict(key)
	}
	us := o.Took.Microseconds()
	cell.n++
	cell.took += us
	cell.by[bucket(us)]++

	sk := sceneKey{item.Scene, item.Kind, v.Mode}
	sc := s.scenes[sk]
	if sc == nil {
		sc = s.scene(sk, &a.dayScenes)
	}
	sc.n++
	switch found.Suggestion {
	case engines.Review:
		sc.review++
	case engines.Block:
		sc.block++
	case engines.Pass:
	}
	if v.Degraded {
		sc.degraded++
	}
	if states {
		s.countStatement(&said)
	}
	labels := found.Labels[:min(len(found.Labels), maxLabels)]
	for i := range labels {
		s.countLabel(&key, labels, i)
	}
}

func (s *slot) countStatement(said *store.Statement) {
	key := statementKey{said.Ground, said.Category, said.ContentType, said.Source, said.AutomatedDecision, said.Visibility, said.Account}
	cell := s.statements[key]
	if cell == nil {
		cell = s.statement(key)
	}
	cell.n++
}

func (s *slot) countLabel(v *verdictKey, labels []engines.Label, i int) {
	l := &labels[i]
	key := labelKey{
		category: l.Category, sub: l.SubLabel, source: l.Source, kind: v.kind, mode: v.mode,
		language: v.language, region: v.region, segment: v.segment, suggestion: v.suggestion, action: v.action,
	}
	cell := s.labels[key]
	if cell == nil {
		cell = s.label(key)
	}
	cell.n++
	for j := range i {
		if labels[j].Category == l.Category {
			return
		}
	}
	cell.verdicts++
}

// Entries counts entries of the economy's logs that are new.
func (c *Counter) Entries(app engines.AppID, entries []economy.Entry) {
	now := c.now().UnixMilli()
	a := c.of(app)
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.slot(c, now)
	for i := range entries {
		e := &entries[i]
		key := economyKey{log: e.Log.String(), what: e.What, action: string(e.Action), source: e.Source}
		switch e.Log {
		case economy.Trade:
			key.what, key.action = "", "trade"
			if e.Deal != nil {
				key.source = e.Deal.Type
			}
		case economy.Item, economy.Advert: // too many kinds of them to stand by name
			key.what, key.source = "", ""
		case economy.Currency:
		}
		cell := s.economy[key]
		if cell == nil {
			cell = s.entry(key)
		}
		cell.n++
		if e.Log == economy.Currency {
			switch e.Action.Sign(e.Log) {
			case +1:
				cell.in = plus(cell.in, e.Amount)
			case -1:
				cell.out = plus(cell.out, e.Amount)
			}
		}
	}
}

// Lost is how many verdicts were not counted, since the store was away too long.
func (c *Counter) Lost() int64 { return c.lost.Load() }

// verdict makes the cell of a key, or finds the one that stands for it.
func (s *slot) verdict(said verdictKey) *verdictCell {
	key := said
	key.language = s.languages.name(language(said.language))
	key.region, key.segment = s.regions.name(said.region), s.segments.name(said.segment)
	if s.verdicts[key] == nil && len(s.verdicts) >= maxCells {
		key.language, key.region, key.segment = Other, Other, Other
	}
	return alias(s.verdicts, said, key, func() *verdictCell { return &verdictCell{key: key} })
}

func (s *slot) label(said labelKey) *labelCell {
	key := said
	key.language = s.languages.name(language(said.language))
	key.region, key.segment = s.regions.name(said.region), s.segments.name(said.segment)
	if s.labels[key] == nil && len(s.labels) >= maxCells {
		key.language, key.region, key.segment, key.sub = Other, Other, Other, Other
	}
	return alias(s.labels, said, key, func() *labelCell { return &labelCell{key: key} })
}

func (s *slot) statement(said statementKey) *statementCell {
	key := said
	if s.statements[key] == nil && len(s.statements) >= maxCells {
		key.category = Other
	}
	return alias(s.statements, said, key, func() *statementCell { return &statementCell{key: key} })
}

func (s *slot) scene(said sceneKey, day *names) *sceneCell {
	key := said
	key.scene = engines.SceneID(s.sceneNames.name(string(said.scene)))
	return alias(s.scenes, said, key, func() *sceneCell {
		return &sceneCell{key: key, day: engines.SceneID(day.name(string(key.scene)))}
	})
}

func (s *slot) entry(said economyKey) *economyCell {
	key := said
	if s.economy[key] == nil && len(s.economy) >= maxCells/4 {
		key.source = Other
		if s.economy[key] == nil && len(s.economy) >= maxCells/2 {
			key.what = Other
		}
	}
	return alias(s.economy, said, key, func() *economyCell { return &economyCell{key: key} })
}

// alias returns the cell of key, which it makes where there is none, and has said lead
// to it too while there is room.
func alias[K comparable, C any](m map[K]*C, said, key K, fresh func() *C) *C {
	cell := m[key]
	if cell == nil {
		cell = fresh()
		m[key] = cell
	}
	if said != key && len(m) < maxCells {
		m[said] = cell
	}
	return cell
}

// language is a tag as it is counted: language and script, "zh-Hant" of "zh-hant-TW".
func language(tag string) string {
	first, rest, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	first = strings.ToLower(first)
	if script, _, _ := strings.Cut(rest, "-"); len(script) == 4 {
		return first + "-" + strings.ToUpper(script[:1]) + strings.ToLower(script[1:])
	}
	return first
}

func (s *slot) total() (n int64) {
	for _, c := range s.verdicts {
		n += c.n
		c.n = 0 // an alias leads here too
	}
	return n
}
