package decode

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

type reported struct {
	ID    string `json:"id"`
	Area  string `json:"area"`
	Kind  string `json:"kind"`
	Input struct {
		Base64 []byte   `json:"base64"`
		Pair   [][]byte `json:"pair"`
	} `json:"input"`
	Expect struct {
		HTTP       []int `json:"http"`
		Frames     int   `json:"frames_scanned_min"`
		Frame      int   `json:"must_include_frame"`
		Allocation int   `json:"max_alloc_mb"`
	} `json:"expect"`
}

// status is what the door answers a refusal with.
var status = map[engines.RefusalKind]int{engines.RefusedFormat: 415, engines.RefusedSize: 413, engines.RefusedDamage: 400}

// cases reads the public reports that the project was given, where they are.
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

func answered(t *testing.T, data []byte) (code int, frames []int) {
	t.Helper()
	f, err := Read(data, "", Default())
	if err == nil {
		err = f.Unpack(context.Background(), func(fr Frame) error { frames = append(frames, fr.Index); return nil })
	}
	if r := (*engines.Refusal)(nil); errors.As(err, &r) {
		t.Logf("%v", r)
		return status[r.Kind], nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return 200, frames
}

func TestReportedCases(t *testing.T) {
	looked := 0
	for _, c := range cases(t) {
		data := c.Input.Base64
		if len(c.Input.Pair) > 0 {
			data = c.Input.Pair[1]
		}
		if len(data) == 0 { // an address instead of a picture: image.txtar
			continue
		}
		looked++
		t.Run(c.ID, func(t *testing.T) {
			got, frames := answered(t, data)
			if len(c.Expect.HTTP) > 0 && !slices.Contains(c.Expect.HTTP, got) {
				t.Errorf("answered %d, want one of %v", got, c.Expect.HTTP)
			}
			if len(frames) < c.Expect.Frames || c.Expect.Frame > 0 && !slices.Contains(frames, c.Expect.Frame) {
				t.Errorf("frames %v, want %d of them with %d", frames, c.Expect.Frames, c.Expect.Frame)
			}
		})
	}
	if looked != 12 {
		t.Errorf("looked at %d cases, want 12", looked)
	}
}
