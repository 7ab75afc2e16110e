package acoustic

import (
	"math"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/audio/fft"
)

// The transforms of all meters.
var (
	ofFrame    = sync.OnceValue(func() *fft.Transform { return fft.New(fft.Hann(frame)) })
	ofLowFrame = sync.OnceValue(func() *fft.Transform { return fft.New(fft.Hann(lowFrame)) })
)

// fullScaleSine has that of a full-scale sine on a bin sum to 0.5 over the bins that
// Hann's window of n samples spreads it to: the window has a mean square of 3/8, and one
// side of the spectrum has half.
func fullScaleSine(n float32) float32 { return 2 / (n * n * 0.375) }

// log2 is within 0.01 of the binary logarithm of a positive number: what a spectrum
// needs, and a tenth of the time.
func log2(x float32) float32 {
	b := math.Float32bits(x)
	e := float32(int32(b>>23) - 127) //nolint:gosec // eight bits
	m := math.Float32frombits(b&0x7fffff | 0x3f800000)
	return e + (-0.34484843*m+2.02466578)*m - 1.67487759
}

// db is the level of a power in dB, -120 at least.
func db(power float64) float64 { return 10 * math.Log10(power+1e-12) }

// exp2 is the inverse of log2, within a percent.
func exp2(x float32) float32 {
	if x < -126 {
		return 0
	}
	whole := float32(math.Floor(float64(x)))
	part := x - whole
	m := 1 + part*(0.6565+0.3435*part)
	return m * math.Float32frombits(uint32(int32(whole)+127)<<23) //nolint:gosec // x is not below -126
}
