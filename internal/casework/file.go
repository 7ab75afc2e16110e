package casework

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Shown beside a case at the most.
const (
	earlierShown   = 20
	reportsShown   = 100
	penaltiesShown = 50
)

// File is a case with all that is needed to decide it.
type File struct {
	Case    store.Case
	Opened  *store.Decision     // the verdict that opened it; nil for others, or past its retention
	Message *store.SceneMessage // as the scene has it
	// Before and After are what was said around it, oldest first.
	Before, After []store.SceneMessage
	Reports       []store.Report
	Earlier       []store.Case // of the player, decided, newest first
	Penalties     []Penalty
	Appeal        *store.Appeal // that opened it
	Parent        *store.Case   // that it is about
	History       []store.CaseEvent
}

// File returns a case with what is around it. Of a second look nothing shows that
// there was a first until it is decided.
func (s *Service) File(ctx context.Context, id engines.CaseID) (*File, error) {
	c, err := s.deps.Store.Case(ctx, id)
	if err != nil {
		return nil, err
	}
	f := &File{Case: c}
	blind := c.Second && c.State != store.CaseClosed
	for _, part := range []func(context.Context, *File, bool) error{s.opened, s.talk, s.reported, s.earlier, s.about} {
		if err := part(ctx, f, blind); err != nil {
			return nil, err
		}
	}
	f.Case = blinded(asOf(f.Case, s.now()))
	return f, nil
}

// Case is a case as it stands; the error wraps store.ErrNotFound where there is none.
func (s *Service) Case(ctx context.Context, id engines.CaseID) (store.Case, error) {
	c, err := s.deps.Store.Case(ctx, id)
	return asOf(c, s.now()), err
}

// asOf is a case as it is at a time: a claim that has run out is nobody's.
func asOf(c store.Case, at time.Time) store.Case {
	st := step{c: c, m: &Move{At: at}}
	st.lapse()
	return st.c
}

// blinded is a case as people see it: a second look is like any other until it is
// decided.
func blinded(c store.Case) store.Case {
	if c.Second && c.State != store.CaseClosed {
		c.Parent, c.Second, c.Barred = "", false, nil
	}
	return c
}

// missing is nil for what is not there (any more).
func missing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (s *Service) opened(ctx context.Context, f *File, _ bool) error {
	if f.Case.Alert != nil {
		return nil
	}
	d, err := s.deps.Store.Decision(ctx, f.Case.App, f.Case.About())
	if err == nil {
		f.Opened = &d
	}
	return missing(err)
}

func (s *Service) talk(ctx context.Context, f *File, blind bool) error {
	c := &f.Case
	if c.Scene == "" {
		return nil
	}
	m, err := s.deps.Store.SceneMessage(ctx, c.App, c.Scene, c.About())
	if err == nil {
		if f.Message = &m; blind { // what became of it is what was decided
			m.State = messageDelivered
			if c.Held {
				m.State = messageHeld
			}
		}
	}
	if missing(err) != nil || s.cfg.Context == 0 {
		return missing(err)
	}
	f.Before, f.After, err = s.deps.Store.SceneAround(ctx, c.App, c.Scene, c.About(), s.cfg.Context)
	return err
}

func (s *Service) reported(ctx context.Context, f *File, blind bool) error {
	q := store.ReportQuery{App: f.Case.App, Case: f.Case.ID, Limit: reportsShown}
	if f.Case.Second {
		q.Case = f.Case.Parent
	}
	if f.Case.Reporters == 0 {
		return nil
	}
	var err error
	f.Reports, err = s.deps.Store.Reports(ctx, q)
	if blind { // how they turned out is what is asked
		for i := range f.Reports {
			f.Reports[i].State = store.ReportOpen
		}
	}
	return err
}

func (s *Service) earlier(ctx context.Context, f *File, blind bool) error {
	c := &f.Case
	if c.Player == "" {
		return nil
	}
	list, err := s.deps.Store.CasesOfPlayer(ctx, c.App, c.Player, earlierShown+2)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(e store.Case) bool { return e.ID == c.ID || blind && (e.ID == c.Parent || e.Parent == c.Parent) })
	f.Earlier = list[:min(len(list), earlierShown)]
	if s.deps.Penalties != nil {
		f.Penalties, err = s.deps.Penalties.PenaltiesOf(ctx, c.App, c.Player, penaltiesShown)
		if blind { // what came of the first look tells what it was
			f.Penalties = slices.DeleteFunc(f.Penalties, func(p Penalty) bool { return !p.At.Before(c.Created.Add(-blindMargin)) })
		}
	}
	return err
}

// blindMargin is more than what follows of a decision takes.
const blindMargin = time.Minute

func (s *Service) about(ctx context.Context, f *File, blind bool) (err error) {
	c := &f.Case
	if f.History, err = s.deps.Store.CaseEvents(ctx, c.ID); err != nil || c.Parent == "" && c.Kind != store.CaseOfAppeal || blind {
		return err
	}
	if c.Kind == store.CaseOfAppeal {
		a, err := s.deps.Store.Appeal(ctx, c.App, string(c.ID))
		if err == nil {
			f.Appeal = &a
		}
		if missing(err) != nil || c.Parent == "" {
			return missing(err)
		}
	}
	p, err := s.deps.Store.Case(ctx, c.Parent)
	if err == nil {
		f.Parent = &p
	}
	return missing(err)
}

// List lists cases as they are now, each with the decision that opened it.
func (s *Service) List(ctx context.Context, q store.CaseQuery) ([]File, error) {
	q.Now = s.now()
	list, err := s.deps.Store.Cases(ctx, q)
	if err != nil {
		return nil, err
	}
	files := make([]File, len(list))
	for i := range list {
		files[i].Case = asOf(list[i], q.Now)
		if err := s.opened(ctx, &files[i], false); err != nil {
			return nil, err
		}
		files[i].Case = blinded(files[i].Case)
	}
	return files, nil
}

// HasQueue reports whether there is a queue of this name.
func (s *Service) HasQueue(name string) bool { return s.rules.HasQueue(name) }

// Routing is what the service was configured with.
func (s *Service) Routing() Config { return s.cfg }

// Queues says how the queues stand.
func (s *Service) Queues(ctx context.Context, app engines.AppID) ([]store.CaseQueue, error) {
	return s.deps.Store.CaseQueues(ctx, app, s.now())
}
