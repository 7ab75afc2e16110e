package audio

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// File is a sound file whose headers were read (engines/audio/decode).
type File struct {
	Format               string
	SampleRate, Channels int
	DurationMS           int64 // as far as the headers say; 0 where they don't
	// Unpack gives its sound at engines.SoundRate, mono, in blocks that are good until
	// each returns.
	Unpack func(ctx context.Context, each func(pcm []float32) error) error
}

// Opener reads the headers of a file. Its errors are engines.Refusal where the sound
// can't be looked at. It must be safe for concurrent use.
type Opener func(b []byte, claim string) (*File, error)

// Meter measures one sound (engines/audio/acoustic). Speech tells it what an Ear hears,
// before the sound is pushed that it hears it in; End says that nothing follows. It is
// used by one goroutine.
type Meter interface {
	Speech(atMS int64, p float64)
	Push(pcm []float32)
	End()
	Drain(dst []engines.Anomaly) []engines.Anomaly
}

// Ear hears where in one sound somebody speaks (engines/audio/vad). Push calls each with
// the probability of speech for every frame that is complete; a frame lasts until the
// next one begins. It is used by one goroutine.
type Ear interface {
	Push(pcm []float32, each func(atMS int64, speech float64)) error
}

// Language is what writes down one language, or several.
type Language struct {
	// Tags are BCP 47 language codes (en, ja, zh, ko), none for every language.
	Tags []string
	// Final writes what is gone by last, Partial what is looked at while somebody
	// speaks; nil is Final.
	Final, Partial speech.Recogniser
}
