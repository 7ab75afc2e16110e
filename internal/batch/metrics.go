package batch

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/internal/store"
)

type metrics struct {
	lines   *prometheus.CounterVec
	batches *prometheus.CounterVec
	lost    prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		lines: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_batch_lines_total", Help: "Lines of batches whose result is on disk, by result: pass, review, block or error.",
		}, []string{"result"}),
		batches: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_batches_total", Help: "Batches by what became of them here: queued, done, cancelled or refused.",
		}, []string{"state"}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_batch_chunks_lost_total", Help: "Chunks that were checked for nothing: taken over by another gateway, cancelled, or not stored.",
		}),
	}
	for _, r := range []string{"pass", "review", "block", "error"} {
		m.lines.WithLabelValues(r)
	}
	for _, s := range []string{store.BatchQueued, store.BatchDone, store.BatchCancelled, refused} {
		m.batches.WithLabelValues(s)
	}
	if reg != nil {
		reg.MustRegister(m.lines, m.batches, m.lost)
	}
	return m
}

const refused = "refused"

func (m *metrics) counted(b *store.Batch) {
	for r, n := range map[string]int{"pass": b.Passed, "review": b.Reviewed, "block": b.Blocked, "error": b.Errors} {
		m.lines.WithLabelValues(r).Add(float64(n))
	}
}
