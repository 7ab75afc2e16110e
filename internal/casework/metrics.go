package casework

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/internal/store"
)

type metrics struct {
	moves   *prometheus.CounterVec
	effects *prometheus.CounterVec
	reports prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		moves: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_case_moves_total", Help: "What was asked of cases, by action and by how it ended: done, refused, or failed.",
		}, []string{"action", "result"}),
		effects: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_case_effects_total", Help: "What follows of decisions outside of the store, by kind and by how it ended: done, or failed and to be tried again.",
		}, []string{"kind", "result"}),
		reports: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_player_reports_total", Help: "Reports of players that were filed.",
		}),
	}
	if reg != nil {
		reg.MustRegister(m.moves, m.effects, m.reports)
	}
	return m
}

func (m *metrics) moved(a Action, err error) {
	result := "done"
	switch {
	case errors.Is(err, store.ErrConflict), errors.Is(err, ErrForbidden), errors.Is(err, store.ErrNotFound):
		result = "refused"
	case err != nil:
		result = "failed"
	}
	m.moves.WithLabelValues(string(a), result).Inc()
}

func (m *metrics) did(k store.EffectKind, err error) {
	result := "done"
	if err != nil {
		result = "failed"
	}
	m.effects.WithLabelValues(string(k), result).Inc()
}
