package voice

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// listen is one worker: it takes the calls that have packets, one after another.
func (h *Hub) listen(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-h.packets:
			c.packets.begin()
			h.hear(c)
			if c.packets.end() {
				h.packets <- c
			}
		}
	}
}

// hear has a call's ear take what waits. A panic ends the call, not the process: what
// others send is decoded here.
func (h *Hub) hear(c *Call) {
	if c.ear == nil {
		return // it has heard everything
	}
	over := c.over()
	defer func() {
		if r := recover(); r != nil {
			h.m.panics.Inc()
			h.log.Error("voice: panic", "panic", r, "stack", string(debug.Stack()))
			c.ear.edges.close()
			c.ear = nil
			c.end("a panic")
			c.allHeard()
		}
	}()
	c.ear.hear()
	if over && c.ring.empty() {
		c.ear.edges.close()
		c.ear = nil
		c.allHeard()
	}
}

// check is one of those who take windows to the desk, a call's one after another.
func (h *Hub) check(ctx context.Context) {
	for {
		c, urgent := h.windows.take()
		if c == nil {
			return
		}
		h.await(ctx)
		if w := c.mail.take(); w != nil {
			h.judge(ctx, c, w)
			c.paid()
		}
		h.windows.done(c, urgent)
	}
}

// await waits for what takes long to load, and is asked for by the first call.
func (h *Hub) await(ctx context.Context) {
	if h.warmed == nil {
		return
	}
	select {
	case <-h.warmed:
	case <-ctx.Done():
	}
}

// Lengths of a clip, in ms before and after its window.
const (
	clipBefore = 10_000
	clipAfter  = 5_000
)

// judge has the desk look at one window, and tells of its verdict.
func (h *Hub) judge(ctx context.Context, c *Call, w *window) {
	file, mime := c.archive.clip(w.fromMS, w.toMS)
	if file == nil {
		h.m.windows.WithLabelValues("dropped").Inc()
		return
	}
	s := sifter{call: c, window: w}
	from := c.archive.start(w.fromMS-clipBefore, w.toMS)
	item := c.item(w)
	item.Media = &engines.Media{
		Bytes: file, Type: mime, Use: engines.UseVoice,
		Sound: &engines.Sound{
			PCM: w.pcm, OffsetMS: w.fromMS, Partial: w.partial, Paused: w.paused, Anomalies: w.anomalies, Sift: s.sift,
			Clip: sync.OnceValue(func() []byte {
				clip, _ := c.archive.clip(from, w.toMS)
				return clip
			}),
			ClipMS: from,
		},
	}
	o, err := h.deps.Desk.Check(ctx, item)
	if err != nil {
		h.m.windows.WithLabelValues("failed").Inc()
		if ctx.Err() == nil {
			h.log.WarnContext(ctx, "voice: a window has no verdict", "app", c.who.App, "scene", c.who.Scene, "err", err)
		}
		return
	}
	h.m.windows.WithLabelValues("checked").Inc()
	h.m.verdicts.Observe(time.Duration(h.now() - w.arrived).Seconds())
	if len(o.Verdict.Found().Labels) == 0 {
		return
	}
	s.flagged(o.Verdict.Found())
	if len(o.Verdict.Labels) > 0 {
		c.tell(wire.AppendVoiceVerdict(nil, c.named(), placeOf(&o, w), &o))
	}
	h.tails.add(h, tail{call: c, item: item, outcome: o, from: from, to: w.toMS + clipAfter, due: h.now() + clipAfter*int64(time.Millisecond)})
}

// placeOf is where in the call it was found, in ms.
func placeOf(o *engines.Outcome, w *window) int64 {
	for i := range o.Verdict.Labels {
		if p := o.Verdict.Labels[i].Place; p != nil {
			return p.AtMS
		}
	}
	return w.fromMS
}

// lagging notes that sound was measured late; the log has it once in ten seconds.
func (h *Hub) lagging(lag time.Duration) {
	h.m.alarms.Inc()
	was := h.late.Swap(h.now())
	if was == 0 || h.now()-was > int64(10*time.Second) {
		h.log.Warn("voice: this machine hears too late", "lag", lag, "calls", h.Calls())
	}
}
