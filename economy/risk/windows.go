package risk

import (
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
)

// The windows of a player: what came and went in an hour, a day, a week and 30 days,
// by the game's own word for where from or where to. A span has two counters aligned
// to the clock, for the span that the newest entry is in and for the one before; what
// slides between them is an estimate, as rate limiters make it.

// course is which way a flow goes.
type course int32

const (
	wayEarned course = iota // by play: earn, acquire
	wayGiven                // grants, purchases, what others hand over
	wayGone
	courses
)

// maxFlows is how many flows of a player have windows of their own, and restFlow the
// source of what all others of the same currency and way add up to.
const (
	maxFlows = 6
	restFlow = 0
)

// spanHours are the spans in hours.
var spanHours = [economy.Spans]int32{economy.Hour: 1, economy.Day: 24, economy.Week: 7 * 24, economy.Month: 30 * 24}

// flow is the windows of one player, source, currency and way: one cache line.
type flow struct {
	next   int32                      // of the same player, by number + 1
	source uint32                     // see wordOf
	what   uint32                     // the currency's; itemsWord: pieces of items
	when   int32                      // hour of the newest entry, since 1970, and the way
	sum    [2 * economy.Spans]float32 // by span: this one, the one before
	n      [2 * economy.Spans]uint16
}

// flowKey tells flows of a player apart.
type flowKey struct {
	source, what uint32
	course       course
}

func (f *flow) key() flowKey { return flowKey{f.source, f.what, course(f.when & 3)} }
func (f *flow) hour() int32  { return f.when >> 2 }

// wordOf is what a word of the game goes by in flows, the same in every process.
func wordOf(s string) uint32 { return max(restFlow+1, uint32(swift(s)>>32)) }

// itemsWord stands for items among currencies.
const itemsWord = 0

// hourOf is the hour of a time, within what a flow holds.
func hourOf(at int64) int32 { return int32(min(max(0, floorDiv(at, hour)), 1<<28)) }

// turn brings the windows to an hour. An earlier one leaves them as they are.
func (f *flow) turn(h int32) {
	was := f.hour()
	if h <= was {
		return
	}
	f.when = h<<2 | f.when&3
	for i, l := range spanHours {
		switch h/l - was/l {
		case 0:
			continue
		case 1:
			f.sum[2*i+1], f.n[2*i+1] = f.sum[2*i], f.n[2*i]
		default:
			f.sum[2*i+1], f.n[2*i+1] = 0, 0
		}
		f.sum[2*i], f.n[2*i] = 0, 0
	}
}

// add counts an entry. What is older than both counters of a span leaves no trace in
// it, whether it comes before or after the newest.
func (f *flow) add(h int32, amount float32) {
	if h == f.hour() { // nearly always
		for i := 0; i < len(f.sum); i += 2 {
			f.put(i, amount, 1)
		}
		return
	}
	f.turn(h)
	for i, l := range spanHours {
		if age := f.hour()/l - h/l; age <= 1 {
			f.put(2*i+int(age), amount, 1)
		}
	}
}

func (f *flow) put(i int, amount float32, n uint16) {
	f.sum[i] += amount
	f.n[i] = uint16(min(65535, uint32(f.n[i])+uint32(n)))
}

// merge adds the windows of another: the same as if its entries had been counted here.
func (f *flow) merge(g flow) {
	f.turn(g.hour())
	g.turn(f.hour())
	for i := range f.sum {
		f.put(i, g.sum[i], g.n[i])
	}
}

// window is what a span held at a time, as far as the counters tell: all of this one,
// and of the one before the part that is still within the span.
func (f *flow) window(i economy.Span, at int64) (sum float64, n int) {
	l := spanHours[i]
	k, length := hourOf(at)/l-f.hour()/l, int64(l)*hour
	left := 1 - float64(max(at, 0)%length)/float64(length)
	now, before := 2*int(i), 2*int(i)+1
	switch {
	case k <= 0:
		return float64(f.sum[now]) + left*float64(f.sum[before]), int(f.n[now]) + int(left*float64(f.n[before])+.5)
	case k == 1:
		return left * float64(f.sum[now]), int(left*float64(f.n[now]) + .5)
	default:
		return 0, 0
	}
}

// keeps is the order in which flows are kept, a function of themselves alone: who
// comes first does not matter. Income goes before what others give, that before what
// went; among them the words' hashes decide.
func (k flowKey) keeps(l flowKey) bool {
	if k.course != l.course {
		return k.course < l.course
	}
	if x, y := mix(uint64(k.source)<<32|uint64(k.what)), mix(uint64(l.source)<<32|uint64(l.what)); x != y {
		return x < y
	}
	return false
}

// flowOf counts an entry to the windows of a player: to a flow of its own, for which
// another may have to go, or to the rest.
func (b *Book) flowOf(pl *player, e *economy.Entry, source, what uint32, c course) {
	k, h := flowKey{source, what, c}, hourOf(e.At)
	n, last, rest := 0, int32(0), int32(0)
	for i, prev := pl.flow, (*flow)(nil); i != 0; {
		f := b.flows.at(i - 1)
		switch x := f.key(); {
		case x == k:
			if prev != nil { // what comes often is found soon
				prev.next, f.next, pl.flow = f.next, pl.flow, i
			}
			f.add(h, float32(e.Amount))
			return
		case x.source != restFlow:
			if n++; last == 0 || b.flows.at(last-1).key().keeps(x) {
				last = i
			}
		case x.what == what && x.course == c:
			rest = i
		}
		i, prev = f.next, f
	}
	switch {
	case n < maxFlows:
		b.words.learn(source, e.Source)
	case k.keeps(b.flows.at(last - 1).key()):
		b.words.learn(source, e.Source)
		b.retire(pl, last)
	case rest != 0:
		b.flows.at(rest-1).add(h, float32(e.Amount))
		return
	default:
		k.source = restFlow
	}
	b.newFlow(pl, k, h).add(h, float32(e.Amount))
}

// retire makes a flow part of the rest.
func (b *Book) retire(pl *player, n int32) {
	out := b.flows.at(n - 1)
	k := out.key()
	b.earner(k, -1)
	rest := flowKey{restFlow, k.what, k.course}
	at := &pl.flow
	for i := pl.flow; i != 0; {
		f := b.flows.at(i - 1)
		if f.key() == rest {
			f.merge(*out)
			// Its place is free for the next: take it out of the list.
			for *at != n {
				at = &b.flows.at(*at - 1).next
			}
			*at = out.next
			b.flows.drop(n - 1)
			return
		}
		i = f.next
	}
	out.source = restFlow
}

func (b *Book) newFlow(pl *player, k flowKey, h int32) *flow {
	n := b.flows.add()
	f := b.flows.at(n)
	*f = flow{next: pl.flow, source: k.source, what: k.what, when: h<<2 | int32(k.course)}
	pl.flow = n + 1
	b.earner(k, +1)
	return f
}

// earner counts the players with windows for a flow, of those that are earned.
func (b *Book) earner(k flowKey, n int32) {
	if k.course != wayEarned || k.source == restFlow {
		return
	}
	if b.earners[k] += n; b.earners[k] == 0 {
		delete(b.earners, k)
	}
}

// words are the names behind flows' words.
type words map[uint32]string

func (w words) learn(word uint32, name string) {
	if _, ok := w[word]; !ok {
		w[word] = strings.Clone(name) // it may be a part of all that came with it
	}
}
