package voice

import (
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// window is a stretch of a call on its way to the desk.
type window struct {
	fromMS, toMS int64
	pcm          []float32
	partial      bool
	paused       bool // partial, and nobody speaks just now
	anomalies    []engines.Anomaly
	arrived      int64 // when its last packet came
}

// urgent is how much it is waited for.
func (w *window) urgent() urgency {
	switch {
	case !w.partial:
		return last
	case w.paused:
		return press
	}
	return look
}

// mostFinal is how many windows of one call wait that speech has ended. Full-rule: the
// oldest goes, and is counted: a verdict on what was said half a minute ago is late.
const mostFinal = 4

// mail is what of a call waits for the desk: windows in their order, of which at most
// one is partial. Full-rule of that one: the newer replaces it, its anomalies kept.
type mail struct {
	mu    sync.Mutex
	final []*window
	part  *window
}

// put returns how many windows went for it, and whether one was replaced.
func (m *mail) put(w *window) (dropped int, replaced bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.part != nil { // the newer one has its speech too
		w.anomalies = append(m.part.anomalies, w.anomalies...)
		m.part, replaced = nil, true
	}
	if w.partial {
		m.part = w
		return 0, replaced
	}
	m.final = append(m.final, w)
	if len(m.final) > mostFinal {
		gone := m.final[0]
		m.final = slices.Delete(m.final, 0, 1)
		m.final[0].anomalies = append(gone.anomalies, m.final[0].anomalies...)
		dropped = 1
	}
	return dropped, replaced
}

// take is the next window, nil when none waits.
func (m *mail) take() *window {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.final) > 0 {
		w := m.final[0]
		m.final = slices.Delete(m.final, 0, 1) // which forgets it: a window is large
		return w
	}
	w := m.part
	m.part = nil
	return w
}

// waits is how urgent the next window is: as much as any behind it, since they go in their
// order; nothing where none waits.
func (m *mail) waits() urgency {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := nothing
	if len(m.final) > 0 {
		u = last
	}
	if m.part != nil {
		u = max(u, m.part.urgent())
	}
	return u
}

// post puts a window into the mail and has it seen to.
func (c *Call) post(w *window) {
	c.owe()
	dropped, replaced := c.mail.put(w)
	if replaced {
		c.hub.m.windows.WithLabelValues("replaced").Inc()
		c.paid()
	}
	if dropped > 0 {
		c.hub.m.windows.WithLabelValues("dropped").Inc()
		c.paid()
	}
	c.hub.windows.put(c, w.urgent())
}
