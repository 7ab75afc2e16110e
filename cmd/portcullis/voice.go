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
	if cfg.Workers == 0 {
		cfg.Workers = processors
	}
	if cfg.Looks == 0 {
		cfg.Looks = min(cfg.Checks, max(1, processors/2))
	}
	if a.cfg.Voice.Looks == 0 && a.away[engines.KindAudio] != nil {
		cfg.Looks = max(1, cfg.Checks/2) // the processors are those of workers
	}
	a.voice, err = voice.New(cfg, a.cfg.HTTP.Listen, voice.Deps{
		Desk: a.desk, Evidence: a.evidence, Sessions: callers{a}, Mutes: a.penalties, Bans: a.economy,
		Meter: a.newMeter, Speech: a.speech(), Resampler: newResampler, Warm: a.audioParts.warm,
		Wordless: len(a.audioParts.Languages) == 0 && a.away[engines.KindAudio] == nil,
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

// newMeter makes the meter of a call by the thresholds that hold for it now.
func (a *app) newMeter(item *engines.Item) voice.Meter {
	m := &meter{a: a, item: item, over: a.heardBy(item)}
	m.Meter = acoustic.New(a.cfg.Audio.Acoustic.With(m.over))
	return m
}

// heardBy is what the policy in force says of thresholds.
func (a *app) heardBy(item *engines.Item) *engines.AcousticOver {
	rules, _ := a.policies.Resolve(item)
	return rules.Acoustic()
}

// meter is that of a live call, which goes on by a policy that changes meanwhile.
type meter struct {
	*acoustic.Meter
	a      *app
	item   *engines.Item
	over   *engines.AcousticOver
	drains int
	others []acoustic.Other
}

// askPolicy is after how many looks at what was found the policy is asked again: about
// a second of packets of 20 ms.
const askPolicy = 50

// Drain is that of the meter.
func (m *meter) Drain(dst []engines.Anomaly) []engines.Anomaly {
	if m.drains++; m.drains == askPolicy {
		m.drains = 0
		m.item.ReceivedAt = time.Now() // by which schedules go
		if over := m.a.heardBy(m.item); over != m.over {
			m.over = over
			m.Set(m.a.cfg.Audio.Acoustic.With(over))
		}
	}
	return m.Meter.Drain(dst)
}

// Trace is what another call needs to find this sound in its own.
func (m *meter) Trace() any {
	t := new(acoustic.Trace)
	m.Leave(t)
	return t
}

// Overhear looks for others' sound.
func (m *meter) Overhear(others []voice.Overheard) {
	m.others = m.others[:0]
	for i := range others {
		if t, ok := others[i].Trace.(*acoustic.Trace); ok {
			m.others = append(m.others, acoustic.Other{ID: others[i].ID, Trace: t, Ahead: others[i].AheadMS})
		}
	}
	m.Echo(m.others)
	clear(m.others)
}

func newResampler(from, to int) voice.Resampler { return resample.New(from, to) }

// speech makes ears for speech; nil where the model is not there, which the status says.
func (a *app) speech() func(func(voice.Edge)) voice.Speech {
	model := a.audioParts.voice
	if model == nil {
		return nil
	}
	gather := vad.NewGather(model)
	return func(told func(voice.Edge)) voice.Speech {
		cut := &cutter{vad.NewSegmenter(vad.Defaults()), told}
		return gather.New(cut.push)
	}
}

// newEar makes what makes ears for speech that tell of it at once.
func newEar(model *vad.Model) func(func(voice.Edge)) voice.Speech {
	return func(told func(voice.Edge)) voice.Speech {
		return &ear{model.New(), &cutter{vad.NewSegmenter(vad.Defaults()), told}}
	}
}

// ear finds the speech of one call.
type ear struct {
	stream *vad.Stream
	cut    *cutter
}

func (e *ear) Push(pcm []float32) error { return e.stream.Push(pcm, e.cut.push) } //nolint:wrapcheck // it names itself

// cutter tells of the edges of speech.
type cutter struct {
	segments *vad.Segmenter
	told     func(voice.Edge)
}

func (c *cutter) push(at int64, p float64) {
	if event, ok := c.segments.Push(at, p); ok {
		c.told(voice.Edge{AtMS: event.AtMS, Speaking: event.Start, Pause: event.Pause})
	}
}
