// Package vad says who speaks when: Silero's network gives the probability of speech of
// every 32 ms of sound, and a Segmenter makes stretches of speech of those. Any number of
// streams share one network. What is said is not its business.
package vad

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/audio/fft"
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
	context = silero.Row - Frame // samples before a frame that the network sees too
	hidden  = silero.Hidden      // what it remembers, twice
	batch   = 32                 // frames that it looks at in one go, where so many are there
	// still is how many frames without a sound the network looks at. By then it has
	// forgotten what was said, and says of every further one what it said of the last:
	// nothing. It goes on from there once there is sound, and costs nothing until then.
	still = 32
	// faint is the level that no sound is below: 80 dB below full scale, three steps of 16 bits.
	faint = 1e-4
	file  = "silero-vad.onnx"
)

// Model is the network. It is safe for concurrent use.
type Model struct {
	session *onnx.Session
	front   front
}

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
	network, err := silero.Rewrite(b)
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	session, err := onnx.New(network.File)
	if err != nil {
		return nil, fmt.Errorf("voice activity: %w", err)
	}
	if in, out := len(session.Inputs()), len(session.Outputs()); in != 3 || out != 3 {
		_ = session.Close() // nobody runs it
		return nil, fmt.Errorf("voice activity: the model has %d inputs and %d outputs, not 3 and 3", in, out)
	}
	return &Model{session: session, front: front{fft.New(network.Window)}}, nil
}

// Close frees the network once nobody uses it; streams say onnx.ErrClosed then.
func (m *Model) Close() error { return m.session.Close() }

// Stream is one voice's sound on its way through the network. It is not safe for
// concurrent use.
type Stream struct {
	model *Model
	next  int64     // when the next frame begins, ms
	sound []float32 // the context of the next frame, and what is there of it and those behind it
	h, c  []float32
	mute  int // frames without a sound that the network has seen in a row

	probs []float32 // of the frames that are being looked at
	at    []int     // which of them the network has to look at
}

// New begins a stream at 0 ms.
func (m *Model) New() *Stream {
	s := &Stream{model: m, h: make([]float32, hidden), c: make([]float32, hidden)}
	s.Reset()
	return s
}

// Reset begins anew, at 0 ms.
func (s *Stream) Reset() {
	s.next, s.mute = 0, 0
	s.sound = append(s.sound[:0], make([]float32, context)...)
	clear(s.h)
	clear(s.c)
}

// Push takes the next samples, at 16 kHz, and calls each with the start and the
// probability of every frame that they complete, in order. What is left waits for the
// next call.
func (s *Stream) Push(pcm []float32, each func(atMS int64, speech float64)) error {
	for len(pcm) > 0 {
		n := min(len(pcm), context+batch*Frame-len(s.sound))
		s.sound = append(s.sound, pcm[:n]...)
		pcm = pcm[n:]
		err := s.model.look(s)
		if err != nil {
			s.tell(nil)
			return err
		}
		s.tell(each)
	}
	return nil
}

// frames is how many whole frames wait.
func (s *Stream) frames() int { return (len(s.sound) - context) / Frame }

// row is a frame that waits, its context before it.
func (s *Stream) row(i int) []float32 { return s.sound[i*Frame : i*Frame+context+Frame] }

// tell calls each, where it isn't nil, with what look left, and forgets those frames.
func (s *Stream) tell(each func(atMS int64, speech float64)) {
	n := len(s.probs)
	s.sound = s.sound[:copy(s.sound, s.sound[n*Frame:])]
	at := s.next
	s.next += int64(n) * FrameMS
	for i, p := range s.probs {
		if each != nil {
			each(at+int64(i)*FrameMS, float64(p))
		}
	}
	s.probs = s.probs[:0]
}

// sift notes which of the frames that wait the network has to look at.
func (s *Stream) sift() {
	n := s.frames()
	s.at, s.probs = s.at[:0], append(s.probs[:0], make([]float32, n)...)
	for i := range n {
		silent := soundless(s.row(i)[context:])
		if !silent {
			s.mute = 0
		}
		if silent && s.mute >= still {
			continue
		}
		if silent {
			s.mute++
		}
		s.at = append(s.at, i)
	}
}

func soundless(pcm []float32) bool {
	for _, v := range pcm {
		if v > faint || v < -faint || v != v {
			return false
		}
	}
	return true
}
