package acoustic

import (
	"math"
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
// takes to find the same sound again, and not to hear it.
type Print struct {
	// bits has the fingerprint of a step in its low bits, and loud where the step is
	// worth comparing.
	bits [printRing]uint32
	// sure has the bits that a little noise or half a step's shift does not turn.
	sure  [printRing]uint32
	heard int64 // steps in all
}

// printer makes fingerprints.
type printer struct {
	Print
	bands [back + 1][printBits + 1]float32 // of the last steps, smoothed
	raw   [2][printBits + 1]float32
	top   float32 // the largest power lately
	// twins are the steps in which the last two of one recording ended, 0 for none.
	twins [2]int64
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
	var word, sure uint32
	for b := range printBits {
		word, sure = word<<1, sure<<1
		grew := now[b] - now[b+1] - then[b] + then[b+1]
		if grew > 0 {
			word |= 1
		}
		if max(grew, -grew) > certain*(now[b]+now[b+1]+then[b]+then[b+1]) {
			sure |= 1
		}
	}
	f.top = max(f.top*0.9995, power) // falls by 20 dB in 3 minutes
	if power > 1e-5 && power > f.top*3e-4 {
		word |= loud
	}
	f.bits[f.heard&(printRing-1)], f.sure[f.heard&(printRing-1)] = word, sure
	f.heard++
}

// silence notes a step in which there is nothing.
func (f *printer) silence() {
	f.bands[f.heard%(back+1)] = [printBits + 1]float32{}
	f.raw = [2][printBits + 1]float32{}
	f.bits[f.heard&(printRing-1)], f.sure[f.heard&(printRing-1)] = 0, 0
	f.heard++
}

// loud is the bit of a step that is worth comparing.
const loud = 1 << printBits

// since is the fingerprint of the step that lies n before the last, and its sure bits.
func (p *Print) since(n int64) (word, sure uint32) {
	at := (p.heard - 1 - n) & (printRing - 1)
	return p.bits[at], p.sure[at]
}

// known is how many steps can be looked back on.
func (p *Print) known() int64 { return min(p.heard, printSteps) }
