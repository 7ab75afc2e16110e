package audio

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/remember"
)

// ReaderConfig says what a Reader works with.
type ReaderConfig struct {
	// Inner listens: an Engine without Text, or what asks one elsewhere. It must have the
	// media learn its facts.
	Inner engines.Engine
	// Text judges what was said.
	Text engines.Engine
	// Embed is that of Config, for speech that goes on, in which a finding is rare: nil
	// leaves such findings without the number of their voice.
	Embed func(pcm []float32) ([]float32, error)
	// Keeper remembers the voices of calls where the policy allows it; nil is nobody.
	Keeper VoiceKeeper
	// Version names what Inner listens with; what another version heard is not used.
	Version string
	// Remembered is how many bytes what is known of files may take; 0 is 32 MiB, less
	// than 0 none. Full-rule: who was asked for longest ago goes.
	Remembered int
	// Now is the time, for tests; nil is time.Now.
	Now func() time.Time
}

// Reader is the audio engine as a gateway has it: what listens may be elsewhere, and
// knows nothing of an operator's own words or of what was said before. It is safe for
// concurrent use.
type Reader struct {
	cfg    ReaderConfig
	memory *remember.Findings[heardKey]
	voices voices
}

// heardKey is a file, and what it was listened to with: by which version, as which
// language, by which thresholds of policy, for which of the operator's words: those are
// written where something sounds like them.
type heardKey struct {
	sum, terms                  [32]byte
	version, language, acoustic string
}

// NewReader makes a reader.
func NewReader(cfg ReaderConfig) (*Reader, error) {
	if cfg.Inner == nil || cfg.Text == nil {
		return nil, errors.New("audio reader: an engine is nil")
	}
	if cfg.Remembered == 0 {
		cfg.Remembered = 32 << 20
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Reader{cfg: cfg, memory: remember.New[heardKey](cfg.Remembered), voices: voices{now: cfg.Now, keeper: cfg.Keeper, all: map[stream]*ofCall{}}}, nil
}

// Inspect has the sound listened to, or remembers it, and what was said judged.
func (r *Reader) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if item.Media == nil {
		return out, errors.New("audio reader: an item without a sound")
	}
	before := len(out)
	out, err := r.listen(ctx, item, out)
	facts := item.Media.Facts()
	if facts == nil {
		return out, err
	}
	heard := len(out)
	out, failed := judge(ctx, r.cfg.Text, item, facts, out)
	if item.Media.Sound != nil {
		if len(out) > heard {
			r.lend(item, facts)
		}
		facts, late := r.voices.number(item, facts, len(out) > before)
		item.Media.Learn(facts)
		failed = errors.Join(failed, late)
	}
	return out, errors.Join(err, failed)
}

// lend leaves a way to the voice of speech that goes on and in which something was found.
// Inner does so once it is over: of each look it would cost more than the look.
func (r *Reader) lend(item *engines.Item, facts *engines.MediaFacts) {
	const enough = leastVoiceMS * engines.SoundRate / 1000
	s := item.Media.Sound
	if !s.Partial || r.cfg.Embed == nil || hasVoices(facts) || len(s.PCM) < enough {
		return
	}
	item.Media.Leave(func() ([]float32, error) {
		v, err := r.cfg.Embed(s.PCM[len(s.PCM)-enough:])
		if err != nil {
			return nil, fmt.Errorf("tell voices apart: %w", err)
		}
		return v, nil
	})
}

// listen has the media learn what is heard in it.
func (r *Reader) listen(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	live := item.Media.Sound != nil // what is said in a call is never the same again
	var key heardKey
	if !live {
		key = r.key(item)
		if facts, signals, ok := r.memory.Get(key); ok {
			item.Media.Learn(facts)
			return append(out, signals...), nil
		}
	}
	before := len(out)
	out, err := r.cfg.Inner.Inspect(ctx, item, out)
	if facts := item.Media.Facts(); facts != nil && !live { // those of a call once it was judged
		facts, late := r.voices.number(item, facts, true)
		item.Media.Learn(facts)
		if err = errors.Join(err, late); err == nil {
			r.memory.Put(key, facts, out[before:])
		}
	}
	return out, err //nolint:wrapcheck // the engine's
}

func (r *Reader) key(item *engines.Item) heardKey {
	k := heardKey{sum: sha256.Sum256(item.Media.Bytes), version: r.cfg.Version, language: item.Language}
	if item.Acoustic != nil {
		if b, err := json.Marshal(item.Acoustic); err == nil { // which sorts its keys
			k.acoustic = string(b)
		}
	}
	if w, ok := item.Words.(engines.Terms); ok {
		all := sha256.New()
		for _, term := range w.Terms(item) {
			all.Write([]byte(term))
			all.Write([]byte{0})
		}
		all.Sum(k.terms[:0])
	}
	return k
}
