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
	bits  [printSteps]uint32
	loud  [printSteps]bool // worth comparing
	heard int64            // steps in all; the last is at (heard-1) % printSteps
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
	at := f.heard % printSteps
	f.bits[at] = word
	f.loud[at] = power > 1e-5 && power > f.top*3e-4
	f.heard++
}

// silence notes a step in which there is nothing.
func (f *printer) silence() {
	f.bands[f.heard%(back+1)] = [printBits + 1]float32{}
	f.raw = [2][printBits + 1]float32{}
	at := f.heard % printSteps
	f.bits[at], f.loud[at] = 0, false
	f.heard++
}

// since is the step that lies n before the last.
func (p *Print) since(n int64) int { return int((p.heard - 1 - n) % printSteps) }

// known is how many steps can be looked back on.
func (p *Print) known() int64 { return min(p.heard, printSteps) }

const (
	// sample is how many steps make a sound that can be known again: half a second.
	sample = 25
	// enough of them must be loud.
	enough = 13
	// apart is how many steps lie between two of the same sound at least.
	apart = 20
	// peaky is by how much of the bits a place must be better than those 5 steps beside
	// it: what always sounds the same is no sound again.
	peaky = 0.08
)

// differ is the share of bits in which the last half second, and that before step n,
// differ; 1 where either is mostly silence.
func differ(a, b *Print, skip, n int64) float64 {
	var wrong, of int
	for i := int64(0); i < sample; i++ {
		x, y := a.since(skip+i), b.since(n+i)
		if !a.loud[x] {
			continue
		}
		of++
		if b.loud[y] {
			wrong += bits.OnesCount32(a.bits[x] ^ b.bits[y])
		} else {
			wrong += printBits / 2
		}
		if of == 6 && wrong > 6*printBits*45/100 {
			return 0.5 // not worth the rest
		}
	}
	if of < enough {
		return 1
	}
	return float64(wrong) / float64(of*printBits)
}

// repeats is how often the sound of the last half second was heard within a time,
// itself included, when first, and the mean share of bits that differ.
func (p *Print) repeats(cfg *Soundboard) (n int, first int64, off float64) {
	n, first = 1, p.heard-sample
	most := min(p.known(), cfg.Within/stepMS) - sample - 5
	sum := 0.0
	for at := int64(apart + 5); at < most; at++ {
		d := differ(p, p, 0, at)
		if d > cfg.Differ {
			continue
		}
		// The best place nearby is it.
		for d2 := differ(p, p, 0, at+1); d2 < d && at+1 < most; d2 = differ(p, p, 0, at+1) {
			d = d2
			at++
		}
		if min(differ(p, p, 0, at-5), differ(p, p, 0, at+5)) < d+peaky {
			continue
		}
		n++
		sum += d
		first = p.heard - at - sample
		at += apart
	}
	if n > 1 {
		off = sum / float64(n-1)
	}
	return n, first, off
}
