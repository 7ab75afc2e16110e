package sounds

import (
	"math"
	"math/rand/v2"
)

// What is a tone and what is music is told by what plays, not by how it sounds: a tone is
// one device, whistle or feedback that holds a pitch (or a fixed pair of them), glides, or
// goes to and fro between three at most; music has four notes or more in turn, or chords,
// however plain its sound is. Dialled digits are tones, each being one of a fixed set of
// pairs. A whistled tune is music.

// tones are the kinds of tones; Tone is among them more often than the others, as it was
// here first.
var tones = []struct {
	what string
	make func(*rand.Rand, float64) []float32
}{
	{"plain", Tone},
	{"plain", Tone},
	{"plain", Tone},
	{"siren", siren},
	{"siren", siren},
	{"wail", wail},
	{"wail", wail},
	{"two-tone", twoTone},
	{"beeps", beeps},
	{"ring", ring},
	{"line", lineTone},
	{"digits", digits},
	{"buzzer", buzzer},
	{"mosquito", mosquito},
	{"whistle", whistle},
	{"modem", modem},
	{"feedback", feedback},
}

// AnyTone is one of them, and which.
func AnyTone(r *rand.Rand, seconds float64) (pcm []float32, what string) {
	t := tones[r.IntN(len(tones))]
	return t.make(r, seconds), t.what
}

// glide plays a frequency that is a function of the time, as a sum of harmonics whose
// strength is a function of the number.
func glide(seconds, phase float64, hz func(t float64) float64, harmonics int, strength func(n int) float64) []float32 {
	out := make([]float32, int(seconds*Rate))
	for i := range out {
		f := hz(float64(i) / Rate)
		phase += f / Rate
		for n := 1; n <= harmonics && float64(n)*f < 7600; n++ {
			if s := strength(n); s != 0 {
				out[i] += float32(s * math.Sin(2*math.Pi*phase*float64(n)))
			}
		}
	}
	return Fade(out)
}

func soft(n int) float64 { return 1 / float64(n*n) }

// siren sways about its middle like a sine.
func siren(r *rand.Rand, seconds float64) []float32 {
	hz, depth, turn := between(r, 400, 2500), between(r, 0.02, 0.4), between(r, 0.2, 4)
	return glide(seconds, r.Float64(), func(t float64) float64 { return hz * (1 + depth*math.Sin(2*math.Pi*turn*t)) }, pick(r, 1, 2, 3), soft)
}

// wail rises and falls, at different speeds, or rises, or falls, again and again.
func wail(r *rand.Rand, seconds float64) []float32 {
	low := between(r, 350, 1200)
	octaves, period := between(r, 0.4, 1.6), between(r, 0.25, 4)
	rising := pick(r, 0, 0.5, 1, between(r, 0.1, 0.9))
	hz := func(t float64) float64 {
		at := math.Mod(t/period, 1)
		if at < rising {
			return low * math.Pow(2, octaves*at/rising)
		}
		return low * math.Pow(2, octaves*(1-at)/(1-rising))
	}
	return glide(seconds, r.Float64(), hz, pick(r, 1, 2, 3), soft)
}

// twoTone goes to and fro between two pitches, or three.
func twoTone(r *rand.Rand, seconds float64) []float32 {
	hz, dwell := between(r, 350, 1800), between(r, 0.12, 0.8)
	pitches := []float64{hz, hz * between(r, 1.1, 1.9)}
	if r.IntN(4) == 0 {
		pitches = append(pitches, hz*between(r, 0.6, 0.9))
	}
	return glide(seconds, 0, func(t float64) float64 { return pitches[int(t/dwell)%len(pitches)] }, pick(r, 1, 2, 3), soft)
}

// gated lets a sound through as long as on, then keeps it out as long as off.
func gated(pcm []float32, on ...float64) []float32 {
	at := 0
	for i := 0; at < len(pcm); i++ {
		end := min(len(pcm), at+int(on[i%len(on)]*Rate))
		if i%2 == 0 {
			Fade(pcm[at:end])
		} else {
			clear(pcm[at:end])
		}
		at = end
	}
	return pcm
}

// beeps are of one pitch.
func beeps(r *rand.Rand, seconds float64) []float32 {
	hz, on := between(r, 450, 4000), between(r, 0.08, 0.7)
	pcm := glide(seconds, 0, func(float64) float64 { return hz }, pick(r, 1, 1, 2, 3), soft)
	return gated(pcm, on, on*between(r, 0.3, 1.1))
}

// ring is a telephone's: a pair of frequencies, or two in quick turns, twice, and again.
func ring(r *rand.Rand, seconds float64) []float32 {
	var pcm []float32
	if r.IntN(2) == 0 {
		p := pick(r, [2]float64{440, 480}, [2]float64{400, 450})
		pcm = Add(Sine(p[0], seconds), Sine(p[1], seconds), 0)
	} else {
		low, high, turn := between(r, 500, 1200), between(r, 1.15, 1.4), between(r, 10, 25)
		pcm = glide(seconds, 0, func(t float64) float64 {
			if math.Mod(t*turn, 1) < 0.5 {
				return low
			}
			return low * high
		}, pick(r, 1, 2, 3), soft)
	}
	if r.IntN(2) == 0 {
		return gated(pcm, 0.4, 0.2, 0.4, between(r, 0.4, 1))
	}
	return gated(pcm, between(r, 1, 2), between(r, 0.5, 2))
}

// lineTone is what a telephone says before it rings, or when it will not.
func lineTone(r *rand.Rand, seconds float64) []float32 {
	p := pick(r, [2]float64{350, 440}, [2]float64{480, 620}, [2]float64{425, 0}, [2]float64{400, 450})
	pcm := Sine(p[0], seconds)
	if p[1] > 0 {
		Add(pcm, Sine(p[1], seconds), 0)
	}
	if r.IntN(2) == 0 {
		return Fade(pcm)
	}
	on := pick(r, 0.5, 0.35, 0.25)
	return gated(pcm, on, on)
}

// digits are dialled (ITU-T Q.23).
func digits(r *rand.Rand, seconds float64) []float32 {
	out := Silence(seconds)
	on, off := between(r, 0.07, 0.3), between(r, 0.05, 0.15)
	for at := 0.0; at < seconds; at += on + off {
		low, high := pick(r, 697.0, 770, 852, 941), pick(r, 1209.0, 1336, 1477, 1633)
		Add(out, Fade(Add(Sine(low, on), Gain(Sine(high, on), between(r, -2, 3)), 0)), at)
	}
	return Fade(out)
}

// buzzer is a square, a pulse or a saw, as cheap sounders give.
func buzzer(r *rand.Rand, seconds float64) []float32 {
	hz, duty, saw := between(r, 200, 900), between(r, 0.15, 0.5), r.IntN(3) == 0
	pcm := glide(seconds, r.Float64(), func(float64) float64 { return hz }, 40, func(n int) float64 {
		if saw {
			return 1 / float64(n)
		}
		return math.Sin(math.Pi*float64(n)*duty) / float64(n)
	})
	if r.IntN(2) == 0 {
		on := between(r, 0.15, 0.8)
		return gated(pcm, on, on*between(r, 0.3, 1))
	}
	return pcm
}

// mosquito is as high as 16 kHz of samples let it be.
func mosquito(r *rand.Rand, seconds float64) []float32 {
	return Fade(Sine(between(r, 5500, 7300), seconds))
}

// whistle is of lips: a sine that trembles, with breath in it, as long as that lasts.
func whistle(r *rand.Rand, seconds float64) []float32 {
	hz, depth, turn := between(r, 900, 3000), between(r, 0.002, 0.02), between(r, 4, 7)
	drift := between(r, -0.15, 0.15) / seconds
	pcm := glide(seconds, 0, func(t float64) float64 { return hz * (1 + drift*t + depth*math.Sin(2*math.Pi*turn*t)) }, 2, func(n int) float64 { return math.Pow(0.1, float64(n-1)) })
	Add(At(pcm, -20), Gain(Noise(r, seconds, 0), between(r, -30, -18)), 0)
	return gated(pcm, between(r, 0.8, 2.5), between(r, 0.15, 0.5))
}

// modem is 300 bits a second between two frequencies (ITU-T V.21, Bell 103), or the tone
// with which one answers.
func modem(r *rand.Rand, seconds float64) []float32 {
	if r.IntN(3) == 0 {
		return Fade(Sine(2100, seconds))
	}
	p := pick(r, [2]float64{980, 1180}, [2]float64{1650, 1850}, [2]float64{1070, 1270}, [2]float64{2025, 2225})
	bits := make([]int, int(seconds*300)+1)
	for i := range bits {
		bits[i] = r.IntN(2)
	}
	return glide(seconds, 0, func(t float64) float64 { return p[bits[int(t*300)]] }, 1, soft)
}

// feedback is what a loudspeaker makes in its own microphone: it grows until something
// gives way, and wanders.
func feedback(r *rand.Rand, seconds float64) []float32 {
	hz, grow, wander := between(r, 500, 4000), between(r, 0.2, 1), between(r, 0, 0.01)
	turn := between(r, 0.1, 0.8)
	pcm := glide(seconds, 0, func(t float64) float64 { return hz * (1 + wander*math.Sin(2*math.Pi*turn*t)) }, 1, soft)
	for i := range pcm {
		v := float64(pcm[i]) * min(3, math.Exp(4*(float64(i)/Rate/grow-1)))
		pcm[i] = float32(math.Tanh(v))
	}
	return pcm
}
