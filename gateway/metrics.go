package gateway

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
)

// metrics never carry an app, a player or an address.
type metrics struct {
	requests *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	limited  *prometheus.CounterVec
	panics   prometheus.Counter
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "portcullis_http_request_seconds", Help: "Time to answer a request, by route and status.",
			Buckets: []float64{.0005, .001, .002, .005, .008, .012, .015, .018, .02, .025, .05, .1, .25, 1},
		}, []string{"route", "status"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_http_auth_failures_total", Help: "Failed authentications by cause.",
		}, []string{"cause"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_http_limited_total", Help: "Requests over an app's rate, by class.",
		}, []string{"class"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_http_panics_total", Help: "Requests ended by a panic.",
		}),
	}
	reg.MustRegister(m.requests, m.refused, m.limited, m.panics)
	return m
}

func (m *metrics) observe(c *fiber.Ctx, took time.Duration) {
	m.requests.WithLabelValues(c.Route().Path, strconv.Itoa(c.Response().StatusCode())).Observe(took.Seconds())
}
