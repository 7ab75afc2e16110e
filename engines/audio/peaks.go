package audio

import "github.com/portcullis-gg/portcullis/engines"

// peaks gathers the waveform of a sound whose length nobody knows: the largest
// amplitude of each tenth of a second, 9000 of them in a quarter of an hour.
type peaks struct {
	all []float32
	n   int // samples in the last one
}

func (p *peaks) add(pcm []float32) {
	const each = engines.SoundRate / 10
	for _, v := range pcm {
		if p.n%each == 0 {
			p.all, p.n = append(p.all, 0), 0
		}
		p.n++
		last := &p.all[len(p.all)-1]
		*last = max(*last, v, -v)
	}
}

// shown is the waveform in at most n equal parts, 0 to 255.
func (p *peaks) shown(n int) []byte {
	n = min(n, len(p.all))
	out := make([]byte, n)
	for i := range out {
		for _, v := range p.all[i*len(p.all)/n : (i+1)*len(p.all)/n] {
			out[i] = max(out[i], byte(255*min(1, v)))
		}
	}
	return out
}
