package resample_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/resample"
)

const to = 16000

// rates are those that files have, and some that only a liar's have.
var rates = []int{8000, 11025, 12000, 22050, 24000, 32000, 44100, 48000, 88200, 96000, 176400, 192000, 8001, 44101, 191999}

func tone(rate int, hz float64, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(0.5 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return s
}

// gain is the level of what comes out of a tone, in dB of what went in, and the level
// of all that is not the tone.
func gain(rate int, hz float64) (tonal, rest float64) {
	r := resample.New(rate, to)
	out := r.Push(nil, tone(rate, hz, rate/4))
	out = out[len(out)/5 : len(out)*4/5] // without its ends
	// The tone is what fits best by least squares; the two waves are not at right
	// angles over a stretch that is no whole number of periods.
	var ss, cc, sc, sy, cy float64
	for i, v := range out {
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / to)
		ss, cc, sc, sy, cy = ss+s*s, cc+c*c, sc+s*c, sy+s*float64(v), cy+c*float64(v)
	}
	det := ss*cc - sc*sc
	a, b := (sy*cc-cy*sc)/det, (cy*ss-sy*sc)/det
	left := 0.0
	for i, v := range out {
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / to)
		d := float64(v) - a*s - b*c
		left += d * d
	}
	return 20 * math.Log10(math.Hypot(a, b)/0.5+1e-12), 10 * math.Log10(left/float64(len(out))/0.125+1e-20)
}

// TestBands holds every rate against the figures that the package states; the notes'
// own filter had 0.44 dB and -68 dB.
func TestBands(t *testing.T) {
	for _, rate := range rates {
		half := min(rate, to) / 2
		worst, alias := 0.0, -200.0
		for f := 0.01; f < 0.875; f += 0.0871 {
			hz := f * float64(half)
			level, rest := gain(rate, hz)
			worst = max(worst, math.Abs(level))
			alias = max(alias, rest)
		}
		if worst > 0.05 {
			t.Errorf("%d Hz: ripple %.3f dB below %d Hz, want at most 0.05", rate, worst, half*7/8)
		}
		if alias > -75 {
			t.Errorf("%d Hz: %.1f dB of images, want at most -75", rate, alias)
		}
		stop := -200.0
		for hz := 8600.0; hz < float64(rate)/2; hz += float64(rate) / 2 / 23.7 {
			level, rest := gain(rate, hz) // what folds to another frequency, or to the same
			stop = max(stop, level, rest)
		}
		if stop > -75 {
			t.Errorf("%d Hz: %.1f dB above 8.6 kHz, want at most -75", rate, stop)
		}
		t.Logf("%6d Hz: ripple %.3f dB, images %.1f dB, stop band %.1f dB", rate, worst, alias, stop)
	}
}

// TestTime holds that output n lies at n/to, that blocks of any size give the same, and
// how much comes out.
func TestTime(t *testing.T) {
	for _, rate := range rates {
		n := rate / 4
		in := tone(rate, 440, n)
		r := resample.New(rate, to)
		whole := r.Flush(r.Push(nil, in))
		if want := n * to / rate; len(whole) < want-1 || len(whole) > want+1 {
			t.Errorf("%d Hz: %d samples came of %d, want %d", rate, len(whole), n, want)
		}
		for i := 100; i < len(whole)-100; i++ {
			want := 0.5 * math.Sin(2*math.Pi*440*float64(i)/to)
			if math.Abs(float64(whole[i])-want) > 0.006 {
				t.Fatalf("%d Hz: sample %d is %v, want %v", rate, i, whole[i], want)
			}
		}
		var parts []float32
		for at, size := 0, 1; at < n; at, size = at+size, size*3%1009+1 {
			parts = r.Push(parts, in[at:min(n, at+size)])
		}
		if parts = r.Flush(parts); !slices.Equal(parts, whole) {
			t.Errorf("%d Hz: other samples in other blocks", rate)
		}
	}
}

func TestSameRate(t *testing.T) {
	in := tone(to, 440, 100)
	r := resample.New(to, to)
	if got := r.Flush(r.Push(nil, in)); !slices.Equal(got, in) {
		t.Error("the same rate changed the sound")
	}
}

func TestNothingAllocated(t *testing.T) {
	for _, rate := range []int{8000, 44100, 48000, 191999} {
		in, out, r := tone(rate, 300, rate/50), make([]float32, 0, 1000), resample.New(rate, to)
		if n := testing.AllocsPerRun(20, func() { r.Push(out, in) }); n > 0 {
			t.Errorf("%d Hz: %v allocations a block", rate, n)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, rate := range []int{-1, 0, resample.MinRate - 1, resample.MaxRate + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New(%d) did not panic", rate)
				}
			}()
			resample.New(rate, to)
		}()
	}
}

// TestSharedFilters: streams at once, of more rates than share a filter, each come out as
// one alone does.
func TestSharedFilters(t *testing.T) {
	var wg sync.WaitGroup
	for n := range 40 {
		wg.Go(func() {
			rate := 8000 + 1100*(n%20)
			in := tone(rate, 440, rate/10)
			one, two := resample.New(rate, to), resample.New(rate, to)
			if a, b := one.Flush(one.Push(nil, in)), two.Flush(two.Push(nil, in)); !slices.Equal(a, b) || len(a) < to/11 {
				t.Errorf("%d Hz: %d samples and %d that differ", rate, len(a), len(b))
			}
		})
	}
	wg.Wait()
}

func BenchmarkPush(b *testing.B) {
	for _, rate := range []int{8000, 44100, 48000} {
		b.Run(map[int]string{8000: "8k", 44100: "44k", 48000: "48k"}[rate], func(b *testing.B) {
			in, out, r := tone(rate, 300, rate/50), make([]float32, 0, 1000), resample.New(rate, to)
			b.ReportAllocs()
			for b.Loop() {
				r.Push(out, in)
			}
		})
	}
}
