package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// statsFill makes a store as a game of a year leaves it.
type statsFill struct {
	db       *sqlstore.Store
	now      time.Time
	progress io.Writer
	r        *rand.Rand
	days     int // that are counted, before now's
	cases    int
	counts   int
}

var (
	statsLanguages = []string{"ja", "en", "ko", "zh-Hans", "th", ""}
	statsRegions   = []string{"jp", "west", "kr", "sea", "sea", ""}
	statsSegments  = []string{"standard", "minor", "trusted"}
	statsModes     = []engines.Mode{engines.RealTimeBlock, engines.DeferredReview, engines.MonitorOnly}
	statsWays      = []string{"stream", "rest"}
	statsSources   = []engines.Source{engines.SourceLexicon, engines.SourceModel, engines.SourceRule, engines.SourceCustomList}
	statsSubs      = []string{"", "insult", "profanity", "rmt", "advertising"}
)

const (
	statsScenes = 150
	statsYear   = 365
	statsBatch  = 2000
	// A twentieth of what is checked is flagged, and half of that is reviewed.
	statsFlagged = 20
)

func (f *statsFill) all(ctx context.Context, decisions int, s *stats.Service) error {
	f.r = rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same fill each time
	if err := f.db.CreateApp(ctx, statsApp, "k", "psk_bench"); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(f.progress, "storing %d decisions …\n", decisions) // progress only
	if err := f.decisions(ctx, decisions); err != nil {
		return err
	}
	if err := f.people(ctx, decisions); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(f.progress, "following closed cases …")
	if err := s.Follow(ctx); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(f.progress, "counting a year …")
	for day := f.days; day > 0; day-- {
		if err := f.day(ctx, f.now.Add(-time.Duration(day)*store.StatDay)); err != nil {
			return err
		}
	}
	return f.day(ctx, f.now)
}

func drawn[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// decisions stores decisions of 30 days, and decides nine tenths of their cases.
func (f *statsFill) decisions(ctx context.Context, n int) error {
	batch := make([]store.Decision, 0, statsBatch)
	type opened struct {
		id       engines.CaseID
		at       time.Time
		decision string
	}
	var cases []opened
	writers, writing := errgroup.WithContext(ctx) // so that their commits are one
	writers.SetLimit(32)
	for i := range n {
		// In the order of their time, as they come.
		at := f.now.Add(-time.Duration(int64(30*store.StatDay) / int64(n) * int64(n-i))).Truncate(time.Millisecond)
		l := f.r.IntN(len(statsLanguages))
		d := store.Decision{
			Request: decisionID(at, i), App: statsApp, Player: engines.PlayerID(fmt.Sprint("p", f.r.IntN(100_000))),
			Scene: engines.SceneID(fmt.Sprint("scene-", f.r.IntN(statsScenes))), Kind: engines.KindText, Language: statsLanguages[l], Content: "a line of chat as players write them",
			Weight: 1, Took: time.Duration(f.r.IntN(4000)) * time.Microsecond, Created: at,
			Circumstances: store.Circumstances{Segment: drawn(f.r, statsSegments), Region: statsRegions[l], Live: true},
			Verdict:       engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Deliver, Mode: engines.RealTimeBlock, PolicyVersion: "1"},
		}
		if i%statsFlagged != 0 {
			if i%5 == 1 { // too weak for its policy: a stricter one may find it
				d.Signals = []engines.Signal{{Category: drawn(f.r, engines.TextCategories), Confidence: .35, Severity: 1, Source: engines.SourceModel, Span: engines.Span{Start: 2, End: 6}}}
			}
			if batch = append(batch, d); len(batch) == statsBatch {
				if err := f.db.PutDecisions(ctx, batch); err != nil {
					return err
				}
				batch = batch[:0]
			}
			continue
		}
		category := drawn(f.r, engines.TextCategories)
		d.Signals = []engines.Signal{{Category: category, Confidence: .9, Severity: 2, Source: drawn(f.r, statsSources), Rule: fmt.Sprint(category, "-", f.r.IntN(300))}}
		d.Verdict.Finding = engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: category, SubLabel: drawn(f.r, statsSubs), Source: d.Signals[0].Source, Severity: 2, Confidence: .9}}}
		d.Verdict.Action = engines.Drop
		if i%(2*statsFlagged) != 0 {
			writers.Go(func() error { return f.db.PutDecision(writing, d, nil, nil) })
			continue
		}
		d.Verdict.Suggestion, d.Verdict.Action, d.Verdict.Case, d.CaseID = engines.Review, engines.Hold, true, engines.CaseID(fmt.Sprint("c", i))
		c := &store.Case{ID: d.CaseID, App: statsApp, Request: d.Request, Player: d.Player, Scene: d.Scene, State: store.CaseOpen, Version: 1, Created: at, Updated: at}
		writers.Go(func() error { return f.db.PutDecision(writing, d, c, nil) })
		cases = append(cases, opened{c.ID, at, drawn(f.r, []string{"approve", "reject", "reject"})})
	}
	if err := errors.Join(f.db.PutDecisions(ctx, batch), writers.Wait()); err != nil {
		return err
	}
	writers, writing = errgroup.WithContext(ctx)
	writers.SetLimit(32)
	for i, c := range cases {
		if i%10 == 0 {
			continue
		}
		closed := c.at.Add(time.Duration(f.r.IntN(7200)) * time.Second)
		writers.Go(func() error {
			_, _, err := f.db.MoveCase(writing, c.id, "decide", "", func(facts store.CaseFacts) (store.CaseChange, error) {
				return decided(facts.Case, c.decision, fmt.Sprint("mod", i%8), closed), nil
			})
			return err
		})
		f.cases++
	}
	return writers.Wait()
}

// decisionID is a UUIDv7, by whose time decisions are found again.
func decisionID(at time.Time, i int) engines.RequestID {
	ms := at.UnixMilli()
	return engines.RequestID(fmt.Sprintf("%08x-%04x-7%03x-8%03x-%012x", ms>>16, ms&0xffff, i&0xfff, i>>12&0xfff, i))
}

// decided closes a case.
func decided(c store.Case, decision, by string, at time.Time) store.CaseChange {
	c.State, c.Decision, c.By, c.Decided, c.Updated = store.CaseClosed, decision, by, at, at
	c.Version++
	return store.CaseChange{
		Case:  c,
		Event: store.CaseEvent{Version: c.Version, At: at, Actor: by, Action: "decide", State: c.State, Detail: "{}"},
		Audit: store.Audit{TS: at, Actor: by, Action: "case.decide", Object: "case/" + string(c.ID), Detail: "{}"},
	}
}

// day counts one day: by hour where hours are still kept, else by day alone.
func (f *statsFill) day(ctx context.Context, day time.Time) error {
	hours := []time.Duration{0}
	byHour := f.now.Sub(day) < store.StatHoursKept-store.StatDay
	if byHour {
		hours = nil
		for h := range 24 {
			hours = append(hours, time.Duration(h)*time.Hour)
		}
	}
	start := day.Truncate(store.StatDay)
	var list []store.StatCount
	whole := map[string]int{} // its rows of list, by what they count
	for _, h := range hours {
		for _, c := range f.hour(start.Add(h).UnixMilli()) {
			key := fmt.Sprint(c.Cube, c.Dims)
			at, ok := whole[key]
			if ok {
				for i, n := range c.Counts {
					list[at].Counts[i] += n
				}
			} else {
				day := c
				day.OnlyDay, day.Hour, day.Counts = true, start.UnixMilli(), slices.Clone(c.Counts)
				whole[key] = len(list)
				list = append(list, day)
			}
			if byHour {
				c.OnlyHour = true
				list = append(list, c)
			}
		}
	}
	f.counts += len(list)
	for len(list) > 0 {
		n := min(len(list), 1000)
		if err := f.db.AddStats(ctx, list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// hour is what an hour counts: every way, mode, language and segment that there is.
func (f *statsFill) hour(at int64) (list []store.StatCount) {
	add := func(cube store.StatCube, counts []int64, dims ...string) {
		list = append(list, store.StatCount{Cube: cube, App: statsApp, Hour: at, Dims: dims, Counts: counts})
	}
	f.verdicts(add)
	for i := range 120 {
		language := f.r.IntN(len(statsLanguages))
		n := int64(f.r.IntN(9) + 1)
		add(store.StatLabels, []int64{n, n}, string(engines.TextCategories[i%8]), drawn(f.r, statsSubs), string(drawn(f.r, statsSources)), "text", string(drawn(f.r, statsModes)),
			statsLanguages[language], statsRegions[language], drawn(f.r, statsSegments), "block", "drop")
	}
	for i := range statsScenes {
		add(store.StatScenes, []int64{int64(f.r.IntN(100)), 3, 2, 0}, fmt.Sprint("scene-", i), "text", string(statsModes[i%3]))
	}
	for i, category := range engines.TextCategories {
		for j, visibility := range []string{store.VisibilityRemoved, store.VisibilityDisabled, store.VisibilityMasked, ""} {
			add(store.StatStatements, []int64{int64(f.r.IntN(20) + 1)}, store.GroundOf(category, ""), string(category), "text", string(statsSources[(i+j)%len(statsSources)]),
				store.AutomatedFully, visibility, "")
		}
	}
	for i := range 40 {
		add(store.StatEconomy, []int64{9, 900, 0}, "currency", []string{"gold", "gems"}[i%2], "earn", fmt.Sprint("source-", i))
	}
	return list
}

type statsAdd func(cube store.StatCube, counts []int64, dims ...string)

// verdicts are an hour's.
func (f *statsFill) verdicts(add statsAdd) {
	for i := range len(statsWays) * len(statsModes) * len(statsLanguages) * len(statsSegments) {
		w, m, l, g := i%2, i/2%3, i/6%6, i/36%3
		if (m+l+g)%3 == 2 { // not all of them meet
			continue
		}
		for _, o := range [][2]string{{"pass", "deliver"}, {"review", "hold"}, {"block", "drop"}} {
			n := int64(f.r.IntN(60) + 1)
			counts := make([]int64, 2+store.StatBuckets)
			counts[0], counts[1], counts[2], counts[3] = n, n*1500, n/2, n-n/2
			add(store.StatVerdicts, counts, "text", statsWays[w], string(statsModes[m]), statsLanguages[l], statsRegions[l], statsSegments[g], o[0], o[1], "no")
		}
	}
}
