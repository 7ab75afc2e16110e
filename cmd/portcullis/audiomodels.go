package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/engines/audio/decode"
	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/audio/vad"
	"github.com/portcullis-gg/portcullis/engines/audio/whisper"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// audioParts is what this process listens with.
type audioParts struct {
	audio.Config

	voice      *vad.Model // nil where it is not there
	whispers   map[string]*lateWhisper
	has, lacks []string
	closers    []func() error
}

// gravest is the least severity of the built-in list's terms that are looked for by their
// sound: those of insults and above.
const gravest = 2

// newAudioParts loads what there is; m, which its caller closes after it, has the
// models. What can't be loaded stands in the status; the gateway goes on without it.
func newAudioParts(c *audioConfig, m *modelKeeper) *audioParts {
	p := &audioParts{whispers: map[string]*lateWhisper{}, has: []string{"acoustic anomalies"}}
	p.Wordless = len(c.Words) == 0 // who configures none is not told of each sound that none was found
	p.Open = func(b []byte, claim string) (*audio.File, error) { return opened(b, claim, c.limits()) }
	p.Meter = func(over *engines.AcousticOver) audio.Meter { return acoustic.New(c.Acoustic.With(over)) }
	if err := m.runtime(); err != nil {
		p.lacks = append(p.lacks, "speech")
		return p
	}
	var err error
	if p.voice, err = vad.Load(m.store); err != nil {
		m.board.Failed(models.VAD, err)
		p.lacks = append(p.lacks, "speech")
		return p
	}
	m.board.Loaded(models.VAD)
	p.closers = append(p.closers, p.voice.Close)
	p.Ear = func() (audio.Ear, error) { return p.voice.New(), nil }
	p.has = append(p.has, "speech")
	if p.Phrases, err = text.Sayings("en", gravest); err != nil {
		m.log.Error("phrases are not looked for by their sound", "reason", err)
	}
	p.voices(m)
	for i := range c.Words {
		p.words(&c.Words[i], m)
	}
	return p
}

// voices loads what tells voices apart.
func (p *audioParts) voices(m *modelKeeper) {
	model, err := speaker.Open(m.store.Dir())
	if err != nil {
		m.board.Failed(models.Speaker, err)
		p.lacks = append(p.lacks, "voices told apart")
		return
	}
	m.board.Loaded(models.Speaker)
	p.closers = append(p.closers, model.Close)
	p.has = append(p.has, "voices told apart")
	p.Embed = func(pcm []float32) ([]float32, error) {
		v, err := model.Embed(pcm)
		if errors.Is(err, speaker.ErrShort) {
			return nil, nil
		}
		return v[:], err //nolint:wrapcheck // it names itself
	}
}

// words loads what writes down some languages.
func (p *audioParts) words(w *wordsConfig, m *modelKeeper) {
	what := "words in other languages, as far as the model goes (not measured)"
	if len(w.Languages) > 0 {
		what = "words in " + strings.Join(w.Languages, ", ")
	}
	final := p.whisper(w.Model, w.Detect, m)
	partial := final
	if w.Partial != "" {
		partial = p.whisper(w.Partial, nil, m)
	}
	switch {
	case final == nil && partial == nil:
		p.lacks = append(p.lacks, what)
		return
	case final == nil: // better the quick one than none
		final = partial
	case partial == nil:
		partial = final
	}
	p.has = append(p.has, what)
	p.Languages = append(p.Languages, audio.Language{Tags: w.Languages, Final: final, Partial: partial})
}

// whisper is a model, one for each set of languages; nil where it isn't there.
func (p *audioParts) whisper(name string, detect []string, m *modelKeeper) *lateWhisper {
	key := name + " " + strings.Join(detect, " ")
	if have, ok := p.whispers[key]; ok {
		return have
	}
	w := &lateWhisper{load: func() (*whisper.Model, error) {
		model, err := loadWhisper(name, detect, m)
		if err != nil {
			m.board.Failed(name, err)
			m.log.Error("a model of speech is not loaded", "model", name, "reason", err)
			return nil, err
		}
		m.board.Loaded(name)
		return model, nil
	}}
	if err := whisperThere(name, m); err != nil {
		m.board.Failed(name, err)
		m.log.Warn("speech is not written down by a model", "model", name, "reason", err)
		w = nil
	} else {
		p.closers = append(p.closers, w.close)
	}
	p.whispers[key] = w
	return w
}

// lateWhisper is a model that is loaded when the first sound comes, or a call is begun:
// a gateway for text alone shall not pay for it. It is safe for concurrent use.
type lateWhisper struct {
	load func() (*whisper.Model, error)

	mu    sync.Mutex
	tried bool
	model *whisper.Model
	err   error
}

func (w *lateWhisper) get() (*whisper.Model, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.tried {
		w.tried = true
		w.model, w.err = w.load()
	}
	return w.model, w.err
}

// Recognise has the model write.
func (w *lateWhisper) Recognise(ctx context.Context, pcm []float32, o speech.Options) (speech.Result, error) {
	model, err := w.get()
	if err != nil {
		return speech.Result{}, err
	}
	return model.Recognise(ctx, pcm, o) //nolint:wrapcheck // it names itself
}

func (w *lateWhisper) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tried, w.err = true, errors.New("the models are closed")
	if w.model == nil {
		return nil
	}
	return w.model.Close()
}

// warm loads what will write down speech, for who expects some soon.
func (p *audioParts) warm() {
	for _, w := range p.whispers {
		if w != nil {
			_, _ = w.get() // the status has what is wrong, and whoever listens is told
		}
	}
}

// whisperThere looks whether a model lies in its folder.
func whisperThere(name string, m *modelKeeper) error {
	if known := models.Find(name); known != nil {
		return m.store.Look(known) //nolint:wrapcheck // it names the file
	}
	if _, err := os.Stat(filepath.Join(m.store.Dir(), name, "config.json")); err != nil {
		return fmt.Errorf("%s is no id of portcullis models list, and no model lies in its folder: %w", name, err)
	}
	return nil
}

func loadWhisper(name string, detect []string, m *modelKeeper) (*whisper.Model, error) {
	var files whisper.Files
	var err error
	if known := models.Find(name); known != nil {
		for file, to := range map[string]*[]byte{"encoder.onnx": &files.Encoder, "decoder.onnx": &files.Decoder, "vocabulary.txt": &files.Vocabulary, "config.json": &files.Config} {
			if *to, err = m.store.Read(known, name+"/"+file); err != nil {
				return nil, err //nolint:wrapcheck // it names the file
			}
		}
	} else if files, err = whisper.ReadFolder(filepath.Join(m.store.Dir(), name)); err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	// Who may listen is bounded by the pools.
	return whisper.Load(files, whisper.Config{Languages: detect, Slots: 4 * processors}) //nolint:wrapcheck // it names itself
}

// opened reads the headers of a file for the engine.
func opened(b []byte, claim string, lim decode.Limits) (*audio.File, error) {
	f, err := decode.Read(b, claim, lim)
	if err != nil {
		return nil, err //nolint:wrapcheck // an engines.Refusal
	}
	return &audio.File{Format: f.Format, SampleRate: f.SampleRate, Channels: f.Channels, DurationMS: f.DurationMS, Unpack: f.Unpack}, nil
}

// close frees what was loaded, once nothing listens any more.
func (p *audioParts) close() error {
	var errs []error
	for _, end := range p.closers {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}
