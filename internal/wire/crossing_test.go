package wire

import (
	"encoding/json"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func TestAdvertInTimeline(t *testing.T) {
	e := economy.Entry{Log: economy.Advert, ID: "req", Player: "p", At: 1, What: "rmt", Source: "text"}
	got := append(AppendEntry([]byte(`{"x":0`), &e), '}')
	sameJSON(t, got, []byte(`{"x":0,"log":"advert","log_id":"req","timestamp":1,"sub_label":"rmt","source":"text"}`))
}

func TestStricterInFeedAndCase(t *testing.T) {
	v := engines.Verdict{Stricter: engines.StricterEconomy}
	for _, text := range [][]byte{AppendFeedEvent(nil, &FeedEvent{Verdict: v}), append(AppendFinding([]byte(`{"x":0`), "c", "", &v, 0), '}')} {
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil || got["stricter"] != "economy_risk" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Moderators see of what a confidence is made, and what a draft in shadow would have
// found; callers are told the latter alone, as what they must not act on.
func TestCombinedAndShadow(t *testing.T) {
	v := engines.Verdict{
		Shadow: &engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Hate, Confidence: 0.9, Severity: 3, Source: engines.SourceModel}}},
		Combined: []engines.Combined{{Category: engines.Spam, Confidence: 0.7, Own: 0.6, Parts: []engines.Part{
			{From: engines.PartContent, Category: engines.Spam, Confidence: 0.6, Counts: 0.6},
			{From: engines.PartEarlier, Category: engines.Advertising, Confidence: 0.8, Counts: 0.1, Request: "r", Kind: engines.KindImage, At: 1_000},
			{From: engines.PartEconomy, Category: engines.Spam, Confidence: 0.9, Counts: 0.2},
		}}},
	}
	const combined = `[{"category":"spam","confidence":0.7,"own":0.6,"parts":[
		{"from":"content","category":"spam","confidence":0.6,"counts":0.6},
		{"from":"earlier","category":"advertising","confidence":0.8,"counts":0.1,"request_id":"r","kind":"image","at":"1970-01-01T00:00:01.000Z"},
		{"from":"economy","category":"spam","confidence":0.9,"counts":0.2}]}]`
	for _, text := range [][]byte{AppendFeedEvent(nil, &FeedEvent{Verdict: v}), append(AppendFinding([]byte(`{"x":0`), "c", "", &v, 0), '}')} {
		var got struct {
			Combined, Shadow, Observed json.RawMessage
		}
		if err := json.Unmarshal(text, &got); err != nil || got.Observed != nil {
			t.Fatalf("%s: %v", text, err)
		}
		sameJSON(t, got.Combined, []byte(combined))
		sameJSON(t, got.Shadow, []byte(`{"suggestion":"block","label":[{"category":"hate","severity":3,"confidence":0.9,"source":"model"}]}`))
	}
	result := AppendTextResult(nil, &TextCheck{}, &engines.Outcome{Verdict: v})
	var got map[string]json.RawMessage
	if err := json.Unmarshal(result, &got); err != nil || got["shadow"] != nil || got["combined"] != nil {
		t.Fatalf("%s: %v", result, err)
	}
	sameJSON(t, got["observed"], []byte(`{"suggestion":"block","label":[{"category":"hate","severity":3,"confidence":0.9,"source":"model"}]}`))
	v.Observed = &engines.Finding{Suggestion: engines.Review}
	result = AppendTextResult(nil, &TextCheck{}, &engines.Outcome{Verdict: v})
	if err := json.Unmarshal(result, &got); err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got["observed"], []byte(`{"suggestion":"review","label":[]}`))
}
