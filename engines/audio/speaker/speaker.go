// Package speaker tells voices apart: a network makes 256 numbers of a stretch of speech
// (GE2E, Wan and others, "Generalized End-to-End Loss for Speaker Verification", ICASSP
// 2018), which lie close together for one voice. It says who of those at one microphone
// spoke; it says nothing of who somebody is, and keeps nothing. A voice's numbers are
// personal data: whoever keeps them longer than a call needs consent.
package speaker

import (
	"errors"
	"fmt"
	"math"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/ge2e"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

const (
	width = 256
	file  = "resemblyzer.onnx"
	// part is how many rows of features the network looks at: 1.6 s, a new one each
	// 0.77 s, of which the last must be mostly there.
	part     = 160
	advance  = 77
	covered  = 0.75
	loudness = -30 // dBFS to which what is softer is brought

	// Shortest is how many samples Embed takes at least: 0.8 s of speech.
	Shortest = rate * 8 / 10
	// Longest is how many it looks at; the rest is left out.
	Longest = rate * 20
)

// ErrShort is that there is too little speech to tell.
var ErrShort = errors.New("less than 0.8 s of speech")

// Voice is what the network makes of a stretch of speech, of length 1.
type Voice [width]float32

// Model is the network. It is safe for concurrent use.
type Model struct{ session *onnx.Session }

// Open loads it from a folder of models, once the library was started with onnx.Start. A
// missing one wraps models.ErrMissing. Whoever opens it closes it.
func Open(folder string) (*Model, error) {
	b, err := models.NewStore(folder).Read(models.Find(models.Speaker), file)
	if err != nil {
		return nil, fmt.Errorf("speaker: %w", err)
	}
	if b, err = ge2e.Rewrite(b); err != nil {
		return nil, fmt.Errorf("speaker: %w", err)
	}
	session, err := onnx.New(b)
	if err != nil {
		return nil, fmt.Errorf("speaker: %w", err)
	}
	return &Model{session}, nil
}

// Close frees the network once nobody uses it.
func (m *Model) Close() error { return m.session.Close() }

// Embed makes a Voice of speech at 16 kHz, without long pauses.
func (m *Model) Embed(pcm []float32) (Voice, error) {
	if len(pcm) < Shortest {
		return Voice{}, ErrShort
	}
	rows := features(louder(pcm[:min(len(pcm), Longest)]))
	var input []float32
	n := 0
	for at := 0; at == 0 || float64(len(rows)/mels-at) >= covered*part; at += advance {
		input = append(input, rows[at*mels:min(len(rows), (at+part)*mels)]...)
		n++
		input = append(input, make([]float32, n*part*mels-len(input))...)
	}
	var v Voice
	err := m.session.Run([]onnx.Tensor{{Shape: []int{n, part, mels}, Data: input}}, func(out []onnx.Tensor) error {
		if out[0].Size() != n*width {
			return fmt.Errorf("the model gives %v", out[0].Shape)
		}
		for i := range n {
			row := Voice(out[0].Data[i*width : (i+1)*width])
			row.normalise()
			v.add(&row)
		}
		return nil
	})
	if err != nil {
		return Voice{}, fmt.Errorf("speaker: %w", err)
	}
	v.normalise()
	return v, nil
}

// louder brings soft speech to the level that the network knows.
func louder(pcm []float32) []float32 {
	sum := 0.0
	for _, x := range pcm {
		sum += float64(x) * float64(x)
	}
	gain := math.Pow(10, loudness/20.0) / math.Sqrt(sum/float64(len(pcm))+1e-12)
	if gain <= 1 {
		return pcm
	}
	out := make([]float32, len(pcm))
	for i, x := range pcm {
		out[i] = x * float32(gain)
	}
	return out
}

func (v *Voice) add(w *Voice) {
	for i := range v {
		v[i] += w[i]
	}
}

func (v *Voice) normalise() {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}

// Cosine is how alike two voices are: their angle's cosine, 0 to 1.
func Cosine(a, b *Voice) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// The cosine at which two stretches are as likely of one voice as of two, and how fast
// that turns: where errors of both kinds were as frequent among synthetic voices.
const (
	evenCosine = 0.86
	turnCosine = 0.03
)

// Same is the probability that two stretches are of one voice, where one is as likely as
// two. Two people of one family, and one who acts another, it may take for one.
func Same(a, b *Voice) float64 {
	return 1 / (1 + math.Exp(-(Cosine(a, b)-evenCosine)/turnCosine))
}

// most bounds the voices of one sound: what comes after is 0.
const most = 16

// Voices numbers the voices of one sound or call as they come. The zero value has none.
// It is not safe for concurrent use.
type Voices struct {
	sums [most]Voice // of what was taken for each
	n    int
}

// Number is the number of a voice, from 1: that of the one it is like, or a new one; 0
// where there are too many.
func (v *Voices) Number(w *Voice) int {
	best, at := 0.0, -1
	for i := range v.n {
		mean := v.sums[i]
		mean.normalise()
		if p := Same(&mean, w); p > best {
			best, at = p, i
		}
	}
	if best < 0.5 {
		if v.n == most {
			return 0
		}
		at = v.n
		v.n++
	}
	v.sums[at].add(w)
	return at + 1
}
