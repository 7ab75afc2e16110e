package decode

import (
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Limits bound a sound.
type Limits struct {
	// Bytes of the file.
	Bytes int
	// Duration of the sound.
	Duration time.Duration
	// Channels is how many it may have.
	Channels int
	// Samples is how many it may have over all channels: what it takes to decode.
	Samples int64
}

// The rates that are taken, Hz: from below a telephone's to studio equipment's.
const (
	minRate = 2000
	maxRate = 384000
)

// Default returns the limits of the wire contract: 50 MiB and 15 minutes. 8 channels
// are cinema's; 15 minutes of 8 at 48 kHz are 346 million samples, some seconds' work.
func Default() Limits {
	return Limits{Bytes: 50 << 20, Duration: 15 * time.Minute, Channels: 8, Samples: 400_000_000}
}

// Supported names the formats that are.
const Supported = "WAV, MP3, FLAC and Ogg/Opus are supported"

func unsupported(format string, args ...any) error {
	return &engines.Refusal{Kind: engines.RefusedFormat, Reason: fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &engines.Refusal{Kind: engines.RefusedSize, Reason: fmt.Sprintf(format, args...)}
}

func damaged(format string, args ...any) error {
	return &engines.Refusal{Kind: engines.RefusedDamage, Reason: fmt.Sprintf(format, args...)}
}

// shape refuses channels and rates that nothing has.
func (l *Limits) shape(channels, rate int) error {
	switch {
	case channels <= 0:
		return damaged("the header says %d channels", channels)
	case channels > l.Channels:
		return unsupported("it has %d channels; at most %d are taken", channels, l.Channels)
	case rate <= 0:
		return damaged("the header says a sample rate of %d Hz", rate)
	case rate < minRate || rate > maxRate:
		return unsupported("its sample rate is %d Hz; %d to %d are taken", rate, minRate, maxRate)
	}
	return nil
}

// length refuses what lasts too long: frames is how many samples each channel has.
func (l *Limits) length(frames int64, channels, rate int) error {
	if most := l.frames(rate); frames > most {
		return tooLarge("it lasts %d s; at most %d are taken", frames/int64(rate), int64(l.Duration.Seconds()))
	}
	if frames*int64(channels) > l.Samples {
		return tooLarge("its %d channels have %d million samples in all; at most %d are taken", channels, frames*int64(channels)/1_000_000, l.Samples/1_000_000)
	}
	return nil
}

// frames is how many samples a channel may have.
func (l *Limits) frames(rate int) int64 {
	return int64(l.Duration.Seconds() * float64(rate))
}
