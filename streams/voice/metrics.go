package voice

import (
	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	heard, late, dropped, lost, malformed prometheus.Counter
	lag, setup, verdicts                  prometheus.Histogram
	alarms                                prometheus.Counter
	windows                               *prometheus.CounterVec
	clips, clipsLost                      prometheus.Counter
	refused                               *prometheus.CounterVec
	panics                                prometheus.Counter
	relaySent, relayDropped, relayCrowded prometheus.Counter
}

func newMetrics(reg prometheus.Registerer, h *Hub) *metrics {
	packets := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_voice_packets_total",
		Help: "Packets of calls by fate: heard, late (or twice), dropped (a worker was too slow), lost (never came), malformed.",
	}, []string{"fate"})
	m := &metrics{
		heard: packets.WithLabelValues("heard"), late: packets.WithLabelValues("late"), dropped: packets.WithLabelValues("dropped"),
		lost: packets.WithLabelValues("lost"), malformed: packets.WithLabelValues("malformed"),
		lag: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "portcullis_voice_lag_seconds",
			Help:    "From a packet's arrival until it was decoded and measured.",
			Buckets: []float64{.0001, .0002, .0003, .0005, .0007, .001, .0015, .002, .003, .005, .0075, .01, .015, .02, .03, .05, .1, .2, .5, 1, 2},
		}),
		setup: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "portcullis_voice_setup_seconds",
			Help:    "From a WebRTC offer until the call was connected.",
			Buckets: []float64{.01, .02, .03, .05, .075, .1, .15, .2, .3, .5, 1, 2, 5, 10},
		}),
		verdicts: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "portcullis_voice_verdict_seconds",
			Help:    "From the arrival of a window's last packet until its verdict.",
			Buckets: []float64{.005, .01, .02, .05, .1, .15, .2, .25, .3, .4, .5, .75, 1, 2, 5},
		}),
		alarms: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_voice_lag_alarms_total", Help: "Packets that were measured more than 200 ms after they came.",
		}),
		windows: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_voice_windows_total",
			Help: "Windows of speech and sound by fate: checked, replaced (by a newer partial one), dropped (too many waited), failed.",
		}, []string{"fate"}),
		clips:     prometheus.NewCounter(prometheus.CounterOpts{Name: "portcullis_voice_clips_total", Help: "Clips kept whole, with the seconds after the event."}),
		clipsLost: prometheus.NewCounter(prometheus.CounterOpts{Name: "portcullis_voice_clips_lost_total", Help: "Clips of which the seconds after the event could not be kept."}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "portcullis_voice_refused_total", Help: "Calls refused or given up, by reason: full, address, muted, banned, setup, offer.",
		}, []string{"reason"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{Name: "portcullis_voice_panics_total", Help: "Panics while a call was heard; the call ended."}),
	}
	relayed := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_voice_relayed_packets_total",
		Help: "Packets to other players of a scene by fate: sent, dropped (the listener's queue was full), crowded (more spoke than the listener has tracks).",
	}, []string{"fate"})
	m.relaySent, m.relayDropped, m.relayCrowded = relayed.WithLabelValues("sent"), relayed.WithLabelValues("dropped"), relayed.WithLabelValues("crowded")
	calls := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "portcullis_voice_calls", Help: "Calls that are heard now."},
		func() float64 { return float64(h.Calls()) })
	if reg != nil {
		reg.MustRegister(packets, m.lag, m.setup, m.verdicts, m.alarms, m.windows, m.clips, m.clipsLost, m.refused, m.panics, relayed, calls)
	}
	return m
}
