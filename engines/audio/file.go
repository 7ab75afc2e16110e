package audio

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// inaudible is a peak of -60 dBFS: what stays below it is no speech that anybody could hear.
const inaudible = 1e-3

// spare is the part of the time that is kept to hand in what was found.
const spare = 10

// file listens to a whole file, or to a window of a call that came without its PCM.
func (e *Engine) file(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*(spare-1)/spare)
		defer cancel()
	}
	f, err := e.cfg.Open(item.Media.Bytes, item.Media.Type)
	if err != nil {
		return out, err //nolint:wrapcheck // a Refusal is what the caller looks for
	}
	p := playing{listening: listening{e: e, item: item, facts: &engines.MediaFacts{
		Format: f.Format, SampleRate: f.SampleRate, Channels: f.Channels, DurationMS: f.DurationMS, SHA256: sha256.Sum256(item.Media.Bytes),
	}}}
	if err := p.begin(); err != nil {
		return out, err
	}
	err = f.Unpack(ctx, func(pcm []float32) error { return p.block(ctx, pcm) })
	if p.samples == 0 && err != nil {
		return out, err //nolint:wrapcheck // as above
	}
	err = errors.Join(err, p.end(ctx))
	p.facts.DurationMS = p.samples * 1000 / engines.SoundRate
	p.facts.Peaks = p.peaks.shown(e.cfg.Peaks)
	out, failed := p.settle(ctx, out)
	return out, errors.Join(err, failed)
}

// playing is one file being listened to. Of its sound it keeps the stretch of speech
// that goes on, and before one the lead that it would begin with.
type playing struct {
	listening

	meter   Meter
	ear     Ear
	samples int64 // that were given
	peaks   peaks

	kept   []float32 // the last samples, up to samples
	voice  voice
	failed error // of hear, out of the callback of ear
}

func (p *playing) begin() (err error) {
	if p.e.cfg.Meter != nil {
		p.meter = p.e.cfg.Meter(p.item.Acoustic)
	}
	if p.e.cfg.Ear != nil {
		p.ear, err = p.e.cfg.Ear()
	}
	return err
}

func (p *playing) block(ctx context.Context, pcm []float32) error {
	p.samples += int64(len(pcm))
	p.peaks.add(pcm)
	err := p.listen(ctx, pcm)
	if p.meter != nil {
		p.meter.Push(pcm)
		p.facts.Anomalies = p.meter.Drain(p.facts.Anomalies)
	}
	return errors.Join(err, p.failed, ctx.Err())
}

// listen has the ear hear a block, and what it completes of speech written down.
func (p *playing) listen(ctx context.Context, pcm []float32) error {
	if p.ear == nil {
		// Without a model of voice nobody may say that somebody spoke, nor, where there is
		// anything to hear, that nobody did.
		p.deaf = p.deaf || slices.ContainsFunc(pcm, func(v float32) bool { return max(v, -v) > inaudible })
		return nil
	}
	p.kept = append(p.kept, pcm...)
	err := p.ear.Push(pcm, func(atMS int64, speech float64) {
		if p.meter != nil {
			p.meter.Speech(atMS, speech)
		}
		if s, ended := p.voice.push(atMS, speech); ended && p.failed == nil {
			p.failed = p.stretch(ctx, s)
		}
	})
	p.forget()
	return err //nolint:wrapcheck // it names itself
}

// end hears what still went on when the file ended.
func (p *playing) end(ctx context.Context) error {
	if p.meter != nil {
		p.meter.End()
		p.facts.Anomalies = p.meter.Drain(p.facts.Anomalies)
	}
	if s, ended := p.voice.finish(p.samples * 1000 / engines.SoundRate); ended {
		return p.stretch(ctx, s)
	}
	return nil
}

// stretch has a stretch of speech written down.
func (p *playing) stretch(ctx context.Context, s stretch) error {
	p.facts.Speech = append(p.facts.Speech, engines.Stretch{FromMS: s.fromMS, ToMS: s.toMS})
	said := &p.facts.Speech[len(p.facts.Speech)-1]
	start := p.samples - int64(len(p.kept))
	from := max(0, s.fromMS*engines.SoundRate/1000-start)
	to := min(int64(len(p.kept)), s.toMS*engines.SoundRate/1000-start)
	if from >= to {
		return nil
	}
	err := p.embed(said, p.kept[from:to], s.voicedMS)
	return errors.Join(err, p.hear(ctx, p.kept[from:to], s.fromMS, s.voicedMS))
}

// forget drops what no stretch can begin with any more.
func (p *playing) forget() {
	keep := p.voice.needsFrom() * engines.SoundRate / 1000
	if drop := keep - (p.samples - int64(len(p.kept))); drop > 0 {
		n := copy(p.kept, p.kept[min(drop, int64(len(p.kept))):])
		p.kept = p.kept[:n]
	}
}
