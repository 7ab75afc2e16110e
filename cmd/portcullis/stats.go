package main

import (
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/internal/report"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// buildCounter builds what hears of every verdict and of every log entry.
func (a *app) buildCounter() { a.counter = stats.NewCounter(a.db, review.Stated, a.log, nil) }

// buildStats builds what answers for what was counted, and what makes reports of it.
func (a *app) buildStats() {
	a.stats = stats.New(stats.Deps{Store: a.db, Extra: a.db, Log: a.log, Told: a.anomaly})
	a.reports = report.New(report.Deps{Store: a.db, Figures: a.stats, Counts: a.db, Median: stats.WaitQuantile, Wake: a.hooks.Wake, Log: a.log})
}

// anomaly tells moderators of one, and has webhooks sent.
func (a *app) anomaly(o *store.Anomaly) {
	a.feed.anomaly(o)
	a.hooks.Wake()
}

// anomaly shows what is out of the ordinary. There is little of it, as of bans.
func (f *feed) anomaly(o *store.Anomaly) {
	id := uuid.Must(uuid.NewV7()).String() // fails only without random numbers
	f.show(o.App, "", wire.AppendAnomalyEvent(nil, id, time.Now(), o.App, anomalyOf(o)))
}

func anomalyOf(o *store.Anomaly) *wire.Anomaly {
	return &wire.Anomaly{
		Category: o.Category, Began: time.UnixMilli(o.Began), Hour: time.UnixMilli(o.Last), Found: o.Found, Verdicts: o.Verdicts,
		Share: o.Share, Usual: o.Usual, Ratio: o.Ratio,
	}
}

func runOf(r *store.ReportRun) *wire.ReportRun {
	return &wire.ReportRun{ID: r.ID, Kind: r.Kind, Period: r.Period, Zone: r.Zone, By: r.By, From: r.From, To: r.To, Created: r.Created}
}
