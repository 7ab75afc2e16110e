package voice

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pion/rtp"
	"github.com/pion/sdp/v3"
	"github.com/pion/webrtc/v4"

	"github.com/portcullis-gg/portcullis/engines"
)

// RelayScenes are scenes of an app whose players hear each other through this gateway.
type RelayScenes struct {
	App engines.AppID `yaml:"app"`
	// Scenes are their names; one that ends in * is all that begin so.
	Scenes []string `yaml:"scenes"`
}

// mostVoices is how many others one may ask to hear at a time.
const mostVoices = 12

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

// heardPacket is a packet of one call on its way to another. Nobody changes its payload.
type heardPacket struct {
	from    *Call
	seq     uint16
	ts      uint32
	payload []byte
}

// outboxSize is what waits for one listener: 80 ms of four who speak at once. What is
// older is better not heard at all.
const outboxSize = 16

// outbox has what one listener is to hear. Full-rule: the oldest goes, and is counted.
type outbox struct {
	mu      sync.Mutex
	ring    [outboxSize]heardPacket
	head, n int
	dropped int
	came    chan struct{} // a token while something waits
	done    chan struct{}
	over    sync.Once
}

func newOutbox() *outbox {
	return &outbox{came: make(chan struct{}, 1), done: make(chan struct{})}
}

// put never waits.
func (o *outbox) put(p heardPacket) {
	o.mu.Lock()
	if o.n == outboxSize {
		o.head = (o.head + 1) % outboxSize
		o.n--
		o.dropped++
	}
	o.ring[(o.head+o.n)%outboxSize] = p
	o.n++
	o.mu.Unlock()
	select {
	case o.came <- struct{}{}:
	default:
	}
}

// take is the oldest, and how many went since the last call.
func (o *outbox) take() (p heardPacket, dropped int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	dropped, o.dropped = o.dropped, 0
	if o.n == 0 {
		return p, dropped, false
	}
	p, o.ring[o.head] = o.ring[o.head], heardPacket{}
	o.head = (o.head + 1) % outboxSize
	o.n--
	return p, dropped, true
}

// close ends its serve.
func (o *outbox) close() { o.over.Do(func() { close(o.done) }) }

// relay gives a packet to all others of the scene that listen. It never waits.
func (c *Call) relay(p *packet) {
	for _, o := range c.around() {
		if o != c && o.peer != nil && o.peer.out != nil && o.who.Player != c.who.Player {
			o.peer.out.put(heardPacket{from: c, seq: p.seq, ts: p.ts, payload: p.payload})
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
	if p.from.muted.Load() || len(p.payload) == 0 {
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

// voiceOut is one track of a listener, on which one other is heard at a time. It belongs
// to whoever serves the call.
type voiceOut struct {
	track *webrtc.TrackLocalStaticRTP
	from  *Call
	seq   uint16 // what is added to those of from
	ts    uint32
	next  uint16 // that follows what was sent last
	last  uint32
	sent  int64 // when
}

// free is after how long one who is not heard gives up its track to another.
const free = 400 * time.Millisecond

// voice is the track on which another is heard: its own; else one that nobody has, or on
// which nothing came lately, or whose player does not speak while this one does. nil where
// all are taken.
func (p *peer) voice(from *Call, now int64) *voiceOut {
	p.voicing.Lock()
	defer p.voicing.Unlock()
	var best *voiceOut
	rank := 0
	for _, v := range p.voices {
		switch {
		case v.from == from:
			return v
		case v.from == nil && rank < 3:
			best, rank = v, 3
		case v.from != nil && (now-v.sent > int64(free) || v.from.over()) && rank < 2:
			best, rank = v, 2
		case v.from != nil && from.talks.Load() && !v.from.talks.Load() && rank < 1:
			best, rank = v, 1
		}
	}
	return best
}

// write sends a packet as the next of the track, whosever it is: numbers and times go on
// where the one before left them.
func (v *voiceOut) write(p *heardPacket, now int64) error {
	first := v.from != p.from
	if first {
		gap := uint32(max(now-v.sent, 0) / int64(time.Second/clock)) //nolint:gosec // it goes round
		if v.from == nil {
			gap = 0
		}
		v.from, v.seq, v.ts = p.from, v.next-p.seq, v.last+max(gap, clock/50)-p.ts
	}
	seq, ts := p.seq+v.seq, p.ts+v.ts
	if int16(seq-v.next) >= 0 || first { //nolint:gosec // the distance around the circle is what is wanted
		v.next, v.last = seq+1, ts
	}
	v.sent = now
	return v.track.WriteRTP(&rtp.Packet{ //nolint:wrapcheck // counted, not told
		Header: rtp.Header{Version: 2, Marker: first, SequenceNumber: seq, Timestamp: ts}, Payload: p.payload,
	})
}

// wanted is how many sections of an offer are ready to receive a voice.
func wanted(offer string) int {
	var d sdp.SessionDescription
	if d.UnmarshalString(offer) != nil {
		return 0
	}
	n := 0
	for _, m := range d.MediaDescriptions {
		_, only := m.Attribute("sendonly")
		_, off := m.Attribute("inactive")
		if m.MediaName.Media == "audio" && m.MediaName.Port.Value != 0 && len(opusTypes(m)) > 0 && !only && !off {
			n++
		}
	}
	return min(n, mostVoices)
}

// addVoices makes the tracks on which others are heard, as many as an offer has room for.
// Offers of one call wait for each other.
func (c *Call) addVoices(offer string) error {
	p := c.peer
	for i := len(p.voices); i < wanted(offer); i++ {
		t, err := webrtc.NewTrackLocalStaticRTP(opusCodec.RTPCodecCapability, fmt.Sprintf("voice-%d", i+1), "scene")
		if err != nil {
			return fmt.Errorf("voice of others: %w", err)
		}
		s, err := p.pc.AddTrack(t)
		if err != nil {
			return fmt.Errorf("voice of others: %w", err)
		}
		p.voicing.Lock()
		p.voices = append(p.voices, &voiceOut{track: t})
		p.voicing.Unlock()
		p.readers.Go(func() { // reports are read, or they gather
			buf := make([]byte, 1500)
			for {
				if _, _, err := s.Read(buf); err != nil {
					return
				}
			}
		})
	}
	return nil
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
