// Package report makes reports of what internal/stats knows of an app: a summary of
// operations, and the counts that transparency reports ask for (as Articles 15 and 24
// of the European Union's Digital Services Act do). It makes them by schedule, each
// once over all gateways, keeps them as they were, and writes them as CSV or as a page
// to print; JSON is the wire's.
package report

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// Kinds of report.
const (
	Operations   = "operations"
	Transparency = "transparency"
)

// Kinds lists them.
var Kinds = []string{Operations, Transparency}

// ErrUnreadable says that a stored report is not one that this release reads.
var ErrUnreadable = errors.New("report: cannot be read")

// Report is figures of an app over a period, in sections.
type Report struct {
	ID       string // "" of one that is not stored
	App      engines.AppID
	Kind     string
	Period   string // day, week, month, or ""
	Zone     string
	From, To time.Time
	Made     time.Time
	Sections []table.Table
}

// Figures are what reports are made of; stats.Service has them.
type Figures interface {
	Answer(ctx context.Context, kind string, q table.Query) (*table.Answer, error)
}

// Counts are figures that only reports ask for; the durable store has them.
type Counts interface {
	Stats(ctx context.Context, q store.StatQuery) ([]store.StatSum, error)
	CaseTallies(ctx context.Context, app engines.AppID, from, to int64, step time.Duration, waits bool) ([]store.CaseTally, error)
	MarkTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.MarkTally, error)
	Again(ctx context.Context, app engines.AppID, from, to int64) (store.Again, error)
	AccountTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.AccountTally, error)
	BatchTally(ctx context.Context, app engines.AppID, from, to int64) (store.BatchTally, error)
}

// Make makes a report of [from, to) now, widened to whole hours. A zone or kind that
// is none, or a period that is too long, is a *table.Fault.
func (s *Service) Make(ctx context.Context, app engines.AppID, kind, zone string, from, to time.Time) (*Report, error) {
	place, err := Zone(zone)
	if err != nil {
		return nil, &table.Fault{Param: "time_zone", Reason: "must be a name of the IANA time zone database, as Asia/Tokyo"}
	}
	r := &Report{App: app, Kind: kind, Zone: zone, From: from, To: to, Made: s.deps.Now().UTC().Truncate(time.Second)}
	b := &builder{s: s, r: r, place: place, q: table.Query{App: app, From: from, To: to}}
	switch kind {
	case Operations:
		err = b.operations(ctx)
	case Transparency:
		err = b.transparency(ctx)
	default:
		return nil, &table.Fault{Param: "kind", Reason: "must be operations or transparency"}
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return r, nil
}

// builder makes the sections of one report.
type builder struct {
	s     *Service
	r     *Report
	place *time.Location
	q     table.Query
}

// add puts tables of an answer into the report, under names of the report's.
func (b *builder) add(ctx context.Context, kind string, change func(q *table.Query), names map[string]string) error {
	q := b.q
	if change != nil {
		change(&q)
	}
	a, err := b.s.deps.Figures.Answer(ctx, kind, q)
	if err != nil {
		return err
	}
	b.r.From, b.r.To = a.From, a.To
	for i := range a.Tables {
		t := a.Tables[i]
		if name := names[t.ID]; name != "" {
			t.ID = name
			b.r.Sections = append(b.r.Sections, t)
		}
	}
	return nil
}

// AppendCSV appends the report as CSV: for each section a line with its name, its
// table, and an empty line.
func (r *Report) AppendCSV(dst []byte) []byte {
	head := table.Table{ID: "report", Columns: []string{"app_id", "kind", "from", "to", "time_zone", "created_at"}, Rows: [][]table.Value{{
		table.Text(string(r.App)), table.Text(r.Kind), table.At(r.From.UnixMilli()), table.At(r.To.UnixMilli()), table.Text(r.Zone), table.At(r.Made.UnixMilli()),
	}}}
	for i, t := range append([]table.Table{head}, r.Sections...) {
		if i > 0 {
			dst = append(dst, "\r\n"...)
		}
		dst = append(append(dst, t.ID...), "\r\n"...)
		dst = t.AppendCSV(dst)
	}
	return dst
}
