package vad

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines/audio/fft"
	"github.com/portcullis-gg/portcullis/engines/models/silero"
)

// seen is how many numbers the network sees of a frame.
const (
	places = silero.Places
	seen   = places * silero.Taps * silero.Bins
)

// front gives what the network sees: the magnitudes of spectra, each with those beside it.
type front struct{ transform *fft.Transform }

// frontWork is the room that it takes.
type frontWork struct {
	mirrored [silero.Row + silero.Mirror]float32
	work     [silero.Window / 2]complex64
	power    [places][silero.Bins]float32
}

// add appends to dst what is seen of a frame: seen numbers. row has the samples before the
// frame first, silero.Row in all.
func (f *front) add(dst, row []float32, w *frontWork) []float32 {
	copy(w.mirrored[:silero.Row], row)
	for i := range silero.Mirror {
		w.mirrored[silero.Row+i] = row[silero.Row-2-i]
	}
	for p := range w.power {
		bins := &w.power[p]
		f.transform.Power(bins[:], w.mirrored[p*silero.Hop:], w.work[:], 1)
		for k, v := range bins {
			bins[k] = float32(math.Sqrt(float64(v)))
		}
	}
	var none [silero.Bins]float32
	for p := range w.power {
		for tap := range silero.Taps {
			if at := p + tap - 1; at < 0 || at == places {
				dst = append(dst, none[:]...)
			} else {
				dst = append(dst, w.power[at][:]...)
			}
		}
	}
	return dst
}
