package voice

import (
	"context"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// Sifting is an engine for sound that leaves out what a call was flagged for before:
// windows overlap, and speech that goes on is looked at again and again.
type Sifting struct{ Engine engines.Engine }

// Inspect is that of the engine, sifted.
func (s Sifting) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	n := len(out)
	out, err := s.Engine.Inspect(ctx, item, out)
	if item.Media != nil && item.Media.Sound != nil && item.Media.Sound.Sift != nil {
		out = append(out[:n], item.Media.Sound.Sift(out[n:])...)
	}
	return out, err //nolint:wrapcheck // the engine's own
}

// mark is something that a call was flagged for.
type mark struct {
	category engines.Category
	sub      string
	severity int
	surely   float64 // how sure the engine was
	from, to int64   // ms in the call
}

const (
	// slack is how far two looks at the same thing may differ, in ms.
	slack = 250
	// mostMarks is how many a call remembers. Full-rule: the oldest goes, and with it
	// what windows no longer reach.
	mostMarks = 64
)

// sifter belongs to one window. Its methods are safe for concurrent use: an engine may
// still be at it past its deadline.
type sifter struct {
	call   *Call
	window *window

	mu   sync.Mutex
	kept []mark
}

// markOf is what a signal would mark. Places of engines are within the call.
func (s *sifter) markOf(g *engines.Signal) mark {
	m := mark{category: g.Category, sub: g.SubLabel, severity: g.Severity, surely: g.Confidence, from: s.window.fromMS, to: s.window.toMS}
	if g.Place != nil && g.Place.EndMS > g.Place.AtMS {
		m.from, m.to = g.Place.AtMS, g.Place.EndMS
	}
	return m
}

// sift leaves the signals that say something new.
func (s *sifter) sift(found []engines.Signal) []engines.Signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(found, func(g engines.Signal) bool {
		m := s.markOf(&g)
		if s.call.marks.known(m) {
			return true
		}
		s.kept = append(s.kept, m)
		return false
	})
}

// flagged marks what led to a verdict: every place of each category that it names.
func (s *sifter) flagged(f *engines.Finding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.kept {
		if slices.ContainsFunc(f.Labels, func(l engines.Label) bool { return l.Category == m.category && l.SubLabel == m.sub }) {
			s.call.marks.add(m)
		}
	}
}

// marks are those of one call.
type marks struct {
	mu   sync.Mutex
	list []mark
}

func (k *marks) add(m mark) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.list) == mostMarks {
		k.list = append(k.list[:0], k.list[1:]...)
	}
	k.list = append(k.list, m)
}

// surer is by how much an engine must be surer for the same to count as news: it may
// now lead to more.
const surer = 0.15

// known reports whether the call was flagged for the same at the same time, no less
// grave and about as surely. Of words the category says what they are: the sub-label may
// change as more of a sentence is heard. Noises of several kinds may come together.
func (k *marks) known(m mark) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.ContainsFunc(k.list, func(o mark) bool {
		same := o.category == m.category && (o.sub == m.sub || m.category != engines.Acoustic)
		return same && o.severity >= m.severity && m.surely < o.surely+surer && m.from < o.to+slack && o.from < m.to+slack
	})
}
