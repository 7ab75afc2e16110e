package acoustic

import (
	"math"
	"math/bits"
	"sync"
)

// The fingerprint of a step is 24 bits: whether the difference in energy of two
// neighbouring bands grew (Haitsma and Kalker, "A Highly Robust Audio Fingerprinting
// System", ISMIR 2002). It does not change with the level, and little when something
// else is heard besides.
const (
	printBits  = 24
	printMS    = 30_000
	printSteps = printMS / stepMS
	printRing  = 2048 // of which printSteps are looked at; a power of two
	lowestHz   = 300
	highestHz  = 6400
	// back is how many steps lie between the energies that are compared.
	back = 3
)

// edges are the bins between the bands.
var edges = sync.OnceValue(func() (e [printBits + 2]int) {
	for i := range e {
		hz := lowestHz * math.Pow(float64(highestHz)/lowestHz, float64(i)/float64(len(e)-1))
		e[i] = int(math.Round(hz / binHz))
		if i > 0 {
			e[i] = max(e[i], e[i-1]+1)
		}
	}
	return e
})

// Print is the fingerprint of what a Meter has heard lately, in steps of 20 ms: what it
// takes to find the same sound elsewhere, and not to hear it.
type Print struct {
	// bits has the fingerprint of a step in its low bits, and loud where the step is
	// worth comparing.
	bits  [printRing]uint32
	heard int64 // steps in all
}

// printer makes fingerprints.
type printer struct {
	Print
	bands [back + 1][printBits + 1]float32 // of the last steps, smoothed
	raw   [2][printBits + 1]float32
	top   float32 // the largest power lately
}

// add takes the power spectrum of a step.
func (f *printer) add(p []float32, power float32) {
	e := edges()
	now := &f.bands[f.heard%(back+1)]
	then := &f.bands[(f.heard+1)%(back+1)]
	for b := range now {
		sum := float32(0)
		for k := e[b]; k < e[b+1]; k++ {
			sum += p[k]
		}
		// Over three steps, or half a step's shift would change too much.
		now[b] = sum + 2*f.raw[0][b] + f.raw[1][b]
		f.raw[1][b], f.raw[0][b] = f.raw[0][b], sum
	}
	var word uint32
	for b := range printBits {
		word <<= 1
		if now[b]-now[b+1] > then[b]-then[b+1] {
			word |= 1
		}
	}
	f.top = max(f.top*0.9995, power) // falls by 20 dB in 3 minutes
	if power > 1e-5 && power > f.top*3e-4 {
		word |= loud
	}
	f.bits[f.heard&(printRing-1)] = word
	f.heard++
}

// silence notes a step in which there is nothing.
func (f *printer) silence() {
	f.bands[f.heard%(back+1)] = [printBits + 1]float32{}
	f.raw = [2][printBits + 1]float32{}
	f.bits[f.heard&(printRing-1)] = 0
	f.heard++
}

// loud is the bit of a step that is worth comparing.
const loud = 1 << printBits

// since is the fingerprint of the step that lies n before the last.
func (p *Print) since(n int64) uint32 { return p.bits[(p.heard-1-n)&(printRing-1)] }

// known is how many steps can be looked back on.
func (p *Print) known() int64 { return min(p.heard, printSteps) }

const (
	// sample is how many steps make a sound that can be known again: 400 ms.
	sample = 20
	// enough of them must be loud.
	enough = 10
	// apart is how many steps lie between two of the same sound at least.
	apart = 20
	// peaky is by how much of the bits a place must be better than those 5 steps beside
	// it: what always sounds the same is no sound again.
	peaky = 0.05
)

// template is the sound of 400 ms.
type template struct {
	bits [sample]uint32 // of its loud steps
	back [sample]int64  // and how far back each lies
	n    int
}

// last is the sound of the last 400 ms; ok is whether it is one.
func (p *Print) last() (t template, ok bool) {
	for i := range int64(sample) {
		if x := p.since(i); x&loud != 0 {
			t.bits[t.n], t.back[t.n] = x, i
			t.n++
		}
	}
	return t, t.n >= enough
}

// differ is the share of bits in which a sound differs from what was heard n steps
// before it.
func (p *Print) differ(t *template, n int64) float64 {
	wrong := 0
	for i := range t.n {
		y := p.since(n + t.back[i])
		if y&loud == 0 {
			wrong += printBits / 2
		} else {
			wrong += bits.OnesCount32(t.bits[i] ^ y)
		}
		if i == 5 && wrong > 6*printBits*42/100 {
			return 0.5 // not worth the rest
		}
	}
	return float64(wrong) / float64(t.n*printBits)
}

// repeats is how often the sound of the last 400 ms was heard within a time,
// itself included, and in which step first.
func (p *Print) repeats(cfg *Soundboard) (n int, first int64) {
	n, first = 1, p.heard-sample
	t, ok := p.last()
	if !ok {
		return n, first
	}
	most := min(p.known(), cfg.Within/stepMS) - sample - 5
	for at := int64(apart + 5); at < most; at++ {
		d := p.differ(&t, at)
		if d > cfg.Differ {
			continue
		}
		// The best place nearby is it.
		for at+1 < most {
			next := p.differ(&t, at+1)
			if next >= d {
				break
			}
			d = next
			at++
		}
		if min(p.differ(&t, at-5), p.differ(&t, at+5)) < d+peaky {
			continue
		}
		n++
		first = p.heard - at - sample
		at += apart
	}
	return n, first
}
