package wire

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestReadRollout(t *testing.T) {
	got, err := ReadRollout(parse(t, `{"body":{"strictness":4},"comment":"c","bounds":{"block":{"absolute":0.1,"relative":2},"least":50},
		"tests":[{"content":"hi","language":"en","scene_id":"s","kind":"name","region":"jp","segment":"minor","expect":{"suggestion":"block","category":"hate"}}]}`), 10)
	want := RolloutRequest{
		Document: Document{Body: []byte(`{"strictness":4}`)}, Comment: "c", Bounds: &Bounds{Block: Bound{.1, 2}, Least: 50},
		Tests: []PolicyTest{{
			Content: "hi", Language: "en", Scene: "s", Kind: engines.KindName, Region: "jp", Segment: "minor", Suggestion: engines.Block, Category: engines.Hate,
		}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	got, err = ReadRollout(parse(t, `{"remove":true,"bounds":{}}`), 10)
	if err != nil || !got.Remove || got.Body != nil || got.Bounds.Least != leastUsual || got.Bounds.Block != (Bound{}) {
		t.Errorf("a removal: %+v, %v", got, err)
	}
	got, err = ReadRollout(parse(t, `{"body":"strictness: 4"}`), 10)
	if err != nil || string(got.Body) != "strictness: 4" || got.Bounds != nil {
		t.Errorf("YAML: %+v, %v", got, err)
	}
	_, err = ReadRollout(parse(t, `{"body":3,"tests":[{"expect":{}},{"content":"x","kind":"image","expect":{"suggestion":"maybe"}}],"bounds":{"block":{"absolute":2,"relative":0.5},"least":0}}`), 10)
	wantFields(t, err, "/body", "/tests/0/content", "/tests/0/expect", "/tests/1/kind", "/tests/1/expect/suggestion", "/tests/1/expect",
		"/bounds/block/absolute", "/bounds/block/relative", "/bounds/least")
	_, err = ReadRollout(parse(t, `{}`), 10)
	wantFields(t, err, "/body")
	_, err = ReadRollout(parse(t, `{"body":{},"remove":true}`), 10)
	wantFields(t, err, "/body")
	_, err = ReadRollout(parse(t, `{"body":{},"tests":[{},{}]}`), 1)
	if e := From(err); e.Code != TooLarge {
		t.Errorf("too many tests: %v", err)
	}
}

func TestReadDrafts(t *testing.T) {
	o := parse(t, `{"policy":{"layer":"channel","name":"arena","body":{"strictness":1}}}`)
	list, at := ReadDrafts(o)
	want := []Document{{Layer: "channel", Name: "arena", Body: []byte(`{"strictness":1}`)}}
	if diff := cmp.Diff(want, list); o.Err() != nil || diff != "" || at[0] != "/policy" {
		t.Errorf("%v at %v (-want +got):\n%s", o.Err(), at, diff)
	}
	o = parse(t, `{"policy":{"layers":[{"layer":"channel","name":"arena","remove":true},{"layer":"mode","name":"board","body":"mode: pre_review"}]}}`)
	list, at = ReadDrafts(o)
	want = []Document{{Layer: "channel", Name: "arena", Remove: true}, {Layer: "mode", Name: "board", Body: []byte("mode: pre_review")}}
	if diff := cmp.Diff(want, list); o.Err() != nil || diff != "" || at[1] != "/policy/layers/1" {
		t.Errorf("%v at %v (-want +got):\n%s", o.Err(), at, diff)
	}
	for body, pointers := range map[string][]string{
		`{}`:                         {"/policy"},
		`{"policy":[]}`:              {"/policy", "/policy/layer", "/policy/name", "/policy/body"},
		`{"policy":{"layers":[{}]}}`: {"/policy/layers/0/layer", "/policy/layers/0/name", "/policy/layers/0/body"},
	} {
		o := parse(t, body)
		ReadDrafts(o)
		wantFields(t, o.Err(), pointers...)
	}
}

func TestReadAsked(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	o := parse(t, `{"content":"hi","scene_id":"s","region":"jp","language":"ja","segment":"minor","player_id":"p","strict_level":4,"at":"2026-01-02T03:04:05Z"}`)
	got := ReadAsked(o, "app", now, true)
	want := Asked{Item: engines.Item{
		App: "app", Kind: engines.KindText, Text: "hi", Scene: "s", Region: "jp", Language: "ja", Segment: "minor", Player: "p", StrictLevel: 4,
		ReceivedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Local(),
	}}
	if diff := cmp.Diff(want, got); o.Err() != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", o.Err(), diff)
	}
	if got := ReadAsked(parse(t, `{}`), "app", now, false); !got.Item.ReceivedAt.Equal(now) || got.Period {
		t.Errorf("of nothing: %+v", got)
	}
	for body, want := range map[string]engines.Use{
		`{"kind":"image"}`: engines.UseUpload, `{"kind":"image","use":"avatar"}`: engines.UseAvatar, `{"kind":"audio"}`: engines.UseClip,
	} {
		o := parse(t, body)
		if got := ReadAsked(o, "app", now, false); o.Err() != nil || got.Item.Media == nil || got.Item.Media.Use != want {
			t.Errorf("%s: %+v, %v; want the use %s", body, got.Item.Media, o.Err(), want)
		}
	}
	for _, body := range []string{`{"kind":"image","use":"voice"}`, `{"use":"avatar"}`, `{"kind":"name","use":"avatar"}`} {
		o := parse(t, body)
		ReadAsked(o, "app", now, false)
		wantFields(t, o.Err(), "/use")
	}
	got = ReadAsked(parse(t, `{"from":"2026-01-02T00:00:00Z"}`), "app", now, true)
	if !got.Period || got.From != 1767312000000 || got.To != 0 {
		t.Errorf("of a time: %+v", got)
	}
	for body, pointers := range map[string][]string{
		`{}`:                                 {"/content"},
		`{"content":"x","from":"yesterday"}`: {"/from", "/content"},
		`{"content":"x","strict_level":6,"kind":"image"}`: {"/kind", "/strict_level"},
	} {
		o := parse(t, body)
		ReadAsked(o, "app", now, true)
		wantFields(t, o.Err(), pointers...)
	}
}

func TestReadReturn(t *testing.T) {
	version, comment, err := ReadReturn(parse(t, `{"version":3,"comment":"why"}`))
	if version != 3 || comment != "why" || err != nil {
		t.Errorf("%d, %q, %v", version, comment, err)
	}
	_, _, err = ReadReturn(parse(t, `{}`))
	wantFields(t, err, "/version")
	_, _, err = ReadReturn(parse(t, `{"version":0}`))
	wantFields(t, err, "/version")
}

func TestRolloutEvent(t *testing.T) {
	r := StoppedRollout{ID: "r1", Layer: "channel", Name: "arena", Step: "partial", Share: 10, Why: "too many blocks"}
	got := AppendRolloutEvent(nil, "e1", time.UnixMilli(1790000000000), "app", &r)
	sameJSON(t, got, []byte(`{"type":"feed.event","event_id":"e1","at":"2026-09-21T14:13:20.000Z","app_id":"app","kind":"policy","scene_id":"","player_id":"",
		"request_id":"","label":[],"content":"","latency_ms":0,"rollout_id":"r1","layer":"channel","name":"arena","state":"stopped","step":"partial","share":10,
		"why":"too many blocks"}`))
}
