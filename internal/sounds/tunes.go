package sounds

import (
	"math"
	"math/rand/v2"
)

// tunes are the kinds of music; see what tones says of the difference.
var tunes = []struct {
	what string
	make func(*rand.Rand, float64) []float32
}{
	{"band", Music},
	{"band", Music},
	{"band", Music},
	{"band", Music},
	{"chords", chords},
	{"chords", chords},
	{"lead", lead},
	{"lead", lead},
	{"chip", chip},
	{"chip", chip},
	{"whistled", whistled},
}

// AnyMusic is one of them, and which.
func AnyMusic(r *rand.Rand, seconds float64) (pcm []float32, what string) {
	t := tunes[r.IntN(len(tunes))]
	return t.make(r, seconds), t.what
}

// scale is a key of five or seven notes from a lowest one on.
type scale struct {
	low   float64
	steps []float64
}

func newScale(r *rand.Rand, low float64) scale {
	return scale{low * math.Pow(2, float64(r.IntN(12))/12), pick(r, []float64{0, 2, 3, 5, 7, 8, 10}, []float64{0, 2, 4, 5, 7, 9, 11}, []float64{0, 2, 4, 7, 9})}
}

func (s scale) hz(degree int) float64 {
	n := len(s.steps)
	return s.low * math.Pow(2, float64(degree/n)+s.steps[degree%n]/12)
}

// walk is a melody: degrees that go up and down by little, mostly, and never stay for
// more than two notes.
func walk(r *rand.Rand, span int) func() int {
	at := span / 2
	return func() int {
		at += pick(r, -3, -2, -1, -1, 1, 1, 2, 3)
		at = max(0, min(span-1, at))
		return at
	}
}

// chords are held by what neither dies away nor has drums: three or four notes at once,
// each as long as a bar.
func chords(r *rand.Rand, seconds float64) []float32 {
	out, s := Silence(seconds), newScale(r, 130)
	bar, harmonics := between(r, 0.8, 2.5), 1+r.IntN(6)
	for at := 0.0; at < seconds; at += bar {
		root := r.IntN(7)
		for _, d := range [][]int{{0, 2, 4}, {0, 2, 4, 6}}[r.IntN(2)] {
			Add(out, Gain(organ(s.hz(root+d), bar, harmonics), between(r, -4, 0)), at)
		}
	}
	return Fade(At(out, -20))
}

// lead is one voice alone: a sine or a few harmonics, note after note, held or plucked.
func lead(r *rand.Rand, seconds float64) []float32 {
	out, s, next := Silence(seconds), newScale(r, between(r, 220, 700)), walk(r, 10)
	beat, harmonics, held := 60/between(r, 80, 170), 1+r.IntN(4), r.IntN(2) == 0
	for at := 0.0; at < seconds; {
		d := beat * pick(r, 0.5, 0.5, 1, 1, 1.5)
		if hz := s.hz(next()); held {
			Add(out, organ(hz, d, harmonics), at)
		} else {
			Add(out, pluck(r, hz, d*1.5, harmonics), at)
		}
		at += d
	}
	return Fade(At(out, -20))
}

// chip is what the sound chips of old consoles played: a lead of pulses, chords in quick
// turns, noise for drums; the last two may be missing.
func chip(r *rand.Rand, seconds float64) []float32 {
	s, next := newScale(r, between(r, 220, 440)), walk(r, 12)
	note, duty := 60/between(r, 100, 180)/2, pick(r, 0.125, 0.25, 0.5)
	pulses := func(n int) float64 { return math.Sin(math.Pi*float64(n)*duty) / float64(n) }
	notes := make([]float64, int(seconds/note)+1)
	for i := range notes {
		notes[i] = s.hz(next())
	}
	out := glide(seconds, 0, func(t float64) float64 { return notes[int(t/note)] }, 20, pulses)
	if r.IntN(3) > 0 {
		roots, turn := make([]int, len(notes)/8+1), between(r, 12, 30)
		for i := range roots {
			roots[i] = r.IntN(5)
		}
		turns := glide(seconds, 0, func(t float64) float64 {
			return s.hz(roots[int(t/note)/8] + []int{0, 2, 4}[int(t*turn)%3])
		}, 20, pulses)
		Add(out, Gain(turns, -6), 0)
	}
	if r.IntN(2) == 0 {
		for i := range notes {
			if i%2 == 0 {
				Add(out, Gain(drum(r, 0), 6), float64(i)*note)
			}
		}
	}
	return Fade(At(out, -20))
}

// whistled is a tune of lips: it slides from note to note and trembles, with breath in it.
func whistled(r *rand.Rand, seconds float64) []float32 {
	s, next := newScale(r, between(r, 600, 1100)), walk(r, 8)
	beat, depth, turn := 60/between(r, 70, 130), between(r, 0.002, 0.012), between(r, 4, 7)
	notes := make([]float64, int(seconds/beat)+1)
	for i := range notes {
		notes[i] = s.hz(next())
	}
	at := notes[0]
	pcm := glide(seconds, 0, func(t float64) float64 {
		at += (notes[int(t/beat)] - at) / (0.02 * Rate)
		return at * (1 + depth*math.Sin(2*math.Pi*turn*t))
	}, 2, func(n int) float64 { return math.Pow(0.1, float64(n-1)) })
	Add(At(pcm, -20), Gain(Noise(r, seconds, 0), between(r, -30, -18)), 0)
	return Fade(pcm)
}
