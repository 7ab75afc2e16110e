package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// fakeCases is a review queue whose answers a test gives.
type fakeCases struct {
	list    func(store.CaseQuery) ([]casework.File, error)
	file    func(engines.CaseID) (*casework.File, error)
	move    func(engines.CaseID, casework.Move) (store.Case, error)
	next    func(casework.Person, engines.AppID, string) (store.Case, error)
	report  func(store.Report) (store.Case, error)
	appeal  func(store.Appeal) (store.Appeal, error)
	reports []store.Report
	appeals []store.Appeal
	queues  []store.CaseQueue
	agree   casework.Agreement
	own     store.Preferences
}

func (f *fakeCases) List(_ context.Context, q store.CaseQuery) ([]casework.File, error) {
	if f.list == nil {
		return nil, nil
	}
	return f.list(q)
}

func (f *fakeCases) File(_ context.Context, id engines.CaseID) (*casework.File, error) {
	return f.file(id)
}

func (f *fakeCases) Queues(context.Context, engines.AppID) ([]store.CaseQueue, error) {
	return f.queues, nil
}

func (f *fakeCases) Agreement(context.Context, engines.AppID, time.Time, time.Time) (casework.Agreement, error) {
	return f.agree, nil
}

func (f *fakeCases) Move(_ context.Context, id engines.CaseID, m casework.Move) (store.Case, error) {
	return f.move(id, m)
}

func (f *fakeCases) Next(_ context.Context, p casework.Person, app engines.AppID, queue string) (store.Case, error) {
	return f.next(p, app, queue)
}

func (f *fakeCases) Preferences(context.Context, string) (store.Preferences, error) {
	return f.own, nil
}

func (f *fakeCases) PutPreferences(_ context.Context, p store.Preferences) error {
	f.own = p
	return nil
}

func (f *fakeCases) Exposure(context.Context, string) (int, error) { return 7, nil }

func (f *fakeCases) Report(_ context.Context, r store.Report) (store.Case, error) { return f.report(r) }

func (f *fakeCases) Reports(context.Context, store.ReportQuery) ([]store.Report, error) {
	return f.reports, nil
}

func (f *fakeCases) Appeal(_ context.Context, a store.Appeal) (store.Appeal, error) {
	return f.appeal(a)
}

func (f *fakeCases) Appeals(context.Context, store.AppealQuery) ([]store.Appeal, error) {
	return f.appeals, nil
}

func (f *fakeCases) AppealOf(_ context.Context, _ engines.AppID, id string) (store.Appeal, error) {
	for _, a := range f.appeals {
		if a.ID == id {
			return a, nil
		}
	}
	return store.Appeal{}, store.ErrNotFound
}
