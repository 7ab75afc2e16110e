package sounds

import (
	"math"
	"math/rand/v2"
)

// Voice has what makes one voice another's.
type Voice struct {
	Pitch float64 // Hz, on the whole
	Tract float64 // of the formants against those of a man
	Pace  float64 // syllables a second
	Rough float64 // how much pitch and strength of the pulses vary
}

// NewVoice makes up a voice.
func NewVoice(r *rand.Rand) Voice {
	v := Voice{Pitch: between(r, 85, 260), Pace: between(r, 3.5, 6), Rough: between(r, 0.005, 0.02)}
	v.Tract = 1 + 0.2*math.Log2(v.Pitch/100) + between(r, -0.05, 0.05)
	return v
}

// vowels are the first three formants of a man, Hz, in the middle of what handbooks give.
var vowels = [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}, {660, 1720, 2410}, {440, 1020, 2240}, {490, 1350, 1690}}

// Babble is speech without words: syllables of a made-up language, with the melody,
// pauses and hisses of one. It is at -20 dBFS where it speaks.
func Babble(r *rand.Rand, v Voice, seconds float64) []float32 {
	n := int(seconds * Rate)
	out := make([]float32, 0, n+2*Rate)
	s := synth{r: r, voice: v}
	for len(out) < n {
		syllables := 3 + r.IntN(9)
		start := between(r, 1.05, 1.25)
		for i := range syllables {
			melody := start - 0.3*float64(i)/float64(syllables) + between(r, -0.06, 0.06)
			if r.IntN(3) > 0 {
				out = append(out, s.hiss(between(r, 0.03, 0.11))...)
			}
			out = append(out, s.vowel(pick(r, vowels...), v.Pitch*melody, between(r, 0.6, 1.4)/v.Pace)...)
		}
		out = append(out, make([]float32, int(between(r, 0.15, 0.9)*Rate))...)
	}
	return SpokenAt(out[:n], -20)
}

// synth is a source of pulses and breath behind three resonators.
type synth struct {
	r     *rand.Rand
	voice Voice
	tract [3]resonator
	phase float64
	dark  float64
}

func (s *synth) vowel(formants [3]float64, pitch, seconds float64) []float32 {
	out := make([]float32, int(seconds*Rate))
	glide, bend := between(s.r, 0.85, 1.15), between(s.r, 0.9, 1.1)
	gain := 1.0
	for i := range out {
		part := float64(i) / float64(len(out))
		if i%80 == 0 {
			for k := range s.tract {
				s.tract[k].tune(min(7000, formants[k]*s.voice.Tract*(1+(bend-1)*part)), 60+40*float64(k))
			}
		}
		s.phase += pitch * (1 + (glide-1)*part) / Rate
		x := 0.02 * s.r.NormFloat64()
		if s.phase >= 1 {
			s.phase -= 1 + s.voice.Rough*s.r.NormFloat64()
			gain = 1 + 3*s.voice.Rough*s.r.NormFloat64()
			x += 12 * gain
		}
		s.dark += 0.12 * (x - s.dark) // the pulses of a throat fall with frequency
		out[i] = float32(s.through(s.dark) * math.Sin(math.Pi*math.Sqrt(part)))
	}
	return out
}

func (s *synth) hiss(seconds float64) []float32 {
	out := make([]float32, int(seconds*Rate))
	var high resonator
	high.tune(between(s.r, 2500, 6500), 1200)
	for i := range out {
		out[i] = float32(0.12 * high.next(s.r.NormFloat64()) * math.Sin(math.Pi*float64(i)/float64(len(out))))
	}
	return out
}

func (s *synth) through(x float64) float64 {
	y := 0.0
	for k := range s.tract {
		y += s.tract[k].next(x) / float64(k+1)
	}
	return y
}

// Scream is a voice at the end of its strength: high, long, rough.
func Scream(r *rand.Rand, seconds float64) []float32 {
	pitch, rough := between(r, 450, 1300), between(r, 0.1, 0.7)
	beat, sway := between(r, 40, 140), between(r, 3, 8)
	rise := between(r, -0.3, 0.4)
	var tract [3]resonator
	tract[0].tune(between(r, 900, 1300), 180)
	tract[1].tune(between(r, 1600, 2300), 220)
	tract[2].tune(between(r, 2800, 3900), 300)
	out := make([]float32, int(seconds*Rate))
	phase, dark := 0.0, 0.0
	for i := range out {
		t, part := float64(i)/Rate, float64(i)/float64(len(out))
		phase += pitch * (1 + rise*part + 0.03*math.Sin(2*math.Pi*sway*t)) / Rate
		x := 0.15 * rough * r.NormFloat64()
		if phase >= 1 {
			phase -= 1 + 0.05*rough*r.NormFloat64()
			x += 4 * (1 - rough*0.5*(1+math.Sin(2*math.Pi*beat*t))*0.8)
		}
		dark += 0.4 * (x - dark)
		y := 0.0
		for k := range tract {
			y += tract[k].next(dark)
		}
		out[i] = float32(y)
	}
	return Fade(out)
}
