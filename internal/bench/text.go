package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// table is a tabwriter whose lines can be added without looking at errors: it
// writes to memory.
type table struct{ *tabwriter.Writer }

func (t table) row(cells ...string) {
	_, _ = io.WriteString(t, strings.Join(cells, "\t")+"\t\n") // into memory
}

// text writes the report as tables for people.
func (r *Report) text(b *strings.Builder) {
	if l := r.Load; l != nil {
		fmt.Fprintf(b, "%d sessions, scenes of %d, %.0f messages/s, %.0f s of each side in %d rounds, %.0f %% abusive\n",
			l.Sessions, l.SceneSize, l.Rate, l.Seconds, l.Rounds, l.FlaggedShare*100)
		if l.EchoSessions != 0 && l.EchoSessions != l.Sessions {
			fmt.Fprintf(b, "the echo has %d connections: there are no descriptors for more\n", l.EchoSessions)
		}
	}
	t := table{tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)}
	if r.Chat.Latency != nil {
		r.latencies(t)
	}
	r.memories(t)
	_ = t.Flush() // into memory
	r.counts(b)
	for _, g := range r.Goals {
		fmt.Fprintf(b, "%-8s %s: %s\n", g.Verdict, g.Name, g.Figure)
	}
}

func (r *Report) latencies(t table) {
	t.row(label("µs"), "messages", "p50", "p99", "p99.9", "max", "CPU a message", "cores")
	line := func(name string, l *Latency, s *Side) {
		if l == nil {
			return
		}
		cells := []string{label(name), strconv.FormatUint(l.Count, 10), num(l.P50), num(l.P99), num(l.P999), num(l.Max)}
		switch {
		case s == nil:
			cells = append(cells, "", "")
		case l == s.Lag:
			cells = append(cells, "", fmt.Sprintf("%.3f", s.OwnShare))
		case s.CPUPerMessage > 0:
			cells = append(cells, num(s.CPUPerMessage), fmt.Sprintf("%.3f", s.CPUShare))
		}
		t.row(cells...)
	}
	if r.Floor != nil {
		line("raw echo", r.Floor.Latency, r.Floor)
	}
	line("chat, passed", r.Chat.Latency, r.Chat)
	line("chat, flagged", r.Chat.Flagged, nil)
	line("delivered to others", r.Chat.Delivery, nil)
	if a := r.Added; a != nil {
		ratio := ""
		if a.CPURatio > 0 {
			ratio = fmt.Sprintf("× %.2f", a.CPURatio)
		}
		t.row(label("added (passed)"), "", num(a.P50), num(a.P99), "", "", ratio, "")
	}
	line("generator late, chat", r.Chat.Lag, r.Chat)
	if r.Floor != nil {
		line("generator late, echo", r.Floor.Lag, r.Floor)
	}
	t.row()
}

func (r *Report) memories(t table) {
	head := false
	line := func(name string, s *Side) {
		if s == nil || s.Memory == nil {
			return
		}
		if !head {
			t.row(label("resident KiB"), "sessions", "start", "connected", "end", "a session")
			head = true
		}
		m := s.Memory
		t.row(label(name), strconv.Itoa(m.Sessions), kib(m.Start), kib(m.Connected), kib(m.End), fmt.Sprintf("%.2f", float64(m.PerSession)/1024))
	}
	line("raw echo", r.Floor)
	line("gateway", r.Chat)
}

func (r *Report) counts(b *strings.Builder) {
	for _, side := range []struct {
		name string
		*Side
	}{{"echo", r.Floor}, {"chat", r.Chat}} {
		if side.Side == nil || side.Latency == nil {
			continue
		}
		fmt.Fprintf(b, "%s: %d sent (%.0f/s), %d answered, %d unanswered", side.name, side.Sent, side.Rate, side.Answered, side.Unanswered)
		if side.CleanFlagged+side.AbusivePassed > 0 {
			fmt.Fprintf(b, "; %d clean ones flagged, %d abusive ones passed", side.CleanFlagged, side.AbusivePassed)
		}
		for _, why := range slices.Sorted(maps.Keys(side.Faults)) {
			fmt.Fprintf(b, "; %d × %s", side.Faults[why], why)
		}
		fmt.Fprintf(b, "\n  p50 by round: %s; p99: %s\n", nums(side.RoundP50), nums(side.RoundP99))
	}
}

// label fills the first column up, which makes it the only left-aligned one.
func label(name string) string { return fmt.Sprintf("%-20s", name) }

func num(f float64) string { return fmt.Sprintf("%.0f", f) }

func kib(n int64) string { return strconv.FormatInt(n>>10, 10) }

func nums(fs []float64) string {
	out := make([]string, len(fs))
	for i, f := range fs {
		out[i] = num(f)
	}
	return strings.Join(out, " ")
}
