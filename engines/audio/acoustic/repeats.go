package acoustic

import "math/bits"

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
	// twin is what two of the same recording differ by that lie alike to the steps. No
	// two that are said do. Of three two lie alike, or nearly, so once two do, the third may
	// differ by as much as half a step's shift makes of an attack: by besides times
	// Soundboard.Differ, and less than two bangs that are not the same.
	twin        = 0.06
	besides     = 2.25
	mostBesides = 0.27
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

// repeated is where a sound was heard again.
type repeated struct {
	n, first int64 // how often, itself included; in which step first
	alike    int64 // in which step that ended which is its twin, 0 for none
	twins    int   // how many of two that were known are among them
}

// again finds the sound in what was heard within so many steps, where it differs by so
// much at most.
func (p *Print) again(t *template, most int64, differs float64, known *[2]int64) repeated {
	r := repeated{n: 1, first: p.heard - sample}
	least := min(twin, differs)
	for at := int64(apart + 5); at < most; at++ {
		d := p.differ(t, at, differs)
		if d > differs {
			continue
		}
		// The best place nearby is it.
		for at+1 < most {
			next := p.differ(t, at+1, 1)
			if next >= d {
				break
			}
			d = next
			at++
		}
		if min(p.differ(t, at-5, 1), p.differ(t, at+5, 1)) < d+peaky {
			continue
		}
		r.n++
		end := p.heard - at
		r.first = end - sample
		if d <= least {
			least, r.alike = d, end
		}
		for _, k := range known {
			if k > 0 && max(end-k, k-end) <= sample/2 {
				r.twins++
			}
		}
		at += apart
	}
	return r
}

// repeats is how often the sound of the last half second was heard within a time,
// itself included, and in which step first.
func (f *printer) repeats(cfg *Soundboard) (n, first int64) {
	t, ok := f.last()
	if !ok {
		return 1, f.heard - sample
	}
	within := min(f.known(), cfg.Within/stepMS)
	most := within - sample - 5
	r := f.again(&t, most, cfg.Differ*t.lax, &f.twins)
	if r.alike > 0 {
		f.twins = [2]int64{f.heard, r.alike}
	}
	if r.n >= cfg.Repeats || f.heard-f.twins[1] > most || f.twins[1] == 0 {
		return r.n, r.first
	}
	// Where twins are known, one of them being this or not, others may differ by more.
	wide := f.again(&t, most, min(cfg.Differ*besides, mostBesides), &f.twins)
	if wide.n > r.n && (r.alike > 0 || wide.twins == len(f.twins)) {
		return wide.n, wide.first
	}
	return r.n, r.first
}
