package code_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/image/code/codetest"
)

// Of codes of 90 px and more 98 % are found, one of a few may be missed, and none is
// read wrong. On more scenes: PORTCULLIS_MEASURE_CODES=500 go test -run Measure -v.
func TestMeasure(t *testing.T) {
	n := 4
	if s, err := strconv.Atoi(os.Getenv("PORTCULLIS_MEASURE_CODES")); err == nil {
		n = s
	}
	seed := uint64(5_000_000)
	if s, err := strconv.ParseUint(os.Getenv("PORTCULLIS_MEASURE_SEED"), 10, 64); err == nil {
		seed = s
	}
	for codes := range 4 {
		res, err := codetest.Measure(t.Context(), patient, seed, n, codes, 90)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d a scene: %d of %d found (%.2f %%), %d wrong, %v a scene", codes, res.Found, res.Codes, 100*res.Rate(), res.Wrong, res.Took/time.Duration(max(res.Scenes, 1)))
		if missed := res.Codes - res.Found; missed > max(1, res.Codes/50) || res.Wrong > 0 {
			t.Errorf("%d a scene: %d of %d missed, %d wrong", codes, missed, res.Codes, res.Wrong)
		}
		for _, c := range res.Missed {
			t.Logf("missed %+v", c)
		}
	}
}
