package gateway

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/coder/websocket"
	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/internal/wire"
)

// egressFrame is the longest frame of an egress: over five seconds of 48 kHz, two channels.
const egressFrame = 1 << 20

// egresses are the sockets of egresses, for Shutdown to end and wait for.
type egresses struct {
	mu      sync.Mutex
	closed  bool
	serving sync.WaitGroup
	stops   map[int]func()
	next    int
}

// enter notes a socket, which stop ends; leave is called once it has ended. ok is false
// once all have to go.
func (e *egresses) enter(stop func()) (leave func(), ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, false
	}
	if e.stops == nil {
		e.stops = map[int]func(){}
	}
	id := e.next
	e.next++
	e.stops[id] = stop
	e.serving.Add(1)
	return func() {
		e.mu.Lock()
		delete(e.stops, id)
		e.mu.Unlock()
		e.serving.Done()
	}, true
}

// close ends all there are, takes no more, and waits.
func (e *egresses) close() {
	e.mu.Lock()
	e.closed = true
	for _, stop := range e.stops {
		stop()
	}
	e.mu.Unlock()
	e.serving.Wait()
}

// egress answers GET /voice/egress/{id}, the one-time address: bare frames of PCM16, as
// LiveKit's track egress sends them, and text frames that say whether the track is muted.
func (g *Gateway) egress(c *call) error {
	if !websocketUpgrade(c.Ctx) {
		c.Set("Upgrade", "websocket")
		c.Set("Connection", "Upgrade")
		return send(c.Ctx, fiber.StatusUpgradeRequired, wire.Fail(wire.InvalidParameter, "a WebSocket upgrade is expected").AppendBody(nil, c.request))
	}
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	ctx, hangUp := context.WithCancel(context.Background())
	ear, err := g.deps.Voice.Enter(id, hangUp)
	if err != nil {
		hangUp()
		return err
	}
	opts := websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled} // the address itself is the secret
	err = upgrade(c.Ctx, opts, func(ws *websocket.Conn, _ *atomic.Int64) {
		defer hangUp()
		defer ear.End()
		leave, ok := g.egresses.enter(hangUp)
		if !ok {
			_ = ws.CloseNow() // it may have gone
			return
		}
		defer leave()
		g.hearEgress(ctx, ws, ear)
	})
	if err != nil || c.Response().StatusCode() != fiber.StatusSwitchingProtocols {
		ear.End() // and where the client goes before it is served, the call ends by its silence
		hangUp()
	}
	return err
}

// hearEgress reads a socket until it or its call ends.
func (g *Gateway) hearEgress(ctx context.Context, ws *websocket.Conn, ear Listener) {
	defer func() {
		if r := recover(); r != nil {
			g.m.panics.Inc()
			g.log.ErrorContext(ctx, "voice egress: panic", "panic", r)
		}
		_ = ws.CloseNow() // it may have been closed
	}()
	ws.SetReadLimit(egressFrame)
	for {
		kind, frame, err := ws.Read(ctx)
		switch {
		case err != nil:
			return
		case kind == websocket.MessageText:
			if muted, ok := wire.ReadVoiceMute(frame); ok {
				ear.Mute(muted)
			}
		case !ear.Sound(frame):
			_ = ws.Close(wire.CloseGoingAway, "the call ended") // it may have gone already
			return
		}
	}
}
