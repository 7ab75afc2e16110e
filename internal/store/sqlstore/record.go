package sqlstore

import (
	"encoding/json"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// The stored form of the shared words. The records have the fields of their
// originals, so a field that is added there does not compile here until somebody
// has thought about what is on disk already.
type (
	signalRecord struct {
		Category   engines.Category `json:"category"`
		SubLabel   string           `json:"sub_label,omitempty"`
		Severity   int              `json:"severity"`
		Confidence float64          `json:"confidence"`
		Source     engines.Source   `json:"source"`
		Span       engines.Span     `json:"span"`
		Rule       string           `json:"rule,omitempty"`
		Language   string           `json:"language,omitempty"`
		Action     string           `json:"action,omitempty"`
		Excepted   bool             `json:"excepted,omitempty"`
		Place      *engines.Place   `json:"place,omitempty"`
	}
	labelRecord struct {
		Category   engines.Category `json:"category"`
		SubLabel   string           `json:"sub_label,omitempty"`
		Severity   int              `json:"severity"`
		Confidence float64          `json:"confidence"`
		Source     engines.Source   `json:"source"`
		Place      *engines.Place   `json:"place,omitempty"`
	}
	findingRecord struct {
		Suggestion engines.Suggestion `json:"suggestion"`
		Labels     []labelRecord      `json:"labels,omitempty"`
	}
	combinedRecord struct {
		Category   engines.Category `json:"category"`
		Confidence float64          `json:"confidence"`
		Own        float64          `json:"own"`
		Parts      []partRecord     `json:"parts"`
	}
	partRecord struct {
		From       string            `json:"from"`
		Category   engines.Category  `json:"category"`
		Confidence float64           `json:"confidence"`
		Counts     float64           `json:"counts"`
		Request    engines.RequestID `json:"request_id,omitempty"`
		Kind       engines.Kind      `json:"kind,omitempty"`
		At         int64             `json:"at,omitempty"`
	}
	verdictRecord struct {
		Finding       findingRecord    `json:"finding"`
		Action        engines.Action   `json:"action"`
		Warn          bool             `json:"warn,omitempty"`
		Mode          engines.Mode     `json:"mode"`
		Hits          []engines.Span   `json:"hits,omitempty"`
		Masked        string           `json:"masked,omitempty"`
		Observed      *findingRecord   `json:"observed,omitempty"`
		Shadow        *findingRecord   `json:"shadow,omitempty"`
		Combined      []combinedRecord `json:"combined,omitempty"`
		Case          bool             `json:"case,omitempty"`
		Mandatory     bool             `json:"mandatory,omitempty"`
		Degraded      bool             `json:"degraded,omitempty"`
		Stricter      string           `json:"stricter,omitempty"`
		Reason        string           `json:"reason,omitempty"`
		PolicyVersion string           `json:"policy_version,omitempty"`
	}
	itemRecord struct {
		RequestID   engines.RequestID     `json:"request_id"`
		App         engines.AppID         `json:"app"`
		Player      engines.PlayerID      `json:"player,omitempty"`
		Scene       engines.SceneID       `json:"scene,omitempty"`
		Session     engines.SessionID     `json:"session,omitempty"`
		Kind        engines.Kind          `json:"kind"`
		Text        string                `json:"text"`
		Language    string                `json:"language,omitempty"`
		StrictLevel int                   `json:"strict_level,omitempty"`
		Segment     string                `json:"segment,omitempty"`
		Region      string                `json:"region,omitempty"`
		Parent      engines.RequestID     `json:"parent,omitempty"`
		To          engines.PlayerID      `json:"to,omitempty"`
		Live        bool                  `json:"live,omitempty"`
		Behind      bool                  `json:"-"` // who takes it up again says so
		ReceivedAt  time.Time             `json:"received_at"`
		Context     *engines.Context      `json:"-"`
		Words       engines.Words         `json:"-"` // of the policy at the time; resolved anew
		Acoustic    *engines.AcousticOver `json:"-"` // likewise
		VoiceLink   *engines.VoiceLink    `json:"-"`
		Naming      *engines.Naming       `json:"naming,omitempty"`
		Media       *engines.Media        `json:"-"` // the file is evidence, not part of the row
	}
)

func encodeSignals(signals []engines.Signal) ([]byte, error) {
	records := make([]signalRecord, len(signals))
	for i, s := range signals {
		records[i] = signalRecord(s)
	}
	return json.Marshal(records)
}

func decodeSignals(b []byte) ([]engines.Signal, error) {
	var records []signalRecord
	if err := json.Unmarshal(b, &records); err != nil || len(records) == 0 {
		return nil, err
	}
	signals := make([]engines.Signal, len(records))
	for i, r := range records {
		signals[i] = engines.Signal(r)
	}
	return signals, nil
}

func findingToRecord(f engines.Finding) findingRecord {
	r := findingRecord{Suggestion: f.Suggestion}
	for _, l := range f.Labels {
		r.Labels = append(r.Labels, labelRecord(l))
	}
	return r
}

func (r findingRecord) finding() engines.Finding {
	f := engines.Finding{Suggestion: r.Suggestion}
	for _, l := range r.Labels {
		f.Labels = append(f.Labels, engines.Label(l))
	}
	return f
}

// optionalToRecord is the record of a finding that there may not be.
func optionalToRecord(f *engines.Finding) *findingRecord {
	if f == nil {
		return nil
	}
	r := findingToRecord(*f)
	return &r
}

func (r *findingRecord) optional() *engines.Finding {
	if r == nil {
		return nil
	}
	f := r.finding()
	return &f
}

func encodeVerdict(v engines.Verdict) ([]byte, error) {
	r := verdictRecord{
		Finding: findingToRecord(v.Finding), Action: v.Action, Warn: v.Warn, Mode: v.Mode, Hits: v.Hits,
		Masked: v.Masked, Case: v.Case, Mandatory: v.Mandatory, Degraded: v.Degraded, Stricter: v.Stricter, Reason: v.Reason, PolicyVersion: v.PolicyVersion,
	}
	r.Observed, r.Shadow = optionalToRecord(v.Observed), optionalToRecord(v.Shadow)
	for _, c := range v.Combined {
		one := combinedRecord{Category: c.Category, Confidence: c.Confidence, Own: c.Own}
		for _, p := range c.Parts {
			one.Parts = append(one.Parts, partRecord(p))
		}
		r.Combined = append(r.Combined, one)
	}
	return json.Marshal(r)
}

func decodeVerdict(b []byte) (v engines.Verdict, err error) {
	var r verdictRecord
	if err := json.Unmarshal(b, &r); err != nil {
		return v, err
	}
	v = engines.Verdict{
		Finding: r.Finding.finding(), Action: r.Action, Warn: r.Warn, Mode: r.Mode, Hits: r.Hits,
		Masked: r.Masked, Case: r.Case, Mandatory: r.Mandatory, Degraded: r.Degraded, Stricter: r.Stricter, Reason: r.Reason, PolicyVersion: r.PolicyVersion,
	}
	v.Observed, v.Shadow = r.Observed.optional(), r.Shadow.optional()
	for _, c := range r.Combined {
		one := engines.Combined{Category: c.Category, Confidence: c.Confidence, Own: c.Own}
		for _, p := range c.Parts {
			one.Parts = append(one.Parts, engines.Part(p))
		}
		v.Combined = append(v.Combined, one)
	}
	return v, nil
}

func encodeItem(item engines.Item) ([]byte, error) {
	item.ReceivedAt = item.ReceivedAt.Round(0).UTC()
	return json.Marshal(itemRecord(item))
}

func decodeItem(b []byte) (engines.Item, error) {
	var r itemRecord
	err := json.Unmarshal(b, &r)
	return engines.Item(r), err
}
