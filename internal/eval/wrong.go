package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/portcullis-gg/portcullis/engines"
)

// wrongRow is a line of the file of errors.
type wrongRow struct {
	Row

	Got   engines.Suggestion `json:"got"`
	Fired []firedSignal      `json:"fired"`
}

// firedSignal is one thing that the engine saw in a wrong row.
type firedSignal struct {
	Rule       string           `json:"rule"`
	Category   engines.Category `json:"category"`
	SubLabel   string           `json:"sub_label,omitempty"`
	Confidence float64          `json:"confidence"`
	Matched    string           `json:"matched,omitempty"`
}

// writeErrors writes the rows that were flagged and are clean, or the reverse.
func writeErrors(file string, rows []Row, results []Result, positive engines.Suggestion) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("write wrong rows: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriter(f)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i := range rows {
		r, res := &rows[i], &results[i]
		if r.toxic() == (res.Suggestion.Rank() >= positive.Rank()) {
			continue
		}
		w := wrongRow{Row: *r, Got: res.Suggestion, Fired: []firedSignal{}}
		for _, s := range res.Signals {
			w.Fired = append(w.Fired, firedSignal{s.Rule, s.Category, s.SubLabel, s.Confidence, Matched(r.Text, s.Span)})
		}
		if err := enc.Encode(w); err != nil {
			return fmt.Errorf("write wrong rows: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write wrong rows: %w", err)
	}
	return nil
}

// Matched is the text under a span of code points.
func Matched(text string, s engines.Span) string {
	if s.Empty() {
		return ""
	}
	n, from := 0, len(text)
	for i := range text {
		if n == s.Start {
			from = i
		}
		if n == s.End {
			return text[from:i]
		}
		n++
	}
	return text[from:]
}
