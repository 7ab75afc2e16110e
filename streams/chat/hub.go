package chat

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Hub owns every session of this process. Its methods are safe for concurrent use.
type Hub struct {
	cfg  Config
	deps Deps
	log  *slog.Logger
	m    *metrics

	mu       sync.RWMutex
	closing  bool
	links    map[*link]struct{} // every connection, with or without a session
	sessions map[engines.SessionID]*Session
	players  map[playerKey]*player
	scenes   map[sceneKey]*scene
	feeds    map[*feed]struct{}

	following sync.RWMutex // read: subscribing to a scene; written: leaving one

	watched  atomic.Bool // somebody listens to the feed here
	releases releases
	saving   atomic.Bool  // save runs
	awake    atomic.Int64 // Unix seconds of when it last went on after it had stood still
	crew     crew         // every goroutine of a session, a feed or a close
}

type (
	playerKey struct {
		app    engines.AppID
		player engines.PlayerID
	}
	sceneKey struct {
		app   engines.AppID
		scene engines.SceneID
	}
)

// player is what is kept of a player while it has a session here, attached or not.
type player struct {
	session *Session
	answers answers
	rate    bucket // chat and checks
	other   bucket // all other frames, those that nobody understands among them
	// refusals counts messages over the rate that are not pardoned.
	refusals atomic.Int32
}

// refused notes a message over the rate, and reports whether it was one too many.
func (p *player) refused() bool { return p.refusals.Add(1) > refusalsBeforeClose }

// granted notes a message within the rate.
func (p *player) granted() {
	if n := p.refusals.Load(); n > 0 {
		p.refusals.CompareAndSwap(n, max(n-pardons, 0)) // one that was refused meanwhile counts for more
	}
}

// New makes a hub. Run must run while it serves.
func New(cfg Config, deps Deps, reg prometheus.Registerer, log *slog.Logger) *Hub {
	h := &Hub{
		cfg: cfg, deps: deps, log: log,
		links: map[*link]struct{}{}, sessions: map[engines.SessionID]*Session{}, players: map[playerKey]*player{},
		scenes: map[sceneKey]*scene{}, feeds: map[*feed]struct{}{},
		releases: releases{waiting: map[engines.SessionID]chan note{}},
	}
	if cfg.StoreWait <= 0 {
		h.cfg.StoreWait = 250 * time.Millisecond
	}
	if deps.Mutes == nil {
		h.deps.Mutes = nobody{}
	}
	if deps.Players == nil {
		h.deps.Players = nobody{}
	}
	h.m = newMetrics(reg, h)
	return h
}

// Serve owns a connection from now on; Drain waits for it. The handshake runs on
// the caller's goroutine. What reads from then on is a new one: the stack that
// JSON and Redis have grown would stay with every resting session otherwise
// (8 KiB each, measured; 4 KiB now).
func (h *Hub) Serve(ws *websocket.Conn, alive *atomic.Int64, id session.Identity) {
	l := &link{hub: h, ws: ws, from: id.From, alive: alive}
	l.heard.Store(time.Now().Unix())
	if !h.enter(l) {
		_ = ws.Close(wire.CloseRestart, "going down") // best effort: the client may have gone
		return
	}
	ws.SetReadLimit(int64(h.cfg.Limits.FrameBytes))
	handedOn := false
	defer func() {
		if !handedOn {
			h.done(l, recover())
		}
	}()
	if s := h.open(l, id); s != nil {
		handedOn = true
		go s.read(l)
	}
}

// done ends a connection's last goroutine; panicked is what it recovered.
func (h *Hub) done(l *link, panicked any) {
	if panicked != nil {
		h.m.panics.Inc()
		h.log.Error("stream: panic", "panic", panicked, "stack", string(debug.Stack()))
	}
	l.drop()
	h.leave(l)
}

func (h *Hub) enter(l *link) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing || !h.crew.add() {
		return false
	}
	h.links[l] = struct{}{}
	return true
}

func (h *Hub) leave(l *link) {
	h.mu.Lock()
	delete(h.links, l)
	h.mu.Unlock()
	h.crew.done()
}

// Full reports whether new connections are to be refused before the upgrade.
func (h *Hub) Full() bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.closing || len(h.links) >= h.cfg.MaxSessions
}

// find returns the session of this id if it is here.
func (h *Hub) find(id engines.SessionID) *Session {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.sessions[id]
}

// of returns the player's session if it is here.
func (h *Hub) of(app engines.AppID, p engines.PlayerID) *Session {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if pl := h.players[playerKey{app, p}]; pl != nil {
		return pl.session
	}
	return nil
}

// add makes the session known. What it replaces is returned.
func (h *Hub) add(s *Session) (replaced *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[s.id] = s
	key := playerKey{s.app, s.player}
	if s.role == session.Server {
		key = playerKey{s.app, engines.PlayerID("\x00" + s.id)} // no player can have this id
	}
	pl := h.players[key]
	if pl == nil {
		pl = &player{answers: answers{most: answersOfPlayer}}
		pl.rate.set(h.cfg.PlayerRate, h.cfg.PlayerBurst)
		pl.other.set(otherRate, otherBurst)
		if s.role == session.Server {
			pl.answers.most = answersOfServer
			pl.rate.set(h.cfg.ServerRate, h.cfg.ServerRate)
			pl.other.set(h.cfg.ServerRate, h.cfg.ServerRate)
		}
		h.players[key] = pl
	}
	if pl.session != s {
		replaced, pl.session = pl.session, s
	}
	s.mine, s.key = pl, key
	return replaced
}

// remove forgets the session.
func (h *Hub) remove(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sessions[s.id] == s {
		delete(h.sessions, s.id)
	}
	if pl := h.players[s.key]; pl != nil && pl.session == s {
		delete(h.players, s.key)
	}
}

// Run sweeps until ctx ends: dead connections, sessions past their resume
// window, lifetimes in Redis.
func (h *Hub) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := time.Now()
			h.stood(last, now)
			last = now
			h.sweep(now) //nolint:contextcheck // what a sweep starts is ended by Drain, not with the ticker
		}
	}
}

// Sessions is how many sessions are here, attached or within their resume window.
func (h *Hub) Sessions() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.sessions)
}
