package report

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

const (
	turnsEvery = 30 * time.Second
	// turnsAfter is how long after a period's end its report is made: every gateway
	// has written what it counted by then, and cases have been followed.
	turnsAfter  = 2 * time.Minute
	turnsAtOnce = 16
	makeWithin  = time.Minute
	// catchUp is how far back a report is made that was missed, as where no gateway
	// ran: what a period's edges need is kept so long, and a day for the work.
	catchUp = store.StatHoursKept - 24*time.Hour
	// bySchedule is who made a report that nobody asked for.
	bySchedule = "schedule"
)

// Store keeps reports and when they are due.
type Store interface {
	PutSchedules(ctx context.Context, app engines.AppID, list []store.ReportSchedule, by string, now time.Time) error
	Schedules(ctx context.Context, app engines.AppID) ([]store.ReportSchedule, error)
	DueSchedules(ctx context.Context, now time.Time, most int) ([]store.ReportSchedule, error)
	// PutReport stores the report of a turn and moves the turn on; false where another
	// gateway did.
	PutReport(ctx context.Context, r store.ReportRun, turn store.ReportSchedule, next time.Time) (stored bool, err error)
	SkipReport(ctx context.Context, turn store.ReportSchedule, next time.Time) error
	ReportRuns(ctx context.Context, app engines.AppID, kind string, before economy.Mark, most int) ([]store.ReportRun, error)
	// Report returns one; store.ErrNotFound where the app has none of this id.
	ReportRun(ctx context.Context, app engines.AppID, id string) (store.ReportRun, error)
}

// Deps is what a Service stands on.
type Deps struct {
	Store   Store
	Figures Figures
	Counts  Counts
	// Median estimates a quantile of waits in seconds, by the buckets of store.WaitBounds.
	Median func(waits []int64, share float64) table.Value
	// Wake has webhooks sent; nil is nobody to be told.
	Wake func()
	Log  *slog.Logger
	Now  func() time.Time // nil is time.Now
}

// Service makes reports. Its methods are safe for concurrent use.
type Service struct{ deps Deps }

// New makes a service; Serve makes reports by schedule.
func New(deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Wake == nil {
		deps.Wake = func() {}
	}
	return &Service{deps: deps}
}

// Serve makes the reports whose turn has come, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	tick := time.NewTicker(turnsEvery)
	defer tick.Stop()
	failing := false
	for {
		err := s.Turns(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			s.deps.Log.LogAttrs(ctx, slog.LevelWarn, "reports wait", slog.Any("error", err))
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Turns makes the reports that are due, those too that were missed.
func (s *Service) Turns(ctx context.Context) error {
	for {
		due, err := s.deps.Store.DueSchedules(ctx, s.deps.Now().Add(-turnsAfter), turnsAtOnce)
		if err != nil || len(due) == 0 {
			return err
		}
		var errs []error // of one that fails, the others know nothing
		for i := range due {
			if err := s.turn(ctx, &due[i]); err != nil {
				errs = append(errs, fmt.Errorf("report %s of %s by %s: %w", due[i].Kind, due[i].App, due[i].Period, err))
			}
		}
		if len(errs) > 0 {
			return errors.Join(errs...)
		}
	}
}

// turn makes the report of the period that ended when it was due.
func (s *Service) turn(ctx context.Context, turn *store.ReportSchedule) error {
	ctx, cancel := context.WithTimeout(ctx, makeWithin)
	defer cancel()
	zone, err := Zone(turn.Zone)
	if err != nil {
		return err
	}
	end := turn.Next
	next := End(turn.Period, end, zone)
	if end.Before(s.deps.Now().Add(-catchUp)) {
		s.deps.Log.LogAttrs(ctx, slog.LevelWarn, "a report was missed and is too old to make", slog.String("app", string(turn.App)), slog.String("kind", turn.Kind),
			slog.Time("to", end))
		return s.deps.Store.SkipReport(ctx, *turn, next)
	}
	// Of a zone whose days begin between hours both ends are the hour before, so that
	// no hour is in two reports.
	from := Begin(turn.Period, end.Add(-time.Millisecond), zone).Truncate(time.Hour)
	r, err := s.Make(ctx, turn.App, turn.Kind, turn.Zone, from, end.Truncate(time.Hour))
	if err != nil {
		return err
	}
	body, err := r.body()
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	stored, err := s.deps.Store.PutReport(ctx, store.ReportRun{
		App: turn.App, ID: id.String(), Kind: turn.Kind, Period: turn.Period, Zone: turn.Zone, From: r.From, To: r.To, Body: body, By: bySchedule, Created: s.deps.Now(),
	}, *turn, next)
	if err != nil {
		return err
	}
	if stored {
		s.deps.Log.LogAttrs(ctx, slog.LevelInfo, "report", slog.String("app", string(turn.App)), slog.String("kind", turn.Kind), slog.String("report_id", id.String()))
		s.deps.Wake()
	}
	return nil
}

// Schedule replaces the schedules of an app. Each begins with the period that runs:
// its first report is made when that ends.
func (s *Service) Schedule(ctx context.Context, app engines.AppID, list []store.ReportSchedule, by string) ([]store.ReportSchedule, error) {
	now := s.deps.Now()
	for i := range list {
		zone, err := Zone(list[i].Zone)
		if err != nil {
			return nil, err
		}
		list[i].App, list[i].Next = app, End(list[i].Period, now, zone)
	}
	if err := s.deps.Store.PutSchedules(ctx, app, list, by, now); err != nil {
		return nil, err
	}
	return s.deps.Store.Schedules(ctx, app)
}

// Schedules lists the schedules of an app.
func (s *Service) Schedules(ctx context.Context, app engines.AppID) ([]store.ReportSchedule, error) {
	return s.deps.Store.Schedules(ctx, app)
}

// Reports lists reports of an app, newest first, without their figures.
func (s *Service) Reports(ctx context.Context, app engines.AppID, kind string, before economy.Mark, most int) ([]store.ReportRun, error) {
	return s.deps.Store.ReportRuns(ctx, app, kind, before, most)
}

// Report returns a stored report; store.ErrNotFound where the app has none of this id.
func (s *Service) Report(ctx context.Context, app engines.AppID, id string) (*Report, error) {
	run, err := s.deps.Store.ReportRun(ctx, app, id)
	if err != nil {
		return nil, err
	}
	return read(&run)
}
