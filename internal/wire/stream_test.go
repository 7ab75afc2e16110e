package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestReadMessage(t *testing.T) {
	m, err := ReadMessage([]byte(`{"type":"chat","id":"m-1","scene_id":"lobby","content":"hi"}`))
	if err != nil || m.Type != TypeChat || m.ID != "m-1" {
		t.Fatalf("ReadMessage = %+v, %v", m, err)
	}
	it, err := ReadChat(m.Body, "p1", testLimits)
	want := engines.Item{Kind: engines.KindText, Live: true, Player: "p1", Scene: "lobby", Text: "hi"}
	if diff := cmp.Diff(want, it); err != nil || diff != "" {
		t.Errorf("ReadChat: %v (-want +got):\n%s", err, diff)
	}
	// The id is known although the rest is wrong, so that the answer can carry it.
	m, err = ReadMessage([]byte(`{"id":"m-2","type":5}`))
	wantFields(t, err, "/type")
	if m.ID != "m-2" {
		t.Errorf("id = %q, want m-2", m.ID)
	}
	for _, id := range []string{strings.Repeat("x", MaxMessageID+1), `a\u0000b`} {
		m, err = ReadMessage([]byte(`{"type":"ping","id":"` + id + `"}`))
		wantFields(t, err, "/id")
		if m.ID != "" {
			t.Errorf("id = %q, want none", m.ID)
		}
	}
	_, err = ReadMessage([]byte(`{}`))
	wantFields(t, err, "/type")
}

func TestReadChat(t *testing.T) {
	_, err := ReadChat(parse(t, `{"content":"","to":7,"language":"!"}`), "", testLimits)
	wantFields(t, err, "/scene_id", "/content", "/language", "/to", "/player_id")

	// A player can't name another author; a game server has to name one.
	it, err := ReadChat(parse(t, `{"scene_id":"s","content":"x","player_id":"victim"}`), "p1", testLimits)
	if err != nil || it.Player != "p1" {
		t.Errorf("author = %q, %v; want p1", it.Player, err)
	}
	it, err = ReadChat(parse(t, `{"scene_id":"s","content":"x","player_id":"p2","parent":"r"}`), "", testLimits)
	if err != nil || it.Player != "p2" || it.Parent != "r" {
		t.Errorf("author = %q, parent %q, %v; want p2, r", it.Player, it.Parent, err)
	}
	_, err = ReadChat(parse(t, `{"scene_id":"s","content":"abcdef"}`), "p1", Limits{TextCodePoints: 5})
	if e := From(err); e.Code != TooLarge {
		t.Errorf("a long message: %v, want code %d", err, TooLarge)
	}
}

func TestReadBatch(t *testing.T) {
	one := `{"type":"check","id":"a","content":"x"}`
	list, err := ReadBatch(parse(t, `{"messages":[`+one+`,{"type":"chat","id":"b"}]}`))
	if err != nil || len(list) != 2 || list[0].ID != "a" || list[1].Type != TypeChat {
		t.Fatalf("ReadBatch = %+v, %v", list, err)
	}
	_, err = ReadBatch(parse(t, `{"messages":[`+one+`,{"type":"join"},{"id":"c"},{"type":"chat","id":5}]}`))
	wantFields(t, err, "/messages/1/type", "/messages/2/type", "/messages/3/id")
	_, err = ReadBatch(parse(t, `{}`))
	wantFields(t, err, "/messages")
	_, err = ReadBatch(parse(t, `{"messages":[`+strings.Repeat(one+",", 64)+one+`]}`))
	if e := From(err); e.Code != TooLarge {
		t.Errorf("65 messages: %v, want code %d", err, TooLarge)
	}
	if list, err = ReadBatch(parse(t, `{"messages":[`+strings.Repeat(one+",", 63)+one+`]}`)); err != nil || len(list) != 64 {
		t.Errorf("64 messages: %d, %v", len(list), err)
	}
}

func TestReadSessionMessages(t *testing.T) {
	r, err := ReadResume(parse(t, `{"session_id":"s","resume_token":"t","epoch":"e","last_seq":9007199254740992}`))
	if diff := cmp.Diff(Resume{Session: "s", Token: "t", Epoch: "e", LastSeq: 1 << 53}, r); err != nil || diff != "" {
		t.Errorf("ReadResume: %v\n%s", err, diff)
	}
	_, err = ReadResume(parse(t, `{}`))
	wantFields(t, err, "/session_id", "/resume_token", "/epoch", "/last_seq")
	_, err = ReadResume(parse(t, `{"session_id":"s","resume_token":"t","epoch":"e","last_seq":-1}`))
	wantFields(t, err, "/last_seq")
	if h, err := ReadHello(parse(t, `{}`)); err != nil || h.Token != "" {
		t.Errorf("ReadHello = %+v, %v", h, err)
	}
	_, err = ReadHello(parse(t, `{"token":5}`))
	wantFields(t, err, "/token")
	_, err = ReadScene(parse(t, `{"scene_id":""}`))
	wantFields(t, err, "/scene_id")
	if seq, ok, err := ReadPing(parse(t, `{"seq":7}`)); seq != 7 || !ok || err != nil {
		t.Errorf("ReadPing = %d, %v, %v", seq, ok, err)
	}
	if _, ok, err := ReadPing(parse(t, `{}`)); ok || err != nil {
		t.Errorf("ReadPing without seq = %v, %v", ok, err)
	}
	f, err := ReadFilter(parse(t, `{"filter":{"app_id":"a","suggestion":["block","review"]}}`))
	if diff := cmp.Diff(Filter{App: "a", Suggestion: []string{"block", "review"}}, f); err != nil || diff != "" {
		t.Errorf("ReadFilter: %v\n%s", err, diff)
	}
	if f, err = ReadFilter(parse(t, `{}`)); err != nil || !cmp.Equal(f, Filter{}) {
		t.Errorf("ReadFilter without one = %+v, %v", f, err)
	}
	_, err = ReadFilter(parse(t, `{"filter":{"player_id":1,"suggestion":"block"}}`))
	wantFields(t, err, "/filter/player_id", "/filter/suggestion")
}

// A player learns its categories and nothing that helps to evade: no score, no
// place, no rule, no source, no severity.
func TestVerdictTellsNoMore(t *testing.T) {
	out := sampleOutcome()
	out.Verdict.PolicyVersion = "policy-9"
	out.Verdict.Observed = &engines.Finding{Suggestion: engines.Block}
	out.Verdict.Labels = append(out.Verdict.Labels, engines.Label{Category: engines.Violence, SubLabel: "gore", Confidence: 0.4})
	got := AppendVerdict(nil, "m-1", &out)
	sameJSON(t, got, []byte(`{"type":"verdict","id":"m-1","request_id":"0192f0c1-7f6e-7d2a-9c3b-000000000001","suggestion":"block",
		"action":"drop","categories":["violence","harassment"],"latency_ms":12,"warn":true}`))
	for _, secret := range []string{"0.92", "0.78", "threat", "gore", "lexicon", "start", "severity", "case", "policy", "observed"} {
		if bytes.Contains(got, []byte(secret)) {
			t.Errorf("a player is told %q: %s", secret, got)
		}
	}
}

func TestVerdictOfMask(t *testing.T) {
	out := engines.Outcome{RequestID: "r", Pending: true, Verdict: engines.Verdict{
		Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Mask, Masked: "***", Degraded: true,
	}}
	sameJSON(t, AppendVerdict(nil, "", &out), []byte(`{"type":"verdict","request_id":"r","suggestion":"pass","action":"mask",
		"categories":[],"latency_ms":0,"content":"***","pending":true,"degraded":true}`))
}

// A game server sees everything.
func TestServerVerdict(t *testing.T) {
	out := sampleOutcome()
	check := TextCheck{Item: engines.Item{Text: "こいつ殺す、マジ死ねよ"}, Detail: true}
	var want map[string]any
	if err := json.Unmarshal(golden(t, "text_check_response.json"), &want); err != nil {
		t.Fatal(err)
	}
	want["type"], want["id"] = "result", "c-1"
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, AppendServerVerdict(nil, "result", "c-1", &check, &out), b)
}

func TestPushes(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.FixedZone("JST", 9*3600))
	chat := AppendChat(nil, &Chat{Scene: "s", Message: "m", Player: "p", Content: `"hi"`, Language: "ja", Sent: at})
	sameJSON(t, WithSeq(nil, 18446744073709551615, chat), []byte(`{"seq":18446744073709551615,"type":"message","scene_id":"s",
		"message_id":"m","player_id":"p","content":"\"hi\"","language":"ja","sent_at":"2026-01-01T18:04:05.006Z"}`))
	if !bytes.HasPrefix(WithSeq(nil, 18446744073709551615, chat), []byte(`{"seq":18446744073709551615,"type":"message"`)) {
		t.Error("seq is not the first member, or has lost its exact value")
	}
	sameJSON(t, WithSeq([]byte{}, 1, AppendRetract(nil, "s", "m", "blocked")),
		[]byte(`{"seq":1,"type":"retract","scene_id":"s","message_id":"m","reason":"blocked"}`))
	sameJSON(t, AppendNotice(nil, &Notice{Kind: "warning", Category: engines.Hate, Request: "r", Text: "text"}),
		[]byte(`{"type":"notice","kind":"warning","category":"hate","request_id":"r","text":"text"}`))
	sameJSON(t, AppendNotice(nil, &Notice{Kind: "approved", Text: "t"}), []byte(`{"type":"notice","kind":"approved","text":"t"}`))
	sameJSON(t, AppendDrain(nil, 1500*time.Millisecond), []byte(`{"type":"drain","reconnect_in_ms":1500}`))
	sameJSON(t, AppendFeedDropped(nil, 3), []byte(`{"type":"feed.dropped","n":3}`))
}

func TestSessionAnswers(t *testing.T) {
	ready := Ready{
		ID: "h", Session: "s", ResumeToken: "t", Epoch: "e", Heartbeat: 25 * time.Second, ResumeWindow: 2 * time.Minute,
		Rate: 5, Burst: 10, InFlight: 16, Limits: Limits{FrameBytes: 1024, TextCodePoints: 100}, Scenes: []engines.SceneID{"a", "b"},
	}
	sameJSON(t, AppendReady(nil, &ready), []byte(`{"type":"ready","id":"h","session_id":"s","resume_token":"t","epoch":"e",
		"heartbeat_ms":25000,"resume_window_ms":120000,
		"limits":{"messages_per_second":5,"burst":10,"in_flight":16,"frame_bytes":1024,"text_code_points":100},"scenes":["a","b"]}`))
	sameJSON(t, AppendResumed(nil, "r", "t", 8, 2), []byte(`{"type":"resumed","id":"r","resume_token":"t","from":8,"count":2}`))
	sameJSON(t, AppendReset(nil, "r", "window"), []byte(`{"type":"reset","id":"r","reason":"window"}`))
	sameJSON(t, AppendPong(nil, ""), []byte(`{"type":"pong"}`))
	sameJSON(t, AppendError(nil, "m", Fail(Forbidden, "")), []byte(`{"type":"error","id":"m","code":1004,"message":"not permitted"}`))
	e := Fail(RateLimited, "")
	e.RetryAfter = 200 * time.Millisecond
	sameJSON(t, AppendError(nil, "", e), []byte(`{"type":"error","code":1003,"message":"rate limit exceeded","retry_after_ms":200,"retry_ms":200}`))
	sameJSON(t, Dup(nil, AppendOK(nil, "m")), []byte(`{"type":"ok","id":"m","dup":true}`))
}

// What is accepted means the same when it is written again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b":[{"c":null}]}`, `{"a":1,"a":2}`, `{"\u0061":"\ud83d\udc7e"}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{}{}`, ``,
		`{"n":123456789012345678901234567890}`, `{"a":1e400}`, strings.Repeat(`{"a":`, 40), `{"a":NaN}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := Parse(data)
		if err != nil {
			if e := From(err); e.Code != InvalidParameter || len(e.Fields) == 0 {
				t.Fatalf("Parse(%q) = %v, want a 1001 with its place", data, err)
			}
			return
		}
		again := []byte{'{'}
		for i, m := range o.members {
			if i > 0 {
				again = append(again, ',')
			}
			again = append(append(appendString(again, string(m.name)), ':'), m.value...)
		}
		again = append(again, '}')
		second, err := Parse(again)
		if err != nil {
			t.Fatalf("Parse(%q) is accepted, and its members again as %q are not: %v", data, again, err)
		}
		for i, m := range o.members {
			if n := second.members[i]; string(n.name) != string(m.name) || !bytes.Equal(n.value, m.value) {
				t.Fatalf("member %d is %q: %s, then %q: %s", i, m.name, m.value, n.name, n.value)
			}
		}
		if !json.Valid(data) {
			t.Fatalf("Parse accepts what encoding/json does not: %q", data)
		}
	})
}

func FuzzReadMessage(f *testing.F) {
	for _, s := range []string{
		`{"type":"chat","id":"1","scene_id":"s","content":"x"}`, `{"type":"batch","messages":[{"type":"check","content":"x"}]}`,
		`{"type":"resume","session_id":"s","resume_token":"t","epoch":"e","last_seq":1}`, `{"type":"feed.subscribe","filter":{"suggestion":["block"]}}`,
		`{"type":"ping","seq":1e9}`, `{"type":null}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := ReadMessage(frame)
		if len(m.ID) > MaxMessageID || m.ID != "" && !ValidID(m.ID) {
			t.Fatalf("id %q", m.ID)
		}
		if !json.Valid(AppendError(nil, m.ID, From(err))) {
			t.Fatalf("the answer to %q is no JSON", frame)
		}
		if err != nil {
			return
		}
		// Every reader takes every message, whatever its type says.
		for _, read := range []func(*Object) error{
			func(o *Object) error { _, err := ReadBatch(o); return err },
			func(o *Object) error { _, err := ReadChat(o, "", testLimits); return err },
			func(o *Object) error { _, err := ReadTextCheck(o, testLimits); return err },
			func(o *Object) error { _, err := ReadHello(o); return err },
			func(o *Object) error { _, err := ReadResume(o); return err },
			func(o *Object) error { _, err := ReadScene(o); return err },
			func(o *Object) error { _, _, err := ReadPing(o); return err },
			func(o *Object) error { _, err := ReadFilter(o); return err },
		} {
			if err := read(m.Body); err != nil && !json.Valid(AppendError(nil, m.ID, From(err))) {
				t.Fatalf("the answer to %q is no JSON: %v", frame, err)
			}
		}
	})
}
