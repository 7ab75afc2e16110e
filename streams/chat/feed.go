package chat

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// feed is a moderator's connection: it has no session to resume; what it misses
// is in the store.
type feed struct {
	hub  *Hub
	link *link
	// valid asks whether the moderator is still signed in; nil is yes.
	valid   func(ctx context.Context) (bool, error)
	checked atomic.Int64 // Unix seconds

	mu       sync.Mutex
	filter   *wire.Filter // nil until feed.subscribe
	queue    [][]byte     // bounded by Config.FeedCount and feedBytes: the oldest go, and are counted
	bytes    int
	dropped  int
	flushing bool
}

// feedBytes bounds what waits for one moderator, beside Config.FeedCount.
const feedBytes = 4 << 20

// watch serves a moderator.
func (h *Hub) watch(l *link, id session.Identity, answer string) {
	f := &feed{hub: h, link: l, valid: id.Valid}
	f.checked.Store(time.Now().Unix())
	h.mu.Lock()
	h.feeds[f] = struct{}{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.feeds, f)
		h.watched.Store(len(h.feeds) > 0)
		h.mu.Unlock()
	}()
	r := wire.Ready{
		ID: answer, Session: engines.SessionID(random(16)), ResumeToken: random(16), Epoch: random(6),
		Heartbeat: h.cfg.Heartbeat, Rate: h.cfg.PlayerRate, Burst: h.cfg.PlayerBurst, InFlight: playerInFlight, Limits: h.cfg.Limits,
	}
	if l.write(wire.AppendReady(nil, &r)) != nil {
		return
	}
	var buf []byte
	for {
		var err error
		if buf, err = l.read(buf); err != nil {
			return
		}
		if l.write(f.answer(buf)) != nil {
			return
		}
	}
}

// check ends a feed whose moderator has signed out, was dismissed or has been
// signed in for too long. Where the store can't tell, the next check does.
func (f *feed) check() {
	ctx, cancel := context.WithTimeout(context.Background(), f.hub.cfg.HelloTimeout)
	defer cancel()
	ok, err := f.valid(ctx)
	if err != nil {
		f.hub.log.WarnContext(ctx, "stream: feed not checked", "err", err)
		return
	}
	if !ok {
		f.link.closeLater(wire.CloseAuth, "signed out")
	}
}

// answer handles one message of a moderator.
func (f *feed) answer(data []byte) []byte {
	msg, err := wire.ReadMessage(data)
	if err != nil {
		return wire.AppendError(nil, msg.ID, wire.From(err))
	}
	switch msg.Type {
	case wire.TypeSubscribe:
		filter, err := wire.ReadFilter(msg.Body)
		if err != nil {
			return wire.AppendError(nil, msg.ID, wire.From(err))
		}
		f.mu.Lock()
		f.filter = &filter
		f.mu.Unlock()
		f.hub.watched.Store(true)
		return wire.AppendOK(nil, msg.ID)
	case wire.TypePing:
		return wire.AppendPong(nil, msg.ID)
	case wire.TypeChat, wire.TypeCheck, wire.TypeBatch, wire.TypeJoin, wire.TypeLeave:
		return wire.AppendError(nil, msg.ID, wire.Fail(wire.Forbidden, "a moderator only watches"))
	}
	return wire.AppendError(nil, msg.ID, wire.Invalid("/type", "not a message that a moderator may send"))
}

// Watched reports whether anybody listens here, so that events nobody sees are
// never built.
func (h *Hub) Watched() bool { return h.watched.Load() }

// ShowFrame gives an event to every moderator whose filter lets it by; frame is
// its wire form, and of another gateway's event e holds no more than filters ask
// for. It never waits.
func (h *Hub) ShowFrame(e *wire.FeedEvent, frame []byte) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for f := range h.feeds {
		f.offer(e, frame)
	}
}

func (f *feed) offer(e *wire.FeedEvent, frame []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.filter == nil || !passes(f.filter, e) {
		return
	}
	for len(f.queue) > 0 && (len(f.queue) >= f.hub.cfg.FeedCount || f.bytes+len(frame) > feedBytes) {
		f.bytes -= len(f.queue[0])
		f.queue = slices.Delete(f.queue, 0, 1)
		f.dropped++
		f.hub.m.dropped.Inc()
	}
	f.queue = append(f.queue, frame)
	f.bytes += len(frame)
	f.hub.m.feedSent.Inc()
	if !f.flushing {
		f.flushing = true
		f.hub.crew.start(f.flush)
	}
}

func passes(f *wire.Filter, e *wire.FeedEvent) bool {
	return (f.App == "" || f.App == e.App) && (f.Scene == "" || f.Scene == e.Scene) &&
		(f.Player == "" || f.Player == e.Player) &&
		(len(f.Suggestion) == 0 || slices.Contains(f.Suggestion, string(e.Verdict.Found().Suggestion)))
}

func (f *feed) flush() {
	for {
		f.mu.Lock()
		batch, dropped := f.queue, f.dropped
		if len(batch) == 0 {
			f.flushing = false
			f.mu.Unlock()
			return
		}
		f.queue, f.bytes, f.dropped = nil, 0, 0
		f.mu.Unlock()
		if dropped > 0 {
			batch = append([][]byte{wire.AppendFeedDropped(nil, dropped)}, batch...)
		}
		for _, frame := range batch {
			if f.link.write(frame) != nil {
				f.link.drop() // half a frame may be on its way
				f.stop()
				return
			}
		}
	}
}

// stop lets nothing more queue up for a connection that is gone.
func (f *feed) stop() {
	f.mu.Lock()
	f.filter, f.queue, f.bytes, f.flushing = nil, nil, 0, false
	f.mu.Unlock()
}
