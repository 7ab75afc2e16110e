package wire

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var testLimits = Limits{TextCodePoints: 10000, BodyBytes: 1 << 20, LogEntries: 1000, FrameBytes: 128 << 10}

// golden reads a file of testdata, without the line feed at its end.
func golden(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameJSON compares documents by what they say.
func sameJSON(t *testing.T, got, want []byte) {
	t.Helper()
	if diff := cmp.Diff(decode(t, want), decode(t, got)); diff != "" {
		t.Errorf("JSON differs (-want +got):\n%s\ngot %s", diff, got)
	}
}

func decode(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("not JSON: %v: %s", err, b)
	}
	return v
}

// parse is Parse of what must be right.
func parse(t *testing.T, s string) *Object {
	t.Helper()
	o, err := Parse([]byte(s))
	if err != nil {
		t.Fatalf("Parse(%s): %v", s, err)
	}
	return o
}

// wantFields asserts a 1001 with these pointers, in this order.
func wantFields(t *testing.T, err error, pointers ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error = %v, want a wire error at %q", err, pointers)
	}
	var got []string
	for _, f := range e.Fields {
		if f.Reason == "" {
			t.Errorf("no reason at %q", f.Pointer)
		}
		got = append(got, f.Pointer)
	}
	if diff := cmp.Diff(pointers, got); e.Code != InvalidParameter || diff != "" {
		t.Errorf("code %d, want %d; pointers (-want +got):\n%s", e.Code, InvalidParameter, diff)
	}
}

// sampleOutcome is the sample of the service document, section 2.8, with what
// the wire contract adds.
func sampleOutcome() engines.Outcome {
	return engines.Outcome{
		RequestID: "0192f0c1-7f6e-7d2a-9c3b-000000000001",
		Took:      12 * time.Millisecond,
		CaseID:    "case-1",
		Verdict: engines.Verdict{
			Finding: engines.Finding{
				Suggestion: engines.Block,
				Labels: []engines.Label{
					{Category: engines.Violence, Confidence: 0.92, SubLabel: "threat", Severity: 3, Source: engines.SourceLexicon},
					{Category: engines.Harassment, Confidence: 0.78, Severity: 2, Source: engines.SourceLexicon},
				},
			},
			Action: engines.Drop, Mode: engines.RealTimeBlock, Warn: true,
			Hits: []engines.Span{{Start: 3, End: 5}, {Start: 8, End: 11}},
		},
	}
}
