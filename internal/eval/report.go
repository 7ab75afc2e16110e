package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/portcullis-gg/portcullis/engines"
)

// macroRows are the toxic rows from which a language counts in the mean.
const macroRows = 30

// Report is all that a run found. Shares are 0 to 1; one that has no rows to
// stand on is null.
type Report struct {
	Rows    int     `json:"rows"`
	Seconds float64 `json:"seconds"`
	// Read are the rows that the second stage was asked about.
	Read        uint64                        `json:"read,omitempty"`
	Strictness  int                           `json:"strictness"`
	Positive    engines.Suggestion            `json:"positive"`
	Groups      map[string]map[string]*Counts `json:"groups"`
	Macro       Macro                         `json:"macro"`
	Calibration *Calibration                  `json:"calibration"`
	Sweep       []Level                       `json:"strictness_sweep,omitempty"`
	Rules       []*RuleCount                  `json:"rules,omitempty"`
}

// Macro is the mean over languages, each weighing the same.
type Macro struct {
	Languages         int   `json:"languages"`
	Precision         share `json:"precision"`
	Recall            share `json:"recall"`
	F1                share `json:"f1"`
	FalsePositiveRate share `json:"fpr"`
}

// share is a figure of 0 to 1, NaN where there are no rows, which JSON calls null.
type share float64

// MarshalJSON writes NaN as null.
func (s share) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(s)) {
		return []byte("null"), nil
	}
	return json.Marshal(math.Round(float64(s)*1e6) / 1e6) //nolint:wrapcheck // a number always marshals
}

// MarshalJSON adds the figures to the counts.
func (c *Counts) MarshalJSON() ([]byte, error) {
	type plain Counts // without this method
	low, high := Wilson(c.FalsePositive, c.Clean())
	recallLow, recallHigh := Wilson(c.TruePositive, c.Toxic())
	return json.Marshal(struct { //nolint:wrapcheck // numbers always marshal
		*plain

		Precision share    `json:"precision"`
		Recall    share    `json:"recall"`
		Recall95  [2]share `json:"recall_95"`
		F1        share    `json:"f1"`
		FPR       share    `json:"fpr"`
		FPR95     [2]share `json:"fpr_95"`
		BlockFPR  share    `json:"block_fpr"`
	}{
		(*plain)(c), share(c.Precision()), share(c.Recall()),
		[2]share{share(recallLow), share(recallHigh)},
		share(c.F1()),
		share(c.FalsePositiveRate()),
		[2]share{share(low), share(high)},
		share(ratio(c.CleanBlocked, c.Clean())),
	})
}

// macro is the mean over the languages that have enough toxic rows. A language in
// which nothing was flagged has no precision and stays out of that mean alone.
func macro(langs map[string]*Counts) Macro {
	m := Macro{}
	var precision, recall, f1, fpr mean
	for _, c := range langs {
		if c.Toxic() < macroRows {
			continue
		}
		m.Languages++
		precision.add(c.Precision())
		recall.add(c.Recall())
		f1.add(c.F1())
		fpr.add(c.FalsePositiveRate())
	}
	m.Precision, m.Recall, m.F1, m.FalsePositiveRate = precision.share(), recall.share(), f1.share(), fpr.share()
	return m
}

// mean leaves NaN out.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(f float64) {
	if !math.IsNaN(f) {
		m.sum += f
		m.n++
	}
}

func (m *mean) share() share {
	if m.n == 0 {
		return share(math.NaN())
	}
	return share(m.sum / float64(m.n))
}

func (r *Report) write(file string) error {
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("write figures: %w", err)
	}
	if err := os.WriteFile(file, append(out, '\n'), 0o644); err != nil { //nolint:gosec // figures are no secret
		return fmt.Errorf("write figures: %w", err)
	}
	return nil
}
