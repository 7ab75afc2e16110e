package main

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// What webhooks tell of an anomaly and of a report; a type without a body would be
// subscribed to in vain.
func TestBodiesOfStatistics(t *testing.T) {
	t.Parallel()
	for _, typ := range store.EventTypes {
		if eventBodies[typ] == nil {
			t.Errorf("nothing is told of %s", typ)
		}
	}
	at := time.UnixMilli(1_700_000_000_000).UTC()
	for _, c := range []struct {
		typ, subject string
		record       any
		want         map[string]any
	}{
		{
			store.EventAnomaly, "category/hate",
			store.Anomaly{App: "game", Category: "hate", Began: at.UnixMilli(), Last: at.Add(time.Hour).UnixMilli(), Found: 30, Verdicts: 255, Share: .12, Usual: .01, Ratio: 12, Seen: at},
			map[string]any{
				"category": "hate", "began_at": "2023-11-14T22:13:20.000Z", "hour": "2023-11-14T23:13:20.000Z", "found": 30., "verdicts": 255.,
				"share": .12, "usual_share": .01, "ratio": 12.,
			},
		},
		{
			store.EventReport, "report/r1",
			store.ReportRun{App: "game", ID: "r1", Kind: "operations", Period: "day", Zone: "Asia/Tokyo", From: at.Add(-24 * time.Hour), To: at, By: "schedule", Created: at},
			map[string]any{
				"report_id": "r1", "kind": "operations", "period": "day", "time_zone": "Asia/Tokyo", "from": "2023-11-13T22:13:20.000Z", "to": "2023-11-14T22:13:20.000Z",
				"by": "schedule", "created_at": "2023-11-14T22:13:20.000Z",
			},
		},
	} {
		fact, err := store.EventFact(c.record)
		if err != nil {
			t.Fatal(err)
		}
		subject, data, ok, err := eventBodies[c.typ](t.Context(), nil, &store.Event{App: "game", Type: c.typ, At: at, Fact: fact}, []byte("{\"x\":0"))
		if err != nil || !ok || subject != c.subject {
			t.Errorf("%s: subject %q, %v, %v", c.typ, subject, ok, err)
		}
		var got map[string]any
		if err := json.Unmarshal(append(data, '}'), &got); err != nil {
			t.Errorf("%s: %v: %s", c.typ, err, data)
			continue
		}
		delete(got, "x")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.typ, diff)
		}
	}
}
