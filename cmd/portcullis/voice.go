package main

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/engines/audio/resample"
	"github.com/portcullis-gg/portcullis/engines/audio/vad"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/streams/voice"
)

// buildVoice builds what hears live calls. It comes after the desk and the sessions,
// which it asks and tells.
func (a *app) buildVoice() error {
	var err error
	cfg := a.cfg.Voice
	if cfg.Looks == 0 && a.away[engines.KindAudio] != nil {
		cfg.Looks = max(1, cfg.Checks/2) // the processors are those of workers
	}
	a.voice, err = voice.New(cfg, a.cfg.HTTP.Listen, voice.Deps{
		Desk: a.desk, Evidence: a.evidence, Sessions: callers{a}, Mutes: a.penalties, Bans: a.economy,
		Meter: newMeter, Speech: a.speech(), Resampler: newResampler, Warm: a.audioParts.warm,
	}, a.reg, a.log)
	return err //nolint:wrapcheck // it names the key
}

// callers are whoever is behind calls: sessions, once there are any.
type callers struct{ a *app }

func (c callers) Push(app engines.AppID, player engines.PlayerID, id engines.SessionID, body []byte) {
	if c.a.hub != nil {
		c.a.hub.Push(app, player, id, body)
	}
}

// calls is voice.Hub as the gateway wants it.
type calls struct{ *voice.Hub }

func (c calls) Enter(id string, hangUp func()) (gateway.Listener, error) {
	e, err := c.Hub.Enter(id, hangUp)
	if err != nil {
		return nil, err //nolint:wrapcheck // an answer of the wire
	}
	return e, nil
}

// drainVoice ends calls and waits for what they said to have its verdict.
func (a *app) drainVoice(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainCalls)
	defer cancel()
	a.voice.Drain(ctx)
}

const drainCalls = 5 * time.Second

// voiceComponent says how calls are heard.
func (a *app) voiceComponent() gateway.Component {
	c := gateway.Component{Name: "voice", State: "ok"}
	c.Detail = "WebRTC at " + a.voice.Addr() + "/udp, bridge, egress"
	if a.voice.Addr() == "" {
		c.Detail = "bridge and egress; no WebRTC (voice.listen is off)"
	}
	if a.voice.Speechless() {
		c.State = "degraded"
		c.Detail += "; no model for speech: what is said is not looked for, sound is measured alone"
	}
	if a.voice.Lagging() {
		c.State = "degraded"
		c.Detail += "; sound was heard more than 200 ms late within the last ten seconds"
	}
	return c
}

func newMeter() voice.Meter { return acoustic.New(acoustic.Defaults()) }

func newResampler(from, to int) voice.Resampler { return resample.New(from, to) }

// speech makes ears for speech; nil where the model is not there, which the status says.
func (a *app) speech() func() voice.Speech {
	model := a.audioParts.voice
	if model == nil {
		return nil
	}
	return newEar(model)
}

// newEar makes what makes ears for speech.
func newEar(model *vad.Model) func() voice.Speech {
	return func() voice.Speech { return &ear{model.New(), vad.NewSegmenter(vad.Defaults())} }
}

// ear finds the speech of one call.
type ear struct {
	stream *vad.Stream
	cut    *vad.Segmenter
}

func (e *ear) Push(pcm []float32, each func(voice.Edge)) error {
	return e.stream.Push(pcm, func(at int64, p float64) {
		if event, ok := e.cut.Push(at, p); ok {
			each(voice.Edge{AtMS: event.AtMS, Speaking: event.Start, Pause: event.Pause})
		}
	})
}
