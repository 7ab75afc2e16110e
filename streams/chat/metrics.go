package chat

import (
	"strconv"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"
)

// metrics never carry a player, a scene or an app.
type metrics struct {
	closes   *prometheus.CounterVec
	resumes  *prometheus.CounterVec
	pushed   prometheus.Counter
	limited  prometheus.Counter
	unsaved  prometheus.Counter
	panics   prometheus.Counter
	dropped  prometheus.Counter
	feedSent prometheus.Counter
}

func newMetrics(reg prometheus.Registerer, h *Hub) *metrics {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "portcullis_stream_" + name, Help: help})
		reg.MustRegister(c)
		return c
	}
	m := &metrics{
		closes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_stream_closes_total", Help: "Connections closed by the gateway, by close code.",
		}, []string{"code"}),
		resumes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_stream_resumes_total", Help: "Resumes, by what came of them.",
		}, []string{"outcome"}),
		pushed:   counter("pushes_total", "Pushes to members of scenes."),
		limited:  counter("limited_total", "Messages refused for their rate."),
		unsaved:  counter("unsaved_total", "Sessions that Redis did not take at once."),
		panics:   counter("panics_total", "Sessions ended by a panic."),
		dropped:  counter("feed_dropped_total", "Feed events dropped for slow moderators."),
		feedSent: counter("feed_events_total", "Feed events queued for moderators."),
	}
	reg.MustRegister(m.closes, m.resumes, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "portcullis_stream_sessions", Help: "Sessions here, attached or within their resume window.",
	}, func() float64 { return float64(h.Sessions()) }))
	return m
}

func (m *metrics) closed(code websocket.StatusCode) {
	m.closes.WithLabelValues(strconv.Itoa(int(code))).Inc()
}
