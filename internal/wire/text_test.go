package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

// The sample of the service document, from the request to the response.
func TestDocumentedSample(t *testing.T) {
	o, err := Parse(golden(t, "text_check_request.json"))
	if err != nil {
		t.Fatal(err)
	}
	check, err := ReadTextCheck(o, testLimits)
	if err != nil {
		t.Fatal(err)
	}
	want := TextCheck{
		Item: engines.Item{
			Kind: engines.KindText, Text: "こいつ殺す、マジ死ねよ", Player: "player_123", Scene: "global_chat",
			Language: "ja", StrictLevel: 3,
		},
		Detail: true,
	}
	if diff := cmp.Diff(want, check); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	out := sampleOutcome()
	body := AppendSuccess(nil, out.RequestID, func(dst []byte) []byte { return AppendCheckResult(dst, &check, &out) })
	sameJSON(t, body, golden(t, "text_check_response.json"))
	if got := RequestOf(body); got != string(out.RequestID) {
		t.Errorf("RequestOf = %q, want %q", got, out.RequestID)
	}
	sameJSON(t, AppendFeedEvent(nil, &FeedEvent{
		ID: "ev-1", At: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC), App: "app-a", Kind: engines.KindText, Scene: "global_chat",
		Player: "player_123", Request: out.RequestID, Verdict: out.Verdict, Content: check.Item.Text, Took: out.Took,
		Case: out.CaseID, CaseVersion: 1,
	}), golden(t, "feed_event.json"))
}

func TestReadTextCheckFaultsAllAtOnce(t *testing.T) {
	body := `{"content":5,"user_id":"a\nb","scene_id":"` + strings.Repeat("s", 129) + `","language":"ja-",
		"options":{"strict_level":6,"return_detail":"yes","async":1,"offset_unit":"bytes"}}`
	_, err := ReadTextCheck(parse(t, body), testLimits)
	wantFields(t, err, "/content", "/user_id", "/scene_id", "/language",
		"/options/strict_level", "/options/return_detail", "/options/async", "/options/offset_unit")

	_, err = ReadTextCheck(parse(t, `{"options":[]}`), testLimits)
	wantFields(t, err, "/content", "/options")
	_, err = ReadTextCheck(parse(t, `{"content":null}`), testLimits)
	wantFields(t, err, "/content")
}

func TestReadTextCheckOptional(t *testing.T) {
	for _, body := range []string{
		`{"content":""}`,
		`{"content":"","user_id":null,"language":null,"options":null}`,
		`{"content":"","language":"","options":{"strict_level":null}}`,
		`{"content":"","somebody":{"else":["knows",1.5,1e400]}}`,
	} {
		check, err := ReadTextCheck(parse(t, body), testLimits)
		if diff := cmp.Diff(TextCheck{Item: engines.Item{Kind: engines.KindText}}, check); err != nil || diff != "" {
			t.Errorf("ReadTextCheck(%s): %v (-want +got):\n%s", body, err, diff)
		}
	}
}

// The bound counts code points, and one over it is 1005 with its pointer.
func TestTextTooLong(t *testing.T) {
	lim := Limits{TextCodePoints: 5}
	for _, text := range []string{"abcde", "こここここ", "👾👾👾👾👾"} {
		if _, err := ReadTextCheck(parse(t, `{"content":"`+text+`"}`), lim); err != nil {
			t.Errorf("%q: %v, want none", text, err)
		}
	}
	for _, text := range []string{"abcdef", "👾👾👾👾👾x", "e\u0301e\u0301e\u0301"} {
		_, err := ReadTextCheck(parse(t, `{"content":"`+text+`"}`), lim)
		var e *Error
		if !errors.As(err, &e) || e.Code != TooLarge || len(e.Fields) != 1 || e.Fields[0].Pointer != "/content" {
			t.Errorf("%q: %v, want code %d at /content", text, err, TooLarge)
		}
	}
}

func TestLanguage(t *testing.T) {
	for tag, ok := range map[string]bool{
		"": true, "ja": true, "zh-Hant-TW": true, "en_US": true, "x-private": true, "sr-Latn-RS": true, "de-CH-1996": true,
		"ja-": false, "-ja": false, "1a": false, "japanese1": false, "toolongsubtag": false, "日本": false, "en us": false,
		"a--b": false, strings.Repeat("ab-", 12) + "ab": false,
	} {
		check, err := ReadTextCheck(parse(t, fmt.Sprintf(`{"content":"","language":%q}`, tag)), testLimits)
		if (err == nil) != ok || ok && check.Item.Language != tag {
			t.Errorf("language %q = %q, %v; want ok %v", tag, check.Item.Language, err, ok)
		}
	}
}

// Keyword i is the sent text at position i, in every unit, whatever the text is made of.
func TestPositions(t *testing.T) {
	tests := []struct {
		name, text string
		hits       []engines.Span // code points
		keywords   string
		utf16      string
		utf8       string
	}{
		{"ASCII", "you idiot!", []engines.Span{{Start: 4, End: 9}}, `["idiot"]`, `[{"start":4,"end":9}]`, `[{"start":4,"end":9}]`},
		{"astral in front", "👾👾bad", []engines.Span{{Start: 2, End: 5}}, `["bad"]`, `[{"start":4,"end":7}]`, `[{"start":8,"end":11}]`},
		{"astral inside", "a𝒷c", []engines.Span{{Start: 0, End: 3}}, `["a𝒷c"]`, `[{"start":0,"end":4}]`, `[{"start":0,"end":6}]`},
		{"combining marks", "be\u0301te no", []engines.Span{{Start: 0, End: 5}}, `["be\u0301te"]`, `[{"start":0,"end":5}]`, `[{"start":0,"end":6}]`},
		{"İ, which lower case makes longer", "İİbad", []engines.Span{{Start: 2, End: 5}}, `["bad"]`, `[{"start":2,"end":5}]`, `[{"start":4,"end":7}]`},
		{"an emoji of five code points", "👨‍👩‍👧bad", []engines.Span{{Start: 5, End: 8}}, `["bad"]`, `[{"start":8,"end":11}]`, `[{"start":18,"end":21}]`},
		{"overlapping", "こいつ殺す", []engines.Span{{Start: 0, End: 5}, {Start: 3, End: 5}}, `["こいつ殺す","殺す"]`, `[{"start":0,"end":5},{"start":3,"end":5}]`, `[{"start":0,"end":15},{"start":9,"end":15}]`},
		{"the end", "x", []engines.Span{{Start: 1, End: 1}}, `[""]`, `[{"start":1,"end":1}]`, `[{"start":1,"end":1}]`},
		{"none", "x", nil, `[]`, `[]`, `[]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var points []string
			for _, h := range test.hits {
				points = append(points, fmt.Sprintf(`{"start":%d,"end":%d}`, h.Start, h.End))
			}
			for unit, positions := range map[string]string{CodePoints: "[" + strings.Join(points, ",") + "]", UTF16: test.utf16, UTF8: test.utf8} {
				want := `{"hit_keywords":` + test.keywords + `,"positions":` + positions + `}`
				sameJSON(t, appendDetail(nil, test.text, test.hits, unit), []byte(want))
			}
		})
	}
}

func TestOffsetUnit(t *testing.T) {
	for word, unit := range map[string]string{"codepoint": CodePoints, "": CodePoints, "utf16": UTF16, "utf8": UTF8} {
		check, err := ReadTextCheck(parse(t, fmt.Sprintf(`{"content":"","options":{"offset_unit":%q}}`, word)), testLimits)
		if err != nil || check.Unit != unit {
			t.Errorf("offset_unit %q = %q, %v; want %q", word, check.Unit, err, unit)
		}
	}
}

// A pass has an empty label array, no detail unless asked for, and no content.
func TestResultOfPass(t *testing.T) {
	out := engines.Outcome{Verdict: engines.Verdict{
		Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Deliver, Mode: engines.RealTimeBlock,
	}}
	sameJSON(t, AppendTextResult(nil, &TextCheck{}, &out),
		[]byte(`{"suggestion":"pass","action":"deliver","label":[],"mode":"real_time_block","latency_ms":0}`))
	sameJSON(t, AppendTextResult(nil, &TextCheck{Detail: true}, &out),
		[]byte(`{"suggestion":"pass","action":"deliver","label":[],"detail":{"hit_keywords":[],"positions":[]},"mode":"real_time_block","latency_ms":0}`))
}

func TestResultOfMaskAndMonitor(t *testing.T) {
	out := engines.Outcome{Verdict: engines.Verdict{
		Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Mask, Masked: "you ***", Mode: engines.MonitorOnly, Degraded: true,
		Observed: &engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Hate, Confidence: 0.5, Severity: 4, Source: engines.SourceRule}}},
	}}
	sameJSON(t, AppendTextResult(nil, &TextCheck{}, &out), []byte(`{"suggestion":"pass","action":"mask","label":[],
		"observed":{"suggestion":"block","label":[{"category":"hate","confidence":0.5,"severity":4,"source":"rule"}]},
		"content":"you ***","degraded":true,"mode":"monitor_only","latency_ms":0}`))
}

func FuzzReadTextCheck(f *testing.F) {
	f.Add(`{"content":"こいつ殺す","options":{"return_detail":true}}`, 3, 5)
	f.Add(`{"content":"👨‍👩‍👧İe\u0301","options":{"offset_unit":"utf16"}}`, 1, 4)
	f.Add(`{"content":""}`, 0, 0)
	f.Add(`{"content":"\ud83d\udc7e","options":{"offset_unit":"utf8"}}`, 0, 9)
	f.Fuzz(func(t *testing.T, body string, start, end int) {
		o, err := Parse([]byte(body))
		if err != nil {
			return
		}
		check, err := ReadTextCheck(o, testLimits)
		if err != nil {
			return
		}
		text := check.Item.Text
		if !utf8.ValidString(text) {
			t.Fatalf("text is no UTF-8: %q", text)
		}
		// A span as an engine may hand one over: inside the text.
		points := utf8.RuneCountInString(text)
		span := engines.Span{Start: min(max(0, start), points), End: min(max(0, end), points)}
		span.End = max(span.Start, span.End)
		keyword := string([]rune(text)[span.Start:span.End])
		for _, unit := range []string{CodePoints, UTF16, UTF8} {
			got := decode(t, appendDetail(nil, text, []engines.Span{span}, unit)).(map[string]any)
			at := got["positions"].([]any)[0].(map[string]any)
			lo, hi := int(at["start"].(float64)), int(at["end"].(float64))
			var cut string
			switch unit {
			case CodePoints:
				cut = string([]rune(text)[lo:hi])
			case UTF16:
				cut = string(utf16.Decode(utf16.Encode([]rune(text))[lo:hi]))
			case UTF8:
				cut = text[lo:hi]
			}
			if got["hit_keywords"].([]any)[0] != keyword || cut != keyword {
				t.Fatalf("%q: %q at %d to %d in %q, want %q", text, cut, lo, hi, unit, keyword)
			}
		}
	})
}
