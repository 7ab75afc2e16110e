package whisper

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Files are a network as engines/models/ct2 leaves it.
type Files struct {
	Encoder, Decoder   []byte // ONNX
	Vocabulary, Config []byte // vocabulary.txt and config.json of CTranslate2
}

// Config says how a Model writes.
type Config struct {
	// Languages are those that are looked for where nobody knows the language (en, ja);
	// none are all that the network knows.
	Languages []string
	// Slots is how many windows are written down at once, each on one processor; 0 is
	// as many as there are. Full-rule: the next one waits until its context ends.
	Slots int
}

// Model is a network ready to write. It is safe for concurrent use; whoever loaded it
// closes it.
type Model struct {
	encoder, decoder *onnx.Session
	tokens           *tokens
	mel              *mel
	layers, kept     int // of the decoder, and values that it keeps of a token
	languages        []string
	slots            chan struct{}
}

// LongestMS is the longest window that a network takes; what is longer is cut off.
const LongestMS = 30_000

// Load makes a model. onnx.Start must have been called.
func Load(f Files, cfg Config) (_ *Model, err error) {
	m := &Model{}
	if m.tokens, err = readTokens(f.Vocabulary, f.Config); err != nil {
		return nil, fmt.Errorf("load Whisper: %w", err)
	}
	for _, l := range cfg.Languages {
		if _, ok := m.tokens.languages[l]; !ok && (m.tokens.languages != nil || l != "en") {
			return nil, fmt.Errorf("load Whisper: the network does not know language %q", l)
		}
	}
	m.languages = cfg.Languages
	if len(m.languages) == 0 {
		for l := range m.tokens.languages {
			m.languages = append(m.languages, l)
		}
		slices.Sort(m.languages)
	}
	if cfg.Slots <= 0 {
		cfg.Slots = runtime.GOMAXPROCS(0)
	}
	m.slots = make(chan struct{}, cfg.Slots)
	if m.encoder, err = onnx.New(f.Encoder); err != nil {
		return nil, fmt.Errorf("load Whisper's encoder: %w", err)
	}
	if m.decoder, err = onnx.New(f.Decoder); err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("load Whisper's decoder: %w", err), m.Close())
	}
	return m, nil
}

// check holds the networks against each other and the vocabulary.
func (m *Model) check() error {
	in, out := m.encoder.Inputs(), m.encoder.Outputs()
	if len(in) != 1 || len(in[0].Shape) != 3 || in[0].Shape[1] <= 0 || len(out) == 0 || len(out)%2 != 0 {
		return errors.New("the encoder is none of engines/models/ct2")
	}
	m.mel, m.layers = melOf(in[0].Shape[1]), len(out)/2
	steps, logits := m.decoder.Inputs(), m.decoder.Outputs()
	if len(steps) != 4+len(out) || len(logits) != 3 || len(logits[0].Shape) != 3 || len(steps[3].Shape) != 2 {
		return errors.New("the decoder is none of engines/models/ct2, or of another encoder")
	}
	if m.kept = steps[3].Shape[1]; m.kept <= 0 {
		return errors.New("the decoder keeps nothing")
	}
	if n := logits[0].Shape[2]; n != len(m.tokens.bytes) {
		return fmt.Errorf("it writes in %d tokens, the vocabulary has %d", n, len(m.tokens.bytes))
	}
	return nil
}

// Close waits for those that run and frees the networks.
func (m *Model) Close() error {
	var errs []error
	for _, s := range []*onnx.Session{m.encoder, m.decoder} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

// tail is the silence that is put behind a window, half a second: without any, one word in
// six of a voice was lost to networks that went wrong, with it one in thirteen.
const tail = engines.SoundRate / 2

// Recognise writes down what is said in a window.
func (m *Model) Recognise(ctx context.Context, pcm []float32, o speech.Options) (speech.Result, error) {
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return speech.Result{}, ctx.Err() //nolint:wrapcheck // the caller's own
	}
	if len(pcm) == 0 {
		return speech.Result{NoSpeech: 1}, nil
	}
	const most = LongestMS * engines.SoundRate / 1000
	pcm = pcm[:min(len(pcm), most)]
	frames, n := m.mel.of(pcm, min(tail, most-len(pcm)))
	w := &writing{m: m, ctx: ctx, ms: int64(len(pcm)) * 1000 / engines.SoundRate, language: m.told(o.Language), expected: m.draftOf(o.Before)}
	var result speech.Result
	err := m.encoder.Run([]onnx.Tensor{{Shape: []int{1, len(m.mel.bands), n}, Data: frames}}, func(sound []onnx.Tensor) error {
		w.sound = sound
		if err := w.write(); err != nil {
			return err
		}
		result = w.result()
		return w.guess(&result, &o)
	})
	if err != nil {
		return speech.Result{}, fmt.Errorf("whisper: %w", err)
	}
	return result, nil
}

// told is the network's name of a language that is known, "" for one to be found out.
func (m *Model) told(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if m.tokens.languages == nil {
		return "en"
	}
	if _, ok := m.tokens.languages[base]; ok {
		return base
	}
	return ""
}
