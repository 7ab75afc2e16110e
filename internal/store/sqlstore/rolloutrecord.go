package sqlstore

import (
	"encoding/json"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// The stored form of a rollout; see record.go.
type (
	rolloutRecord struct {
		Step      store.RolloutState `json:"step,omitempty"`
		Share     int                `json:"share,omitempty"`
		Base      int                `json:"base,omitempty"`
		Body      string             `json:"body,omitempty"`
		Remove    bool               `json:"remove,omitempty"`
		Tests     []policyTestRecord `json:"tests,omitempty"`
		Bounds    boundsRecord       `json:"bounds"`
		Backtest  string             `json:"backtest,omitempty"`
		Approved  string             `json:"approved,omitempty"`
		Comment   string             `json:"comment,omitempty"`
		Why       string             `json:"why,omitempty"`
		Published int                `json:"published,omitempty"`
		Steps     []stepRecord       `json:"steps,omitempty"`
	}
	policyTestRecord struct {
		Content    string             `json:"content"`
		Language   string             `json:"language,omitempty"`
		Scene      engines.SceneID    `json:"scene,omitempty"`
		Kind       engines.Kind       `json:"kind,omitempty"`
		Region     string             `json:"region,omitempty"`
		Segment    string             `json:"segment,omitempty"`
		Suggestion engines.Suggestion `json:"suggestion,omitempty"`
		Category   engines.Category   `json:"category,omitempty"`
	}
	boundsRecord struct {
		Block  boundRecord `json:"block"`
		Review boundRecord `json:"review"`
		Least  int64       `json:"least"`
	}
	boundRecord struct {
		Absolute float64 `json:"absolute"`
		Relative float64 `json:"relative"`
	}
	stepRecord struct {
		State store.RolloutState `json:"state"`
		Share int                `json:"share,omitempty"`
		By    string             `json:"by"`
		Why   string             `json:"why,omitempty"`
		At    int64              `json:"at"`
	}
)

func encodeRollout(r *store.Rollout) ([]byte, error) {
	rec := rolloutRecord{
		Step: r.Step, Share: r.Share, Base: r.Base, Body: r.Body, Remove: r.Remove, Backtest: r.Backtest,
		Approved: r.Approved, Comment: r.Comment, Why: r.Why, Published: r.Published,
		Bounds: boundsRecord{boundRecord(r.Bounds.Block), boundRecord(r.Bounds.Review), r.Bounds.Least},
	}
	for i := range r.Tests {
		rec.Tests = append(rec.Tests, policyTestRecord(r.Tests[i]))
	}
	for i := range r.Steps {
		rec.Steps = append(rec.Steps, stepRecord(r.Steps[i]))
	}
	return json.Marshal(rec)
}

func decodeRollout(r *store.Rollout, details []byte) error {
	var rec rolloutRecord
	if err := json.Unmarshal(details, &rec); err != nil {
		return err
	}
	r.Step, r.Share, r.Base, r.Body, r.Remove, r.Backtest = rec.Step, rec.Share, rec.Base, rec.Body, rec.Remove, rec.Backtest
	r.Approved, r.Comment, r.Why, r.Published = rec.Approved, rec.Comment, rec.Why, rec.Published
	r.Bounds = store.RolloutBounds{Block: store.Bound(rec.Bounds.Block), Review: store.Bound(rec.Bounds.Review), Least: rec.Bounds.Least}
	for i := range rec.Tests {
		r.Tests = append(r.Tests, store.PolicyTest(rec.Tests[i]))
	}
	for i := range rec.Steps {
		r.Steps = append(r.Steps, store.RolloutStep(rec.Steps[i]))
	}
	return nil
}
