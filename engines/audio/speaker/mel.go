package speaker

import (
	"math"
	"sync"
)

// The features that the network was trained on: power in 40 bands of Slaney's mel scale,
// not its logarithm, of 25 ms each 10 ms (librosa.feature.melspectrogram with its
// defaults).
const (
	rate    = 16000
	window  = 400
	hop     = 160
	dftBins = window/2 + 1
	mels    = 40
)

// tables are what all share.
type tables struct {
	hann     [window]float32
	cos, sin [dftBins][window / 2]float32
	bank     [mels][dftBins]float32
	from, to [mels]int // bins that a band has
}

var shared = sync.OnceValue(func() *tables {
	t := &tables{}
	for i := range t.hann {
		t.hann[i] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/window))
	}
	for k := range dftBins {
		for n := range window / 2 {
			s, c := math.Sincos(2 * math.Pi * float64(k*n%window) / window)
			t.cos[k][n], t.sin[k][n] = float32(c), float32(s)
		}
	}
	t.mel()
	return t
})

// mel makes the bank: triangles of equal area.
func (t *tables) mel() {
	var edge [mels + 2]float64
	top := hzToMel(rate / 2)
	for i := range edge {
		edge[i] = melToHz(top * float64(i) / (mels + 1))
	}
	for m := range mels {
		t.from[m] = dftBins
		for k := range dftBins {
			hz := float64(k) * rate / window
			v := min((hz-edge[m])/(edge[m+1]-edge[m]), (edge[m+2]-hz)/(edge[m+2]-edge[m+1]))
			if v <= 0 {
				continue
			}
			t.bank[m][k] = float32(v * 2 / (edge[m+2] - edge[m]))
			t.from[m], t.to[m] = min(t.from[m], k), k+1
		}
	}
}

// Slaney's scale: even to 1 kHz, logarithmic above.
func hzToMel(hz float64) float64 {
	if hz < 1000 {
		return hz * 3 / 200
	}
	return 15 + 27*math.Log(hz/1000)/math.Log(6.4)
}

func melToHz(mel float64) float64 {
	if mel < 15 {
		return mel * 200 / 3
	}
	return 1000 * math.Exp((mel-15)/27*math.Log(6.4))
}

// features gives rows of mels, one each hop, the first centred on the first sample.
func features(pcm []float32) []float32 {
	t := shared()
	rows := 1 + len(pcm)/hop
	out := make([]float32, rows*mels)
	var x [window]float32
	var power [dftBins]float32
	for r := range rows {
		first := r*hop - window/2
		for i := range x {
			x[i] = 0
			if at := first + i; at >= 0 && at < len(pcm) {
				x[i] = pcm[at] * t.hann[i]
			}
		}
		t.power(&x, &power)
		row := out[r*mels : (r+1)*mels]
		for m := range row {
			sum := float32(0)
			for k := t.from[m]; k < t.to[m]; k++ {
				sum += t.bank[m][k] * power[k]
			}
			row[m] = sum
		}
	}
	return out
}

// power is the power spectrum of 400 samples, by definition: the second half folded
// onto the first, it takes a tenth of what the network does.
func (t *tables) power(x *[window]float32, power *[dftBins]float32) {
	const half = window / 2
	var even, odd [half]float32
	even[0] = x[0]
	for n := 1; n < half; n++ {
		even[n], odd[n] = x[n]+x[window-n], x[n]-x[window-n]
	}
	for k := range power {
		re, im := x[half], float32(0)
		if k%2 == 1 {
			re = -re
		}
		c, s := &t.cos[k], &t.sin[k]
		for n := range half {
			re += even[n] * c[n]
			im += odd[n] * s[n]
		}
		power[k] = re*re + im*im
	}
}
