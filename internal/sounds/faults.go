package sounds

import (
	"math"
	"math/rand/v2"
)

// Sine is a tone.
func Sine(hz, seconds float64) []float32 {
	out := make([]float32, int(seconds*Rate))
	for i := range out {
		out[i] = float32(math.Sin(2 * math.Pi * hz * float64(i) / Rate))
	}
	return out
}

// Tone is a tone as devices make it: a sine, one with a few harmonics, or a siren.
func Tone(r *rand.Rand, seconds float64) []float32 {
	hz := 300 * math.Pow(5000.0/300, r.Float64())
	out := make([]float32, int(seconds*Rate))
	harmonics, phase, sweep := pick(r, 1, 1, 1, 2, 3), r.Float64(), 0.0
	if r.IntN(6) == 0 {
		sweep = between(r, 0.02, 0.15)
	}
	turn := between(r, 0.3, 1.5)
	for i := range out {
		f := hz * (1 + sweep*math.Sin(2*math.Pi*turn*float64(i)/Rate))
		phase += f / Rate
		for n := 1; n <= harmonics && float64(n)*f < 7000; n++ {
			out[i] += float32(math.Sin(2*math.Pi*phase*float64(n)) / float64(n*n))
		}
	}
	return Fade(out)
}

// Noise has a spectrum that falls by so many dB an octave: 0 is white, -3 pink, -6 brown.
func Noise(r *rand.Rand, seconds, slope float64) []float32 {
	out := make([]float32, int(seconds*Rate))
	// A sum of first-order low-passes an octave apart, each weighing what the slope says.
	var state, open, weight [9]float64
	for k := range state {
		open[k] = 1 - math.Exp(-2*math.Pi*min(40*math.Pow(2, float64(k)), 7000)/Rate)
		weight[k] = math.Pow(10, slope*float64(k)/20)
	}
	for i := range out {
		white := r.NormFloat64()
		sum := 0.0
		for k := range state {
			state[k] += open[k] * (white - state[k])
			sum += state[k] * weight[k]
		}
		if slope == 0 {
			sum = white
		}
		out[i] = float32(sum)
	}
	return Fade(At(out, -20))
}

// Fan is noise of a fan or of wind on a microphone: coloured, its level moving a little.
func Fan(r *rand.Rand, seconds float64) []float32 {
	out := Noise(r, seconds, between(r, -6, 0))
	turn, depth := between(r, 0.1, 2), between(r, 0, 0.25)
	for i := range out {
		out[i] *= float32(1 + depth*math.Sin(2*math.Pi*turn*float64(i)/Rate))
	}
	return out
}

// Hum is mains with harmonics, of a grid that is a little off.
func Hum(r *rand.Rand, seconds float64) []float32 {
	mains := pick(r, 50.0, 60) * (1 + between(r, -0.003, 0.003))
	out := make([]float32, int(seconds*Rate))
	odd := r.IntN(2) == 0
	for n := 1.0; n <= 12; n++ {
		strength := between(r, 0.2, 1) / n
		if odd && math.Mod(n, 2) == 0 {
			strength /= 5
		}
		s, c := math.Sincos(2 * math.Pi * r.Float64())
		at := complex(strength*c, strength*s)
		s, c = math.Sincos(2 * math.Pi * mains * n / Rate)
		for i := range out {
			out[i] += float32(imag(at))
			at *= complex(c, s)
		}
	}
	return Fade(At(out, -20))
}

// Overdrive makes a sound so loud before full scale cuts it off that about a share of
// its samples is lost.
func Overdrive(pcm []float32, share float64) []float32 {
	low, high := 0.0, 80.0
	for range 20 {
		db := (low + high) / 2
		g, cut := float32(math.Pow(10, db/20)), 0
		for _, v := range pcm {
			if v*g >= 1 || v*g <= -1 {
				cut++
			}
		}
		if float64(cut) < share*float64(len(pcm)) {
			low = db
		} else {
			high = db
		}
	}
	return Limit(Gain(pcm, high))
}

// Jingle is a short sound as soundboards have: some notes, bangs, a horn, a voice; and
// which.
func Jingle(r *rand.Rand) (pcm []float32, what string) {
	seconds := between(r, 0.5, 1.6)
	out := Silence(seconds)
	switch r.IntN(4) {
	case 0:
		what = "notes"
		for at := 0.0; at < seconds-0.1; {
			d := between(r, 0.08, 0.25)
			Add(out, pluck(r, 220*math.Pow(2, float64(r.IntN(30))/12), d*1.5, 1+r.IntN(4)), at)
			at += d
		}
	case 1:
		what = "bangs"
		for range 2 + r.IntN(3) {
			hit := Noise(r, between(r, 0.1, 0.35), between(r, -6, 0))
			for i := range hit {
				hit[i] *= float32(math.Exp(-8 * float64(i) / float64(len(hit))))
			}
			Add(out, hit, between(r, 0, seconds-0.3))
		}
	case 2:
		what = "horn"
		Add(out, Scream(r, seconds), 0)
	default:
		what = "voice"
		Add(out, Babble(r, NewVoice(r), seconds), 0)
	}
	return Fade(At(out, -20)), what
}

// pluck is a note that dies away.
func pluck(r *rand.Rand, hz, seconds float64, harmonics int) []float32 {
	out := make([]float32, int(seconds*Rate))
	fall := between(r, 1, 5)
	partials(out, hz, harmonics, fall)
	return Fade(out)
}

// partials adds harmonics, the n-th with 1/n of the strength and dying n times as fast.
func partials(out []float32, hz float64, harmonics int, fall float64) {
	for n := 1; n <= harmonics && float64(n)*hz < 7500; n++ {
		s, c := math.Sincos(2 * math.Pi * hz * float64(n) / Rate)
		turn := complex(c, s) * complex(math.Exp(-fall*float64(n)/Rate), 0)
		at := complex(1/float64(n), 0)
		for i := range out {
			out[i] += float32(imag(at))
			at *= turn
		}
	}
}

// Music is made up: chords of a key, a bass, a melody, drums; any of them may be missing.
func Music(r *rand.Rand, seconds float64) []float32 {
	out := Silence(seconds)
	beat := 60 / between(r, 70, 170)
	key := 110 * math.Pow(2, float64(r.IntN(12))/12)
	steps := pick(r, []float64{0, 2, 3, 5, 7, 8, 10}, []float64{0, 2, 4, 5, 7, 9, 11})
	note := func(degree int) float64 {
		octave, d := degree/7, degree%7
		return key * math.Pow(2, float64(octave)+steps[d]/12)
	}
	drums, melody, pad := r.IntN(4) > 0, r.IntN(4) > 0, r.IntN(2) == 0
	harmonics := 2 + r.IntN(6)
	degree := 0
	for at, n := 0.0, 0; at < seconds; at, n = at+beat, n+1 {
		if n%4 == 0 {
			degree = pick(r, 0, 3, 4, 5)
			for _, d := range []int{0, 2, 4} {
				chord := pluck(r, note(degree+d)*2, beat*4, harmonics)
				if pad {
					chord = organ(note(degree+d)*2, beat*4, harmonics)
				}
				Add(out, Gain(chord, -4), at)
			}
		}
		Add(out, pluck(r, note(degree), beat, 4), at)
		if melody {
			for half := range 2 {
				Add(out, Gain(pluck(r, note(14+r.IntN(8)), beat*0.6, harmonics), -3), at+beat/2*float64(half))
			}
		}
		if drums {
			Add(out, Gain(drum(r, float64(-6*(n%2))), 8), at)
		}
	}
	return Fade(At(out, -20))
}

// drum is a hit: noise of a slope that dies away.
func drum(r *rand.Rand, slope float64) []float32 {
	hit := Noise(r, 0.08, slope)
	for i := range hit {
		hit[i] *= float32(math.Exp(-6 * float64(i) / float64(len(hit))))
	}
	return hit
}

// organ is a note that stays.
func organ(hz, seconds float64, harmonics int) []float32 {
	out := make([]float32, int(seconds*Rate))
	partials(out, hz, harmonics, 0)
	return Fade(out)
}

// Heard is how a loudspeaker and a room change a sound on its way into a microphone.
func Heard(r *rand.Rand, pcm []float32) []float32 {
	out := make([]float32, len(pcm))
	low, high := 1-math.Exp(-2*math.Pi*between(r, 2500, 6000)/Rate), 1-math.Exp(-2*math.Pi*between(r, 100, 300)/Rate)
	type tap struct {
		at   int
		gain float64
	}
	taps := []tap{{0, 1}}
	for range 12 {
		at := r.IntN(Rate / 8)
		taps = append(taps, tap{at, 0.5 * r.NormFloat64() * math.Exp(-float64(at)/(Rate/25))})
	}
	var a, b float64
	for i := range pcm {
		x := 0.0
		for _, t := range taps {
			if i >= t.at {
				x += t.gain * float64(pcm[i-t.at])
			}
		}
		a += low * (x - a)
		b += high * (a - b)
		out[i] = float32(a - b)
	}
	return out
}
