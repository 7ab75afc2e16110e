package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/engines/audio/decode"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/giveway"
	"github.com/portcullis-gg/portcullis/streams/voice"
)

// audioConfig is the part of portcullis.yaml about sound.
type audioConfig struct {
	// Bytes and Duration bound one file.
	Bytes    int           `yaml:"bytes"`
	Duration time.Duration `yaml:"duration"`
	// Slots is how many files are listened to at once, 0 for half of the processors, and
	// Queue how many may wait; windows of live calls have slots of their own (voice.checks,
	// voice.looks). Full-rule: the policy's fail rule decides.
	Slots int `yaml:"slots"`
	Queue int `yaml:"queue"`
	// Deadline is for what somebody waits for, WindowDeadline for a window of a live
	// call, BehindDeadline for what is fetched later.
	Deadline       time.Duration `yaml:"deadline"`
	WindowDeadline time.Duration `yaml:"window_deadline"`
	BehindDeadline time.Duration `yaml:"behind_deadline"`
	// Remembered is how many bytes what is known of files that are sent again may take;
	// less than 0 is none.
	Remembered int `yaml:"remembered"`
	// Run is local, workers or both (portcullis worker); JobQueue and JobBytes are the
	// Queue and PayloadBytes of dispatch.Config.
	Run      dispatch.Run `yaml:"run"`
	JobQueue int          `yaml:"job_queue"`
	JobBytes int64        `yaml:"job_bytes"`
	// Acoustic has what is measured without words, in live calls and files; layers of the
	// policy may say otherwise.
	Acoustic acoustic.Config `yaml:"acoustic"`
	// Words says what writes down which language; the first that fits is taken.
	Words []wordsConfig `yaml:"words"`
}

// wordsConfig is what writes down some languages.
type wordsConfig struct {
	// Languages are BCP 47 codes, none for every language that no other entry has.
	Languages []string `yaml:"languages"`
	// Model is an id of portcullis models list, or a folder below that of the models
	// with a Whisper of CTranslate2. Partial is one for what is looked at while somebody
	// still speaks; "" is Model.
	Model   string `yaml:"model"`
	Partial string `yaml:"partial"`
	// Detect are the languages that are told apart where nobody knows it; none are all
	// that the model knows.
	Detect []string `yaml:"detect"`
}

func defaultAudioConfig() audioConfig {
	lim := decode.Default()
	return audioConfig{
		Bytes: lim.Bytes, Duration: lim.Duration, Queue: 64,
		Deadline: 9 * time.Second, WindowDeadline: 5 * time.Second, BehindDeadline: 5 * time.Minute,
		Remembered: 32 << 20, Run: dispatch.Local, JobQueue: dispatch.Default().Queue, JobBytes: dispatch.Default().PayloadBytes,
		Acoustic: acoustic.Defaults(),
		Words: []wordsConfig{
			{Languages: []string{"en"}, Model: models.WhisperBase, Partial: models.WhisperTiny},
			{Model: models.WhisperBase},
		},
	}
}

func (c *audioConfig) validate() error {
	var errs []error
	for _, k := range []struct {
		key string
		n   int64
	}{
		{"bytes", int64(c.Bytes)},
		{"duration", int64(c.Duration)},
		{"queue", int64(c.Queue)},
		{"deadline", int64(c.Deadline)},
		{"window_deadline", int64(c.WindowDeadline)},
		{"behind_deadline", int64(c.BehindDeadline)},
	} {
		if k.n <= 0 {
			errs = append(errs, fmt.Errorf("audio.%s: must be positive", k.key))
		}
	}
	if c.Slots < 0 {
		errs = append(errs, errors.New("audio.slots: must not be negative"))
	}
	errs = append(errs, validDispatch("audio", c.dispatch()), below("audio.acoustic", c.Acoustic.Validate()))
	for i, w := range c.Words {
		if w.Model == "" {
			errs = append(errs, fmt.Errorf("audio.words[%d].model: is missing", i))
		}
		for _, name := range []string{w.Model, w.Partial} {
			if name != "" && !filepath.IsLocal(name) {
				errs = append(errs, fmt.Errorf("audio.words[%d]: %q is no folder below that of the models", i, name))
			}
		}
		for _, l := range append(slices.Clone(w.Languages), w.Detect...) {
			if l == "" || l != strings.ToLower(l) || strings.ContainsAny(l, "-_ ") {
				errs = append(errs, fmt.Errorf("audio.words[%d]: language %q must be a code such as en", i, l))
			}
		}
	}
	return errors.Join(errs...)
}

// below puts the keys of faults below that of their section.
func below(section string, err error) error {
	if err == nil {
		return nil
	}
	var errs []error
	for line := range strings.Lines(err.Error()) {
		errs = append(errs, errors.New(section+"."+strings.TrimSuffix(line, "\n")))
	}
	return errors.Join(errs...)
}

// listensWith names everything that what is heard in a file depends on beside the file.
func (c *audioConfig) listensWith(m *modelKeeper) string {
	return fmt.Sprintf("%s %s %v %v %v", buildVersion(), m.loaded(), c.Acoustic, c.Words, c.Duration)
}

// dispatch is how sounds go to workers.
func (c *audioConfig) dispatch() dispatch.Config {
	return dispatch.Config{Run: c.Run, Queue: c.JobQueue, PayloadBytes: c.JobBytes}
}

// accept refuses a sound by its headers.
func (c *audioConfig) accept(sound []byte, claim string) error {
	_, err := decode.Read(sound, claim, c.limits())
	return err //nolint:wrapcheck // an engines.Refusal
}

// limits are those of one file.
func (c *audioConfig) limits() decode.Limits {
	lim := decode.Default()
	lim.Bytes, lim.Duration = c.Bytes, c.Duration
	return lim
}

// inspectingAudio is the engine that sound goes to: the one given. Tests of what
// happens when it finds something, is late or fails put one around it.
var inspectingAudio = func(e engines.Engine) engines.Engine { return e }

// engine is the engine that listens itself, in a gateway or a worker. What was said is
// judged at the gateway.
func (p *audioParts) engine() (engines.Engine, error) {
	e, err := audio.New(p.Config)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names what is wrong
	}
	return inspectingAudio(e), nil
}

// buildAudio builds the engine for sound; text reads what was said.
func (a *app) buildAudio(text engines.Engine) error {
	c := &a.cfg.Audio
	inner, err := a.audioEngine()
	if err != nil {
		return err
	}
	a.buildVoiceLinks()
	reader, err := audio.NewReader(audio.ReaderConfig{
		Inner: inner, Text: text, Embed: a.audioParts.Embed, Keeper: a.voiceLinks, Version: c.listensWith(a.models), Remembered: c.Remembered,
	})
	if err != nil {
		return err //nolint:wrapcheck // it names what is wrong
	}
	away := a.away[engines.KindAudio] != nil
	pool := func(name string, slots int, deadline time.Duration) (*engines.Pool, error) {
		if away {
			slots = max(slots, atWorkers) // to wait for a worker takes no processor
		}
		return engines.NewPool(engines.PoolConfig{
			Name: name, Engine: voice.Sifting{Engine: reader}, Slots: slots, Queue: c.Queue, Deadline: deadline, Registry: a.reg, Log: a.log,
		})
	}
	a.sounds = &soundPools{}
	var errs [3]error
	a.sounds.windows, errs[0] = pool("voice", max(processors, a.cfg.Voice.Checks), c.WindowDeadline) // who hears calls says which window is next
	a.sounds.files, errs[1] = pool("audio", c.slots(), c.Deadline)
	a.sounds.behind, errs[2] = pool("audio_behind", c.slots(), c.BehindDeadline)
	return errors.Join(errs[:]...)
}

// audioEngine listens here, or has workers listen.
func (a *app) audioEngine() (engines.Engine, error) {
	c := &a.cfg.Audio
	a.audioParts = newAudioParts(c, a.models) // of which a live call needs the ear here
	if c.Run == dispatch.Workers {
		return a.sendAway(engines.KindAudio, c.dispatch(), nil)
	}
	engine, err := a.audioParts.engine()
	local := unhurried{engine}
	if err != nil || c.Run == dispatch.Local || a.jobs == nil { // the last: both, where no worker could be
		return local, err
	}
	return a.sendAway(engines.KindAudio, c.dispatch(), &soundsBounded{
		windows: bounded{local, make(chan struct{}, processors)}, files: bounded{local, make(chan struct{}, c.slots())},
	})
}

// unhurried has the windows of a call that nobody waits for listened to behind all else: the
// kernel gives the processor to who pauses, and to packets, at once. Each inspection needs a
// goroutine of its own, as a pool gives it.
type unhurried struct{ engine engines.Engine }

// Inspect has the engine listen.
func (u unhurried) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if live(item) && !item.Media.Sound.Paused {
		giveway.Now()
	}
	return u.engine.Inspect(ctx, item, out) //nolint:wrapcheck // the engine's own
}

// soundsBounded listens here below pools that have more slots since most is listened to
// elsewhere; a window does not wait behind a file.
type soundsBounded struct{ windows, files bounded }

func (b *soundsBounded) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if live(item) {
		return b.windows.Inspect(ctx, item, out)
	}
	return b.files.Inspect(ctx, item, out)
}

// live reports whether a sound is a window of a call that goes on.
func live(item *engines.Item) bool { return item.Media != nil && item.Media.Sound != nil }

// slots is how many files are listened to at once: windows of live calls come first.
func (c *audioConfig) slots() int {
	if c.Slots > 0 {
		return c.Slots
	}
	return max(1, processors/2)
}

// soundPools are the ways in which sound is listened to: a window of a live call must
// not wait behind a file, nor a file that somebody waits for behind one that is long.
type soundPools struct{ windows, files, behind *engines.Pool }

// Inspect has the engine listen.
func (s *soundPools) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
	switch {
	case live(item):
		return s.windows.Inspect(ctx, item, out)
	case item.Behind:
		return s.behind.Inspect(ctx, item, out)
	}
	return s.files.Inspect(ctx, item, out)
}

// Close ends the pools.
func (s *soundPools) Close() {
	for _, p := range []*engines.Pool{s.windows, s.files, s.behind} {
		if p != nil {
			p.Close()
		}
	}
}

// audioComponent says what sound is listened to for.
func (a *app) audioComponent() gateway.Component {
	c := gateway.Component{Name: "engine:audio", State: "ok", Detail: "WAV, MP3, FLAC, Ogg/Opus"}
	if a.cfg.Audio.Run == dispatch.Workers {
		c.Detail += "; workers listen"
		return c
	}
	c.Detail += "; looked for: " + strings.Join(a.audioParts.has, ", ")
	if len(a.audioParts.lacks) > 0 {
		c.State = "degraded"
		c.Detail += "; no model: not detected: " + strings.Join(a.audioParts.lacks, ", ")
	}
	return c
}
