package vad

import (
	"fmt"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// looking is the room that a look takes.
type looking struct {
	front       frontWork
	input, h, c []float32
}

var lookings = sync.Pool{New: func() any { return new(looking) }}

// together is how many voices are looked at in one go at most: more cost no less each, and
// the room grows.
const together = 64

// look has the network look at the frames that wait in streams, and leaves their
// probabilities there. Streams of which it has to look at as many frames are looked at
// together, since each of its weights is then read once for all of them. Where it fails,
// frames have probability 0.
func (m *Model) look(streams ...*Stream) error {
	groups := map[int][]*Stream{}
	for _, s := range streams {
		s.sift()
		if n := len(s.at); n > 0 {
			groups[n] = append(groups[n], s)
		}
	}
	for n, group := range groups {
		for some := range slices.Chunk(group, max(1, together/n)) {
			if err := m.run(some, n); err != nil {
				return fmt.Errorf("voice activity: %w", err)
			}
		}
	}
	return nil
}

// run has the network look at n frames of each of some streams.
func (m *Model) run(streams []*Stream, n int) error {
	l := lookings.Get().(*looking) //nolint:errcheck,forcetypeassert // nothing else is there
	defer lookings.Put(l)
	l.input, l.h, l.c = l.input[:0], l.h[:0], l.c[:0]
	for i := range n {
		for _, s := range streams {
			l.input = m.front.add(l.input, s.row(s.at[i]), &l.front)
		}
	}
	for _, s := range streams {
		l.h, l.c = append(l.h, s.h...), append(l.c, s.c...)
	}
	voices := len(streams)
	state := []int{voices, hidden}
	inputs := []onnx.Tensor{
		{Shape: []int{len(l.input) * places / seen, seen / places}, Data: l.input}, {Shape: state, Data: l.h}, {Shape: state, Data: l.c},
	}
	return m.session.Run(inputs, func(out []onnx.Tensor) error { //nolint:wrapcheck // look names it
		if out[0].Size() != n*voices || out[1].Size() != voices*hidden || out[2].Size() != voices*hidden {
			return fmt.Errorf("the model gives %v, %v and %v", out[0].Shape, out[1].Shape, out[2].Shape)
		}
		for v, s := range streams {
			for i, at := range s.at {
				s.probs[at] = out[0].Data[i*voices+v]
			}
			copy(s.h, out[1].Data[v*hidden:])
			copy(s.c, out[2].Data[v*hidden:])
		}
		return nil
	})
}
