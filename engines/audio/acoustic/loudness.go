package acoustic

import (
	"math"
	"sync"
)

// biquad has the coefficients of a filter of second order, a0 being 1.
type biquad struct{ b0, b1, b2, a1, a2 float64 }

// kWeighting is the filter of ITU-R BS.1770-4, annex 1: a shelf for the head and a
// high-pass. The recommendation has coefficients for 48 kHz only; those for 16 kHz come
// of the analogue filters behind them by the bilinear transform (their parameters are
// those in Brecht De Man, "Evaluation of Implementations of the EBU R128 Loudness
// Measurement", AES 145, 2018).
var kWeighting = sync.OnceValue(func() [2]biquad {
	const f1, gain, q1 = 1681.974450955533, 3.999843853973347, 0.7071752369554196
	const f2, q2 = 38.13547087602444, 0.5003270373238773
	k := math.Tan(math.Pi * f1 / rate)
	vh := math.Pow(10, gain/20)
	vb := math.Pow(vh, 0.4996667741545416)
	a0 := 1 + k/q1 + k*k
	shelf := biquad{(vh + vb*k/q1 + k*k) / a0, 2 * (k*k - vh) / a0, (vh - vb*k/q1 + k*k) / a0, 2 * (k*k - 1) / a0, (1 - k/q1 + k*k) / a0}
	k = math.Tan(math.Pi * f2 / rate)
	a0 = 1 + k/q2 + k*k
	return [2]biquad{shelf, {1, -2, 1, 2 * (k*k - 1) / a0, (1 - k/q2 + k*k) / a0}}
})

// loudness has the momentary and the short-term loudness of what passed.
type loudness struct {
	filter  [2]biquad
	state   [4]float64
	squares [shortSteps]float64 // means of the last steps, K-weighted
	at      int
	sums    [2]float64 // of the last momentarySteps, and of all
}

const (
	momentarySteps = 400 / stepMS
	shortSteps     = 3000 / stepMS
)

// add takes a step.
func (l *loudness) add(pcm []float32) {
	s, h := &l.filter[0], &l.filter[1]
	z0, z1, z2, z3 := l.state[0], l.state[1], l.state[2], l.state[3]
	sum := 0.0
	for _, v := range pcm {
		x := float64(v)
		y := s.b0*x + z0
		z0 = s.b1*x - s.a1*y + z1
		z1 = s.b2*x - s.a2*y
		w := h.b0*y + z2
		z2 = h.b1*y - h.a1*w + z3
		z3 = h.b2*y - h.a2*w
		sum += w * w
	}
	const tiny = 1e-30 // what decays for ever becomes denormal, and slow
	l.state = [4]float64{z0 + tiny, z1, z2 + tiny, z3}
	mean := sum / float64(len(pcm))
	l.sums[0] += mean - l.squares[(l.at+shortSteps-momentarySteps)%shortSteps]
	l.sums[1] += mean - l.squares[l.at]
	l.squares[l.at] = mean
	if l.at++; l.at == shortSteps { // anew, or what is rounded would add up
		l.at, l.sums = 0, [2]float64{}
		for i, v := range l.squares {
			l.sums[1] += v
			if i >= shortSteps-momentarySteps {
				l.sums[0] += v
			}
		}
	}
}

// over is the loudness of the last 400 ms and 3 s, LUFS; silence is -120 or so.
func (l *loudness) over() (momentary, short float64) {
	of := func(sum float64, steps int) float64 { return -0.691 + db(max(sum, 0)/float64(steps)) }
	return of(l.sums[0], momentarySteps), of(l.sums[1], shortSteps)
}

// truePeak finds peaks between samples: ITU-R BS.1770-4, annex 2, with a windowed sinc
// at four times the rate.
type truePeak struct{ tail [peakTaps - 1]float32 }

const (
	peakTaps   = 12
	peakPhases = 4
	// quiet is the level below which nobody asks for what lies between samples.
	quiet = 0.3
)

var peakFilter = sync.OnceValue(func() (rows [peakPhases - 1][peakTaps]float32) {
	for p := range rows {
		for k := range rows[p] {
			t := float64(k) - (peakTaps/2 - 1) - float64(p+1)/peakPhases
			w := math.Cos(math.Pi * t / (peakTaps + 1))
			rows[p][k] = float32(math.Sin(math.Pi*t) / (math.Pi * t) * w * w)
		}
	}
	return rows
})

// of is the true peak of a step whose largest sample is given. Below quiet that sample
// is the answer, as it decides nothing.
func (t *truePeak) of(pcm []float32, sample float32) float32 {
	if sample > quiet {
		rows := peakFilter()
		var joined [peakTaps - 1 + step]float32
		copy(joined[:], t.tail[:])
		copy(joined[peakTaps-1:], pcm)
		for i := range pcm {
			x := joined[i : i+peakTaps]
			// Only beside large samples can there be a larger one.
			if max(x[5], -x[5], x[6], -x[6]) < 0.6*sample {
				continue
			}
			for p := range rows {
				sum := float32(0)
				for k, h := range rows[p] {
					sum += h * x[k]
				}
				sample = max(sample, sum, -sum)
			}
		}
	}
	copy(t.tail[:], pcm[len(pcm)-len(t.tail):])
	return sample
}
