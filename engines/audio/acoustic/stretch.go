package acoustic

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines"
)

// watch follows one kind: whether what makes it holds, since when, and whether it was
// told.
type watch struct {
	kind, measure string
	below         bool  // it holds when the value is below the threshold
	gap           int64 // ms for which it may not hold without being over

	on        bool
	told      bool
	slot      int // of pending, while nobody has fetched it
	from, to  int64
	value     float64 // the furthest
	threshold float64
	span      float64 // by how much the value must pass the threshold to be nearly sure
}

// pendingMost bounds what waits for Drain: a caller that does not come for so long
// loses what comes after, and the ends of what it was told of.
const pendingMost = 64

// pending is what Drain gives.
type pending struct {
	list [pendingMost]engines.Anomaly
	n    int
}

// hold says whether a watch's condition holds now, since when as far as is known, by
// which value, and for how long it must.
func (m *Meter) hold(w *watch, holds bool, since int64, value float64, need int64) {
	now := m.now()
	if !holds {
		if w.on && now-w.to > w.gap {
			m.end(w)
		}
		return
	}
	if !w.on {
		w.on, w.told, w.slot, w.from, w.value = true, false, -1, max(0, since), value
	}
	w.to = now
	if w.below != (value > w.value) {
		w.value = value
	}
	if now-w.from >= need {
		m.tell(w)
	}
}

// tell notes a stretch that goes on once, and brings up to date what nobody fetched.
func (m *Meter) tell(w *watch) {
	if w.told && w.slot < 0 {
		return
	}
	if !w.told {
		w.told = true
		w.slot = m.slot()
	}
	if w.slot >= 0 {
		m.pending.list[w.slot] = w.anomaly()
	}
}

// end notes the end of a stretch.
func (m *Meter) end(w *watch) {
	if w.told {
		if w.slot < 0 {
			w.slot = m.slot()
		}
		if w.slot >= 0 {
			m.pending.list[w.slot] = w.anomaly()
		}
	}
	w.on, w.told, w.slot = false, false, -1
}

// slot is a free place of pending, -1 when it is full.
func (m *Meter) slot() int {
	if m.pending.n == pendingMost {
		return -1
	}
	m.pending.n++
	return m.pending.n - 1
}

func (w *watch) anomaly() engines.Anomaly {
	margin := w.value - w.threshold
	if w.below {
		margin = -margin
	}
	return engines.Anomaly{
		Kind: w.kind, FromMS: w.from, ToMS: w.to, Measure: w.measure, Value: w.value, Threshold: w.threshold,
		Confidence: 1 - 0.5*math.Exp(-max(0, margin)/w.span),
	}
}

// Drain appends the stretches that were found since the last call. One that still goes
// on is given when it has passed its definition time, its end being as far as it has
// come, and once more when it is over: who keeps them knows it by its Kind and FromMS.
// Its value is the furthest so far.
func (m *Meter) Drain(dst []engines.Anomaly) []engines.Anomaly {
	dst = append(dst, m.pending.list[:m.pending.n]...)
	m.pending.n = 0
	for i := range m.watches {
		m.watches[i].slot = -1
	}
	return dst
}

// End says that the sound is over: what goes on ends. Drain gives it then.
func (m *Meter) End() {
	for i := range m.watches {
		if w := &m.watches[i]; w.on {
			m.end(w)
		}
	}
}
