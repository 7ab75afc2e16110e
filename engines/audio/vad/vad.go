// Package vad says who speaks when: Silero's network gives the probability of speech of
// every 32 ms of sound, and a Segmenter makes stretches of speech of those. Any number of
// streams share one network. What is said is not its business.
package vad

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/silero"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Frame is how many samples at 16 kHz one probability is of, FrameMS the same in time.
const (
	Frame   = 512
	FrameMS = 32
)

const (
	context = 64  // samples before a frame that the network sees too
	hidden  = 128 // what it remembers, twice
	batch   = 32  // frames that it looks at in one go, where so many are there
	// still is how many frames without a sound the network looks at. By then it has
	// forgotten what was said, and says of every further one what it said of the last:
	// nothing. It goes on from there once there is sound, and costs nothing until then.
	still = 32
	// faint is the level that no sound is below: 80 dB below full scale, three steps of 16 bits.
	faint = 1e-4
	file  = "silero-vad.onnx"
)

// Model is the network. It is safe for concurrent use.
type Model struct{ session *onnx.Session }

// Open loads the network from a folder of models, once the library was started with
// onnx.Start. A missing one wraps models.ErrMissing, a missing library
// onnx.ErrNotStarted; whoever has neither does without speech. Whoever opens it closes
// it.
func Open(folder string) (*Model, error) { return Load(models.NewStore(folder)) }

// Load is Open for who has the store at hand.
func Load(store *models.Store) (*Model, error) {
	b, err := store.Read(models.Find(models.VAD), file)
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	if b, err = silero.Rewrite(b); err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	session, err := onnx.New(b)
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	if in, out := len(session.Inputs()), len(session.Outputs()); in != 3 || out != 3 {
		_ = session.Close() // nobody runs it
		return nil, fmt.Errorf("voice activity: the model has %d inputs and %d outputs, not 3 and 3", in, out)
	}
	return &Model{session}, nil
}

// Close frees the network once nobody uses it; streams say onnx.ErrClosed then.
func (m *Model) Close() error { return m.session.Close() }

// Stream is one voice's sound on its way through the network. It is not safe for
// concurrent use.
type Stream struct {
	model  *Model
	next   int64     // when the next frame begins, ms
	frames []float32 // rows of context and frame; the last may be unfinished
	fill   int       // samples of the unfinished row, its context included
	h, c   []float32 // apart from s: the library is handed them, and they hold no pointer
	probs  []float32
	mute   int // frames without a sound that the network has seen in a row
}

// New begins a stream at 0 ms.
func (m *Model) New() *Stream {
	s := &Stream{model: m, frames: make([]float32, context+Frame), h: make([]float32, hidden), c: make([]float32, hidden)}
	s.Reset()
	return s
}

// Reset begins anew, at 0 ms.
func (s *Stream) Reset() {
	s.next, s.fill, s.mute = 0, context, 0
	s.frames = s.frames[:context+Frame]
	clear(s.frames[:context])
	clear(s.h)
	clear(s.c)
}

// Push takes the next samples, at 16 kHz, and calls each with the start and the
// probability of every frame that they complete, in order. What is left waits for the
// next call.
func (s *Stream) Push(pcm []float32, each func(atMS int64, speech float64)) error {
	const row = context + Frame
	for len(pcm) > 0 {
		last := s.frames[len(s.frames)-row:]
		n := copy(last[s.fill:], pcm)
		s.fill += n
		pcm = pcm[n:]
		if s.fill < row {
			return nil
		}
		if len(pcm) < Frame || len(s.frames) == batch*row {
			if err := s.run(each); err != nil {
				return err
			}
			continue
		}
		s.frames = append(s.frames, last[Frame:]...) // the next one's context
		s.frames = append(s.frames, pcm[:Frame]...)  // and its room; it is filled above
		s.fill = context
	}
	return nil
}

// run has the network look at the rows, all of them full, and keeps the context of the
// next.
func (s *Stream) run(each func(atMS int64, speech float64)) error {
	const row = context + Frame
	n := len(s.frames) / row
	s.probs = s.probs[:0]
	var err error
	for from := 0; from < n && err == nil; {
		to := s.awake(from, n)
		if to > from {
			err = s.look(s.frames[from*row : to*row])
		} else {
			s.probs = append(s.probs, 0)
			to++
		}
		from = to
	}
	copy(s.frames, s.frames[len(s.frames)-context:])
	s.frames, s.fill = s.frames[:row], context
	at := s.next
	s.next += int64(n) * FrameMS
	if err != nil {
		return fmt.Errorf("voice activity: %w", err)
	}
	for i, p := range s.probs {
		each(at+int64(i)*FrameMS, float64(p))
	}
	return nil
}

// awake is until which of n rows the network has to look, from one on.
func (s *Stream) awake(from, n int) int {
	const row = context + Frame
	for ; from < n; from++ {
		switch silent := soundless(s.frames[from*row+context : (from+1)*row]); {
		case silent && s.mute >= still:
			return from
		case silent:
			s.mute++
		default:
			s.mute = 0
		}
	}
	return n
}

func soundless(pcm []float32) bool {
	for _, v := range pcm {
		if v > faint || v < -faint || v != v {
			return false
		}
	}
	return true
}

// look has the network look at rows, and keeps what it says of them and remembers.
func (s *Stream) look(rows []float32) error {
	const row = context + Frame
	n := len(rows) / row
	inputs := []onnx.Tensor{
		{Shape: []int{n, row}, Data: rows},
		{Shape: []int{1, 1, hidden}, Data: s.h},
		{Shape: []int{1, 1, hidden}, Data: s.c},
	}
	return s.model.session.Run(inputs, func(out []onnx.Tensor) error { //nolint:wrapcheck // run names it
		if out[0].Size() != n || out[1].Size() != hidden || out[2].Size() != hidden {
			return fmt.Errorf("the model gives %v, %v and %v", out[0].Shape, out[1].Shape, out[2].Shape)
		}
		s.probs = append(s.probs, out[0].Data...)
		copy(s.h, out[1].Data)
		copy(s.c, out[2].Data)
		return nil
	})
}
