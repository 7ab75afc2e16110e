package speaker

import (
	"math"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/audio/fft"
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
	hann      [window]float32
	transform *fft.Mixed
	bank      [mels][dftBins]float32
	from, to  [mels]int // bins that a band has
}

var shared = sync.OnceValue(func() *tables {
	t := &tables{transform: fft.NewMixed(window)}
	for i := range t.hann {
		t.hann[i] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/window))
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
	in, spectrum := make([]complex64, window), make([]complex64, window)
	var power [2][dftBins]float32
	at := func(i int) float32 {
		if i < 0 || i >= len(pcm) {
			return 0
		}
		return pcm[i]
	}
	for r := 0; r < rows; r += len(power) { // two are one transform
		first := r*hop - window/2
		for i, h := range t.hann {
			in[i] = complex(at(first+i)*h, at(first+hop+i)*h)
		}
		t.transform.Of(spectrum, in)
		fft.TwoReal(power[0][:], power[1][:], spectrum)
		for i := range min(len(power), rows-r) {
			row := out[(r+i)*mels : (r+i+1)*mels]
			for m := range row {
				sum := float32(0)
				for k := t.from[m]; k < t.to[m]; k++ {
					sum += t.bank[m][k] * power[i][k]
				}
				row[m] = sum
			}
		}
	}
	return out
}
