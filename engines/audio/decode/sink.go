package decode

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/resample"
)

// sink is where decoders put what they decode: it mixes the channels down, changes the
// rate and hands on.
type sink struct {
	ctx      context.Context //nolint:containedctx // a sink lives for one call
	each     func(pcm []float32) error
	mix      mixer
	rate     *resample.Resampler
	channels int
	most     int64 // samples of a channel that may come
	frames   int64 // that came
	limits   *Limits
	hz       int
	mono     []float32
	out      []float32
	// outside is set while code of the caller runs, whose panics are its own.
	outside bool
}

func newSink(ctx context.Context, f *File, each func([]float32) error) *sink {
	hz := f.decoded
	if hz == 0 {
		hz = f.SampleRate
	}
	return &sink{
		ctx: ctx, each: each, mix: newMixer(f.Channels), rate: resample.New(hz, engines.SoundRate), channels: f.Channels,
		most: min(f.limits.frames(hz), f.limits.Samples/int64(f.Channels)), limits: &f.limits, hz: hz,
	}
}

// step is how many milliseconds are mixed at once.
const step = 20

// push takes samples of all channels by turns, at the file's rate.
func (s *sink) push(samples []float32) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	for some := s.hz * step / 1000 * s.channels; len(samples) > 0; {
		part := samples[:min(some, len(samples))]
		samples = samples[len(part):]
		if s.frames += int64(len(part) / s.channels); s.frames > s.most {
			return s.over()
		}
		s.mono = s.mix.down(s.mono[:0], part)
		if err := s.hand(s.rate.Push(s.out[:0], s.mono)); err != nil {
			return err
		}
	}
	return nil
}

// over is the refusal of what goes on for longer than its headers said and the limits
// allow.
func (s *sink) over() error {
	if err := s.limits.length(s.frames, s.channels, s.hz); err != nil {
		return err
	}
	return tooLarge("it lasts longer than %d s", int64(s.limits.Duration.Seconds()))
}

// silence stands for frames that can't be decoded.
func (s *sink) silence(frames int) error {
	zeros := make([]float32, min(frames, s.hz)*s.channels)
	for frames > 0 {
		n := min(frames, s.hz)
		frames -= n
		if err := s.push(zeros[:n*s.channels]); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) hand(pcm []float32) error {
	s.out = pcm
	if len(pcm) == 0 {
		return nil
	}
	for i, v := range pcm {
		switch {
		case v > 1:
			pcm[i] = 1
		case v < -1:
			pcm[i] = -1
		}
	}
	s.outside = true
	err := s.each(pcm)
	s.outside = false
	return err
}

// end hands on what the change of rate still holds.
func (s *sink) end() error { return s.hand(s.rate.Flush(s.out[:0])) }
