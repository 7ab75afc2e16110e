package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// TextReport is what `bench text` found. Times are nanoseconds, memory is bytes.
type TextReport struct {
	// Chat is ordinary chat as the first stage alone inspects it, ChatRead with the second
	// stage, which reads a message in a hundred or two of it; nil without one.
	Chat      *TextSet   `json:"chat"`
	ChatRead  *TextSet   `json:"chat_read,omitempty"`
	Disguised *TextSet   `json:"disguised"`
	Data      *TextSet   `json:"data,omitempty"`
	Long      []LongText `json:"long"`
	// Meaning is the second stage, asked about what the first is unsure of.
	Meaning *TextMeaning `json:"meaning,omitempty"`
	// Resident is the memory of the process after all of it, the rows of --data
	// left out.
	Resident int64  `json:"resident_bytes"`
	Goals    []Goal `json:"goals,omitempty"`
}

// TextSet are the figures of a set of messages, each timed alone.
type TextSet struct {
	Messages int     `json:"messages"`
	Calls    uint64  `json:"calls"`
	P50      float64 `json:"p50_ns"`
	P99      float64 `json:"p99_ns"`
	P999     float64 `json:"p99_9_ns"`
	Max      float64 `json:"max_ns"`
	// Allocations a message, the mean, and of the message that needs most.
	Allocations float64 `json:"allocations"`
	MostAllocs  float64 `json:"most_allocations"`
	// Slowest is the message with the slowest median; "" for a set from a file.
	Slowest string `json:"slowest,omitempty"`
}

// LongText is one text of ten thousand code points.
type LongText struct {
	Name   string  `json:"name"`
	Median float64 `json:"median_ns"`
	Max    float64 `json:"max_ns"`
}

func (r *TextReport) slowest() LongText {
	var most LongText
	for _, l := range r.Long {
		if l.Median > most.Median {
			most = l
		}
	}
	return most
}

// textGoals holds the figures against the goals.
func textGoals(r *TextReport) []Goal {
	var out []Goal
	add := func(name, unit string, value, limit float64) {
		g := Goal{Name: name, Limit: limit, Value: value, Verdict: "met"}
		if !(value <= limit) { // written so that NaN misses
			g.Verdict = "missed"
		}
		g.Figure = fmt.Sprintf("%.6g %s, at most %.6g", value, unit, limit)
		out = append(out, g)
	}
	add("median of ordinary chat, first stage", "µs", r.Chat.P50/1e3, 10)
	add("p99 of ordinary chat, first stage", "µs", r.Chat.P99/1e3, 100)
	add("allocations a message of ordinary chat", "allocations", r.Chat.Allocations, 2)
	slow := r.slowest()
	add("slowest text of 10,000 code points ("+slow.Name+")", "ms", slow.Median/1e6, 10)
	add("resident memory", "MB", float64(r.Resident)/1e6, 200)
	if m := r.Meaning; m != nil {
		add("ordinary chat that the second stage is asked about", "%", 100*m.Asked, 5)
		for i := range m.Networks {
			add("p99 of "+m.Networks[i].ID, "ms", m.Networks[i].P99/1e6, 8)
		}
	}
	return out
}

// missed is an error that names every missed goal.
func (r *TextReport) missed() error {
	var errs []error
	for _, g := range r.Goals {
		if g.Verdict != "met" {
			errs = append(errs, fmt.Errorf("bench text: goal missed: %s: %s", g.Name, g.Figure))
		}
	}
	return errors.Join(errs...)
}

func (r *TextReport) print(w io.Writer, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("bench text: %w", err)
		}
	} else {
		r.text(&b)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("bench text: print: %w", err)
	}
	return nil
}

func (r *TextReport) text(b *strings.Builder) {
	b.WriteString("engine and policy, one core\n")
	t := table{tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)}
	t.row(label("µs a message"), "messages", "calls", "p50", "p99", "p99.9", "max", "allocs", "most allocs")
	set := func(name string, s *TextSet) {
		if s == nil {
			return
		}
		us := func(ns float64) string { return fmt.Sprintf("%.1f", ns/1e3) }
		t.row(label(name), strconv.Itoa(s.Messages), strconv.FormatUint(s.Calls, 10), us(s.P50), us(s.P99), us(s.P999), us(s.Max),
			fmt.Sprintf("%.2f", s.Allocations), fmt.Sprintf("%.1f", s.MostAllocs))
	}
	set("ordinary chat", r.Chat)
	set("the same, both stages", r.ChatRead)
	set("disguised abuse", r.Disguised)
	set("rows of --data", r.Data)
	t.row()
	t.row(label("10,000 code points"), "median ms", "max ms")
	for _, l := range r.Long {
		t.row(label(l.Name), fmt.Sprintf("%.2f", l.Median/1e6), fmt.Sprintf("%.2f", l.Max/1e6))
	}
	_ = t.Flush() // into memory
	fmt.Fprintf(b, "\nslowest chat line: %s\nslowest disguised: %s\nresident memory: %.1f MB\n", r.Chat.Slowest, r.Disguised.Slowest, float64(r.Resident)/1e6)
	if m := r.Meaning; m != nil {
		fmt.Fprintf(b, "second stage: asked about %.2f %% of ordinary chat\n", 100*m.Asked)
		for i := range m.Networks {
			n := &m.Networks[i]
			fmt.Fprintf(b, "%s: 32 pieces of words in p50 %.2f ms, p99 %.2f, max %.2f (%d calls)\n", n.ID, n.P50/1e6, n.P99/1e6, n.Max/1e6, n.Calls)
		}
	}
	for _, g := range r.Goals {
		fmt.Fprintf(b, "%-8s %s: %s\n", g.Verdict, g.Name, g.Figure)
	}
}
