package image

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
)

// Config says what an Engine looks with. What is nil is not looked for.
type Config struct {
	Detectors []Detector
	Text      TextReader
	Codes     CodeReader
	Hash      Hasher
	// Limits bound one picture; the zero value is decode.Default.
	Limits decode.Limits
	// Memory is how many bytes pictures that are unpacked at once may take together;
	// 0 is the Memory of Limits. Full-rule: the next one waits.
	Memory int64
	// ReadFrames is in how many frames of an animation text and codes are looked for;
	// 0 is 12. Those are read that differ from the ones read before.
	ReadFrames int
}

// Engine looks at pictures. It is safe for concurrent use. Its errors are
// engines.Refusal where the picture can't be looked at.
type Engine struct {
	cfg    Config
	memory *semaphore.Weighted
}

// New makes an engine.
func New(cfg Config) (*Engine, error) {
	if cfg.Limits == (decode.Limits{}) {
		cfg.Limits = decode.Default()
	}
	if cfg.Memory == 0 {
		cfg.Memory = cfg.Limits.Memory
	}
	if cfg.Memory < cfg.Limits.Memory {
		return nil, errors.New("image engine: Memory must be as much as one picture may take")
	}
	if cfg.ReadFrames <= 0 {
		cfg.ReadFrames = 12
	}
	return &Engine{cfg, semaphore.NewWeighted(cfg.Memory)}, nil
}

// spare is the part of the time that is kept to hand in what was found.
const spare = 10

// Inspect learns the media's facts and appends what its frames show. When the time
// ends before all was looked at, it returns what was found with ctx's error.
func (e *Engine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if item.Media == nil {
		return out, errors.New("image engine: an item without a picture")
	}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*(spare-1)/spare)
		defer cancel()
	}
	f, err := decode.Read(item.Media.Bytes, item.Media.Type, e.cfg.Limits)
	if err != nil {
		return out, err //nolint:wrapcheck // a Refusal is what the caller looks for
	}
	need := min(f.Memory, e.cfg.Memory)
	if err := e.memory.Acquire(ctx, need); err != nil {
		return out, fmt.Errorf("wait for memory: %w", err)
	}
	defer e.memory.Release(need)
	l := looking{e: e, use: item.Media.Use, facts: &engines.MediaFacts{
		Format: f.Format, Width: f.Width, Height: f.Height, Frames: f.Frames, DurationMS: f.DurationMS, Trailing: f.Trailing, SHA256: sha256.Sum256(item.Media.Bytes),
	}, sampled: min(f.Frames, e.cfg.Limits.Sampled)}
	err = f.Unpack(ctx, func(fr decode.Frame) error { return l.frame(ctx, &fr) })
	if l.seen == 0 && err != nil {
		return out, err //nolint:wrapcheck // as above
	}
	item.Media.Learn(l.facts)
	return append(out, l.found...), err //nolint:wrapcheck // as above
}

// looking is one picture being looked at.
type looking struct {
	e       *Engine
	use     engines.Use
	facts   *engines.MediaFacts
	found   []engines.Signal
	sampled int // frames that there will be

	seen int
	read []decode.Thumb // of frames that were read
}

func (l *looking) frame(ctx context.Context, fr *decode.Frame) error {
	pictures := looks(fr, l.use)
	if l.seen == 0 && l.e.cfg.Hash != nil {
		l.facts.PDQ, l.facts.PDQQuality = l.e.cfg.Hash(fullSize(fr, pictures[0]))
	}
	reads := l.worthReading(pictures[0])
	l.seen++
	for _, p := range pictures {
		if err := l.detect(ctx, p); err != nil {
			return err
		}
		if !reads {
			continue
		}
		if err := l.readIn(ctx, p); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (l *looking) detect(ctx context.Context, p *Picture) error {
	for _, d := range l.e.cfg.Detectors {
		signals, err := d.Detect(ctx, p, nil)
		for i := range signals {
			l.take(&signals[i], p)
		}
		if err != nil {
			return fmt.Errorf("detect: %w", err)
		}
	}
	return nil
}

// take keeps a signal, the surest of its kind over all frames.
func (l *looking) take(s *engines.Signal, p *Picture) {
	place := engines.Place{AtMS: p.AtMS, EndMS: p.EndMS}
	if s.Place != nil {
		place.Box = p.scaled(s.Place.Box)
	}
	s.Place = &place
	if place == (engines.Place{}) {
		s.Place = nil
	}
	for i := range l.found {
		have := &l.found[i]
		if have.Category == s.Category && have.SubLabel == s.SubLabel && have.Rule == s.Rule {
			if s.Confidence > have.Confidence {
				*have = *s
			}
			return
		}
	}
	l.found = append(l.found, *s)
}

// scaled is a box in pixels of the frame.
func (p *Picture) scaled(box [4]int) [4]int {
	for i := range box {
		box[i] = int(float64(box[i]) * p.Scale)
	}
	return box
}
