package bench

import "fmt"

// Goal is one line of what the project asks of itself.
type Goal struct {
	Name    string  `json:"name"`
	Limit   float64 `json:"limit"`
	Value   float64 `json:"value"`
	Verdict string  `json:"verdict"` // met or missed
	Figure  string  `json:"figure"`
}

// goals holds the figures against the goals that are set for this kind of run:
// 10,000 idle sessions, or 2,000 messages a second over 2,000 sessions alone in
// their scenes. For any other run there are none.
func goals(r *Report) []Goal {
	var out []Goal
	add := func(name, unit string, value, limit float64) {
		g := Goal{Name: name, Limit: limit, Value: value, Verdict: "met"}
		if value > limit {
			g.Verdict = "missed"
		}
		g.Figure = fmt.Sprintf("%.6g %s, at most %.6g", value, unit, limit)
		out = append(out, g)
	}
	if r.Load == nil {
		if m := r.Chat.Memory; m != nil && m.Sessions == 10_000 {
			add("resident memory a session beyond start", "KB", float64(m.PerSession)/1000, 12)
		}
		return out
	}
	if r.Load.Sessions != 2000 || r.Load.Rate != 2000 || r.Load.SceneSize != 1 || r.Chat.Latency == nil {
		return out
	}
	if a := r.Added; a != nil {
		add("p50 of clean messages over the raw echo", "µs", a.P50, 60)
		add("p99 of clean messages over the raw echo", "µs", a.P99, 1000)
		if a.CPURatio > 0 {
			add("server CPU a message over the raw echo's", "times", a.CPURatio, 3)
		}
	}
	add("p99.9 of clean messages", "µs", r.Chat.Latency.P999, 20_000)
	if f := r.Chat.Flagged; f != nil {
		add("p99 of flagged messages", "µs", f.P99, 20_000)
	}
	return out
}
