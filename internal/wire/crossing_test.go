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
