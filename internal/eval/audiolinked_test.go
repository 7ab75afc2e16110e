package eval

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
)

// TestLinked: a pair of two voices above a threshold is taken for one, and a voice that is
// not above it with itself is not known again; each against all others' second sessions.
func TestLinked(t *testing.T) {
	at := func(axis int, cos float64) (v speaker.Voice) { // that far from an axis of its own
		v[axis], v[axis+100] = float32(cos), float32(math.Sqrt(1-cos*cos))
		return v
	}
	m := linkedMeasure{
		o:     linkedOptions{part: "all", noise: math.Inf(1)},
		kept:  []speaker.Voice{at(0, 1), at(1, 1), at(2, 1)},
		heard: []speaker.Voice{at(0, 0.99), at(1, 0.9), at(0, 0.95)}, // the third sounds like the first
	}
	var out strings.Builder
	if err := m.print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"3 voices (all; 0 said too little)",
		"above 0.930:    1 of     6 pairs of two voices taken for one (16.67 %, 95 %: 3.01 to 56.35);   2 of   3 voices not known again (67 %)  <- holds",
		"above 0.880:    1 of     6 pairs of two voices taken for one (16.67 %, 95 %: 3.01 to 56.35);   1 of   3 voices not known again (33 %)\n",
		"above 0.960:    0 of     6 pairs",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in:\n%s", want, &out)
		}
	}
	if err := (&linkedMeasure{}).print(io.Discard); err == nil {
		t.Error("figures of nobody")
	}
	for _, args := range [][]string{{"--voices", "3"}, {"--part", "some"}, {"--models", t.TempDir()}, {"--smell"}} {
		if err := linkedMain(t.Context(), append([]string{"--linked"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
