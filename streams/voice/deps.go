package voice

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Desk makes verdicts. Check returns after everything that must be on disk is.
type Desk interface {
	Check(ctx context.Context, item *engines.Item) (engines.Outcome, error)
}

// Evidence keeps the clip of a flagged window once the seconds after it are over. It
// keeps nothing where the rules of evidence keep none of the verdict.
type Evidence interface {
	AddClip(ctx context.Context, item *engines.Item, o engines.Outcome, mime string, clip []byte) error
}

// Sessions tells whoever is behind a call: a player's session, or the game server's
// that bridges it. It does not wait.
type Sessions interface {
	Push(app engines.AppID, player engines.PlayerID, id engines.SessionID, body []byte)
}

// Mutes knows who may not speak. It reads memory alone.
type Mutes interface {
	VoiceMuted(app engines.AppID, player engines.PlayerID) (until time.Time, category engines.Category, muted bool)
}

// Bans knows who is kept out. It reads memory alone.
type Bans interface {
	Excluded(app engines.AppID, player engines.PlayerID) bool
}

// Meter measures sound at engines.SoundRate, pushed in parts of any length.
type Meter interface {
	Push(pcm []float32)
	// Drain appends what has come to be an anomaly since the last call, timed in ms from
	// the first sample pushed.
	Drain(dst []engines.Anomaly) []engines.Anomaly
}

// Attentive is a Meter that goes by whether somebody speaks: without, sound that goes on
// may be a microphone that was left open.
type Attentive interface {
	// Speech tells how likely somebody speaks at a time, 0 or 1.
	Speech(atMS int64, p float64)
}

// Edge is where speech begins or ends, in ms from the first sample pushed.
type Edge struct {
	AtMS     int64
	Speaking bool
	// Pause is set where nobody has spoken for a moment, which may be the end and may not.
	Pause bool
}

// Speech finds where somebody speaks, in sound pushed as to a Meter. Its error may be of
// what was pushed before.
type Speech interface {
	Push(pcm []float32) error
}

// Resampler turns one rate into another, part by part: it appends to dst.
type Resampler interface {
	Push(dst, src []float32) []float32
}

// Deps is what a Hub stands on.
type Deps struct {
	Desk     Desk
	Evidence Evidence // nil: no clips beside what the desk keeps
	Sessions Sessions // nil: nobody is told
	Mutes    Mutes    // nil: nobody is muted
	Bans     Bans     // nil: nobody is kept out
	// Meter makes the meter of one call; item is what its windows will be to the desk,
	// for who has thresholds from policy.
	Meter func(item *engines.Item) Meter
	// Speech makes the ear for speech of one call, which tells of what it finds in order:
	// within Push, or somewhat later on another goroutine, never twice at once; told does not
	// wait. nil where there is no model for it: then calls are measured, and no words are
	// looked for.
	Speech func(told func(Edge)) Speech
	// Wordless is set where nobody writes down what is said: speech that goes on or pauses is
	// not looked at then, unless for what was measured.
	Wordless bool
	// Resampler makes one for the sound of a bridge or an egress.
	Resampler func(from, to int) Resampler
	// Warm is called once, when the first call begins, for what takes long to load; nil
	// where nothing does.
	Warm func()
}
