package wire

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
)

func TestCaseEvent(t *testing.T) {
	c := economy.AlertCase{ID: "c1", State: "open", Version: 2, Alert: economy.Alert{
		Kind: economy.HighRisk, App: "app", Player: "p", At: 1790000000000, Score: 81, Level: economy.High, Factors: []economy.Factor{{Code: "fan_in", Score: 60}},
		Now: &economy.AlertNow{Score: 41, Level: economy.Attention, At: 1790000060000, Fallen: true},
	}}
	got := AppendCaseEvent(nil, "e1", time.UnixMilli(1790000000000), &c)
	sameJSON(t, got, []byte(`{"type":"feed.event","event_id":"e1","at":"2026-09-21T14:13:20.000Z","app_id":"app","kind":"case","scene_id":"","player_id":"p",
		"request_id":"","label":[],"content":"","latency_ms":0,"case_id":"c1","case_version":2,"case_kind":"risk","state":"open","change":"fell",
		"risk_score":81,"found_at":"2026-09-21T14:13:20.000Z","risk_level":"high","risk_factors":[{"factor":"fan_in","score":60}],
		"now":{"risk_score":41,"risk_level":"attention","at":"2026-09-21T14:14:20.000Z","fallen":true}}`))
}
