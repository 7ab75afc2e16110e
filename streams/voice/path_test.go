package voice

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pion/rtp"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// path is what lies between a client and a gateway: it keeps the packets of sound that a client sends, and can send
// them once more, or go on from another address, as a router does that has forgotten the first.
type path struct {
	near   *net.UDPConn // where the client sends to
	to     netip.AddrPort
	loses  func(b []byte) bool // of what the gateway sends; nil is nothing
	copies sync.WaitGroup

	mu     sync.Mutex
	far    *net.UDPConn // that the gateway sees
	client netip.AddrPort
	kept   [][]byte
}

// between dials by way of a path.
func between(t *testing.T, h *Hub, who *session.Speaker) (*caller.Client, *path) {
	t.Helper()
	c, p := astray(t, h, who, nil)
	select {
	case <-c.Connected():
	case <-time.After(within):
		t.Fatal("not connected")
	}
	return c, p
}

// astray is between on a path that loses some, before anybody is connected.
func astray(t *testing.T, h *Hub, who *session.Speaker, loses func([]byte) bool) (*caller.Client, *path) {
	t.Helper()
	p := &path{near: listenUDP(t, "127.0.0.1:0"), to: netip.MustParseAddrPort(h.Addr()), loses: loses}
	p.far = p.open(t)
	p.copies.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := p.near.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			p.mu.Lock()
			p.client = from
			if buf[0]>>6 == 2 && buf[1]&0x7f == 111 {
				p.kept = append(p.kept, slices.Clone(buf[:n]))
			}
			_, _ = p.far.WriteToUDPAddrPort(buf[:n], p.to)
			p.mu.Unlock()
		}
	})
	c, err := caller.New(caller.Options{Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		_ = p.near.Close()
		p.mu.Lock()
		_ = p.far.Close()
		p.mu.Unlock()
		p.copies.Wait()
	})
	p.negotiate(t, h, who, c, nil)
	return c, p
}

// open is a new address that the gateway sees.
func (p *path) open(t *testing.T) *net.UDPConn {
	t.Helper()
	far := listenUDP(t, "127.0.0.1:0")
	p.copies.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, err := far.Read(buf)
			if err != nil {
				return
			}
			p.mu.Lock()
			client := p.client
			p.mu.Unlock()
			if p.loses != nil && p.loses(buf[:n]) {
				continue
			}
			_, _ = p.near.WriteToUDPAddrPort(buf[:n], client)
		}
	})
	return far
}

// negotiate has an offer go past the path; change changes it on its way.
func (p *path) negotiate(t *testing.T, h *Hub, who *session.Speaker, c *caller.Client, change func(string) string) {
	t.Helper()
	offer, err := c.Offer()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		offer = change(offer)
	}
	answer, _, err := h.Offer(t.Context(), who, strings.ReplaceAll(offer, "a=candidate", "a=x-candidate")) // it is to know the path alone
	if err != nil {
		t.Fatal(err)
	}
	at := func(a netip.AddrPort) string { return fmt.Sprintf(" %s %d ", a.Addr(), a.Port()) }
	near := netip.MustParseAddrPort(p.near.LocalAddr().String())
	if err := c.Answer(strings.ReplaceAll(answer, at(p.to), at(near))); err != nil {
		t.Fatal(err)
	}
}

// move has the gateway see another address from now on.
func (p *path) move(t *testing.T) {
	t.Helper()
	far := p.open(t)
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.far.Close()
	p.far = far
}

// again sends all packets of sound once more.
func (p *path) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.kept {
		_, _ = p.far.WriteToUDPAddrPort(b, p.to)
	}
}

// tapOf is the tap of a session's call once it has taken so many packets.
func tapOf(t *testing.T, h *Hub, who *session.Speaker, taken int64) *tap {
	t.Helper()
	var tap *tap
	eventually(t, "the tap", func() bool {
		p := h.callOf(who.Session).peer
		p.hearing.Lock()
		tap = p.tap
		p.hearing.Unlock()
		if tap == nil {
			return false
		}
		tap.mu.Lock()
		defer tap.mu.Unlock()
		return tap.taken >= taken
	})
	return tap
}

// What is sent once more, by whoever has seen it go by, is heard once.
func TestSentTwice(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	who := speaker("ann")
	c, p := between(t, h, who)
	begin(t, c, heard)
	tapOf(t, h, who, 0)
	if err := c.Speak(t.Context(), read(t, "tone.opus")[:130], nil); err != nil { // more than is late
		t.Fatal(err)
	}
	eventually(t, "the tone", func() bool { return heard.loud.Load() > 20_000 })
	list := read(t, "tone.opus")[130:133] // what was held up is heard
	if err := c.Speak(t.Context(), list, nil); err != nil {
		t.Fatal(err)
	}
	tap := tapOf(t, h, who, 120)
	tap.mu.Lock()
	taken := tap.taken // Pion refuses the others itself
	tap.mu.Unlock()
	before := heard.loud.Load()
	late := value(t, h.m.late)
	p.again()
	eventually(t, "all of it once more", func() bool { return value(t, h.m.late) >= late+float64(taken) })
	if again := heard.loud.Load(); again > before+3*320 {
		t.Errorf("%d samples were heard again", again-before)
	}
	p.mu.Lock()
	sent := len(p.kept)
	p.mu.Unlock()
	peer := h.callOf(who.Session).peer
	peer.hearing.Lock()
	in := peer.tracks[0]
	peer.hearing.Unlock()
	in.heard.mu.Lock()
	defer in.heard.mu.Unlock()
	if in.heard.received > int64(sent) {
		t.Errorf("%d packets were received, of %d", in.heard.received, sent)
	}
}

// rounds has a call's numbers begin anew, by leaps, while all is taken.
func rounds(t *testing.T, h *Hub, who *session.Speaker, c *caller.Client) {
	t.Helper()
	for i, seq := range []uint16{65_534, 4_000, 30_000, 55_000, 10_000, 36_000} {
		for k := range uint16(4) { // of a leap, the second one is heard
			if err := c.Write(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: seq + k}, Payload: silence}); err != nil {
				t.Fatal(err)
			}
		}
		if i > 0 {
			tapOf(t, h, who, int64(i*4-2))
		} else {
			tapOf(t, h, who, 0)
		}
	}
}

// A track that was put on hold is heard when it goes on, however often its numbers have begun anew before.
func TestHold(t *testing.T) {
	heard, deps := counting()
	h := start(t, relaying(), deps)
	who := speaker("ann")
	c, p := between(t, h, who)
	rounds(t, h, who, c)
	for range 2 {
		p.negotiate(t, h, who, c, func(offer string) string { return strings.Replace(offer, "a=sendrecv", "a=inactive", 1) })
		eventually(t, "the end of its track", func() bool {
			peer := h.callOf(who.Session).peer
			peer.hearing.Lock()
			defer peer.hearing.Unlock()
			return len(peer.tracks) == 0
		})
		p.negotiate(t, h, who, c, nil)
		before := heard.loud.Load()
		tap := tapOf(t, h, who, 0)
		tap.mu.Lock()
		taken := tap.taken
		tap.mu.Unlock()
		heard.more(t, c, before, "the tone after it was on hold")
		tapOf(t, h, who, taken+1)
	}
}

// A client that is seen from another address without a word is heard.
func TestMove(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	who := speaker("ann")
	c, p := between(t, h, who)
	rounds(t, h, who, c)
	p.move(t)
	before := heard.loud.Load()
	heard.more(t, c, before, "the tone from elsewhere")
}

// A client that changes networks and says so is taken from its new address, and from none else.
func TestRestart(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	who := speaker("ann")
	c, p := between(t, h, who)
	rounds(t, h, who, c)
	p.move(t)
	c.Restart()
	p.negotiate(t, h, who, c, nil)
	at := netip.MustParseAddrPort(p.far.LocalAddr().String())
	a := &h.peers.socket.taps
	tap := tapOf(t, h, who, 0)
	eventually(t, "its new address", func() bool {
		a.mu.RLock()
		defer a.mu.RUnlock()
		return a.at[at] == tap && len(a.at) == 1
	})
	tap.mu.Lock()
	taken := tap.taken
	tap.mu.Unlock()
	before := heard.loud.Load()
	heard.more(t, c, before, "the tone from there")
	tapOf(t, h, who, taken+1)
}

// Of a client that is gone in the middle of its handshake, or never gets to its end, nothing is left once its time or
// its session is over: no call, no secret, no address.
func TestHandshakeBroken(t *testing.T) {
	cfg := Default()
	cfg.Setup = 2 * time.Second
	_, deps := counting()
	h := start(t, cfg, deps)
	var calls []*Call
	for name, last := range map[string]byte{"after our hello": 0, "before our finish": 20} {
		who := speaker(name)
		began := make(chan struct{})
		var once sync.Once
		c, _ := astray(t, h, who, func(b []byte) bool {
			handshake := b[0] >= 20 && b[0] < 64
			if handshake && (last == 0 || b[0] == last) {
				once.Do(func() { close(began) })
				return true
			}
			return false
		})
		calls = append(calls, h.callOf(who.Session))
		select {
		case <-began:
		case <-time.After(within):
			t.Fatalf("%s: no handshake", name)
		}
		if last == 0 {
			_ = c.Close()
		} else {
			h.Left(who.Session) // our side of it is done: the call would wait for sound
		}
	}
	eventually(t, "the end of all calls", func() bool { return h.Calls() == 0 })
	h.crew.Wait()
	for _, c := range calls {
		c.peer.secrets.mu.Lock()
		if s := c.peer.secrets; len(s.server) == 0 || s.master != nil {
			t.Errorf("%s: %d bytes of the secret are kept, %d of our random", c.who.Player, len(s.master), len(s.server))
		}
		c.peer.secrets.mu.Unlock()
	}
	a := &h.peers.socket.taps
	a.mu.RLock()
	defer a.mu.RUnlock()
	if len(a.at) != 0 {
		t.Errorf("%d addresses are kept", len(a.at))
	}
}
