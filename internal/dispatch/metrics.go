package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// metrics of both sides. Those of a gateway and of a worker have names of their own.
type metrics struct {
	jobs      *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	locally   *prometheus.CounterVec
	repeats   *prometheus.CounterVec
	there     *prometheus.GaugeVec
	work      *prometheus.CounterVec
	workTook  *prometheus.HistogramVec
	redeliver *prometheus.CounterVec
}

var buckets = []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}

func newMetrics(reg prometheus.Registerer) (*metrics, error) {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		jobs: counter("portcullis_dispatch_jobs_total", "Jobs sent to workers by kind and outcome (ok, refused, failed, late, overloaded, unavailable).", "kind", "outcome"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "portcullis_dispatch_job_seconds", Help: "Time from sending a job to its reply.", Buckets: buckets,
		}, []string{"kind"}),
		locally: counter("portcullis_dispatch_local_total", "Items inspected by the gateway, since no worker could.", "kind"),
		repeats: counter("portcullis_dispatch_unclaimed_total", "Replies for which nobody waited any more: late, or second ones.", "kind"),
		there:   prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "portcullis_dispatch_workers", Help: "Workers seen in the last seconds."}, []string{"kind"}),
		work:    counter("portcullis_worker_jobs_total", "Jobs taken by this worker by kind, lane and outcome (done, expired, poison, refused, unanswered).", "kind", "lane", "outcome"),
		workTook: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "portcullis_worker_job_seconds", Help: "Time of an inspection in this worker.", Buckets: buckets,
		}, []string{"kind"}),
		redeliver: counter("portcullis_worker_claimed_total", "Jobs taken over from workers that ended.", "kind", "lane"),
	}
	if reg == nil {
		return m, nil
	}
	return m, errors.Join(
		register(reg, &m.jobs), register(reg, &m.seconds), register(reg, &m.locally), register(reg, &m.repeats),
		register(reg, &m.there), register(reg, &m.work), register(reg, &m.workTook), register(reg, &m.redeliver),
	)
}

// register has the engines of several kinds share a registry: c becomes the one that
// is there already.
func register[C prometheus.Collector](reg prometheus.Registerer, c *C) error {
	err := reg.Register(*c)
	if err == nil {
		return nil
	}
	if are, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if have, ok := are.ExistingCollector.(C); ok {
			*c = have
			return nil
		}
	}
	return fmt.Errorf("register dispatch metrics: %w", err)
}

func (m *metrics) sent(kind engines.Kind, outcome string, took time.Duration) {
	m.jobs.WithLabelValues(string(kind), outcome).Inc()
	if outcome == "ok" {
		m.seconds.WithLabelValues(string(kind)).Observe(took.Seconds())
	}
}

func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	if _, refused := errors.AsType[*engines.Refusal](err); refused {
		return "refused"
	}
	switch {
	case errors.Is(err, engines.ErrOverloaded):
		return engines.ReasonOverloaded
	case errors.Is(err, engines.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return engines.ReasonLate
	}
	return engines.ReasonFailed
}

func (m *metrics) local(kind engines.Kind) { m.locally.WithLabelValues(string(kind)).Inc() }

func (m *metrics) unclaimed(kind engines.Kind) { m.repeats.WithLabelValues(string(kind)).Inc() }

func (m *metrics) workers(kind engines.Kind, n int) {
	m.there.WithLabelValues(string(kind)).Set(float64(n))
}

func (m *metrics) worked(w *store.JobWork, outcome string) {
	m.work.WithLabelValues(string(w.Kind), w.Lane.String(), outcome).Inc()
}
