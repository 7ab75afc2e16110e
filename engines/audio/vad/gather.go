package vad

import (
	"sync"
	"time"
)

const (
	// gatherFor is how long frames wait for those of other voices while many come: each is
	// of 32 ms, of which half is the wait for its end.
	gatherFor = 10 * time.Millisecond
	// gatherFrom is how many pushes with a frame a second are many: as many as come within
	// gatherFor are then looked at for little more than one.
	gatherFrom = 300
	// countFor is how long pushes are counted until that is decided anew.
	countFor = 200 * time.Millisecond
	// waitMost is how many samples of a voice may wait, a second. Full-rule: who has more
	// waits for the network to look at them.
	waitMost = 16_000
)

// Gather has the network look at many live voices together: one matrix that is read for
// thirty of them costs a fifth of what it does for each by itself. Its methods are safe
// for concurrent use.
type Gather struct {
	model *Model

	mu        sync.Mutex
	waiting   []*Live
	scheduled bool
	many      bool
	since     time.Time // that pushes are counted
	count     int

	running sync.Mutex // one look at a time
}

// NewGather makes one.
func NewGather(m *Model) *Gather { return &Gather{model: m} }

// Live is the sound of one of many voices.
type Live struct {
	gather *Gather
	each   func(atMS int64, speech float64)

	stream *Stream // of who holds gather.running

	mu    sync.Mutex
	sound []float32 // that the stream has not got
	fill  int       // of the frame that is not whole: samples in the stream and in sound
	waits bool      // among gather.waiting
	err   error
}

// New begins a voice at 0 ms. each is told of every frame, in order: within Push, or on a
// goroutine of its own some milliseconds later, never twice at once. It must not push.
func (g *Gather) New(each func(atMS int64, speech float64)) *Live {
	return &Live{gather: g, each: each, stream: g.model.New()}
}

// Push takes the next samples, at 16 kHz. Its error is that of the network, which it may
// learn of later.
func (l *Live) Push(pcm []float32) error {
	l.mu.Lock()
	l.sound = append(l.sound, pcm...)
	l.fill += len(pcm)
	whole, full, err := l.fill >= Frame, len(l.sound) > waitMost, l.err
	l.fill %= Frame
	wait := whole && !l.waits
	l.waits = l.waits || whole
	l.mu.Unlock()
	switch {
	case err != nil:
		return err
	case wait && l.gather.put(l, time.Now()), full:
		l.gather.look()
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.err
	}
	return nil
}

// put has a voice wait, and reports whether it is to be looked at at once.
func (g *Gather) put(l *Live, now time.Time) (look bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, l)
	g.count++
	if took := now.Sub(g.since); took >= countFor {
		g.many = float64(g.count) >= gatherFrom*took.Seconds()
		g.since, g.count = now, 0
	}
	if !g.many {
		return true
	}
	if !g.scheduled {
		g.scheduled = true
		time.AfterFunc(gatherFor, g.look)
	}
	return false
}

// look has the network look at all voices that wait.
func (g *Gather) look() {
	g.running.Lock()
	defer g.running.Unlock()
	g.mu.Lock()
	list := g.waiting
	g.waiting, g.scheduled = nil, false
	g.mu.Unlock()
	streams := make([]*Stream, len(list))
	for i, l := range list {
		l.hand()
		streams[i] = l.stream
	}
	err := g.model.look(streams...)
	for _, l := range list {
		if err != nil {
			l.mu.Lock()
			l.err = err
			l.mu.Unlock()
			continue
		}
		l.stream.tell(l.each)
	}
}

// hand gives the stream what it has not got.
func (l *Live) hand() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stream.sound = append(l.stream.sound, l.sound...)
	l.sound, l.waits = l.sound[:0], false
}
