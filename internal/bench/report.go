package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Report is what one run found. Times are microseconds, memory is bytes.
type Report struct {
	Load   *Load   `json:"load,omitempty"` // nil with --idle
	Floor  *Side   `json:"echo,omitempty"`
	Chat   *Side   `json:"chat"`
	Added  *Added  `json:"added,omitempty"` // nil without a floor
	Goals  []Goal  `json:"goals,omitempty"`
	faults []error // what makes the run a failure
}

// Load is what was asked of both sides.
type Load struct {
	Sessions     int     `json:"sessions"`
	EchoSessions int     `json:"echo_sessions,omitempty"`
	SceneSize    int     `json:"scene_size"`
	Rate         float64 `json:"rate"`
	Seconds      float64 `json:"seconds"`
	Rounds       int     `json:"rounds"`
	FlaggedShare float64 `json:"flagged_share"`
}

// Side is one server's figures.
type Side struct {
	Latency  *Latency `json:"latency_us,omitempty"`
	Flagged  *Latency `json:"flagged_latency_us,omitempty"`
	Delivery *Latency `json:"delivery_latency_us,omitempty"`
	// Lag is how late the generator itself was, which the latencies include.
	Lag *Latency `json:"generator_lag_us,omitempty"`

	Sent       int `json:"sent"`
	Answered   int `json:"answered"`
	Unanswered int `json:"unanswered"`
	Delivered  int `json:"delivered,omitempty"`
	// CleanFlagged are clean lines that were flagged, AbusivePassed the reverse.
	CleanFlagged  int            `json:"clean_flagged,omitempty"`
	AbusivePassed int            `json:"abusive_passed,omitempty"`
	Faults        map[string]int `json:"faults,omitempty"`

	// Rate is what was really sent a second.
	Rate          float64   `json:"rate,omitempty"`
	CPUPerMessage float64   `json:"cpu_us_per_message,omitempty"`
	CPUShare      float64   `json:"cpu_cores,omitempty"`
	OwnShare      float64   `json:"generator_cpu_cores,omitempty"`
	RoundP50      []float64 `json:"p50_by_round_us,omitempty"`
	RoundP99      []float64 `json:"p99_by_round_us,omitempty"`
	Memory        *Memory   `json:"memory,omitempty"`
}

// Latency is a distribution; each percentile is at most 0.8 % too high.
type Latency struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p99_9"`
	Max   float64 `json:"max"`
}

// Memory is the server's resident memory in bytes.
type Memory struct {
	Start     int64 `json:"start"`
	Connected int64 `json:"connected"`
	End       int64 `json:"end"`
	// PerSession is what a session costs beyond start, at the end.
	PerSession int64 `json:"per_session"`
	Sessions   int   `json:"sessions"`
}

// Added is what the gateway costs over the raw echo.
type Added struct {
	P50      float64 `json:"p50_us"`
	P99      float64 `json:"p99_us"`
	CPURatio float64 `json:"cpu_ratio,omitempty"`
}

type memory struct {
	start, connected, end int64
	sessions              int
}

func (m memory) report() *Memory {
	if m.start == 0 || m.sessions == 0 {
		return nil
	}
	return &Memory{m.start, m.connected, m.end, (m.end - m.start) / int64(m.sessions), m.sessions}
}

// micros rounds to tenths of a microsecond.
func micros(d time.Duration) float64 { return round1(float64(d) / float64(time.Microsecond)) }

func round1(f float64) float64 { return math.Round(f*10) / 10 }

func latency(h *histogram) *Latency {
	if h.n == 0 {
		return nil
	}
	return &Latency{h.n, micros(h.quantile(0.5)), micros(h.quantile(0.99)), micros(h.quantile(0.999)), micros(h.max)}
}

func allMicros(ds []time.Duration) []float64 {
	out := make([]float64, 0, len(ds))
	for _, d := range ds {
		out = append(out, micros(d))
	}
	return out
}

func newSide(t *tally, lost map[string]int, mem *Memory) *Side {
	s := &Side{Memory: mem, Faults: maps.Clone(lost)}
	if t == nil {
		return s
	}
	s.Latency, s.Flagged, s.Delivery, s.Lag = latency(&t.clean), latency(&t.flagged), latency(&t.delivery), latency(&t.lag)
	s.Sent, s.Answered, s.Unanswered, s.Delivered = t.sent, t.answered, t.unanswered, t.pushes
	s.CleanFlagged, s.AbusivePassed = t.surprises, t.misses
	if s.Faults == nil {
		s.Faults = make(map[string]int)
	}
	maps.Copy(s.Faults, t.faults)
	s.RoundP50, s.RoundP99 = allMicros(t.p50), allMicros(t.p99)
	if t.wall > 0 && t.sent > 0 {
		s.Rate = round1(float64(t.sent) / t.wall.Seconds())
		s.CPUPerMessage = round1(float64(t.cpu) / float64(time.Microsecond) / float64(t.sent))
		s.CPUShare, s.OwnShare = share(t.cpu, t.wall), share(t.own, t.wall)
	}
	return s
}

// share is how many cores were busy, to a thousandth.
func share(cpu, wall time.Duration) float64 {
	return math.Round(cpu.Seconds()/wall.Seconds()*1000) / 1000
}

func newReport(load *Load, floor, chat *Side) *Report {
	r := &Report{Load: load, Floor: floor, Chat: chat}
	if floor != nil && floor.Latency != nil && chat.Latency != nil {
		r.Added = &Added{
			P50: round1(chat.Latency.P50 - floor.Latency.P50),
			P99: round1(chat.Latency.P99 - floor.Latency.P99),
		}
		if floor.CPUPerMessage > 0 {
			r.Added.CPURatio = math.Round(chat.CPUPerMessage/floor.CPUPerMessage*100) / 100
		}
	}
	for _, side := range []struct {
		name string
		*Side
	}{{"echo", floor}, {"chat", chat}} {
		if side.Side == nil {
			continue
		}
		if side.Unanswered > 0 {
			r.faults = append(r.faults, fmt.Errorf("bench chat: %s: %d messages were not answered", side.name, side.Unanswered))
		}
		for _, why := range slices.Sorted(maps.Keys(side.Faults)) {
			r.faults = append(r.faults, fmt.Errorf("bench chat: %s: %d × %s", side.name, side.Faults[why], why))
		}
	}
	return r
}

// fault is what went wrong in the run, nil if nothing did.
func (r *Report) fault() error { return errors.Join(r.faults...) }

func (r *Report) print(w io.Writer, asJSON bool) error {
	if asJSON {
		out, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return fmt.Errorf("bench chat: %w", err)
		}
		if _, err := w.Write(append(out, '\n')); err != nil {
			return fmt.Errorf("bench chat: print: %w", err)
		}
		return nil
	}
	var text strings.Builder
	r.text(&text)
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("bench chat: print: %w", err)
	}
	return nil
}
