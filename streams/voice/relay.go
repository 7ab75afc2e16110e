package voice

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// RelayScenes are scenes of an app whose players hear each other through this gateway.
type RelayScenes struct {
	App engines.AppID `yaml:"app"`
	// Scenes are their names; one that ends in * is all that begin so.
	Scenes []string `yaml:"scenes"`
}

// relays reports whether a scene's players hear each other here.
func (c *Config) relays(app engines.AppID, scene engines.SceneID) bool {
	for i := range c.Relay {
		if c.Relay[i].App != app {
			continue
		}
		for _, name := range c.Relay[i].Scenes {
			start, many := strings.CutSuffix(name, "*")
			if string(scene) == name || many && strings.HasPrefix(string(scene), start) {
				return true
			}
		}
	}
	return false
}

// Packets of one call that others are sent, a second and at once: sound of 10 ms, and some
// that were held up. Full-rule: the rest is heard here, and by nobody else.
const (
	relayRate  = 100
	relayBurst = 50
)

// pace is a bucket of packets that fills with time.
type pace struct {
	mu   sync.Mutex
	full float64
	at   int64
}

// allows takes one out, where there is one.
func (p *pace) allows(now int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == 0 {
		p.full = relayBurst
	} else {
		p.full = min(relayBurst, p.full+time.Duration(now-p.at).Seconds()*relayRate)
	}
	p.at = now
	if p.full < 1 {
		return false
	}
	p.full--
	return true
}

// relay gives a packet to all others of the scene that listen. It never waits.
func (c *Call) relay(p *packet) {
	if opusSamples(p.payload) == 0 || !c.peer.pace.allows(c.hub.now()) {
		c.hub.m.relayDropped.Inc() // nobody else's decoder is to be tried with it
		return
	}
	for _, o := range c.around() {
		if o != c && o.peer != nil && o.peer.out != nil && o.who.Player != c.who.Player {
			o.peer.out.put(heardPacket{from: c, source: p.source, seq: p.seq, ts: p.ts, payload: p.payload})
		}
	}
}

// serve sends a listener what others say, until its call ends.
func (c *Call) serve() {
	out := c.peer.out
	for {
		select {
		case <-out.done:
			return
		case <-out.came:
		}
		for {
			p, dropped, ok := out.take()
			c.hub.m.relayDropped.Add(float64(dropped))
			if !ok {
				break
			}
			c.send(&p)
		}
	}
}

// send sends one packet, unless who said it was muted meanwhile.
func (c *Call) send(p *heardPacket) {
	if p.from.muted.Load() {
		return
	}
	now := c.hub.now()
	v := c.peer.voice(p.from, now)
	if v == nil {
		c.hub.m.relayCrowded.Inc()
		return
	}
	if v.write(p, now) != nil {
		c.hub.m.relayDropped.Inc() // the connection is going: its end is told elsewhere
		return
	}
	c.served.Store(now)
	c.hub.m.relaySent.Inc()
}

// validateRelay returns every fault of what is relayed.
func (c *Config) validateRelay() (faults []error) {
	for i, r := range c.Relay {
		if r.App == "" {
			faults = append(faults, fmt.Errorf("voice.relay[%d].app: is missing", i))
		}
		if len(r.Scenes) == 0 || slices.Contains(r.Scenes, "") {
			faults = append(faults, fmt.Errorf("voice.relay[%d].scenes: names of scenes, or beginnings of names with * behind", i))
		}
	}
	return faults
}
