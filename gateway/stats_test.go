package gateway

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/report"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

type fakeStats func(kind string, q table.Query) (*table.Answer, error)

func (f fakeStats) Answer(_ context.Context, kind string, q table.Query) (*table.Answer, error) {
	return f(kind, q)
}

type fakeReports struct {
	made func(kind, zone string) (*report.Report, error)
	list []store.ReportRun
	put  []store.ReportSchedule
}

func (f *fakeReports) Make(_ context.Context, _ engines.AppID, kind, zone string, _, _ time.Time) (*report.Report, error) {
	return f.made(kind, zone)
}

func (f *fakeReports) Report(context.Context, engines.AppID, string) (*report.Report, error) {
	return nil, store.ErrNotFound
}

func (f *fakeReports) Reports(_ context.Context, _ engines.AppID, _ string, before economy.Mark, most int) ([]store.ReportRun, error) {
	list := f.list
	for before.ID != "" && len(list) > 0 && list[0].ID >= before.ID {
		list = list[1:]
	}
	return list[:min(most, len(list))], nil
}

func (f *fakeReports) Schedules(context.Context, engines.AppID) ([]store.ReportSchedule, error) {
	return f.put, nil
}

func (f *fakeReports) Schedule(_ context.Context, _ engines.AppID, list []store.ReportSchedule, _ string) ([]store.ReportSchedule, error) {
	f.put = list
	return list, nil
}

// signedGet asks as app A.
func (d *door) signedGet(target string) answer {
	d.t.Helper()
	target = "/api/v1" + target
	return d.send("GET", target, "", signature("GET", target, "", ""))
}

func TestStatsAreAskedFor(t *testing.T) {
	var got table.Query
	d := open(t, func(_ *Config, deps *Deps) {
		deps.Stats = fakeStats(func(kind string, q table.Query) (*table.Answer, error) {
			got = q
			if kind == "trends" {
				return nil, &table.Fault{Param: "step", Reason: "is not for this"}
			}
			if kind == "queue" {
				return nil, errors.New("secret cause")
			}
			return &table.Answer{From: q.From, To: q.To, Step: q.Step, Tables: []table.Table{
				{ID: "rows", Columns: []string{"scene", "verdicts"}, Rows: [][]table.Value{{table.Text("=A1"), table.Int(3)}}},
				{ID: "more", Columns: []string{"x"}},
			}}, nil
		})
	})
	a := d.signedGet("/stats/scenes?from=2026-01-31&to=2026-02-01T09:00:00%2B09:00&step=day&by=kind,mode&compare=previous&kind=text&kind=name&scene=a%2Cb&top=7&else=x")
	want := table.Query{
		App: appA, From: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Step: 24 * time.Hour, By: []string{"kind", "mode"},
		Compare: true, Top: 7, Where: map[string][]string{"kind": {"text", "name"}, "scene": {"a,b"}},
	}
	if diff := cmp.Diff(want, got); a.status != 200 || diff != "" {
		t.Errorf("%d %s; asked (-want +got):\n%s", a.status, a.body, diff)
	}
	d.signedGet("/stats/volume")
	if span := got.To.Sub(got.From); span != statsUsual || time.Since(got.To) > time.Minute || got.Top != topUsual || got.Step != 0 {
		t.Errorf("asked without anything: %+v", got)
	}
	for query, pointer := range map[string]string{
		"step=week": "?step", "from=yesterday": "?from", "to=0001-01-01": "?to", "compare=next": "?compare", "top=0": "?top", "top=1001": "?top", "format=xml": "?format",
		"kind=" + strings.Repeat("x", 129): "?kind", strings.Repeat("kind=x&", 33): "?kind", "format=csv&table=none": "?table",
	} {
		m := wantError(t, d.signedGet("/stats/volume?"+query), wire.InvalidParameter)
		if got := m["errors"].([]any)[0].(map[string]any)["pointer"]; got != pointer { //nolint:forcetypeassert // a panic says it too
			t.Errorf("%s: fault at %v, want %s", query, got, pointer)
		}
	}
	wantError(t, d.signedGet("/stats/trends?step=day"), wire.InvalidParameter)
	if a := d.signedGet("/stats/queue"); a.status != 500 || strings.Contains(string(a.body), "secret") {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantError(t, d.send("GET", "/api/v1/stats/volume", ""), wire.Unauthenticated)
}

func TestStatsAsCSV(t *testing.T) {
	d := open(t, func(_ *Config, deps *Deps) {
		deps.Stats = fakeStats(func(string, table.Query) (*table.Answer, error) {
			return &table.Answer{Tables: []table.Table{{ID: "rows", Columns: []string{"scene", "n"}, Rows: [][]table.Value{{table.Text("=A1"), table.Int(-3)}}}, {ID: "more", Columns: []string{"x"}}}}, nil
		})
	})
	a := d.signedGet("/stats/scenes?format=csv")
	if got, want := string(a.body), "scene,n\r\n'=A1,-3\r\n"; a.status != 200 || got != want {
		t.Errorf("%d %q, want %q", a.status, got, want)
	}
	if got := a.header.Get("Content-Disposition"); got != `attachment; filename="scenes.csv"` || !strings.HasPrefix(a.header.Get("Content-Type"), "text/csv") {
		t.Errorf("head %v", a.header)
	}
	if got := string(d.signedGet("/stats/scenes?format=csv&table=more").body); got != "x\r\n" {
		t.Errorf("another table: %q", got)
	}
}

func TestReportsOverHTTP(t *testing.T) {
	reports := &fakeReports{made: func(kind, zone string) (*report.Report, error) {
		if zone == "Mars" {
			return nil, &table.Fault{Param: "time_zone", Reason: "is none"}
		}
		return &report.Report{App: appA, Kind: kind, Zone: zone, Sections: []table.Table{{ID: "volume", Single: true, Columns: []string{"verdicts"}, Rows: [][]table.Value{{table.Int(7)}}}}}, nil
	}}
	at := time.UnixMilli(1_700_000_000_000)
	for _, id := range []string{"r5", "r4", "r3", "r2", "r1"} {
		reports.list = append(reports.list, store.ReportRun{ID: id, Kind: "operations", Period: "day", Zone: "UTC", Created: at})
	}
	d := open(t, func(_ *Config, deps *Deps) { deps.Reports = reports })
	m := d.signedGet("/reports/operations?time_zone=Asia/Tokyo").json(t)
	if diff := cmp.Diff(map[string]any{"volume": map[string]any{"verdicts": 7.}}, m["sections"]); diff != "" || m["time_zone"] != "Asia/Tokyo" {
		t.Errorf("report %v", m)
	}
	page := d.signedGet("/reports/transparency?format=html&lang=ko")
	if csp := page.header.Get("Content-Security-Policy"); csp != report.PageCSP || !strings.Contains(string(page.body), `lang="ko"`) || page.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("page %v %s", page.header, page.body)
	}
	if csv := d.signedGet("/reports/operations?format=csv"); !strings.Contains(string(csv.body), "volume\r\nverdicts\r\n7\r\n") {
		t.Errorf("csv %q", csv.body)
	}
	for _, target := range []string{"/reports/operations?lang=fr", "/reports/operations?format=pdf", "/reports/operations?time_zone=Mars", "/reports/runs?kind=weather", "/reports/runs?limit=0"} {
		wantError(t, d.signedGet(target), wire.InvalidParameter)
	}
	wantError(t, d.signedGet("/reports/runs/none"), wire.NotFound)
	var ids []string
	for target := "/reports/runs?limit=2"; ; {
		m := d.signedGet(target).json(t)
		for _, r := range m["reports"].([]any) { //nolint:forcetypeassert // a panic says it too
			ids = append(ids, r.(map[string]any)["report_id"].(string)) //nolint:forcetypeassert // as above
		}
		cursor, ok := m["cursor"].(string)
		if !ok {
			break
		}
		target = "/reports/runs?limit=2&cursor=" + cursor
	}
	if diff := cmp.Diff([]string{"r5", "r4", "r3", "r2", "r1"}, ids); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	body, target := `{"schedules":[{"kind":"operations","period":"month","time_zone":"Asia/Tokyo"}]}`, "/api/v1/reports/schedules"
	a := d.send("PUT", target, body, "X-SVC-Nonce: nonce-0123456789abcdef", signature("PUT", target, "nonce-0123456789abcdef", body))
	if a.status != 200 || len(reports.put) != 1 || reports.put[0].Zone != "Asia/Tokyo" {
		t.Errorf("%d %s: %+v", a.status, a.body, reports.put)
	}
}
