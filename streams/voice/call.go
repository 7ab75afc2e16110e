package voice

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Call is what one player says into one scene, from its offer to its end.
type Call struct {
	hub     *Hub
	id      string
	number  uint64 // of this process's calls
	who     session.Speaker
	track   uint8 // of a game server's bridge
	bridged bool
	hangUp  func() // told of the end; nil for most
	peer    *peer  // nil but for WebRTC
	began   int64  // see Hub.now

	ring    ring
	packets turn
	ear     *ear // of the worker whose turn it is
	archive archive
	mail    mail
	stands  standing // of its windows, and urgent of the next; the line's mutex is held
	urgent  urgency
	marks   marks
	scene   atomic.Pointer[scene] // once it was taken
	trace   atomic.Pointer[trace] // for the others of its scene
	last    atomic.Int64          // when the last packet came
	pending atomic.Bool           // the ear waits for time to pass
	relayed bool                  // others of the scene hear it here, and it hears them
	muted   atomic.Bool           // nothing of it is taken, see relayed
	talks   atomic.Bool           // the ear hears somebody speak
	served  atomic.Int64          // when it was last sent what others said

	mu     sync.Mutex
	ended  bool // nothing comes any more
	heard  bool // and the ear has heard it all
	settle int  // windows and clips that are still to be seen to
}

// newCall makes a call that add has yet to take.
func (h *Hub) newCall(who *session.Speaker, sound source) *Call {
	c := &Call{hub: h, id: newID(), who: *who, began: h.now()}
	c.number = h.numbers.Add(1)
	c.last.Store(c.began)
	c.archive.pcm = sound.pcm()
	c.relayed = h.cfg.relays(who.App, who.Scene)
	c.ear = newEar(c, sound)
	return c
}

// put takes a packet from the network. It never waits.
func (c *Call) put(p packet) {
	p.arrived = c.hub.now()
	c.last.Store(p.arrived)
	c.ring.put(p)
	c.wake()
}

// wake has a worker see to the call.
func (c *Call) wake() {
	if c.packets.wake() {
		c.hub.packets <- c
	}
}

// end ends the call: nothing comes any more, what came is heard and judged. It does
// not wait. Later calls do nothing.
func (c *Call) end(why string) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	c.ended = true
	if c.peer != nil { // here, so that who ends all calls and then waits for them waits for this one
		c.hub.crew.Go(c.peer.close)
	}
	c.mu.Unlock()
	c.hub.release(c)
	c.hub.log.Debug("voice: call ended", "app", c.who.App, "player", c.who.Player, "scene", c.who.Scene, "why", why)
	if c.hangUp != nil {
		c.hangUp()
	}
	c.wake()
}

// over reports whether nothing comes any more.
func (c *Call) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// owe notes one more thing to be seen to before the call is forgotten; paid one less.
func (c *Call) owe() {
	c.mu.Lock()
	c.settle++
	c.mu.Unlock()
}

func (c *Call) paid() {
	c.mu.Lock()
	c.settle--
	done := c.settle == 0 && c.heard
	c.mu.Unlock()
	if done {
		c.hub.forget(c)
	}
}

// allHeard is called by the worker once the ear has heard everything.
func (c *Call) allHeard() {
	c.mu.Lock()
	c.heard = true
	done := c.settle == 0
	c.mu.Unlock()
	if done {
		c.hub.forget(c)
	}
}

// named is the call as messages to a game server name it.
func (c *Call) named() wire.VoiceCall {
	if !c.bridged {
		return wire.VoiceCall{Scene: c.who.Scene}
	}
	return wire.VoiceCall{Scene: c.who.Scene, Player: c.who.Player, Track: c.track, Bridged: c.who.Session != ""}
}

// tell sends whoever is behind the call a message.
func (c *Call) tell(body []byte) {
	if c.hub.deps.Sessions != nil {
		c.hub.deps.Sessions.Push(c.who.App, c.who.Player, c.who.Session, body)
	}
}

// item is what the desk is asked about a window.
func (c *Call) item(w *window) *engines.Item {
	return &engines.Item{
		App: c.who.App, Player: c.who.Player, Scene: c.who.Scene, Session: c.who.Session, Kind: engines.KindAudio, Live: true,
		Language: c.who.Language, Segment: c.who.Segment, Region: c.who.Region,
		Media:      &engines.Media{Use: engines.UseVoice},
		ReceivedAt: c.hub.start.Add(time.Duration(w.arrived)),
	}
}
