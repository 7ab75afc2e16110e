package audio

import (
	"errors"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/phrases"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// Config says what an Engine listens with. What is nil is not listened for.
type Config struct {
	// Open reads files, and the windows of calls that come without their PCM.
	Open Opener
	// Meter and Ear make what listens to one file, the one by the thresholds that policy
	// has for it (Item.Acoustic); in a live call the stream has done both already.
	Meter func(over *engines.AcousticOver) Meter
	Ear   func() (Ear, error)
	// Embed makes of a stretch of speech what tells its voice from others, nil of one
	// that is too short (engines/audio/speaker). Reader makes numbers of it.
	Embed func(pcm []float32) ([]float32, error)
	// Languages are looked through in their order for the language of an item; one
	// whose language nobody knows goes to the first without Tags, else to the first.
	// With none, speech is heard and not understood: Inspect says ErrNoRecogniser, unless
	// Wordless says that nobody wants words: how it sounds is then all that is looked at.
	Languages []Language
	Wordless  bool
	// Text judges what was said; nil leaves that to a Reader.
	Text engines.Engine
	// Phrases are looked for by their sound too, in English, beside the words of an item
	// (engines.Terms): a recogniser rarely writes what it has rarely read.
	Phrases []string
	// Gate says when what was written may be gone by; the zero value is speech.DefaultGate.
	Gate speech.Gate
	// Peaks is how many parts the waveform of a file has; 0 is 800.
	Peaks int
}

// ErrNoRecogniser says that somebody speaks, and there is nothing here that writes the language
// down. The rest was looked at.
var ErrNoRecogniser = errors.New("no recogniser for the language: what was said is not checked")

// New makes an engine.
func New(cfg Config) (*Engine, error) {
	if cfg.Open == nil {
		return nil, errors.New("audio engine: Open is nil")
	}
	for i := range cfg.Languages {
		if cfg.Languages[i].Final == nil {
			return nil, errors.New("audio engine: a language without Final")
		}
	}
	if cfg.Gate == (speech.Gate{}) {
		cfg.Gate = speech.DefaultGate()
	}
	if cfg.Peaks <= 0 {
		cfg.Peaks = 800
	}
	return &Engine{cfg: cfg, guesses: guesses{builtIn: phrases.New(cfg.Phrases, phrases.Unlike)}}, nil
}

// recogniser is what writes a language down, nil for nobody.
func (c *Config) recogniser(tag string, partial bool) speech.Recogniser {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	var found *Language
	for i := range c.Languages {
		l := &c.Languages[i]
		if slices.Contains(l.Tags, base) || len(l.Tags) == 0 {
			found = l
			break
		}
	}
	if found == nil && base == "" && len(c.Languages) > 0 {
		found = &c.Languages[0]
	}
	switch {
	case found == nil:
		return nil
	case partial && found.Partial != nil:
		return found.Partial
	}
	return found.Final
}
