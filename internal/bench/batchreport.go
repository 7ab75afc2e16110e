package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// BatchReport is what one run of `bench batch` found. Latencies are in microseconds.
type BatchReport struct {
	Database string    `json:"database"`
	Lines    int       `json:"lines"`
	Parts    int       `json:"batches"`
	Sessions int       `json:"sessions"`
	Rate     float64   `json:"live_rate"`
	Beside   *BatchRun `json:"beside_live"`
	Alone    *BatchRun `json:"alone"`
	Quiet    *Side     `json:"live_without_batch"`
	Busy     *Side     `json:"live_beside_batch"`
	RatioP99 float64   `json:"p99_ratio"`
	Goals    []Goal    `json:"goals,omitempty"`
}

// BatchRun is how batches went.
type BatchRun struct {
	Lines   int     `json:"lines"`
	Upload  float64 `json:"upload_s"`
	Seconds float64 `json:"seconds"`
	Pass    int     `json:"pass"`
	Review  int     `json:"review"`
	Block   int     `json:"block"`
	// CPU is the server's while it ran, in seconds, live traffic included.
	CPU float64 `json:"cpu_s"`
}

func (r *BatchRun) add(other *BatchRun) {
	r.Lines, r.Upload, r.Seconds, r.CPU = r.Lines+other.Lines, r.Upload+other.Upload, r.Seconds+other.Seconds, r.CPU+other.CPU
	r.Pass, r.Review, r.Block = r.Pass+other.Pass, r.Review+other.Review, r.Block+other.Block
}

// goals holds the figures against what the project asks of itself.
func (r *BatchReport) goals() {
	add := func(name, unit string, value, limit float64) {
		g := Goal{Name: name, Limit: limit, Value: value, Verdict: "met", Figure: fmt.Sprintf("%.4g %s, at most %.4g", value, unit, limit)}
		if value > limit {
			g.Verdict = "missed"
		}
		r.Goals = append(r.Goals, g)
	}
	add("a batch of 100,000 lines beside live chat", "s", (r.Beside.Upload+r.Beside.Seconds)*100_000/float64(r.Beside.Lines), 60)
	add("p99 of live chat beside it over that without", "times", r.RatioP99, 2)
}

func (r *BatchReport) print(w io.Writer, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("bench batch: %w", err)
		}
	} else {
		r.text(&b)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("bench batch: print: %w", err)
	}
	return nil
}

func (r *BatchReport) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %d lines in %d batches; %d sessions, %.0f messages/s\n", r.Database, r.Lines, r.Parts, r.Sessions, r.Rate)
	for _, run := range []struct {
		name string
		r    *BatchRun
	}{{"beside live chat", r.Beside}, {"one alone", r.Alone}} {
		fmt.Fprintf(b, "%-16s  %6d lines, %5.1f s to send, %5.1f s to check, %6.0f lines/s, %.1f s of CPU; pass %d, review %d, block %d\n",
			run.name, run.r.Lines, run.r.Upload, run.r.Seconds, float64(run.r.Lines)/max(run.r.Seconds, 0.001), run.r.CPU, run.r.Pass, run.r.Review, run.r.Block)
	}
	t := table{tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row(label("live chat, µs"), "messages", "p50", "p99", "p99.9", "max")
	for _, line := range []struct {
		name string
		l    *Latency
	}{
		{"without a batch", r.Quiet.Latency},
		{"beside the batch", r.Busy.Latency},
		{"flagged, without", r.Quiet.Flagged}, // these wait for the disk
		{"flagged, beside", r.Busy.Flagged},
	} {
		if line.l == nil {
			continue
		}
		t.row(label(line.name), strconv.FormatUint(line.l.Count, 10), num(line.l.P50), num(line.l.P99), num(line.l.P999), num(line.l.Max))
	}
	_ = t.Flush() // into memory
	fmt.Fprintf(b, "p99 × %.2f\n", r.RatioP99)
	for _, g := range r.Goals {
		fmt.Fprintf(b, "%-8s %s: %s\n", g.Verdict, g.Name, g.Figure)
	}
}
