package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
)

// Row is one labelled message, one JSON object a line. Keys that are not listed
// are ignored.
type Row struct {
	Text   string   `json:"text"`
	Lang   string   `json:"lang"`
	Labels []string `json:"labels"`
	Toxic  *bool    `json:"toxic"`
	Source string   `json:"source"`
	Split  string   `json:"split,omitempty"`
	// Sub narrows the source: the kind of evasion, the kind of clean text.
	Sub string `json:"sub,omitempty"`
	// Group is set where Sub is a figure of its own.
	Group flexible `json:"group,omitzero"`
}

// flexible is a key whose presence counts, whatever its type: files write a name,
// a number or true.
type flexible bool

// UnmarshalJSON takes anything; null, false, 0 and "" are absent.
func (f *flexible) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null", "false", "0", `""`:
		*f = false
	default:
		*f = true
	}
	return nil
}

func (r *Row) toxic() bool { return *r.Toxic }

// parse reads one line; the error says everything that is wrong with it.
func parse(line []byte) (Row, error) {
	var r Row
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("is no row: %w", err)
	}
	var faults []error
	need := func(there bool, key string) {
		if !there {
			faults = append(faults, fmt.Errorf("%s is missing", key))
		}
	}
	need(r.Text != "", "text")
	need(r.Lang != "", "lang")
	need(r.Source != "", "source")
	need(r.Toxic != nil, "toxic")
	for _, l := range r.Labels {
		if !slices.Contains(engines.TextCategories, engines.Category(l)) {
			faults = append(faults, fmt.Errorf("label %q is no category", l))
		}
	}
	return r, errors.Join(faults...)
}
