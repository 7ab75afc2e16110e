package voice

import (
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// Replay has a call heard that is over, packet after packet, and calls each with every
// window that would have gone to the desk, on a machine that has time for all of them.
// A nil packet was lost on the way. It is for measuring what a call's windows lead to.
func Replay(deps Deps, packets [][]byte, each func(s *engines.Sound) error) error {
	cfg := Default()
	cfg.Listen, deps.Desk = Off, nowhere{}
	h, err := New(cfg, "", deps, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	sound, err := newOpus()
	if err != nil {
		return err
	}
	c := h.newCall(&session.Speaker{Player: "replay"}, sound)
	ticks, lost := clock/50, 0
	var ts uint32
	for _, p := range packets {
		if p == nil {
			ts, lost = ts+uint32(ticks), lost+1 //nolint:gosec // 120 ms at most
			continue
		}
		c.ear.take(packet{payload: p, ts: ts, arrived: 1 + int64(ts)*int64(time.Second)/clock}, lost)
		ticks, lost = max(opusSamples(p), 1), 0
		ts += uint32(ticks) //nolint:gosec // as above
		if err := c.sent(each); err != nil {
			return err
		}
	}
	c.ear.cut.close(c.ear)
	return c.sent(each)
}

// sent takes the windows that wait.
func (c *Call) sent(each func(s *engines.Sound) error) error {
	for w := c.mail.take(); w != nil; w = c.mail.take() {
		if err := each(&engines.Sound{PCM: w.pcm, OffsetMS: w.fromMS, Partial: w.partial, Paused: w.paused, Anomalies: w.anomalies}); err != nil {
			return err
		}
	}
	return nil
}

// nowhere is a desk that nobody asks.
type nowhere struct{ Desk }
