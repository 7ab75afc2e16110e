package wire

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
)

func decoded(t *testing.T, b []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return m
}

func TestAppendCloudEvent(t *testing.T) {
	at := time.UnixMilli(1790000000000)
	b := economy.Ban{App: "game", ID: "b1", Player: "ann", Type: economy.Temporary, Reason: "rmt", By: "app/game", Created: 1790000000000, Expires: 1790003600000}
	got := decoded(t, AppendCloudEvent(nil, &CloudEvent{ID: "e1", App: "game", Type: "ban.created", Subject: "player/ann", At: at}, func(dst []byte) []byte {
		return AppendBanChange(dst, &b, economy.BanCreated)
	}))
	want := map[string]any{
		"specversion": "1.0", "id": "e1", "source": "/apps/game", "type": "ban.created", "subject": "player/ann", "time": FormatTime(at),
		"datacontenttype": "application/json", "data": map[string]any{
			"app_id": "game", "ban_id": "b1", "player_id": "ann", "ban_type": "temporary", "expires_at": FormatTime(at.Add(time.Hour)), "state": "created",
			"reason": "rmt", "by": "app/game", "created_at": FormatTime(at),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	b.Lifted, b.LiftedBy, b.LiftReason = 1790000000001, "app/game", "appeal"
	got = decoded(t, AppendCloudEvent(nil, &CloudEvent{}, func(dst []byte) []byte { return AppendBanChange(dst, &b, economy.BanLifted) }))
	if data, ok := got["data"].(map[string]any); !ok || data["lift_reason"] != "appeal" || data["lifted_by"] != "app/game" || data["state"] != "lifted" {
		t.Errorf("lifted: %v", got)
	}
}

func TestAppendBanEvent(t *testing.T) {
	at := time.UnixMilli(1790000000000)
	b := economy.Ban{App: "game", ID: "b1", Player: "ann", Type: economy.Permanent, Reason: "rmt", By: "app/game", Request: "r1", LiftRequest: "r2"}
	got := decoded(t, AppendBanEvent(nil, "e1", at, &b, economy.BanCreated))
	want := map[string]any{
		"type": "feed.event", "event_id": "e1", "at": FormatTime(at), "app_id": "game", "kind": "ban", "scene_id": "", "player_id": "ann", "request_id": "r1",
		"label": []any{}, "content": "", "latency_ms": 0.0, "ban_id": "b1", "ban_type": "permanent", "state": "created", "until": nil, "reason": "rmt", "by": "app/game",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	if got := decoded(t, AppendBanEvent(nil, "e1", at, &b, economy.BanLifted)); got["request_id"] != "r2" || got["state"] != "lifted" {
		t.Errorf("lifted: %v", got)
	}
}

func TestAppendAlert(t *testing.T) {
	a := economy.Alert{Score: 80, Level: economy.High, Factors: []economy.Factor{{Code: "fan_in", Score: 70}}, At: 1790000000000, Link: &economy.Link{
		Banned: "old", BanID: "b", By: economy.ByDevice, Seats: 3, Since: 1, Last: 2, First: 3, Latest: 4, Appeared: 5,
	}}
	got := decoded(t, append(Obj([]byte(`{"x":1`), "alert", func(dst []byte) []byte { return AppendAlert(dst, &a) }), '}'))
	ms := func(n int64) string { return FormatTime(time.UnixMilli(n)) }
	want := map[string]any{
		"risk_score": 80.0, "risk_level": "high", "found_at": ms(1790000000000), "risk_factors": []any{map[string]any{"factor": "fan_in", "score": 70.0}},
		"link": map[string]any{
			"factor": "banned_link", "banned_player_id": "old", "ban_id": "b", "by": "device", "accounts": 3.0, "banned_at": ms(1),
			"banned_last_seen_at": ms(2), "first_seen_at": ms(3), "last_seen_at": ms(4), "account_since": ms(5),
		},
	}
	if diff := cmp.Diff(want, got["alert"]); diff != "" {
		t.Errorf("alert (-want +got):\n%s", diff)
	}
}
