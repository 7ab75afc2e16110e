package voice

import (
	"context"
	"time"
)

// Every tick calls that wait for time to pass are seen to; every so many ticks limits
// are looked at.
const (
	tickEvery = 20 * time.Millisecond
	lookEvery = 10
	// reportEvery is how often a sender is told of loss, a call at one tick and another at the next.
	reportEvery = 50
)

// tick does what time does, until ctx ends.
func (h *Hub) tick(ctx context.Context) {
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := h.now()
		h.mu.Lock()
		list := h.list()
		h.mu.Unlock()
		for _, c := range list {
			if c.pending.Load() && now-c.last.Load() > int64(tickEvery) {
				c.wake()
			}
			if n%lookEvery == 0 {
				h.look(c, now)
			}
			if c.peer != nil && (uint64(n)+c.number)%reportEvery == 0 { //nolint:gosec // a count
				c.report()
			}
		}
		if n%lookEvery == 0 {
			h.expireDoors(now)
		}
	}
}

// look ends a call that is past its limits.
func (h *Hub) look(c *Call, now int64) {
	switch {
	case c.over():
	case c.peer != nil && !c.peer.connected.Load() && now-c.began > int64(h.cfg.Setup):
		h.m.refused.WithLabelValues("setup").Inc()
		c.end("not connected in its time")
	case now-max(c.last.Load(), c.served.Load()) > int64(h.cfg.Idle):
		c.end("nothing came")
	case h.deps.Bans != nil && h.deps.Bans.Excluded(c.who.App, c.who.Player):
		c.end("banned")
	case c.peer != nil && h.deps.Mutes != nil:
		until, muted := h.muted(&c.who)
		if c.relayed && muted == c.muted.Load() {
			return
		}
		if muted { // told elsewhere, or missed
			h.Mute(c.who.App, c.who.Player, until)
		} else {
			c.muted.Store(false) // it is over
		}
	}
}
