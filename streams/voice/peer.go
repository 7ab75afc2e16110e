package voice

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// peer is the WebRTC connection of a call.
type peer struct {
	pc        *webrtc.PeerConnection
	connected atomic.Bool
	counted   bool // among those that its address is setting up; the hub's mu
	readers   sync.WaitGroup

	turn    sync.Mutex // held while an offer is answered
	voicing sync.Mutex
	voices  []*voiceOut // of others, where they are relayed; voicing is held
	out     *outbox     // nil where nothing is relayed
	pace    pace        // of what others are sent of it

	candidates atomic.Int32

	secrets  *secrets
	taps     *taps  // of the socket
	reporter uint32 // SSRC of our reports
	hearing  sync.Mutex
	closed   bool
	tap      *tap        // nil before the first track, and where Pion decrypts
	tracks   []*incoming // that are heard; hearing is held
}

// mostTracks is how many tracks of one connection are heard: renegotiation makes a new
// one before the old one is over.
const mostTracks = 4

// gatherWithin bounds the search for our own addresses.
const gatherWithin = 2 * time.Second

// Offer answers the SDP offer of a session or, where who has none, of a WHIP client,
// and says what its call is named. A session that has a call in the same scene
// negotiates that one anew; one in another scene ends.
func (h *Hub) Offer(ctx context.Context, who *session.Speaker, offer string) (answer, id string, err error) {
	if h.peers == nil {
		return "", "", wire.Fail(wire.Unavailable, "this gateway takes no WebRTC (voice.listen is off)")
	}
	relayed := h.cfg.relays(who.App, who.Scene)
	if err := h.admit(who, relayed); err != nil {
		return "", "", err
	}
	if err := checkOffer(offer, relayed); err != nil {
		h.m.refused.WithLabelValues("offer").Inc()
		return "", "", err
	}
	if c := h.callOf(who.Session); c != nil {
		if c.who.Scene == who.Scene && !c.over() {
			answer, err = c.answer(ctx, offer)
			return answer, c.id, err
		}
		c.end("another call")
	}
	c, err := h.dial(who, offer)
	if err != nil {
		return "", "", err
	}
	if answer, err = c.answer(ctx, offer); err != nil {
		c.end("no answer")
		return "", "", err
	}
	return answer, c.id, nil
}

// callOf is the WebRTC call of a session, nil for none.
func (h *Hub) callOf(id engines.SessionID) *Call {
	if id == "" {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sessions[id]
}

// dial makes a call that waits for its offer.
func (h *Hub) dial(who *session.Speaker, offer string) (*Call, error) {
	sound, err := newOpus()
	if err != nil {
		return nil, err
	}
	pc, keys, err := h.peers.connection(offer)
	if err != nil {
		return nil, err
	}
	c := h.newCall(who, sound)
	c.peer = &peer{pc: pc, secrets: keys, reporter: rand.Uint32(), taps: &h.peers.socket.taps} //nolint:gosec // a name among two
	if c.relayed {
		c.peer.out = newOutbox()
		c.peer.readers.Go(c.serve)
	}
	if err := h.add(c); err != nil {
		c.peer.close()
		return nil, err
	}
	pc.OnTrack(func(t *webrtc.TrackRemote, r *webrtc.RTPReceiver) { c.hearTrack(t, r) })
	pc.OnConnectionStateChange(func(s webrtc.PeerConnectionState) {
		switch s { //nolint:exhaustive // the others are on the way
		case webrtc.PeerConnectionStateConnected:
			if !c.peer.connected.Swap(true) {
				h.connected(c)
				h.m.setup.Observe(time.Duration(h.now() - c.began).Seconds())
			}
		case webrtc.PeerConnectionStateFailed, webrtc.PeerConnectionStateClosed:
			c.end("the connection " + s.String())
		}
	})
	return c, nil
}

// answer takes an offer; offers of one call wait for each other.
func (c *Call) answer(ctx context.Context, offer string) (string, error) {
	p := c.peer
	p.turn.Lock()
	defer p.turn.Unlock()
	if c.relayed {
		if err := c.addVoices(offer); err != nil {
			c.hub.log.DebugContext(ctx, "voice: no tracks for others", "err", err)
			return "", wire.Fail(wire.Unavailable, "the call could not be set up")
		}
	}
	if err := p.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		c.hub.log.DebugContext(ctx, "voice: offer not taken", "err", err)
		return "", wire.Invalid("/sdp", "is not an offer that can be answered")
	}
	own, err := p.pc.CreateAnswer(nil)
	if err != nil {
		c.hub.log.DebugContext(ctx, "voice: offer not answered", "err", err)
		return "", wire.Invalid("/sdp", "is not an offer that can be answered")
	}
	gathered := webrtc.GatheringCompletePromise(p.pc)
	if err := p.pc.SetLocalDescription(own); err != nil {
		return "", wire.Fail(wire.Unavailable, "the call could not be set up")
	}
	timer := time.NewTimer(gatherWithin)
	defer timer.Stop()
	select {
	case <-gathered: // addresses are our own, so this is a matter of a millisecond
	case <-timer.C:
	case <-ctx.Done():
		return "", ctx.Err() //nolint:wrapcheck // the caller's own
	}
	return askFor(p.pc.LocalDescription().SDP, c.hub.cfg.Bitrate)
}

// Candidate adds an address of the client of a session's call.
func (h *Hub) Candidate(id engines.SessionID, candidate, mid string) error {
	c := h.callOf(id)
	if c == nil {
		return wire.Fail(wire.NotFound, "there is no call: send voice.offer first")
	}
	return c.candidate(candidate, mid)
}

// Trickle adds addresses to the call of a WHIP client.
func (h *Hub) Trickle(id string, candidates []string, mid string) error {
	c := h.find(id)
	if c == nil || c.peer == nil || c.who.Session != "" {
		return wire.Fail(wire.NotFound, "there is no such call")
	}
	for _, one := range candidates {
		if err := c.candidate(one, mid); err != nil {
			return err
		}
	}
	return nil
}

func (c *Call) candidate(candidate, mid string) error {
	if c.peer.candidates.Add(1) > mostCandidates {
		return wire.Invalid("/candidate", "the call has all the candidates that it may have")
	}
	if candidate == "" || strings.Contains(candidate, ".local") {
		return nil // the end of them; or a name that we would have to ask the network for
	}
	init := webrtc.ICECandidateInit{Candidate: candidate}
	if mid != "" {
		init.SDPMid = &mid
	}
	if err := c.peer.pc.AddICECandidate(init); err != nil {
		return wire.Invalid("/candidate", "is not a candidate that can be read")
	}
	return nil
}

// Close ends the WebRTC call of a session.
func (h *Hub) Close(id engines.SessionID) error {
	c := h.callOf(id)
	if c == nil {
		return wire.Fail(wire.NotFound, "there is no call")
	}
	c.end("closed")
	return nil
}

// Hang ends the call of a WHIP client.
func (h *Hub) Hang(id string) error {
	c := h.find(id)
	if c == nil || c.peer == nil || c.who.Session != "" || c.over() {
		return wire.Fail(wire.NotFound, "there is no such call")
	}
	c.end("closed")
	return nil
}

// hearTrack reads a track to its end. It does nothing but copy: whoever reads slowly
// hears what Pion has kept for minutes, late and without a word of it. Pion runs it on
// a goroutine of its own, which close waits for.
func (c *Call) hearTrack(t *webrtc.TrackRemote, r *webrtc.RTPReceiver) {
	p := c.peer
	in := &incoming{source: uint32(t.SSRC()), payload: uint8(t.PayloadType())}
	if t.Kind() != webrtc.RTPCodecTypeAudio || !p.enter(in) {
		_ = r.Stop() // it is not to gather what nobody reads
		return
	}
	defer p.readers.Done()
	defer p.leave(in)
	buf := make([]byte, 1500)
	var packet rtp.Packet
	for tapped := false; ; {
		n, _, err := t.Read(buf)
		if err != nil {
			return
		}
		packet = rtp.Packet{}
		if packet.Unmarshal(buf[:n]) != nil {
			c.hub.m.malformed.Inc()
			continue
		}
		c.came(in, &packet)
		if !tapped {
			tapped, in.first = true, packet.SequenceNumber
			p.listen(c, in, r.Transport().ICETransport())
		}
	}
}

// came takes a packet of a track, of which it makes a copy, once. It never waits.
func (c *Call) came(in *incoming, p *rtp.Packet) {
	if !in.heard.came(p.SequenceNumber, p.Timestamp, c.hub.now()) {
		c.hub.m.late.Inc()
		return
	}
	if c.muted.Load() {
		return
	}
	heard := packet{source: p.SSRC, seq: p.SequenceNumber, ts: p.Timestamp, payload: append([]byte(nil), p.Payload...)}
	if c.relayed {
		c.relay(&heard)
	}
	c.put(heard)
}

// enter takes a track among those that are heard. Full-rule: past mostTracks none is.
func (p *peer) enter(in *incoming) bool {
	p.hearing.Lock()
	defer p.hearing.Unlock()
	if p.closed || len(p.tracks) == mostTracks {
		return false
	}
	p.tracks = append(p.tracks, in)
	p.readers.Add(1)
	return true
}

func (p *peer) leave(in *incoming) {
	p.hearing.Lock()
	defer p.hearing.Unlock()
	p.tracks = slices.DeleteFunc(p.tracks, func(have *incoming) bool { return have == in })
	if p.tap != nil {
		p.tap.remove(in)
	}
}

// listen has the packets of a track taken from the network at once, where the keys are known.
func (p *peer) listen(c *Call, in *incoming, at *webrtc.ICETransport) {
	p.hearing.Lock()
	defer p.hearing.Unlock()
	if p.closed {
		return
	}
	if p.tap == nil {
		keys, err := p.secrets.context()
		if err != nil {
			return
		}
		p.tap = &tap{call: c, srtp: keys}
		at.OnSelectedCandidatePairChange(func(*webrtc.ICECandidatePair) {
			p.hearing.Lock()
			defer p.hearing.Unlock()
			p.place(at)
		})
	}
	p.tap.add(in)
	p.place(at)
}

// place has the tap take what comes from the address that a client uses now, which is asked for here: of two changes
// the older one may be told last. hearing is held.
func (p *peer) place(at *webrtc.ICETransport) {
	pair, err := at.GetSelectedCandidatePair()
	if err != nil || pair == nil || p.closed {
		return
	}
	if addr, err := netip.ParseAddr(pair.Remote.Address); err == nil {
		p.taps.put(p.tap, netip.AddrPortFrom(addr.Unmap(), pair.Remote.Port))
	}
}

// report tells the sender how its packets arrive.
func (c *Call) report() {
	p := c.peer
	p.hearing.Lock()
	var all []rtcp.ReceptionReport
	for _, in := range p.tracks {
		if one, ok := in.heard.report(in.source); ok {
			all = append(all, one)
		}
	}
	p.hearing.Unlock()
	if len(all) > 0 {
		_ = p.pc.WriteRTCP([]rtcp.Packet{&rtcp.ReceiverReport{SSRC: p.reporter, Reports: all}}) // the connection is going: its end is told elsewhere
	}
}

// close ends the connection and waits for what reads from it.
func (p *peer) close() {
	if p.out != nil {
		p.out.close()
	}
	p.hearing.Lock()
	p.closed = true
	if p.tap != nil {
		p.taps.drop(p.tap)
		p.tap.close()
	}
	p.hearing.Unlock()
	p.secrets.close()
	_ = p.pc.Close() // there is nobody to tell
	p.readers.Wait()
}
