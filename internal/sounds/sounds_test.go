package sounds_test

import (
	"math"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// TestCases: the same for the same seed, another for another, and sound throughout.
func TestCases(t *testing.T) {
	for _, kind := range sounds.Kinds {
		a, b, c := sounds.Faulty(sounds.Rand(1), kind, sounds.Made), sounds.Faulty(sounds.Rand(1), kind, sounds.Made), sounds.Faulty(sounds.Rand(2), kind, sounds.Made)
		if !slices.Equal(a.PCM, b.PCM) || a.FromMS != b.FromMS || a.ToMS != b.ToMS {
			t.Errorf("%s: the same seed makes another", kind)
		}
		if slices.Equal(a.PCM, c.PCM) {
			t.Errorf("%s: another seed makes the same", kind)
		}
		if a.Kind != kind || a.FromMS < 0 || a.ToMS <= a.FromMS || a.ToMS > int64(len(a.PCM)/16) {
			t.Errorf("%s: %s from %d to %d of %d ms", kind, a.Kind, a.FromMS, a.ToMS, len(a.PCM)/16)
		}
		for i, v := range a.PCM {
			if math.IsNaN(float64(v)) || v > 1 || v < -1 {
				t.Fatalf("%s: sample %d is %v", kind, i, v)
			}
		}
	}
}

func TestLevels(t *testing.T) {
	if got := sounds.Level(sounds.Sine(500, 1)); math.Abs(got+3.01) > 0.01 {
		t.Errorf("a full-scale sine has %.2f dBFS, want -3.01", got)
	}
	r := sounds.Rand(1)
	if got := sounds.SpokenLevel(sounds.SpokenAt(sounds.Made(r, 5), -31)); math.Abs(got+31) > 0.1 {
		t.Errorf("speech at -31 has %.2f dBFS", got)
	}
	pcm := sounds.Overdrive(sounds.Made(r, 5), 0.1)
	cut := 0
	for _, v := range pcm {
		if v == 1 || v == -1 {
			cut++
		}
	}
	if share := float64(cut) / float64(len(pcm)); math.Abs(share-0.1) > 0.02 {
		t.Errorf("%.3f of the samples are cut off, want 0.1", share)
	}
}
