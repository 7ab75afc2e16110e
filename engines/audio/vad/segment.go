package vad

import (
	"errors"
	"fmt"
)

// Config says what of the probabilities is speech.
type Config struct {
	// Start is the probability at which speech begins, Stop the one below which it may
	// end: between them what was goes on.
	Start float64 `yaml:"start"`
	Stop  float64 `yaml:"stop"`
	// MinSpeech is how long it must last to count, MinSilence how long a pause must be
	// to end it; ms.
	MinSpeech  int64 `yaml:"min_speech_ms"`
	MinSilence int64 `yaml:"min_silence_ms"`
	// MinPause is the silence after which a pause is told, shorter than MinSilence: it may
	// be the end; 0 tells none.
	MinPause int64 `yaml:"min_pause_ms"`
	// Pad is added before and after, ms.
	Pad int64 `yaml:"pad_ms"`
}

// Defaults are Silero's own thresholds, with a pause that is longer than those within a
// sentence mostly are.
func Defaults() Config {
	return Config{Start: 0.5, Stop: 0.35, MinSpeech: 96, MinSilence: 320, MinPause: 96, Pad: 64}
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	if c.Start <= 0 || c.Start >= 1 {
		errs = append(errs, fmt.Errorf("start: %v must be between 0 and 1", c.Start))
	}
	if c.Stop <= 0 || c.Stop > c.Start {
		errs = append(errs, fmt.Errorf("stop: %v must be above 0 and at most start", c.Stop))
	}
	for key, ms := range map[string]int64{"min_speech_ms": c.MinSpeech, "min_silence_ms": c.MinSilence, "min_pause_ms": c.MinPause, "pad_ms": c.Pad} {
		if ms < 0 || ms > 10_000 {
			errs = append(errs, fmt.Errorf("%s: %d must be 0 to 10000", key, ms))
		}
	}
	return errors.Join(errs...)
}

// Event is the start or the end of a stretch of speech, or a pause in it.
type Event struct {
	Start, Pause bool
	AtMS         int64
}

// Segmenter makes stretches of speech of probabilities. It is not safe for concurrent
// use.
type Segmenter struct {
	cfg      Config
	speaking bool  // a start was told
	since    int64 // where the run of speech began that is not long enough yet; -1 none
	last     int64 // the end of the last frame with speech
	paused   bool  // a pause was told since
	ended    int64 // the end of the last stretch
}

// NewSegmenter makes one for a sound that begins at 0 ms.
func NewSegmenter(cfg Config) *Segmenter { return &Segmenter{cfg: cfg, since: -1} }

// Speaking reports whether a start was told and no end.
func (s *Segmenter) Speaking() bool { return s.speaking }

// Push takes the probability of the frame that begins at atMS. What it tells of lies
// before: a start MinSpeech, an end MinSilence ago. Stretches never overlap.
func (s *Segmenter) Push(atMS int64, p float64) (e Event, ok bool) {
	end := atMS + FrameMS
	switch {
	case p >= s.cfg.Start, s.speaking && p >= s.cfg.Stop:
		s.last, s.paused = end, false
		if s.speaking {
			return e, false
		}
		if s.since < 0 {
			s.since = atMS
		}
		if end-s.since < s.cfg.MinSpeech {
			return e, false
		}
		s.speaking = true
		return Event{Start: true, AtMS: max(s.ended, s.since-s.cfg.Pad)}, true
	case !s.speaking:
		s.since = -1
	case end-s.last >= s.cfg.MinSilence:
		return s.end(end), true
	case !s.paused && s.cfg.MinPause > 0 && end-s.last >= s.cfg.MinPause:
		s.paused = true
		return Event{Pause: true, AtMS: s.last}, true
	}
	return e, false
}

// Flush ends what goes on when the sound is over, at endMS.
func (s *Segmenter) Flush(endMS int64) (e Event, ok bool) {
	if !s.speaking {
		return e, false
	}
	return s.end(endMS), true
}

func (s *Segmenter) end(now int64) Event {
	s.speaking, s.since = false, -1
	s.ended = min(now, s.last+s.cfg.Pad)
	return Event{AtMS: s.ended}
}
