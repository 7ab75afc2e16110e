package voice

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Hub hears every call of this process. Its methods are safe for concurrent use.
type Hub struct {
	cfg   Config
	deps  Deps
	log   *slog.Logger
	m     *metrics
	start time.Time
	peers *peers // nil without WebRTC

	packets chan *Call // with packets; room for every call
	windows *line

	mu       sync.Mutex
	closing  bool
	calls    map[string]*Call
	sessions map[engines.SessionID]*Call // the WebRTC call of a session
	tracks   map[trackKey]*Call
	scenes   map[sceneKey]*scene
	setting  map[netip.Addr]int // WebRTC calls that are not connected yet
	doors    map[string]egress  // one-time addresses
	settled  chan struct{}      // made by Drain; closed once no call is left

	tails tails
	crew  sync.WaitGroup // what calls started
	warm  sync.Once
	// warmed is closed once Warm has returned; nil where nothing takes long to load.
	warmed  chan struct{}
	numbers atomic.Uint64 // of calls so far
	late    atomic.Int64  // when the lag was last too large, see now
}

type trackKey struct {
	session engines.SessionID
	track   uint8
}

// New makes a hub. With WebRTC it binds its port at once: listen is used where the
// configuration names none. Serve must run while it is used.
func New(cfg Config, listen string, deps Deps, reg prometheus.Registerer, log *slog.Logger) (*Hub, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if deps.Desk == nil || deps.Meter == nil || deps.Resampler == nil {
		return nil, errors.New("voice: a hub needs a desk, meters and resamplers")
	}
	if log == nil {
		log = slog.Default()
	}
	h := &Hub{
		cfg: cfg, deps: deps, log: log, start: time.Now(),
		packets: make(chan *Call, cfg.MaxCalls), windows: newLine(cfg.looks(), cfg.pressing()),
		calls: map[string]*Call{}, sessions: map[engines.SessionID]*Call{}, tracks: map[trackKey]*Call{}, scenes: map[sceneKey]*scene{},
		setting: map[netip.Addr]int{}, doors: map[string]egress{},
	}
	if deps.Warm != nil {
		h.warmed = make(chan struct{})
	}
	h.m = newMetrics(reg, h)
	if cfg.Listen == Off {
		return h, nil
	}
	if cfg.Listen != "" {
		listen = cfg.Listen
	}
	var err error
	if h.peers, err = newPeers(listen, &cfg, log); err != nil {
		return nil, err
	}
	return h, nil
}

// now is the time on the hub's own clock, in ns.
func (h *Hub) now() int64 { return int64(time.Since(h.start)) }

// Addr is the UDP address of WebRTC, "" without.
func (h *Hub) Addr() string {
	if h.peers == nil {
		return ""
	}
	return h.peers.addr
}

// Serve works until ctx ends and all that it started has. Drain comes before.
func (h *Hub) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	for range h.cfg.workers() {
		wg.Go(func() { h.listen(ctx) })
	}
	stop := h.windows.closeWith(ctx)
	defer stop()
	for range h.cfg.Checks {
		wg.Go(func() { h.check(ctx) })
	}
	wg.Go(func() { h.tick(ctx) })
	wg.Go(func() { h.keepClips(ctx) })
	<-ctx.Done()
	h.mu.Lock()
	h.closing = true
	list := h.list()
	h.mu.Unlock()
	for _, c := range list {
		c.end("going down")
	}
	h.crew.Wait()
	wg.Wait()
	h.peers.close()
}

// Drain ends all calls and waits until what they said has its verdict, or ctx ends.
func (h *Hub) Drain(ctx context.Context) {
	h.mu.Lock()
	h.closing = true
	list := h.list()
	if h.settled == nil {
		h.settled = make(chan struct{})
		if len(h.calls) == 0 {
			close(h.settled)
		}
	}
	done := h.settled
	h.mu.Unlock()
	for _, c := range list {
		c.end("going down")
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// list is every call; mu is held.
func (h *Hub) list() []*Call {
	list := make([]*Call, 0, len(h.calls))
	for _, c := range h.calls {
		list = append(list, c)
	}
	return list
}

// Calls is how many there are.
func (h *Hub) Calls() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.calls)
}

// Lagging reports whether sound was measured too late within the last ten seconds.
func (h *Hub) Lagging() bool {
	at := h.late.Load()
	return at > 0 && h.now()-at < int64(10*time.Second)
}

// Speechless reports whether there is no model that finds speech.
func (h *Hub) Speechless() bool { return h.deps.Speech == nil }

// admit says whether a player may have a call; listens is set where one whose voice is
// muted may hear others.
func (h *Hub) admit(who *session.Speaker, listens bool) error {
	if h.deps.Bans != nil && h.deps.Bans.Excluded(who.App, who.Player) {
		h.m.refused.WithLabelValues("banned").Inc()
		return wire.Fail(wire.Forbidden, "the player is banned")
	}
	if until, muted := h.muted(who); muted && !listens {
		h.m.refused.WithLabelValues("muted").Inc()
		e := wire.Muted(until, time.Now())
		e.Message = "the player's voice is muted"
		return e
	}
	return nil
}

// muted reports whether a player's voice is muted, and until when.
func (h *Hub) muted(who *session.Speaker) (until time.Time, muted bool) {
	if h.deps.Mutes != nil {
		until, _, muted = h.deps.Mutes.VoiceMuted(who.App, who.Player)
	}
	return until, muted
}

// add makes a call known. Who was muted or banned since admit is seen here; who is from
// now on, has its call found.
func (h *Hub) add(c *Call) error {
	if err := h.enter(c); err != nil {
		return err
	}
	listens := c.relayed && c.peer != nil
	if err := h.admit(&c.who, listens); err != nil {
		c.end("not admitted any more")
		return err
	}
	if _, muted := h.muted(&c.who); muted && listens {
		c.muted.Store(true)
	}
	return nil
}

// enter takes a call among the others. Full-rule: past MaxCalls none is taken.
func (h *Hub) enter(c *Call) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing || len(h.calls) >= h.cfg.MaxCalls {
		h.m.refused.WithLabelValues("full").Inc()
		e := wire.Fail(wire.Unavailable, "no room for more calls")
		e.RetryAfter = time.Second
		return e
	}
	if c.peer != nil && h.setting[c.who.From] >= h.cfg.PerAddress {
		h.m.refused.WithLabelValues("address").Inc()
		e := wire.Fail(wire.RateLimited, "too many calls of this address are setting up")
		e.RetryAfter = h.cfg.Setup
		return e
	}
	if c.peer != nil {
		h.setting[c.who.From]++
		c.peer.counted = true
	}
	h.calls[c.id] = c
	h.join(c)
	switch {
	case c.who.Session == "":
	case c.peer != nil:
		h.sessions[c.who.Session] = c
	default:
		h.tracks[trackKey{c.who.Session, c.track}] = c
	}
	if h.deps.Warm != nil {
		h.warm.Do(func() {
			h.crew.Go(func() {
				defer close(h.warmed)
				h.deps.Warm()
			})
		})
	}
	return nil
}

// connected takes a call off those that its address is setting up.
func (h *Hub) connected(c *Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uncount(c)
}

// uncount is connected with mu held.
func (h *Hub) uncount(c *Call) {
	if c.peer == nil || !c.peer.counted {
		return
	}
	c.peer.counted = false
	if h.setting[c.who.From]--; h.setting[c.who.From] <= 0 {
		delete(h.setting, c.who.From)
	}
}

// forget removes a call that has settled.
func (h *Hub) forget(c *Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls[c.id] != c {
		return
	}
	delete(h.calls, c.id)
	if h.settled != nil && len(h.calls) == 0 {
		close(h.settled)
		h.settled = nil
	}
}

// release takes a call that has ended out of what names it.
func (h *Hub) release(c *Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uncount(c)
	h.part(c)
	c.trace.Store(nil)
	if h.sessions[c.who.Session] == c {
		delete(h.sessions, c.who.Session)
	}
	if key := (trackKey{c.who.Session, c.track}); h.tracks[key] == c {
		delete(h.tracks, key)
	}
}

// find is the call of this name, nil for none.
func (h *Hub) find(id string) *Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.calls[id]
}

// Left ends everything that a session has here.
func (h *Hub) Left(id engines.SessionID) {
	h.each(func(c *Call) bool { return c.who.Session == id }, func(c *Call) { c.end("the session ended") })
}

// each calls f for every call that is wanted, outside the lock.
func (h *Hub) each(wanted func(*Call) bool, f func(*Call)) {
	h.mu.Lock()
	var list []*Call
	for _, c := range h.calls {
		if wanted(c) {
			list = append(list, c)
		}
	}
	h.mu.Unlock()
	for _, c := range list {
		f(c)
	}
}

// Mute ends what a player says over WebRTC, as its voice is muted until a time (zero:
// for good); in a scene that is relayed it goes on listening. What a game server bridges
// is the server's to end: it is told.
func (h *Hub) Mute(app engines.AppID, player engines.PlayerID, until time.Time) {
	h.each(of(app, player), func(c *Call) {
		if c.relayed && c.peer != nil && c.muted.Swap(true) {
			return // and was told
		}
		c.tell(wire.AppendVoiceMute(nil, c.named(), until))
		if c.peer != nil && !c.relayed {
			c.end("muted")
		}
	})
}

// Dismiss ends every call of a player, who is banned or being erased: those that have no
// session, over WHIP or egress, and those that a game server bridges.
func (h *Hub) Dismiss(app engines.AppID, player engines.PlayerID) {
	h.each(of(app, player), func(c *Call) { c.end("dismissed") })
}

func of(app engines.AppID, player engines.PlayerID) func(*Call) bool {
	return func(c *Call) bool { return c.who.App == app && c.who.Player == player }
}

// newID is a name that nobody guesses.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}
