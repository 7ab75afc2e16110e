package casework

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	nextPage = 50
	// nextPages bounds how far Next looks past cases that are not for the person.
	nextPages = 200
)

// ErrNone says that no case waits that this person may take.
var ErrNone = errors.New("casework: no case waits for this person")

// Next claims the most urgent case that a person may take: of a queue, or of all; not
// one that the person has passed over, decided before or opted out of.
func (s *Service) Next(ctx context.Context, p Person, app engines.AppID, queue string) (store.Case, error) {
	avoid, err := s.avoids(ctx, p.Name)
	if err != nil {
		return store.Case{}, err
	}
	kinds := map[kindOfWork]bool{}
	q := store.CaseQuery{App: app, Queue: queue, NotSkippedBy: p.Name, Limit: nextPage}
	for range nextPages {
		list, more, err := s.waiting(ctx, &q)
		if err != nil {
			return store.Case{}, err
		}
		for i := range list {
			c := &list[i]
			if slices.Contains(avoid, c.Category) || slices.Contains(c.Barred, p.Name) {
				continue
			}
			if ok, err := s.mayWork(ctx, p, c, kinds); err != nil {
				return store.Case{}, err
			} else if !ok {
				continue
			}
			got, err := s.Move(ctx, c.ID, Move{Action: Claim, By: p, Version: c.Version})
			switch {
			case err == nil:
				return got, nil
			case errors.Is(err, store.ErrConflict), errors.Is(err, ErrForbidden), errors.Is(err, store.ErrNotFound):
				continue // somebody was faster, or it is not for this person
			}
			return store.Case{}, err
		}
		if !more {
			break
		}
	}
	return store.Case{}, ErrNone
}

// kindOfWork is what rights tell apart.
type kindOfWork struct {
	queue    string
	category engines.Category
}

// mayWork is may, asked once for each kind of work: a queue may be full of what is not
// for this person.
func (s *Service) mayWork(ctx context.Context, p Person, c *store.Case, asked map[kindOfWork]bool) (bool, error) {
	kind := kindOfWork{c.Queue, c.Category}
	if ok, found := asked[kind]; found {
		return ok, nil
	}
	err := s.may(ctx, p, c)
	if err != nil && !errors.Is(err, ErrForbidden) {
		return false, err
	}
	asked[kind] = err == nil
	return err == nil, nil
}

// waiting lists the next of what is open or escalated and moves q past it. A claim
// whose lease has just run out is not there until Look has ended it.
func (s *Service) waiting(ctx context.Context, q *store.CaseQuery) (list []store.Case, more bool, err error) {
	for _, state := range []string{store.CaseOpen, store.CaseEscalated} {
		q.States = []string{state}
		part, err := s.deps.Store.Cases(ctx, *q)
		if err != nil {
			return nil, false, err
		}
		more = more || len(part) == q.Limit
		list = append(list, part...)
	}
	slices.SortFunc(list, func(a, b store.Case) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), a.Due.Compare(b.Due), cmp.Compare(a.ID, b.ID))
	})
	if more || len(list) > q.Limit {
		more = true
		list = list[:q.Limit]
		last := &list[len(list)-1]
		q.After = store.QueueMark{Priority: last.Priority, Due: last.Due, ID: last.ID}
	}
	return list, more, nil
}

// avoids are the categories that a person is not given: opted out of, or more of them
// seen today than the person's own limit.
func (s *Service) avoids(ctx context.Context, name string) ([]engines.Category, error) {
	p, err := s.deps.Store.Preferences(ctx, name)
	if err != nil || p.ExposureLimit == 0 {
		return p.OptOut, err
	}
	n, err := s.Exposure(ctx, name)
	if err == nil && n >= p.ExposureLimit {
		return append(slices.Clone(p.OptOut), exposing...), nil
	}
	return p.OptOut, err
}

// exposing are the categories whose content is hard to bear.
var exposing = []engines.Category{engines.Violence, engines.Sexual, engines.Hate, engines.Illegal, engines.Gore, engines.Nudity, engines.ChildSafety, engines.Extremism}

// Exposure is how many cases of categories that are hard to bear a person has had in
// the last 24 hours; it is for that person alone.
func (s *Service) Exposure(ctx context.Context, name string) (int, error) {
	return s.deps.Store.Exposure(ctx, name, s.now().Add(-24*time.Hour), exposing)
}

// Preferences returns a person's own.
func (s *Service) Preferences(ctx context.Context, name string) (store.Preferences, error) {
	return s.deps.Store.Preferences(ctx, name)
}

// PutPreferences replaces them.
func (s *Service) PutPreferences(ctx context.Context, p store.Preferences) error {
	return s.deps.Store.PutPreferences(ctx, p)
}
