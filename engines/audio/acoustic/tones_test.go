package acoustic_test

import (
	"math"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// played is a sound of so many seconds in a quiet room, whose frequency is a function of
// the time.
func played(seconds, level float64, hz func(t float64) float64) sounds.Case {
	pcm := make([]float32, int(seconds*sounds.Rate))
	phase := 0.0
	for i := range pcm {
		phase += hz(float64(i)/sounds.Rate) / sounds.Rate
		pcm[i] = float32(math.Sin(2 * math.Pi * phase))
	}
	c := sounds.Case{PCM: sounds.At(sounds.Noise(sounds.Rand(3), seconds+4, -3), -70)}
	sounds.Add(c.PCM, sounds.At(sounds.Fade(pcm), level), 1)
	return c
}

func has(list []engines.Anomaly, kind string) bool {
	return slices.ContainsFunc(list, func(a engines.Anomaly) bool { return a.Kind == kind })
}

// wave rises and falls between -1 and 1 so many times a second.
func wave(t, turn float64) float64 { return math.Sin(2 * math.Pi * turn * t) }

// A siren is a tone however fast it turns and wherever it begins, and two pitches in turn
// are one; a tune of the same sine is music and no siren.
func TestSirens(t *testing.T) {
	for name, hz := range map[string]func(float64) float64{
		"slow":      func(t float64) float64 { return 1000 * (1 + 0.02*wave(t, 0.3)) },
		"wide":      func(t float64) float64 { return 900 * math.Pow(2, 0.7*wave(t, 0.25)) },
		"fast":      func(t float64) float64 { return 4000 * (1 + 0.15*wave(t, 1.5)) },
		"yelp":      func(t float64) float64 { return 650 * math.Pow(2, 1.2*math.Mod(t*3.3, 1)) },
		"two tones": func(t float64) float64 { return []float64{440, 585}[int(t/0.6)%2] },
	} {
		c := played(5, -25, hz)
		if list := hear(&c, 0); !has(list, "tone") || has(list, "music") {
			t.Errorf("%s: %+v", name, list)
		}
	}
	tune := []float64{523, 587, 659, 784, 659, 587, 523, 440, 494, 587, 698, 880}
	c := played(9, -25, func(t float64) float64 { return tune[int(t/0.4)%len(tune)] })
	if list := hear(&c, 0); !has(list, "music") || has(list, "tone") {
		t.Errorf("a tune: %+v", list)
	}
}

// Each of the kinds of tones and of tunes that sounds has is found as what it is.
func TestTonesAndTunes(t *testing.T) {
	for name, play := range map[string]func(seed uint64) sounds.Case{
		"tone": func(seed uint64) sounds.Case {
			pcm, what := sounds.AnyTone(sounds.Rand(seed), 5)
			return sounds.Case{What: what, PCM: pcm}
		},
		"music": func(seed uint64) sounds.Case {
			pcm, what := sounds.AnyMusic(sounds.Rand(seed), 8)
			return sounds.Case{What: what, PCM: pcm}
		},
	} {
		cases, found := 0, 0
		for seed := range uint64(60) {
			c := play(2000 + seed)
			room := sounds.At(sounds.Noise(sounds.Rand(seed), 10, -3), -68)
			c.PCM = sounds.Add(room, sounds.At(c.PCM, -26), 1)
			cases++
			if has(hear(&c, 0), name) {
				found++
			} else {
				t.Logf("%s %d, %s: not found", name, seed, c.What)
			}
		}
		if found < cases*95/100 {
			t.Errorf("%s: %d of %d found", name, found, cases)
		}
	}
}

// A siren is heard in the pauses of somebody who speaks over it; who speaks alone is none.
func TestSpokenOver(t *testing.T) {
	found, alone := 0, 0
	const cases = 20
	for seed := range uint64(cases) {
		talk := func() []float32 {
			r := sounds.Rand(300 + seed)
			return sounds.SpokenAt(sounds.Babble(r, sounds.NewVoice(r), 9), -20)
		}
		low := 500 + 60*float64(seed)
		c := played(5, -26, func(t float64) float64 { return low * math.Pow(2, math.Abs(math.Mod(2*t, 2)-1)) })
		sounds.Add(c.PCM, talk(), 0)
		if has(hear(&c, 0.9), "tone") {
			found++
		}
		if has(hear(&sounds.Case{PCM: talk()}, 0.9), "tone") {
			alone++
		}
	}
	if found < cases*9/10 || alone > 0 {
		t.Errorf("%d of %d found, and %d where there is none", found, cases, alone)
	}
}
