package ocr_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// TestMeasure prints the README's figures of how well text is read: as many pictures of each
// language as PORTCULLIS_MEASURE_TEXT says, from the seed PORTCULLIS_MEASURE_SEED on, in the
// languages PORTCULLIS_MEASURE_LANGS (ko,th). It holds nothing to a bound; TestCharacterErrors does.
func TestMeasure(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("PORTCULLIS_MEASURE_TEXT"))
	if err != nil {
		t.Skip("PORTCULLIS_MEASURE_TEXT is no number of pictures")
	}
	trial := pictures.Trial{Pictures: n, Seed: 50000, Options: pictures.Options{MaxAngle: 15}}
	if s := os.Getenv("PORTCULLIS_MEASURE_SEED"); s != "" {
		if trial.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	for lang := range strings.SplitSeq(os.Getenv("PORTCULLIS_MEASURE_LANGS"), ",") {
		if lang != "" {
			trial.Langs = append(trial.Langs, pictures.Lang(lang))
		}
	}
	results, err := pictures.Evaluate(t.Context(), reader(t), trial)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		t.Logf("%s: %.1f %% of %d characters wrong (%d, %d of them where nothing stands), lines found %d/%d, without an error %d, mean %s, p99 %s",
			r.Lang, 100*r.CER(), r.Chars, r.Errors+r.Spurious, r.Spurious, r.Found, r.Lines, r.Exact, r.Mean(), r.Percentile(0.99))
	}
}
