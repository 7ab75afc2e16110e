package sqlstore

import (
	"encoding/json"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// The stored form of a back-test's result and of what a decision rested on; see
// record.go.
type (
	diffRecord struct {
		Decisions  int64            `json:"decisions"`
		Weight     float64          `json:"weight"`
		Pairs      []pairRecord     `json:"pairs,omitempty"`
		Categories []weightRecord   `json:"categories,omitempty"`
		Samples    []pastDiffRecord `json:"samples,omitempty"`
		Bare       int64            `json:"bare,omitempty"`
	}
	pairRecord struct {
		Was    engines.Suggestion `json:"was"`
		Is     engines.Suggestion `json:"is"`
		Weight float64            `json:"weight"`
	}
	weightRecord struct {
		Category engines.Category `json:"category"`
		Was      float64          `json:"was"`
		Is       float64          `json:"is"`
		Both     float64          `json:"both"`
	}
	pastDiffRecord struct {
		Request  engines.RequestID  `json:"request"`
		Live     engines.Suggestion `json:"live"`
		Draft    engines.Suggestion `json:"draft"`
		Category engines.Category   `json:"category,omitempty"`
		At       int64              `json:"at"`
	}
	circumstancesRecord struct {
		Segment     string         `json:"segment,omitempty"`
		Region      string         `json:"region,omitempty"`
		StrictLevel int            `json:"strict_level,omitempty"`
		Live        bool           `json:"live,omitempty"`
		Use         engines.Use    `json:"use,omitempty"`
		Standing    standingRecord `json:"standing,omitzero"`
		Faults      []faultRecord  `json:"faults,omitempty"`
	}
	standingRecord struct {
		Strikes     int    `json:"strikes,omitempty"`
		Trust       string `json:"trust,omitempty"`
		EconomyRisk int    `json:"economy_risk,omitempty"`

		Recent  map[engines.Category]int `json:"recent,omitempty"`
		Earlier []earlierRecord          `json:"earlier,omitempty"`
	}
	earlierRecord struct {
		Request    engines.RequestID `json:"r"`
		Kind       engines.Kind      `json:"k"`
		Category   engines.Category  `json:"c"`
		Confidence float64           `json:"p"`
		At         int64             `json:"t"`
	}
	faultRecord struct {
		Engine string `json:"engine"`
		Reason string `json:"reason"`

		Refusal *engines.Refusal `json:"-"` // what the sender was told
	}
)

func encodeDiff(d *store.BacktestDiff) ([]byte, error) {
	rec := diffRecord{Decisions: d.Decisions, Weight: d.Weight, Bare: d.Bare}
	for _, p := range d.Pairs {
		rec.Pairs = append(rec.Pairs, pairRecord(p))
	}
	for _, c := range d.Categories {
		rec.Categories = append(rec.Categories, weightRecord(c))
	}
	for _, s := range d.Samples {
		rec.Samples = append(rec.Samples, pastDiffRecord{s.Request, s.Live, s.Draft, s.Category, s.At})
	}
	return json.Marshal(rec)
}

func decodeDiff(d *store.BacktestDiff, b []byte) error {
	var rec diffRecord
	if len(b) == 0 {
		return nil
	}
	if err := json.Unmarshal(b, &rec); err != nil {
		return err
	}
	d.Decisions, d.Weight, d.Bare = rec.Decisions, rec.Weight, rec.Bare
	for _, p := range rec.Pairs {
		d.Pairs = append(d.Pairs, store.PairWeight(p))
	}
	for _, c := range rec.Categories {
		d.Categories = append(d.Categories, store.CategoryWeight(c))
	}
	for _, s := range rec.Samples {
		d.Samples = append(d.Samples, store.PolicySample{Request: s.Request, Live: s.Live, Draft: s.Draft, Category: s.Category, At: s.At})
	}
	return nil
}

func standingToRecord(st *engines.Standing) standingRecord {
	r := standingRecord{Strikes: st.Strikes, Trust: st.Trust, EconomyRisk: st.EconomyRisk, Recent: st.Recent}
	for _, e := range st.Earlier {
		r.Earlier = append(r.Earlier, earlierRecord(e))
	}
	return r
}

func (r *standingRecord) standing() engines.Standing {
	st := engines.Standing{Strikes: r.Strikes, Trust: r.Trust, EconomyRisk: r.EconomyRisk, Recent: r.Recent}
	for _, e := range r.Earlier {
		st.Earlier = append(st.Earlier, engines.Earlier(e))
	}
	return st
}

// encodeCircumstances is "" where there is nothing to say.
func encodeCircumstances(c *store.Circumstances) (string, error) {
	if c.Plain() {
		return "", nil
	}
	rec := circumstancesRecord{Segment: c.Segment, Region: c.Region, StrictLevel: c.StrictLevel, Live: c.Live, Use: c.Use, Standing: standingToRecord(&c.Standing)}
	for _, f := range c.Faults {
		rec.Faults = append(rec.Faults, faultRecord(f))
	}
	b, err := json.Marshal(rec)
	return string(b), err
}

func decodeCircumstances(s string) (c store.Circumstances, err error) {
	if s == "" {
		return c, nil
	}
	var rec circumstancesRecord
	if err := json.Unmarshal([]byte(s), &rec); err != nil {
		return c, err
	}
	c = store.Circumstances{Segment: rec.Segment, Region: rec.Region, StrictLevel: rec.StrictLevel, Live: rec.Live, Use: rec.Use, Standing: rec.Standing.standing()}
	for _, f := range rec.Faults {
		c.Faults = append(c.Faults, engines.Fault(f))
	}
	return c, nil
}
