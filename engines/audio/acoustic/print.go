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

const (
	// sample is how many steps make a sound that can be known again: half a second.
	sample = 25
	// enoughBits of it must be sure.
	enoughBits = 80
	// certain is by how much of the energy around a bit it must have turned to be sure.
	certain = 0.12
	// enough of them must be loud; of a sound that is all there, silence around it, brief
	// will do: a bang, a click of the tongue. Half a step's shift turns more bits of such
	// a one, most of which is attack: up to shifted times Soundboard.Differ. Two bangs
	// that are not the same differ by 0.29 or more.
	enough  = 12
	brief   = 5
	shifted = 1.3
	around  = 2 // steps of silence
	// apart is how many steps lie between two of the same sound at least.
	apart = 20
	// peaky is by how much of the bits a place must be better than those 5 steps beside
	// it: what always sounds the same is no sound again.
	peaky = 0.05
)

// template is such a sound.
type template struct {
	bits [sample]uint32 // of its loud steps
	sure [sample]uint32
	back [sample]int64 // how far back each lies
	left [sample]int   // how many bits are sure in those behind it
	n    int
	// lax is what of Soundboard.Differ may differ.
	lax float64
}

// last is what was heard last; ok is whether it is a sound that can be known again.
func (p *Print) last() (t template, ok bool) {
	known := 0
	for i := range int64(sample) {
		if x, sure := p.since(i); x&loud != 0 {
			t.bits[t.n], t.sure[t.n], t.back[t.n] = x, sure, i
			known += bits.OnesCount32(sure)
			t.left[t.n] = known
			t.n++
		}
	}
	for i := range t.left[:t.n] {
		t.left[i] = known - t.left[i]
	}
	t.lax = 1
	if t.n < enough {
		t.lax = shifted
	}
	return t, (t.n >= enough || t.n >= brief && t.alone()) && known >= enoughBits
}

// alone reports whether there is silence before and after a sound.
func (t *template) alone() bool { return t.back[0] >= around && t.back[t.n-1] < sample-around }

// differ is the share of the bits that are sure in both in which a sound differs from
// what was heard n steps before it. Where that is more than most at any rate, 1 is as
// good.
func (p *Print) differ(t *template, n int64, most float64) float64 {
	wrong, of, mostOf := 0, 0, int(most*1024)+1
	end, back := p.heard-1-n, t.back[:t.n]
	mine, sures := t.bits[:len(back)], t.sure[:len(back)]
	for i, b := range back {
		at := (end - b) & (printRing - 1)
		y, sure := p.bits[at], sures[i]
		if y&loud == 0 {
			n := bits.OnesCount32(sure)
			of += n
			wrong += n / 2
		} else {
			sure &= p.sure[at]
			of += bits.OnesCount32(sure)
			wrong += bits.OnesCount32((mine[i] ^ y) & sure)
		}
		if i == 2 && wrong*2 > of || i == 5 && of > 15 && wrong*100 > 42*of {
			return 0.5 // not worth the rest
		}
		if i > 5 && wrong<<10 > mostOf*(of+t.left[i]) {
			return 1 // if the rest was all the same
		}
	}
	if of < enoughBits {
		return 0.5
	}
	return float64(wrong) / float64(of)
}

// repeats is how often the sound of the last half second was heard within a time,
// itself included, and in which step first.
func (p *Print) repeats(cfg *Soundboard) (n, first int64) {
	n, first = 1, p.heard-sample
	t, ok := p.last()
	if !ok {
		return n, first
	}
	most := min(p.known(), cfg.Within/stepMS) - sample - 5
	differs := cfg.Differ * t.lax
	for at := int64(apart + 5); at < most; at++ {
		d := p.differ(&t, at, differs)
		if d > differs {
			continue
		}
		// The best place nearby is it.
		for at+1 < most {
			next := p.differ(&t, at+1, 1)
			if next >= d {
				break
			}
			d = next
			at++
		}
		if min(p.differ(&t, at-5, 1), p.differ(&t, at+5, 1)) < d+peaky {
			continue
		}
		n++
		first = p.heard - at - sample
		at += apart
	}
	return n, first
}
