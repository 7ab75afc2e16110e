// Package sounds makes sounds with known faults in them, the same for the same seed, for
// tests and to measure what listens (portcullis eval audio). Everything is computed here;
// nothing is a recording. Sound is 16 kHz, mono, -1 to 1.
package sounds

import (
	"math"
	"math/rand/v2"
)

// Rate is in Hz.
const Rate = 16000

// Rand is a source of random numbers that gives the same for the same seed everywhere.
func Rand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) //nolint:gosec // not for secrets: the same sounds every time
}

// between is a number of a range.
func between(r *rand.Rand, least, most float64) float64 { return least + (most-least)*r.Float64() }

// pick is one of several.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// Silence is so many seconds of nothing.
func Silence(seconds float64) []float32 { return make([]float32, int(seconds*Rate)) }

// Level is the level of a sound in dBFS; a full-scale sine has -3.
func Level(pcm []float32) float64 {
	sum := 0.0
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return 10 * math.Log10(sum/float64(max(1, len(pcm)))+1e-12)
}

// SpokenLevel is the level of what is not silence in it: of the steps of 20 ms within
// 30 dB of the loudest.
func SpokenLevel(pcm []float32) float64 {
	const n = Rate / 50
	top := -120.0
	for at := 0; at+n <= len(pcm); at += n {
		top = max(top, Level(pcm[at:at+n]))
	}
	sum, of := 0.0, 0
	for at := 0; at+n <= len(pcm); at += n {
		if l := Level(pcm[at : at+n]); l > top-30 {
			sum += math.Pow(10, l/10)
			of++
		}
	}
	return 10 * math.Log10(sum/float64(max(1, of))+1e-12)
}

// Gain changes a sound by so many dB, in place.
func Gain(pcm []float32, db float64) []float32 {
	g := float32(math.Pow(10, db/20))
	for i := range pcm {
		pcm[i] *= g
	}
	return pcm
}

// At brings a sound to a level in dBFS, in place.
func At(pcm []float32, level float64) []float32 { return Gain(pcm, level-Level(pcm)) }

// SpokenAt brings what is not silence in it to a level.
func SpokenAt(pcm []float32, level float64) []float32 { return Gain(pcm, level-SpokenLevel(pcm)) }

// Add lays a sound over another from a second on, in place; what reaches beyond its end
// is lost.
func Add(to, what []float32, second float64) []float32 {
	at := int(second * Rate)
	for i, v := range what {
		if at+i >= 0 && at+i < len(to) {
			to[at+i] += v
		}
	}
	return to
}

// Limit cuts off what is beyond full scale, in place, as a converter does.
func Limit(pcm []float32) []float32 {
	for i, v := range pcm {
		pcm[i] = max(-1, min(1, v))
	}
	return pcm
}

// Fade takes the first and last 5 ms of a sound in and out, in place.
func Fade(pcm []float32) []float32 {
	n := min(Rate/200, len(pcm)/2)
	for i := range n {
		g := float32(i) / float32(n)
		pcm[i] *= g
		pcm[len(pcm)-1-i] *= g
	}
	return pcm
}

// resonator is a filter with a peak at a frequency (Klatt, "Software for a
// Cascade/Parallel Formant Synthesizer", JASA 67, 1980).
type resonator struct{ a, b, c, y1, y2 float64 }

func (r *resonator) tune(hz, width float64) {
	r.c = -math.Exp(-2 * math.Pi * width / Rate)
	r.b = 2 * math.Exp(-math.Pi*width/Rate) * math.Cos(2*math.Pi*hz/Rate)
	r.a = 1 - r.b - r.c
}

func (r *resonator) next(x float64) float64 {
	y := r.a*x + r.b*r.y1 + r.c*r.y2
	r.y2, r.y1 = r.y1, y
	return y
}
