package code_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/image/code/codetest"
)

// TestMeasure measures on many scenes: PORTCULLIS_MEASURE_CODES=500 go test -run Measure -v.
func TestMeasure(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("PORTCULLIS_MEASURE_CODES"))
	if err != nil {
		t.Skip("PORTCULLIS_MEASURE_CODES is not set to a number of scenes")
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
		for _, c := range res.Missed {
			t.Logf("missed %+v", c)
		}
	}
}
