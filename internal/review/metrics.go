package review

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
)

// metrics are looked up once, so that a verdict pays no label lookup.
type metrics struct {
	kinds [7]kindMetrics
	// modes by mode and rank of the suggestion.
	modes      [5][3]prometheus.Counter
	degraded   prometheus.Counter
	unrecorded prometheus.Counter
	lostPasses prometheus.Counter
	fullAsync  prometheus.Counter
	fullLate   prometheus.Counter
}

type kindMetrics [paths]prometheus.Observer

var kinds = [...]engines.Kind{
	engines.KindText, engines.KindName, engines.KindImage, engines.KindAudio,
	engines.KindVideo, engines.KindTrade, "other",
}

func kindIndex(k engines.Kind) int {
	switch k {
	case engines.KindText:
		return 0
	case engines.KindName:
		return 1
	case engines.KindImage:
		return 2
	case engines.KindAudio:
		return 3
	case engines.KindVideo:
		return 4
	case engines.KindTrade:
		return 5
	}
	return 6
}

func modeIndex(m engines.Mode) int {
	switch m {
	case engines.RealTimeBlock:
		return 0
	case engines.DeferredReview:
		return 1
	case engines.PreReview:
		return 2
	case engines.MonitorOnly:
		return 3
	}
	return 4
}

func newMetrics(reg prometheus.Registerer) (*metrics, error) {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "portcullis_verdict_seconds",
		Help: "Time from an item's arrival to its verdict, by kind and path (stream, rest, deferred, async, batch).",
		Buckets: []float64{
			0.00005, 0.0001, 0.00025, 0.0005, // a text check costs microseconds
			0.001, 0.002, 0.005, 0.008, 0.012, 0.015, 0.018, 0.020, 0.025, 0.050, 0.100, 0.250, 1,
		},
	}, []string{"kind", "path"})
	verdicts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_verdicts_total",
		Help: "Verdicts by what was found (pass, review, block) and filtering mode.",
	}, []string{"suggestion", "mode"})
	full := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_review_queue_full_total",
		Help: "How often a queue's full-rule applied: deferred (checked before delivery), async (refused), passes (not recorded).",
	}, []string{"queue"})
	degraded := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "portcullis_verdicts_degraded_total",
		Help: "Verdicts reached without an engine that should have answered.",
	})
	unrecorded := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "portcullis_verdicts_unrecorded_total",
		Help: "Attempts to record a verdict that failed; the verdict was not given.",
	})
	if reg != nil {
		var faults []error
		for _, c := range []prometheus.Collector{seconds, verdicts, full, degraded, unrecorded} {
			faults = append(faults, reg.Register(c))
		}
		if err := errors.Join(faults...); err != nil {
			return nil, err
		}
	}
	m := &metrics{
		degraded: degraded, unrecorded: unrecorded,
		lostPasses: full.WithLabelValues("passes"),
		fullAsync:  full.WithLabelValues("async"),
		fullLate:   full.WithLabelValues("deferred"),
	}
	for i, k := range kinds {
		for p, name := range pathNames {
			m.kinds[i][p] = seconds.WithLabelValues(string(k), name)
		}
	}
	for i, mode := range [...]engines.Mode{engines.RealTimeBlock, engines.DeferredReview, engines.PreReview, engines.MonitorOnly, "other"} {
		for _, s := range [...]engines.Suggestion{engines.Pass, engines.Review, engines.Block} {
			m.modes[i][s.Rank()] = verdicts.WithLabelValues(string(s), string(mode))
		}
	}
	return m, nil
}

func (m *metrics) verdict(kind engines.Kind, path path, v *engines.Verdict, took time.Duration) {
	m.kinds[kindIndex(kind)][path].Observe(took.Seconds())
	m.modes[modeIndex(v.Mode)][v.Found().Suggestion.Rank()].Inc()
	if v.Degraded {
		m.degraded.Inc()
	}
}
