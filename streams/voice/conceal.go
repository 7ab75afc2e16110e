package voice

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// concealMS is how long what was heard last is gone on with where packets were lost,
	// fading; and how far what comes next is led in.
	concealMS = 40
	// kept is how much of what was heard a gap is filled from, in samples: two periods of
	// the lowest voice.
	kept = 2 * slowest
	// quickest and slowest are the periods of voices, in samples: 400 Hz to 55.
	quickest, slowest = engines.SoundRate / 400, engines.SoundRate / 55
)

// mend fills a gap between two stretches of sound: with periods of what was heard before,
// which fade into periods of what came after. Both sides of a gap are known, as nobody
// listens who would have to be given something at once. A longer gap is silent in the
// middle. Either side may be empty.
func mend(gap, before, after []float32) {
	fade := min(len(gap), concealMS*engines.SoundRate/1000)
	clear(gap)
	b := before[max(0, len(before)-kept):]
	if p := period(b, false); p > 0 {
		for i := range fade {
			gap[i] += b[len(b)-p+i%p] * (1 - (float32(i)+0.5)/float32(fade))
		}
	}
	a := after[:min(len(after), kept)]
	if p := period(a, true); p > 0 {
		for i := range fade {
			gap[len(gap)-1-i] += a[p-1-i%p] * (1 - (float32(i)+0.5)/float32(fade))
		}
	}
}

// period is after how many samples the end of a sound is most like itself, or its start;
// all there is of a short one.
func period(pcm []float32, start bool) int {
	if len(pcm) < 2*quickest {
		return len(pcm)
	}
	if start {
		turned := make([]float32, len(pcm))
		for i, v := range pcm {
			turned[len(pcm)-1-i] = v
		}
		pcm = turned
	}
	most := min(slowest, len(pcm)/2)
	n := len(pcm) - most // is compared
	end := pcm[len(pcm)-n:]
	own := energyOf(end)
	best, at := 0.0, most
	for lag := quickest; lag <= most; lag++ {
		was := pcm[len(pcm)-n-lag : len(pcm)-lag]
		dot := 0.0
		for i, v := range end {
			dot += float64(v * was[i])
		}
		if like := dot / math.Sqrt(own*energyOf(was)+1e-12); like > best+0.02 { // of two as good the shorter
			best, at = like, lag
		}
	}
	return at
}

func energyOf(pcm []float32) (sum float64) {
	for _, v := range pcm {
		sum += float64(v * v)
	}
	return sum
}
