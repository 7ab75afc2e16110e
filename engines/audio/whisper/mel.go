package whisper

import (
	"math"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/audio/fft"
)

// The frames of Whisper: 25 ms each 10 ms at 16 kHz.
const (
	frame = 400
	hop   = 160
	bins  = frame/2 + 1
)

// mel turns sound into the logarithms of its power in bands of the mel scale, as
// Whisper's log_mel_spectrogram does. Safe for concurrent use.
type mel struct {
	bands  []band
	window [frame]float32
	fft    *fft.Mixed
}

// band is a triangle over bins from first on.
type band struct {
	first   int
	weights []float32
}

var mels sync.Map // by number of bands

// melOf is the one for n bands.
func melOf(n int) *mel {
	if have, ok := mels.Load(n); ok {
		if m, ok := have.(*mel); ok {
			return m
		}
	}
	m := &mel{bands: bandsOf(n), fft: fft.NewMixed(frame)}
	for i := range m.window { // Hann, periodic
		m.window[i] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/frame))
	}
	mels.Store(n, m)
	return m
}

// bandsOf are n triangles of equal area from 0 to 8 kHz, on the scale of Slaney's
// Auditory Toolbox (1998): linear to 1 kHz, logarithmic above.
func bandsOf(n int) []band {
	const (
		top    = 8000
		linear = 200.0 / 3
		knee   = 1000
	)
	step := math.Log(6.4) / 27
	toMel := func(hz float64) float64 {
		if hz < knee {
			return hz / linear
		}
		return knee/linear + math.Log(hz/knee)/step
	}
	toHz := func(m float64) float64 {
		if m < knee/linear {
			return m * linear
		}
		return knee * math.Exp(step*(m-knee/linear))
	}
	edges := make([]float64, n+2)
	for i := range edges {
		edges[i] = toHz(toMel(top) * float64(i) / float64(n+1))
	}
	out := make([]band, n)
	for i := range out {
		lo, mid, hi := edges[i], edges[i+1], edges[i+2]
		for k := range bins {
			hz := float64(k) * top / (bins - 1)
			w := min((hz-lo)/(mid-lo), (hi-hz)/(hi-mid))
			if w <= 0 {
				continue
			}
			if out[i].weights == nil {
				out[i].first = k
			}
			out[i].weights = append(out[i].weights, float32(w*2/(hi-lo)))
		}
	}
	return out
}

// of is the frames of sound, [bands, n], n even: what does not fill two is padded. What
// lies beyond the sound is its mirror image at the start, as Whisper has it, and
// silence at the end, tail samples of it.
func (m *mel) of(pcm []float32, tail int) (out []float32, n int) {
	n = max(2, (len(pcm)+tail+2*hop-1)/(2*hop)*2)
	out = make([]float32, len(m.bands)*n)
	in, spectrum := make([]complex64, frame), make([]complex64, frame)
	var power [2][bins]float32
	largest := float32(-10)
	silent := float32(math.Log10(1e-10))
	for i := 0; i < n; i += 2 {
		if i*hop-frame/2 >= len(pcm) && i > 0 { // all of both lies behind the sound
			for j := range m.bands {
				out[j*n+i], out[j*n+i+1] = silent, silent
			}
			continue
		}
		for k := range frame { // two frames are one transform: the one real, the other imaginary
			in[k] = complex(m.window[k]*at(pcm, i*hop+k-frame/2), m.window[k]*at(pcm, (i+1)*hop+k-frame/2))
		}
		m.fft.Of(spectrum, in)
		fft.TwoReal(power[0][:], power[1][:], spectrum)
		for j := range m.bands {
			for r := range power {
				v := m.bands[j].log(&power[r])
				out[j*n+i+r] = v
				largest = max(largest, v)
			}
		}
	}
	for i, v := range out {
		out[i] = (max(v, largest-8) + 4) / 4
	}
	return out, n
}

func (b *band) log(power *[bins]float32) float32 {
	sum := float32(0)
	for k, w := range b.weights {
		sum += w * power[b.first+k]
	}
	return float32(math.Log10(max(1e-10, float64(sum))))
}

// at is a sample, mirrored before the start and silent after the end.
func at(pcm []float32, i int) float32 {
	if i < 0 {
		i = -i
	}
	if i >= len(pcm) {
		return 0
	}
	return pcm[i]
}
