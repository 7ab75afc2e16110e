package wire

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/internal/table"
)

func TestAnswerInFigures(t *testing.T) {
	a := table.Answer{From: time.Unix(0, 0), To: time.Unix(3600, 0), Step: time.Hour, Tables: []table.Table{
		{ID: "rows", Columns: []string{"at", "scene", "n", "share"}, Rows: [][]table.Value{
			{table.At(1_700_000_000_000), table.Text("\"\u2028<b>"), table.Int(-3), table.Real(1.0 / 3)}, {table.At(0), table.Text(""), table.Int(math.MaxInt64), {}},
		}},
		{ID: "summary", Single: true, Columns: []string{"x"}, Rows: [][]table.Value{{table.Real(math.NaN())}}},
		{ID: "none", Columns: []string{"x"}},
		{ID: "single_none", Single: true},
	}}
	body := AppendSuccess(nil, "r", func(dst []byte) []byte { return AppendAnswer(dst, &a) })
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	want := map[string]any{
		"code": 0., "request_id": "r", "from": "1970-01-01T00:00:00.000Z", "to": "1970-01-01T01:00:00.000Z", "step": "hour",
		"rows": []any{
			map[string]any{"at": "2023-11-14T22:13:20.000Z", "scene": "\"\u2028<b>", "n": -3., "share": .333333},
			map[string]any{"at": "1970-01-01T00:00:00.000Z", "scene": "", "n": float64(math.MaxInt64), "share": nil},
		},
		"summary": map[string]any{"x": nil}, "none": []any{}, "single_none": map[string]any{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadSchedules(t *testing.T) {
	kinds, periods := []string{"operations", "transparency"}, []string{"day", "week"}
	zone := func(name string) string {
		if name != "Asia/Tokyo" {
			return "no such zone"
		}
		return ""
	}
	for body, want := range map[string][]string{
		`{}`:                  {"/schedules"},
		`{"schedules":"all"}`: {"/schedules"},
		`{"schedules":[{}]}`:  {"/schedules/0/kind", "/schedules/0/period"},
		`{"schedules":[{"kind":"operations","period":"year","time_zone":"Mars"},{"kind":1,"period":"day"}]}`: {"/schedules/0/period", "/schedules/0/time_zone", "/schedules/1/kind"},
		`{"schedules":[{"kind":"operations","period":"day"},{"kind":"operations","period":"day"}]}`:          {"/schedules/1/period"},
	} {
		o, err := Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		_, err = ReadSchedules(o, kinds, periods, zone)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want faults", body, err)
			continue
		}
		var got []string
		for _, f := range e.Fields {
			got = append(got, f.Pointer)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
	o, err := Parse([]byte(`{"schedules":[{"kind":"operations","period":"week","time_zone":"Asia/Tokyo"},{"kind":"operations","period":"day","time_zone":""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadSchedules(o, kinds, periods, zone)
	if diff := cmp.Diff([]ScheduleRequest{{"operations", "week", "Asia/Tokyo"}, {"operations", "day", "UTC"}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestAnomalyEvent(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_000)
	a := Anomaly{Category: "hate", Began: at, Hour: at.Add(time.Hour), Found: 30, Verdicts: 255, Share: .12, Usual: .01, Ratio: 12}
	var got map[string]any
	if err := json.Unmarshal(AppendAnomalyEvent(nil, "e1", at, "game", &a), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"type": "feed.event", "event_id": "e1", "at": "2023-11-14T22:13:20.000Z", "app_id": "game", "kind": "anomaly", "scene_id": "", "player_id": "", "request_id": "",
		"label": []any{}, "content": "", "latency_ms": 0., "category": "hate", "began_at": "2023-11-14T22:13:20.000Z", "hour": "2023-11-14T23:13:20.000Z",
		"found": 30., "verdicts": 255., "share": .12, "usual_share": .01, "ratio": 12.,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
