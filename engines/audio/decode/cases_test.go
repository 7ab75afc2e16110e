package decode

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

type reported struct {
	ID    string `json:"id"`
	Input struct {
		Base64 []byte `json:"base64"`
	} `json:"input"`
	Expect struct {
		HTTP       []int   `json:"http"`
		DurationMS []int64 `json:"duration_ms"`
		Channels   int     `json:"channels"`
		SampleRate int     `json:"sample_rate"`
	} `json:"expect"`
}

// status is what the door answers a refusal with.
var status = map[engines.RefusalKind]int{engines.RefusedFormat: 415, engines.RefusedSize: 413, engines.RefusedDamage: 400}

// cases reads the public reports that the project was given.
func cases(t *testing.T) (list []reported) {
	t.Helper()
	f, err := os.Open("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c reported
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func TestReportedCases(t *testing.T) {
	looked := 0
	for _, c := range cases(t) {
		looked++
		t.Run(c.ID, func(t *testing.T) {
			got := 200
			f, err := Read(c.Input.Base64, "", Default())
			if err == nil {
				err = f.Unpack(t.Context(), func([]float32) error { return nil })
			}
			if r := (*engines.Refusal)(nil); errors.As(err, &r) {
				t.Log(r)
				got = status[r.Kind]
			} else if err != nil {
				t.Fatal(err)
			}
			if len(c.Expect.HTTP) > 0 && !slices.Contains(c.Expect.HTTP, got) {
				t.Fatalf("answered %d, want one of %v", got, c.Expect.HTTP)
			}
			if got != 200 {
				return
			}
			t.Logf("%+v", f)
			if d := c.Expect.DurationMS; len(d) == 2 && (f.DurationMS < d[0] || f.DurationMS > d[1]) {
				t.Errorf("lasts %d ms, want %v", f.DurationMS, d)
			}
			if c.Expect.Channels > 0 && (f.Channels != c.Expect.Channels || f.SampleRate != c.Expect.SampleRate) {
				t.Errorf("%d channels at %d Hz, want %d at %d", f.Channels, f.SampleRate, c.Expect.Channels, c.Expect.SampleRate)
			}
		})
	}
	if looked != 11 {
		t.Errorf("looked at %d cases, want 11", looked)
	}
}
