package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// EconomyReport is what one run of `bench economy` found. Latencies are in
// microseconds, memory in bytes.
type EconomyReport struct {
	Database    string  `json:"database"`
	Entries     int     `json:"entries"`
	Players     int     `json:"players"`
	Batch       int     `json:"batch"`
	Workers     int     `json:"workers"`
	Bare        float64 `json:"bare_rows_per_s"`
	PerSecond   float64 `json:"entries_per_s"`
	Ratio       float64 `json:"ratio"`
	CPUPerEntry float64 `json:"cpu_us_per_entry"`
	Resident    int64   `json:"resident_bytes"`

	Rate   float64  `json:"steady_entries_per_s"`
	Ingest *Latency `json:"ingest_latency_us"`
	Trades *Latency `json:"evaluate_trade_latency_us"`
	Scores *Latency `json:"risk_score_latency_us"`
	// Lag is how late trades and scores were asked for, which their latencies include.
	Lag   *Latency `json:"generator_lag_us"`
	Goals []Goal   `json:"goals,omitempty"`
}

// goals holds the figures against what the project asks of itself.
func (r *EconomyReport) goals() {
	add := func(name, unit string, value, limit float64, met bool, word string) {
		g := Goal{Name: name, Limit: limit, Value: value, Verdict: "missed", Figure: fmt.Sprintf("%.4g %s, at %s %.4g", value, unit, word, limit)}
		if met {
			g.Verdict = "met"
		}
		r.Goals = append(r.Goals, g)
	}
	add("entries a second over the bare insert's", "times", r.Ratio, 0.5, r.Ratio >= 0.5, "least")
	add("p99 of evaluate-trade beside the stream", "ms", r.Trades.P99/1000, 10, r.Trades.P99 <= 10_000, "most")
	add("p99 of risk-score beside the stream", "ms", r.Scores.P99/1000, 5, r.Scores.P99 <= 5000, "most")
}

func (r *EconomyReport) print(w io.Writer, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("bench economy: %w", err)
		}
	} else {
		r.text(&b)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("bench economy: print: %w", err)
	}
	return nil
}

func (r *EconomyReport) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %d entries of %d players in submissions of %d, %d at once\n", r.Database, r.Entries, r.Players, r.Batch, r.Workers)
	fmt.Fprintf(b, "bare insert  %8.0f rows/s\n", r.Bare)
	fmt.Fprintf(b, "gateway      %8.0f entries/s, × %.2f, %.1f µs of CPU an entry, %d MB resident\n", r.PerSecond, r.Ratio, r.CPUPerEntry, r.Resident/1_000_000)
	t := table{tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row(label(fmt.Sprintf("µs beside %.0f entries/s", r.Rate)), "requests", "p50", "p99", "p99.9", "max")
	for _, line := range []struct {
		name string
		l    *Latency
	}{{"submissions", r.Ingest}, {"evaluate-trade", r.Trades}, {"risk-score", r.Scores}, {"asked late", r.Lag}} {
		t.row(label(line.name), strconv.FormatUint(line.l.Count, 10), num(line.l.P50), num(line.l.P99), num(line.l.P999), num(line.l.Max))
	}
	_ = t.Flush() // into memory
	for _, g := range r.Goals {
		fmt.Fprintf(b, "%-8s %s: %s\n", g.Verdict, g.Name, g.Figure)
	}
}
