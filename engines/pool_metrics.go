package engines

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// poolMetrics holds the counters of one engine, looked up once, so that an
// inspection pays no label lookup.
type poolMetrics struct {
	ok, late, failed, overloaded, refused outcome
}

type outcome struct {
	count   prometheus.Counter
	seconds prometheus.Observer
}

// newPoolMetrics registers the vectors that all pools of a registry share.
func newPoolMetrics(engine string, reg prometheus.Registerer) (poolMetrics, error) {
	count, err := register(reg, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_engine_inspections_total",
		Help: "Inspections by engine and outcome (ok, late, failed, overloaded, refused).",
	}, []string{"engine", "outcome"}))
	if err != nil {
		return poolMetrics{}, err
	}
	seconds, err := register(reg, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "portcullis_engine_inspection_seconds",
		Help:    "Time of an inspection, the wait for a slot included, by engine and outcome.",
		Buckets: []float64{1e-6, 5e-6, 2.5e-5, 1e-4, 2.5e-4, 1e-3, 5e-3, 0.018, 0.05, 0.25, 1, 5, 25},
	}, []string{"engine", "outcome"}))
	if err != nil {
		return poolMetrics{}, err
	}
	of := func(name string) outcome {
		return outcome{count.WithLabelValues(engine, name), seconds.WithLabelValues(engine, name)}
	}
	return poolMetrics{of("ok"), of(ReasonLate), of(ReasonFailed), of(ReasonOverloaded), of(ReasonRefused)}, nil
}

// register returns the collector that the registry already has under this
// description, or c.
func register[C prometheus.Collector](reg prometheus.Registerer, c C) (C, error) {
	if reg == nil {
		return c, nil
	}
	err := reg.Register(c)
	if err == nil {
		return c, nil
	}
	if are, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if have, ok := are.ExistingCollector.(C); ok {
			return have, nil
		}
	}
	return c, fmt.Errorf("register engine metrics: %w", err)
}

func (m *poolMetrics) observe(fault *Fault, took time.Duration) {
	o := &m.ok
	if fault != nil {
		switch fault.Reason {
		case ReasonLate:
			o = &m.late
		case ReasonOverloaded:
			o = &m.overloaded
		case ReasonRefused:
			o = &m.refused
		default:
			o = &m.failed
		}
	}
	o.count.Inc()
	o.seconds.Observe(took.Seconds())
}
