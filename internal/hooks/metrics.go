package hooks

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/internal/store"
)

type metrics struct {
	attempts *prometheus.CounterVec
	off      prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_webhook_attempts_total", Help: "Attempts to deliver an event, by how they ended: delivered, failed, or given up for good.",
		}, []string{"result"}),
		off: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_webhooks_switched_off_total", Help: "Endpoints that were switched off because they failed for long.",
		}),
	}
	for _, result := range []string{"delivered", "failed", "dead"} {
		m.attempts.WithLabelValues(result)
	}
	if reg != nil {
		reg.MustRegister(m.attempts, m.off)
	}
	return m
}

func (m *metrics) attempt(a *store.Attempt) {
	result := "failed"
	switch {
	case a.OK:
		result = "delivered"
	case a.Next.IsZero():
		result = "dead"
	}
	m.attempts.WithLabelValues(result).Inc()
	if a.Off != "" {
		m.off.Inc()
	}
}
