package acoustic_test

import (
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s = %.3f, want %.3f within %v", what, got, want, within)
	}
}

// TestLoudness holds the K-weighting at 16 kHz against figures of ITU-R BS.1770: a tone
// of 997 Hz at full scale in one channel is -3.01 LUFS, and the filter's gain at other
// frequencies is, within 0.15 dB, that of its own coefficients for 48 kHz.
func TestLoudness(t *testing.T) {
	for _, c := range []struct{ hz, level, want float64 }{
		{997, 0, -3.01},
		{997, -20, -23.01},
		{997, -40, -43.01},
		{50, 0, reference(50)},
		{100, 0, reference(100)},
		{500, 0, reference(500)},
		{2000, 0, reference(2000)},
		{4000, 0, reference(4000)},
	} {
		m := acoustic.New(acoustic.Defaults())
		m.Push(sounds.Gain(sounds.Sine(c.hz, 5), c.level))
		near(t, "momentary", m.Now().Momentary, c.want, 0.15)
		near(t, "short-term", m.Now().ShortTerm, c.want, 0.15)
		near(t, "RMS", m.Now().RMS, c.level-3.01, 0.2)
	}
	m := acoustic.New(acoustic.Defaults())
	m.Push(sounds.Sine(997, 1))
	near(t, "short-term of 1 s in 3", m.Now().ShortTerm, -3.01-4.77, 0.1)
}

// reference is the loudness of a full-scale tone by the coefficients that BS.1770-4
// gives for 48 kHz.
func reference(hz float64) float64 {
	gain := func(b0, b1, b2, a1, a2 float64) float64 {
		w := 2 * math.Pi * hz / 48000
		num := complex(b0+b1*math.Cos(w)+b2*math.Cos(2*w), -b1*math.Sin(w)-b2*math.Sin(2*w))
		den := complex(1+a1*math.Cos(w)+a2*math.Cos(2*w), -a1*math.Sin(w)-a2*math.Sin(2*w))
		return 20 * math.Log10(math.Hypot(real(num/den), imag(num/den)))
	}
	return -0.691 - 3.01 +
		gain(1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585) +
		gain(1, -2, 1, -1.99004745483398, 0.99007225036621)
}

// TestTruePeak has tones whose samples miss their top: a quarter of the rate, an eighth
// of a turn late, is 3 dB above its samples.
func TestTruePeak(t *testing.T) {
	pcm := make([]float32, 16000)
	for i := range pcm {
		pcm[i] = float32(0.9 * math.Sin(2*math.Pi*(float64(i)/4+1.0/8)))
	}
	m := acoustic.New(acoustic.Defaults())
	m.Push(pcm)
	near(t, "true peak", m.Now().TruePeak, 20*math.Log10(0.9), 0.3)
	m = acoustic.New(acoustic.Defaults())
	m.Push(sounds.Gain(sounds.Sine(997, 1), -6))
	near(t, "true peak of 997 Hz", m.Now().TruePeak, -6, 0.1)
}

func TestCrossings(t *testing.T) {
	m := acoustic.New(acoustic.Defaults())
	m.Push(sounds.Sine(1000, 1)) // it passes through samples that are exactly 0
	near(t, "crossings", m.Now().Crossings, 2*1000.0/16000, 0.005)
}

func TestSpectrum(t *testing.T) {
	for _, c := range []struct {
		name     string
		pcm      []float32
		flat     [2]float64
		tonal    [2]float64
		centroid [2]float64
	}{
		{"white noise", sounds.Noise(sounds.Rand(1), 1, 0), [2]float64{0.45, 0.65}, [2]float64{0, 0.1}, [2]float64{3300, 4700}},
		{"pink noise", sounds.Noise(sounds.Rand(1), 1, -3), [2]float64{0.35, 0.65}, [2]float64{0, 0.6}, [2]float64{60, 3000}},
		{"tone", sounds.Sine(1234, 1), [2]float64{0, 0.02}, [2]float64{0.99, 1}, [2]float64{1220, 1250}},
		{"silence", sounds.Silence(1), [2]float64{0, 0}, [2]float64{0, 0}, [2]float64{0, 0}},
	} {
		m := acoustic.New(acoustic.Defaults())
		m.Push(c.pcm)
		l := m.Now()
		for what, v := range map[string][3]float64{"flatness": {l.Flatness, c.flat[0], c.flat[1]}, "tonality": {l.Tonality, c.tonal[0], c.tonal[1]}, "centroid": {l.Centroid, c.centroid[0], c.centroid[1]}} {
			if v[0] < v[1] || v[0] > v[2] {
				t.Errorf("%s: %s = %.3f, want %v to %v", c.name, what, v[0], v[1], v[2])
			}
		}
	}
}

func TestNothingAllocated(t *testing.T) {
	m := acoustic.New(acoustic.Defaults())
	pcm := sounds.Babble(sounds.Rand(3), sounds.NewVoice(sounds.Rand(3)), 4)
	at := 0
	n := testing.AllocsPerRun(150, func() {
		m.Push(pcm[at : at+320])
		m.Speech(int64(at/16), 0.9)
		at += 320
	})
	if n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestBrokenSamples: what a decoder makes of broken input must not stay in the filters.
func TestBrokenSamples(t *testing.T) {
	m := acoustic.New(acoustic.Defaults())
	nan := float32(math.NaN())
	m.Push([]float32{nan, float32(math.Inf(1)), -1e30, nan})
	m.Push(sounds.Sine(997, 5))
	near(t, "short-term", m.Now().ShortTerm, -3.01, 0.1)
}

// BenchmarkStep is 20 ms of somebody who speaks. cpu-us/step is right on a busy machine too.
func BenchmarkStep(b *testing.B) {
	pcm := sounds.Babble(sounds.Rand(3), sounds.NewVoice(sounds.Rand(3)), 35)
	m := acoustic.New(acoustic.Defaults())
	m.Push(pcm) // a second half minute has a first to look back on
	b.ReportAllocs()
	before := usedCPU(b)
	at, n := 0, 0
	for b.Loop() {
		m.Push(pcm[at : at+320])
		if at += 320; at+320 > len(pcm) {
			at = 0
		}
		n++
	}
	b.ReportMetric(float64((usedCPU(b)-before).Nanoseconds())/1000/float64(n), "cpu-us/step")
}

func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
