package wire

import (
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestReadVoice(t *testing.T) {
	parse := func(s string) *Object {
		o, err := Parse([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	tr, err := ReadVoiceOpen(parse(`{"track":0,"player_id":"p","scene_id":"s","codec":"opus","language":"en"}`))
	if want := (VoiceTrack{Player: "p", Scene: "s", Codec: "opus", Rate: 48000, Channels: 1, Language: "en"}); err != nil || tr != want {
		t.Errorf("%+v, %v, want %+v", tr, err, want)
	}
	e, err := ReadVoiceEgress(parse(`{"player_id":"p","scene_id":"s"}`))
	if want := (VoiceEgress{Player: "p", Scene: "s", Rate: 48000, Channels: 2}); err != nil || e != want {
		t.Errorf("%+v, %v, want %+v", e, err, want)
	}
	for name, bad := range map[string]func() error{
		"open without a track": func() error {
			_, err := ReadVoiceOpen(parse(`{"player_id":"p","scene_id":"s","codec":"opus"}`))
			return err
		},
		"open at 4 kHz": func() error {
			_, err := ReadVoiceOpen(parse(`{"track":1,"player_id":"p","scene_id":"s","codec":"pcm16","rate":4000}`))
			return err
		},
		"open with 0 channels": func() error {
			_, err := ReadVoiceOpen(parse(`{"track":1,"player_id":"p","scene_id":"s","codec":"pcm16","channels":0}`))
			return err
		},
		"an empty offer":  func() error { _, err := ReadVoiceOffer(parse(`{"scene_id":"s","sdp":""}`)); return err },
		"close, no track": func() error { _, err := ReadVoiceClose(parse(`{}`), true); return err },
	} {
		if err := bad(); From(err).Code != InvalidParameter {
			t.Errorf("%s: %v", name, err)
		}
	}
	for in, want := range map[string][2]bool{`{"muted":true}`: {true, true}, `{"muted":false}`: {false, true}, `{"muted":1}`: {}, `{}`: {}, `x`: {}} {
		if muted, ok := ReadVoiceMute([]byte(in)); ok != want[1] || ok && muted != want[0] {
			t.Errorf("%s: %v, %v, want %v", in, muted, ok, want)
		}
	}
}

func TestAppendVoice(t *testing.T) {
	out := engines.Outcome{RequestID: "r", Took: 12 * time.Millisecond, Verdict: engines.Verdict{
		Finding: engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: "violence", SubLabel: "threat", Confidence: .9}, {Category: "violence"}, {Category: "acoustic"}}},
		Action:  engines.Drop,
	}}
	until := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	bridged := VoiceCall{Scene: "s", Player: "p", Track: 0, Bridged: true}
	for got, want := range map[string]string{
		string(AppendVoiceVerdict(nil, VoiceCall{Scene: "s"}, 1500, &out)): `{"type":"voice.verdict","scene_id":"s","at_ms":1500,"request_id":"r","suggestion":"block","action":"drop","categories":["violence","acoustic"],"latency_ms":12}`,
		string(AppendVoiceMute(nil, bridged, until)):                       `{"type":"voice.mute","scene_id":"s","track":0,"player_id":"p","until":"2030-01-02T03:04:05.000Z"}`,
		string(AppendVoiceMute(nil, VoiceCall{Scene: "s"}, time.Time{})):   `{"type":"voice.mute","scene_id":"s"}`,
		string(AppendVoiceAnswer(nil, "1", "v=0\r\n")):                     `{"type":"voice.answer","id":"1","sdp":"v=0\r\n"}`,
		string(AppendVoiceTrack(nil, "1", 255)):                            `{"type":"ok","id":"1","track":255}`,
	} {
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// The times of a call's sound are the call's, so where its clip begins is told.
func TestClipOfACall(t *testing.T) {
	f := engines.MediaFacts{Format: "ogg_opus", SampleRate: 16000, Channels: 1, DurationMS: 1700, ClipMS: 50_000}
	if got := string(appendMedia(nil, &f, tell{})); !strings.Contains(got, `,"clip_from_ms":50000`) {
		t.Errorf("media %s", got)
	}
	f.ClipMS = 0
	if got := string(appendMedia(nil, &f, tell{})); strings.Contains(got, "clip_from_ms") {
		t.Errorf("media of a file %s", got)
	}
}

// TestTranscript: a word says what has to be known of it before it is relied on, and
// nothing where nothing has.
func TestTranscript(t *testing.T) {
	for want, w := range map[string]engines.Spoken{
		`{"text":"kill","at_ms":10,"end_ms":20,"confidence":0.5}`:                             {},
		`{"text":"kill","at_ms":10,"end_ms":20,"confidence":0.5,"listed":true}`:               {Listed: true},
		`{"text":"kill","at_ms":10,"end_ms":20,"confidence":0.5,"glued":true,"doubted":true}`: {Glued: true, Doubted: true},
	} {
		w.Text, w.FromMS, w.ToMS, w.Confidence = "kill", 10, 20, 0.5
		f := engines.MediaFacts{Format: "wav", SampleRate: 16000, Channels: 1, Transcript: []engines.Spoken{w}}
		if got := string(appendMedia(nil, &f, tell{words: true})); !strings.Contains(got, `"transcript":[`+want+`]`) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
