package voicelink

import "github.com/prometheus/client_golang/prometheus"

// metrics count what became of what was heard.
type metrics struct{ taken, leftOut, kept, matches prometheus.Counter }

func newMetrics(reg prometheus.Registerer) metrics {
	windows := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_voicelink_windows_total",
		Help: "Windows of speech whose voices were held against those of banned players, by fate (taken, left_out: too many waited).",
	}, []string{"fate"})
	voices := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "portcullis_voicelink_voices_total",
		Help: "Voices of banned players that were kept, and players whose voice was like one, by what they are (kept, like).",
	}, []string{"what"})
	if reg != nil {
		reg.MustRegister(windows, voices)
	}
	return metrics{windows.WithLabelValues("taken"), windows.WithLabelValues("left_out"), voices.WithLabelValues("kept"), voices.WithLabelValues("like")}
}
