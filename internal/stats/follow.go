package stats

import (
	"context"
	"log/slog"
	"maps"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	leadEvery = 10 * time.Second
	leadFor   = 3 * leadEvery
	// followBack is how far apart the clocks of two gateways may be, and how long a
	// decision may take to commit: so much is read again.
	followBack  = time.Minute
	followPage  = 200
	maxMarks    = 32 // of one case and kind of mark
	stepsWithin = 30 * time.Second
)

// Serve follows what people make of cases and looks for anomalies, at one gateway of
// all, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	tick := time.NewTicker(leadEvery)
	defer tick.Stop()
	w := watch{looked: map[int64]int64{}}
	failing := false
	for {
		err := s.step(ctx, &w)
		if err != nil && !failing && ctx.Err() == nil {
			s.deps.Log.LogAttrs(ctx, slog.LevelWarn, "statistics: cases and anomalies wait", slog.Any("error", err))
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// watch is how far Serve has come.
type watch struct {
	looked map[int64]int64 // when hours were looked at, epoch ms
}

func (s *Service) step(ctx context.Context, w *watch) error {
	ctx, cancel := context.WithTimeout(ctx, stepsWithin)
	defer cancel()
	now := s.deps.Now()
	mine, err := s.deps.Store.LeadStats(ctx, now, now.Add(leadFor))
	if err != nil || !mine {
		return err
	}
	if err := s.Follow(ctx); err != nil {
		return err
	}
	for _, hour := range w.due(now) {
		if err := s.Look(ctx, hour); err != nil {
			return err
		}
		w.looked[hour] = now.UnixMilli()
	}
	return nil
}

// due lists the hours to look at now: the one that runs, now and again, and the one
// before once it is complete.
func (w *watch) due(now time.Time) (list []int64) {
	ms := now.UnixMilli()
	hour := ms - ms%hourMS
	end := hour + endAfter.Milliseconds()
	if ms >= end && w.looked[hour-hourMS] < end {
		list = append(list, hour-hourMS)
	}
	if ms-w.looked[hour] >= lookEvery.Milliseconds() && ms > end {
		list = append(list, hour)
	}
	maps.DeleteFunc(w.looked, func(at, _ int64) bool { return at < hour-hourMS })
	return list
}

// Look looks at an hour (its beginning, epoch ms) of every app.
func (s *Service) Look(ctx context.Context, hour int64) error {
	apps, err := s.deps.Store.StatApps(ctx)
	if err != nil {
		return err
	}
	for _, app := range apps {
		list, err := s.look(ctx, app, hour)
		if err != nil {
			return err
		}
		for i := range list {
			a := &list[i]
			opened, err := s.deps.Store.OpenAnomaly(ctx, *a, gapOf)
			if err != nil {
				return err
			}
			if !opened {
				continue
			}
			s.deps.Log.LogAttrs(ctx, slog.LevelWarn, "anomaly", slog.String("app", string(a.App)), slog.String("category", a.Category),
				slog.Int64("found", a.Found), slog.Int64("verdicts", a.Verdicts), slog.Float64("ratio", a.Ratio))
			if s.deps.Told != nil {
				s.deps.Told(a)
			}
		}
	}
	return nil
}

// Follow reads which cases have changed and keeps what statistics need of them.
func (s *Service) Follow(ctx context.Context) error {
	reached, err := s.deps.Store.StatReached(ctx)
	if err != nil {
		return err
	}
	at, after := reached-followBack.Milliseconds(), engines.CaseID("")
	for {
		list, err := s.deps.Store.CasesChanged(ctx, at, after, followPage)
		if err != nil || len(list) == 0 {
			return err
		}
		last := &list[len(list)-1]
		at, after = last.Updated.UnixMilli(), last.ID
		if facts := s.news(list); len(facts) > 0 || at > reached {
			if err := s.deps.Store.PutCaseFacts(ctx, facts, at); err != nil {
				return err
			}
			s.remember(facts)
		}
		if len(list) < followPage {
			return nil
		}
	}
}

// news are the facts of cases that were not written lately: the last minute is read
// each time.
func (s *Service) news(list []store.ChangedCase) []store.CaseFact {
	facts := make([]store.CaseFact, 0, len(list))
	for i := range list {
		c := &list[i]
		if c.State != store.CaseClosed && c.Updated.Equal(c.Created) {
			continue // nothing was ever kept of it
		}
		f := factOf(c)
		if at, ok := s.known[f.ID]; !ok || at != f.Closed.UnixMilli() {
			facts = append(facts, f)
		}
	}
	return facts
}

// remember keeps what was written lately, so that it is not written each time.
func (s *Service) remember(facts []store.CaseFact) {
	if len(s.known) > 4*followPage {
		clear(s.known)
	}
	for i := range facts {
		s.known[facts[i].ID] = facts[i].Closed.UnixMilli()
	}
}

// factOf is what is kept of a case.
func factOf(c *store.ChangedCase) store.CaseFact {
	v := &c.Opened.Verdict
	f := store.CaseFact{App: c.App, ID: c.ID, Opened: c.Created, Kind: c.Kind, Mode: v.Mode, Suggestion: v.Found().Suggestion, Action: v.Action}
	if c.State != store.CaseClosed {
		return f
	}
	f.Closed, f.Decision, f.By = c.Decided, c.Case.Decision, c.By
	if f.Closed.IsZero() { // of cases of an older release
		f.Closed = c.Updated
	}
	seen := map[store.CaseMark]bool{}
	n := map[string]int{}
	add := func(what, name string) {
		m := store.CaseMark{What: what, Name: name}
		if name == "" || seen[m] || n[what] == maxMarks {
			return
		}
		seen[m] = true
		n[what]++
		f.Marks = append(f.Marks, m)
	}
	if store.AreaOf(c.Kind) != store.AreaContent { // of a second look the first has them
		return f
	}
	if c.Case.Decision == rejected && c.Category != "" {
		add(store.MarkCategory, string(c.Category)) // what it was decided to be, whatever was found
	}
	add(store.MarkStated, stated(c))
	add(store.MarkEnded, ended(c.Opened.Statements))
	for _, l := range v.Found().Labels {
		if c.Case.Decision != rejected || c.Category == "" {
			add(store.MarkCategory, string(l.Category))
		}
		add(store.MarkSource, string(l.Source))
		if l.SubLabel != "" {
			add(store.MarkLabel, string(l.Category)+"/"+l.SubLabel)
		}
	}
	for i := range c.Opened.Signals {
		add(store.MarkRule, c.Opened.Signals[i].Rule)
	}
	return f
}

// stated is what the person's statement that holds says: the first is the machine's
// own, and an end says that one does not hold any more. A rejection of which no
// statement is kept is what its case says.
func stated(c *store.ChangedCase) string {
	list := c.Opened.Statements
	for i := len(list) - 1; i > 0; i-- {
		if s := &list[i]; s.Ends.IsZero() {
			return store.StatedName(s)
		}
	}
	if c.Case.Decision != rejected {
		return ""
	}
	category := c.Category
	if category == "" {
		if l := engines.Gravest(c.Opened.Verdict.Found().Labels); l != nil {
			category = l.Category
		}
	}
	return store.StatedName(&store.Statement{Ground: store.GroundOf(category, c.SubLabel), Category: string(category), Visibility: store.VisibilityRemoved})
}

// ended is what the machine's statement said that a person has ended, "" where it
// restricted nothing or holds.
func ended(list []store.Statement) string {
	if len(list) == 0 || list[0].Ends.IsZero() || list[0].Visibility == "" && list[0].Account == "" {
		return ""
	}
	return store.StatedName(&list[0])
}
