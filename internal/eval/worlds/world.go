package worlds

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

const (
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour

	// begin is when a world begins: 2026-01-01, ms UTC.
	begin = 1_767_225_600_000
)

// Config says which world.
type Config struct {
	Seed    uint64
	Players int // legitimate ones, about; at least 100
	Days    int // at least 4
}

// World is a game's economy while it is played.
type World struct {
	cfg   Config
	rng   *rand.Rand
	start int64 // ms
	end   int64

	queue   queue
	seq     int
	daily   []func(day int)
	events  map[int]bool // days on which the game pays ten times as much
	people  []*person
	kinds   map[string][]*person
	humans  []*person // those that the villains find among
	goods   []good
	mats    []int // of goods: stacks
	gear    []int // of goods: individual items
	prices  [][]float64
	board   [][]listing // by good
	out     []delivery
	names   map[string]struct{}
	logs    int
	trades  int
	pieces  int
	lost    int
	Present []string // the kinds of villains and look-alikes that are in it
}

// New makes a world and plays it to its end.
func New(c Config) *World {
	w := &World{
		cfg: c, rng: rand.New(rand.NewPCG(c.Seed, 0x706f7274)), //nolint:gosec // not for secrets: the same world every time
		start: begin, end: begin + int64(c.Days)*day,
		events: map[int]bool{}, kinds: map[string][]*person{}, names: map[string]struct{}{},
	}
	w.open()
	at := w.between(2, c.Days-1)
	w.events[at] = true
	if c.Days > 9 {
		w.events[w.between(1, c.Days)] = true
	}
	w.populate()
	w.mix()
	w.play()
	return w
}

// mix chooses which villains and look-alikes a world has, and how many.
func (w *World) mix() {
	alikes, villains := lookalikes(), villains()
	w.rng.Shuffle(len(alikes), func(i, j int) { alikes[i], alikes[j] = alikes[j], alikes[i] })
	w.rng.Shuffle(len(villains), func(i, j int) { villains[i], villains[j] = villains[j], villains[i] })
	thousands := float64(w.cfg.Players) / 1000
	for _, k := range alikes[:w.between(5, len(alikes))] {
		w.Present = append(w.Present, k.name)
		for range max(1, int(math.Round(k.groups*thousands*w.uniform(.7, 1.3)))) {
			k.make(w)
		}
	}
	for _, k := range villains[:w.between(5, len(villains)+1)] {
		w.Present = append(w.Present, k.name)
		for n := range max(1, int(math.Round(k.groups*thousands*w.uniform(.7, 1.3)))) {
			k.make(w, ring(k.name, n))
		}
	}
}

// play lets all days pass.
func (w *World) play() {
	for d := range w.cfg.Days {
		for _, p := range w.people {
			w.plan(p, d)
		}
		for _, f := range w.daily {
			f(d)
		}
		w.until(w.start + int64(d+1)*day)
	}
}

// event is something that happens at a time.
type event struct {
	at  int64
	seq int
	do  func(at int64)
}

type queue []event

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	if q[i].at != q[j].at {
		return q[i].at < q[j].at
	}
	return q[i].seq < q[j].seq
}
func (q *queue) Push(x any) { *q = append(*q, x.(event)) } //nolint:errcheck,forcetypeassert // heap is given nothing else
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = event{}
	*q = old[:len(old)-1]
	return e
}

// at has something done at a time, unless the world has ended by then.
func (w *World) at(at int64, do func(at int64)) {
	if at >= w.end {
		return
	}
	w.seq++
	heap.Push(&w.queue, event{at, w.seq, do})
}

func (w *World) until(limit int64) {
	for len(w.queue) > 0 && w.queue[0].at < limit {
		e := heap.Pop(&w.queue).(event) //nolint:errcheck,forcetypeassert // there is nothing else in it
		e.do(e.at)
	}
}

// dayOf is the start of a day of the world.
func (w *World) dayOf(d int) int64 { return w.start + int64(d)*day }

// bounty is how much more than usual the game pays.
func (w *World) bounty(at int64) float64 {
	if w.events[int((at-w.start)/day)] {
		return 10
	}
	return 1
}

// eachDay has something done between two hours of every day from the first to before the last.
func (w *World) eachDay(first, last int, from, to float64, do func(at int64)) {
	w.daily = append(w.daily, func(d int) {
		if d >= first && d < last {
			w.at(w.dayOf(d)+w.hours(from, to), do)
		}
	})
}
