package eval

import (
	"math"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// TestAudio runs the whole of eval audio on a little, without models.
func TestAudio(t *testing.T) {
	r, err := Audio(t.Context(), AudioOptions{Cases: 1, Spoken: 1, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Kinds) != len(sounds.Kinds) || r.Spoken != 1 || r.VAD || r.Told != nil {
		t.Errorf("report %+v", r)
	}
	for _, k := range r.Kinds {
		if k.Kind == "open_mic" && k.Found > 0 {
			t.Error("an open microphone was found without voice activity")
		}
		if k.Cases != 1 || k.Found > 1 {
			t.Errorf("%+v", k)
		}
	}
	var b strings.Builder
	if err := r.print(&b); err != nil || !strings.Contains(b.String(), "without a model of voice activity") || !strings.Contains(b.String(), "not met") {
		t.Errorf("printed %q, %v", b.String(), err)
	}
}

func TestEqualError(t *testing.T) {
	if eer, at := equalError([]float64{0.9, 0.95, 0.99}, []float64{0.1, 0.2}); eer != 0 || at != 0.9 {
		t.Errorf("apart: %v at %v, want 0 at 0.9", eer, at)
	}
	if eer, _ := equalError([]float64{0.2, 0.8, 0.9, 0.95}, []float64{0.1, 0.15, 0.3, 0.85}); math.Abs(eer-0.25) > 0.01 {
		t.Errorf("mixed: %v, want 0.25", eer)
	}
}

func TestAudioRefuses(t *testing.T) {
	var out, problems strings.Builder
	for _, args := range [][]string{{"--cases", "0"}, {"--spoken", "-1"}, {"--what"}} {
		if err := audioMain(t.Context(), args, &out, &problems); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestSharesAbove(t *testing.T) {
	other := make([]float64, 1000)
	for i := range other {
		other[i] = float64(i) / 1000
	}
	// Ten of a thousand lie above 0.989, one above 0.998.
	if got := sharesAbove([]float64{0.5, 0.9895, 0.99, 0.9985}, other); got != [2]float64{0.75, 0.25} {
		t.Errorf("shares %v", got)
	}
}
