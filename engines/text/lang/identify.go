package lang

import (
	"math"
	"sync"
)

// Guess is a language and how probable it is, 0 to 1.
type Guess struct {
	Tag Tag
	P   float32
}

// Result is what a message was found to be.
type Result struct {
	// Top are the most probable languages, best first; those under one in a hundred
	// are left out as None.
	Top [4]Guess
	// Second is a language that a clear part of the words is in beside Top[0]; None
	// in most messages. Share is that part, 0 to 1.
	Second Tag
	Share  float32
	// Letters counts what the result rests on: with none, nothing but the hint.
	Letters int
}

// Best returns the most probable language; None for a message without letters.
func (r *Result) Best() Tag { return r.Top[0].Tag }

// P returns how probable it is that the message, or a clear part of it, is in t or
// its kin: a list of Croatian words is right for Serbian.
func (r *Result) P(t Tag) float32 {
	if t == None {
		return 0
	}
	var p float32
	for _, g := range r.Top {
		if Kin(g.Tag, t) {
			p += g.P
		}
	}
	if Kin(r.Second, t) {
		p = max(p, 0.5)
	}
	return min(p, 1)
}

// What evidence weighs, in 1/Scale of a nat.
const (
	letterWeight = 2 * Scale     // a letter of a deciding script
	letterMost   = 12 * Scale    // all of them, where Latin words stand beside
	hintWeight   = 5 * Scale / 2 // the hint, for its language
	kinWeight    = 3 * Scale / 2 // and for its kin
)

var readers = sync.Pool{New: func() any { return new(reader) }}

// Identify says in which language s is. The hint is a language that the caller
// believes, None when it knows nothing. Time is linear in the first 320 code points,
// which are all that is read; it does not allocate.
func Identify(s string, hint Tag) Result {
	d, ok := readers.Get().(*reader)
	if !ok {
		d = new(reader)
	}
	d.read(s)
	res := d.identify(loaded(), hint)
	readers.Put(d)
	return res
}

// identify weighs what was read.
func (d *reader) identify(t *table, hint Tag) Result {
	score := t.prior
	for _, f := range d.features[:d.n] {
		b := &t.buckets[f.bucket&(Buckets-1)]
		for k := range Slots {
			score[b.tags[k]] += int32(b.weights[k])
		}
	}
	if d.spoken > 0 {
		d.scripts(&score)
	}
	d.weighForms(&score)
	res := Result{Letters: d.letters}
	if d.letters == 0 && hint == None {
		return res
	}
	if hint != None {
		for i := range count {
			if Tag(i) == hint {
				score[i] += hintWeight
			} else if Kin(Tag(i), hint) {
				score[i] += kinWeight
			}
		}
	}
	rivals := res.rank(&score, t.heat)
	d.second(t, &rivals, &res)
	return res
}

// scripts adds what letters of deciding scripts say.
func (d *reader) scripts(score *[256]int32) {
	for tag, n := range d.script {
		if n == 0 {
			continue
		}
		w := int32(n) * letterWeight
		// One の is no Japanese; Chinese borrows it.
		if Tag(tag) == tagJa && n == 1 && d.letters > 3 {
			w /= 2
		}
		if Tag(tag) != tagJa && d.letters > 2*int(n) {
			w = min(w, letterMost)
		}
		score[tag] += w
	}
}

// rivalled is how many languages are looked at in more than the sum.
const rivalled = len(Result{}.Top)

// rank fills Top with the best scores as probabilities, and returns their languages,
// the improbable too.
func (r *Result) rank(score *[256]int32, heat float32) (rivals [rivalled]Tag) {
	var best [len(r.Top)]int32
	for i := range best {
		best[i] = math.MinInt32
	}
	last := len(best) - 1
	for i := 1; i < count; i++ {
		s := score[i]
		if s <= best[last] {
			continue
		}
		k := last
		for k > 0 && best[k-1] < s {
			best[k], r.Top[k].Tag = best[k-1], r.Top[k-1].Tag
			k--
		}
		best[k], r.Top[k].Tag = s, Tag(i)
	}
	sum := float32(0)
	for k, s := range best {
		e := float32(math.Exp(float64(float32(s-best[0]) / (Scale * heat))))
		r.Top[k].P = e
		sum += e
	}
	// What is not among the best shares in the doubt: as much as the last of them, thrice.
	sum += 3 * r.Top[last].P
	for k := range r.Top {
		rivals[k] = r.Top[k].Tag
		if r.Top[k].P /= sum; r.Top[k].P < 0.01 {
			r.Top[k] = Guess{}
		}
	}
	return rivals
}

// A second language has at least this part of the letters.
const clearShare = 0.25

// second looks for words that are in another language than the best: each word votes
// for the runner-up whose n-grams it has more of, by far.
func (d *reader) second(t *table, rivals *[rivalled]Tag, res *Result) {
	if d.spoken > 0 {
		d.secondScript(res)
		if res.Second != None {
			return
		}
	}
	if d.words <= 3 {
		return
	}
	votes := d.tally(t, rivals)
	top := 0
	for k := range votes {
		if votes[k] > votes[top] {
			top = k
		}
	}
	if share := float32(votes[top]) / float32(d.n); top > 1 && share >= clearShare {
		res.Second, res.Share = rivals[top-1], share
	}
}

// tally counts the n-grams of the words that vote for each rival.
func (d *reader) tally(t *table, rivals *[rivalled]Tag) (votes [rivalled + 1]int) {
	var place [256]uint8
	for i, tag := range rivals {
		place[tag] = uint8(i + 1)
	}
	place[None] = 0
	for from := 0; from < d.n; {
		var score [rivalled + 1]int32
		at := from
		for ; at < d.n && d.features[at].word == d.features[from].word; at++ {
			b := &t.buckets[d.features[at].bucket&(Buckets-1)]
			for k := range Slots {
				score[int(place[b.tags[k]])%(rivalled+1)] += int32(b.weights[k])
			}
		}
		if k := d.vote(rivals, &score); k > 0 {
			votes[k] += at - from
		}
		from = at
	}
	return votes
}

// vote returns which rival of the best language a word speaks for, 0 when none.
func (d *reader) vote(rivals *[rivalled]Tag, score *[rivalled + 1]int32) int {
	top := 1
	for k := 2; k < len(score); k++ {
		if score[k] > score[top] {
			top = k
		}
	}
	if top > 1 && score[top] > score[1]+3*Scale && !Kin(rivals[top-1], rivals[0]) {
		return top
	}
	return 0
}

// secondScript sees a second script that decides, or n-grams beside one that does.
func (d *reader) secondScript(res *Result) {
	best := res.Top[0].Tag
	most := Tag(0)
	for i, n := range d.script {
		if n > d.script[most] && Tag(i) != best {
			most = Tag(i)
		}
	}
	if share := float32(d.script[most]) / float32(d.letters); most != None && share >= clearShare {
		res.Second, res.Share = most, share
	}
}
