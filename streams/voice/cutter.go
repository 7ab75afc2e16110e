package voice

import (
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// windowMost is the longest window: what a recogniser takes at once, live.
	windowMost = 6 * time.Second
	// overlap is how much of a window the next one has again where speech goes on: no
	// word is cut in two.
	overlap = time.Second
	// before is how much of the sound before speech its window has: a model hears speech
	// once it has begun.
	before = 300 * time.Millisecond
	// around is how much sound a window has that is about an anomaly alone.
	around = 2 * time.Second
)

func samplesOf(d time.Duration) int { return int(d * engines.SoundRate / time.Second) }

// cutter cuts windows out of a call's sound: one of speech that goes on is looked at
// again and again, and a last time when it is over.
type cutter struct {
	open    bool
	from    int64   // where the stretch of speech begins, in samples
	pcm     []int16 // the sound until now: half the size, and no worse than what came
	until   int64   // where it ends
	next    int64   // when speech that goes on is looked at again
	paused  int64   // what was sent of it last since nobody spoke for a moment ended here
	arrived int64   // when the last packet of it came
}

// spare is how much more sound there is room for than a window may need: what is too
// old is then moved out once in a while, not with every packet.
const spare = time.Second

// add keeps a stretch of sound; as much as a window may need.
func (c *cutter) add(pcm []float32, arrived int64) {
	if len(c.pcm)+len(pcm) > cap(c.pcm) {
		c.makeRoom(len(pcm))
	}
	n := len(c.pcm)
	c.pcm = c.pcm[:n+len(pcm)]
	for i, to := 0, c.pcm[n:]; i < len(to); i++ {
		to[i] = toPCM16(pcm[i])
	}
	c.until += int64(len(pcm))
	if arrived != 0 {
		c.arrived = arrived
	}
}

// makeRoom moves what is too old out, for n samples and some more. The room follows how
// long somebody has spoken: few do so for as long as a window lasts.
func (c *cutter) makeRoom(n int) {
	most := samplesOf(around)
	if c.open {
		most = max(most, int(c.until-c.from))
	}
	old := c.pcm[max(0, len(c.pcm)-most):]
	need := len(old) + n
	if room := need + samplesOf(spare); cap(c.pcm) < need || cap(c.pcm) > 2*room {
		c.pcm = append(make([]int16, 0, room), old...)
		return
	}
	c.pcm = c.pcm[:copy(c.pcm, old)]
}

// edge takes note that speech begins, pauses or ends.
func (c *cutter) edge(e *ear, at int64, edge Edge) {
	c.until = e.at
	switch {
	case edge.Pause:
		c.pause(e)
	case edge.Speaking && !c.open:
		c.open = true
		c.from = max(at-int64(samplesOf(before)), c.first())
		c.next = c.from + int64(samplesOf(before+e.call.hub.cfg.Partial))
	case !edge.Speaking && c.open:
		c.end(e, at)
	}
}

// pause sends what was said until now: most pauses are the end of what somebody has to
// say, so it is looked at at once and not when it is sure that nothing follows.
func (c *cutter) pause(e *ear) {
	if !c.open || c.until == c.paused {
		return
	}
	c.paused = c.until
	c.post(e, &window{partial: true, paused: true}, c.from, c.until)
	c.next = c.until + int64(samplesOf(e.call.hub.cfg.Partial))
}

// first is where the sound begins that is still there.
func (c *cutter) first() int64 { return max(c.until-int64(len(c.pcm)), 0) }

// sounded is called after each stretch of sound, with what has come to be an anomaly.
func (c *cutter) sounded(e *ear, found []engines.Anomaly) {
	c.until = e.at
	switch {
	case c.open && c.until-c.from >= int64(samplesOf(windowMost)):
		c.send(e, c.from, c.until, false, found)
		c.from = c.until - int64(samplesOf(overlap))
		c.next = c.until + int64(samplesOf(e.call.hub.cfg.Partial))
	case c.open && c.until >= c.next:
		c.send(e, c.from, c.until, true, found)
		c.next = c.until + int64(samplesOf(e.call.hub.cfg.Partial))
	case len(found) == 0:
	case c.open:
		c.send(e, c.from, c.until, true, found)
	default:
		c.send(e, c.until-int64(samplesOf(around)), c.until, false, found)
	}
}

// end sends the last window of a stretch of speech.
func (c *cutter) end(e *ear, at int64) {
	if !c.open {
		return
	}
	c.open = false
	c.send(e, c.from, min(max(at, c.from+1), c.until), false, nil)
}

// close ends what is open as the call does.
func (c *cutter) close(e *ear) {
	c.end(e, e.at)
	c.pcm = nil
}

func (c *cutter) send(e *ear, from, to int64, partial bool, found []engines.Anomaly) {
	c.post(e, &window{partial: partial, anomalies: slices.Clone(found)}, from, to)
}

// post has a window of the sound from and to a sample looked at.
func (c *cutter) post(e *ear, w *window, from, to int64) {
	if w.partial && len(w.anomalies) == 0 && e.call.hub.deps.Wordless {
		return
	}
	from = max(from, c.first())
	if to <= from {
		return
	}
	w.fromMS, w.toMS, w.arrived = from/perMS, to/perMS, c.arrived
	start := from - c.first()
	pcm := c.pcm[start:min(start+to-from, int64(len(c.pcm)))]
	w.pcm = make([]float32, len(pcm))
	for i, v := range pcm {
		w.pcm[i] = float32(v) / 32768
	}
	e.call.post(w)
}
