package voice

import (
	"context"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// tail is a clip that waits for the seconds after its event.
type tail struct {
	call     *Call
	item     *engines.Item
	outcome  engines.Outcome
	from, to int64 // ms in the call
	due      int64
}

// mostTails bounds those that wait. Full-rule: no more is taken, and that is counted;
// the clip until the event is kept all the same, with the verdict.
const mostTails = 1024

type tails struct {
	mu   sync.Mutex
	list []tail
}

func (t *tails) add(h *Hub, one tail) {
	if h.deps.Evidence == nil {
		return
	}
	mine := *one.item                                  // a late engine may still look at the one it was given
	mine.Media = &engines.Media{Use: engines.UseVoice} // neither its file nor its sound need stay in memory
	one.item = &mine
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) >= mostTails {
		h.m.clipsLost.Inc()
		return
	}
	one.call.owe()
	t.list = append(t.list, one)
}

// due takes out those whose seconds are over, or whose call is.
func (t *tails) due(now int64, all bool) (ripe []tail) {
	t.mu.Lock()
	defer t.mu.Unlock()
	rest := t.list[:0]
	for _, one := range t.list {
		if all || now >= one.due || one.call.over() {
			ripe = append(ripe, one)
		} else {
			rest = append(rest, one)
		}
	}
	clear(t.list[len(rest):])
	t.list = rest
	return ripe
}

// keepWithin bounds the writing of one clip.
const keepWithin = 10 * time.Second

// keep stores the whole clip.
func (h *Hub) keep(ctx context.Context, t tail) {
	defer t.call.paid()
	file, mime := t.call.archive.clip(t.from, t.to)
	if file == nil {
		h.m.clipsLost.Inc()
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepWithin)
	defer cancel()
	if err := h.deps.Evidence.AddClip(ctx, t.item, t.outcome, mime, file); err != nil {
		h.m.clipsLost.Inc()
		h.log.WarnContext(ctx, "voice: the end of a clip was not kept", "request_id", t.outcome.RequestID, "err", err)
		return
	}
	h.m.clips.Inc()
}

// keepClips stores clips whose seconds are over, until ctx ends, and then all others.
func (h *Hub) keepClips(ctx context.Context) {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		for _, t := range h.tails.due(h.now(), ctx.Err() != nil) {
			h.keep(ctx, t)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			for _, t := range h.tails.due(h.now(), true) {
				h.keep(ctx, t)
			}
			return
		}
	}
}
