package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/report"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Reports makes and keeps reports; package report has the one there is.
type Reports interface {
	// Make makes one now; what is wrong with what is asked for is a *table.Fault.
	Make(ctx context.Context, app engines.AppID, kind, zone string, from, to time.Time) (*report.Report, error)
	Reports(ctx context.Context, app engines.AppID, kind string, before economy.Mark, most int) ([]store.ReportRun, error)
	// Report returns a stored one; store.ErrNotFound where the app has none of this id.
	Report(ctx context.Context, app engines.AppID, id string) (*report.Report, error)
	Schedules(ctx context.Context, app engines.AppID) ([]store.ReportSchedule, error)
	Schedule(ctx context.Context, app engines.AppID, list []store.ReportSchedule, by string) ([]store.ReportSchedule, error)
}

// makeReport answers GET /reports/{kind}?from=&to=&time_zone=&format=&lang=.
func (g *Gateway) makeReport(kind string) func(c *call) error {
	return func(c *call) error {
		var wrong faults
		from, to, err := readPeriod(c)
		wrong.add(err)
		form := readForm(c, &wrong)
		if err := wrong.err(); err != nil {
			return err
		}
		r, err := g.deps.Reports.Make(c.ctx(), c.app, kind, c.Query("time_zone", "UTC"), from, to)
		if err != nil {
			return noFigures(err)
		}
		return c.report(r, form)
	}
}

// storedReport answers GET /reports/runs/{id}?format=&lang=.
func (g *Gateway) storedReport(c *call) error {
	var wrong faults
	id, err := pathID(c, "id")
	wrong.add(err)
	form := readForm(c, &wrong)
	if err := wrong.err(); err != nil {
		return err
	}
	r, err := g.deps.Reports.Report(c.ctx(), c.app, id)
	if errors.Is(err, store.ErrNotFound) {
		return wire.Fail(wire.NotFound, "no such report")
	}
	if err != nil {
		return err
	}
	return c.report(r, form)
}

// reportForm is how a report is asked for.
type reportForm struct{ format, language string }

// readForm reads ?format=&lang=.
func readForm(c *call, wrong *faults) reportForm {
	return reportForm{wrong.oneOf(c, "format", "json", "csv", "html"), wrong.oneOf(c, "lang", report.Languages...)}
}

// report answers a report in a form.
func (c *call) report(r *report.Report, form reportForm) error {
	switch form.format {
	case "csv":
		return c.file("text/csv; charset=utf-8", r.Kind+"-"+r.From.UTC().Format("20060102")+".csv", r.AppendCSV(nil))
	case "html":
		page, err := r.HTML(form.language)
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderContentType, "text/html; charset=utf-8")
		c.Set(fiber.HeaderContentSecurityPolicy, report.PageCSP)
		c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
		c.Set(fiber.HeaderCacheControl, "no-store")
		return c.Send(page)
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Str(wire.Some(dst, "report_id", r.ID), "kind", r.Kind)
		dst = wire.Str(wire.Some(dst, "period", r.Period), "time_zone", r.Zone)
		dst = wire.When(wire.When(wire.When(dst, "from", r.From), "to", r.To), "created_at", r.Made)
		return wire.Obj(dst, "sections", func(dst []byte) []byte {
			for i := range r.Sections {
				dst = wire.AppendTable(dst, &r.Sections[i])
			}
			return dst
		})
	})
}

// listRuns answers GET /reports/runs?kind=&limit=&cursor=.
func (g *Gateway) listRuns(c *call) error {
	var wrong faults
	p := wrong.part(c)
	kind := wrong.oneOf(c, "kind", append([]string{""}, report.Kinds...)...)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Reports.Reports(c.ctx(), c.app, kind, p.before, p.most+1)
	if err != nil {
		return err
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created.UnixMilli(), ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "reports", len(list), func(dst []byte, i int) []byte {
			r := &list[i]
			return wire.AppendReportRun(dst, &wire.ReportRun{
				ID: r.ID, Kind: r.Kind, Period: r.Period, Zone: r.Zone, By: r.By, From: r.From, To: r.To, Created: r.Created,
			})
		})
		return wire.Some(dst, "cursor", cursorOf(next))
	})
}

// listSchedules answers GET /reports/schedules.
func (g *Gateway) listSchedules(c *call) error {
	list, err := g.deps.Reports.Schedules(c.ctx(), c.app)
	if err != nil {
		return err
	}
	return c.schedules(list)
}

// putSchedules answers PUT /reports/schedules: the list it is given is the app's from
// now on.
func (g *Gateway) putSchedules(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	asked, err := wire.ReadSchedules(o, report.Kinds, report.Periods, func(name string) string {
		if _, err := report.Zone(name); err != nil {
			return "must be a name of the IANA time zone database, as Asia/Tokyo"
		}
		return ""
	})
	if err != nil {
		return err
	}
	list := make([]store.ReportSchedule, len(asked))
	for i, a := range asked {
		list[i] = store.ReportSchedule{Kind: a.Kind, Period: a.Period, Zone: a.Zone}
	}
	if list, err = g.deps.Reports.Schedule(c.ctx(), c.app, list, c.actor()); err != nil {
		return err
	}
	g.log.Info("report schedules changed", "request_id", c.request, "app", c.app, "schedules", len(list), "by", c.actor())
	return c.schedules(list)
}

func (c *call) schedules(list []store.ReportSchedule) error {
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "schedules", len(list), func(dst []byte, i int) []byte {
			s := &list[i]
			dst = wire.Str(wire.Str(wire.Str(dst, "kind", s.Kind), "period", s.Period), "time_zone", s.Zone)
			return wire.When(wire.Str(wire.When(dst, "next_at", s.Next), "by", s.By), "changed_at", s.Changed)
		})
	})
}
