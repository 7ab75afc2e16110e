// Package caller is a client that calls: it sends the packets of an Opus file as a live
// call over WebRTC. Tools and tests speak with it; how the offer reaches a gateway, and
// the answer it, is theirs.
package caller

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/logging"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"
)

// Options are how a Client offers its sound. The zero value is Chromium's way.
type Options struct {
	// Type is the payload type of Opus, 0 for 111; Format its parameters.
	Type   uint8
	Format string
	// Loopback is set where the gateway is on this machine.
	Loopback bool
	// Silent offers no audio at all, which no gateway takes; Unheard offers to listen only.
	Silent, Unheard bool
	// Voices is how many others may be heard at a time; Heard is called with each packet of
	// one of them, by the goroutine that reads its track.
	Voices int
	Heard  func(track string, p *Received)
	// Told is called with each report (RTCP) on what this one says; nil is never.
	Told func(report []byte)
}

// Received is a packet of another who is heard.
type Received = rtp.Packet

// Client is one call. It has a socket of its own: several behind one would be one to a
// gateway that tells callers by their address. Its methods are not safe for concurrent use.
type Client struct {
	pc        *webrtc.PeerConnection
	track     *webrtc.TrackLocalStaticRTP
	connected chan struct{}
	ended     chan struct{}
	head      rtp.Header
	restart   bool // before the next offer
	told      func([]byte)
	readers   sync.WaitGroup
}

// New makes a client that has yet to offer. Close ends it.
func New(o Options) (*Client, error) {
	if o.Type == 0 {
		o.Type = 111
	}
	if o.Format == "" {
		o.Format = "minptime=10;useinbandfec=1"
	}
	media := &webrtc.MediaEngine{}
	codec := webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2, SDPFmtpLine: o.Format}
	if err := media.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: codec, PayloadType: webrtc.PayloadType(o.Type)}, webrtc.RTPCodecTypeAudio); err != nil {
		return nil, fmt.Errorf("codec: %w", err)
	}
	quiet := logging.NewDefaultLoggerFactory()
	quiet.DefaultLogLevel = logging.LogLevelDisabled
	se := webrtc.SettingEngine{LoggerFactory: quiet}
	se.SetIncludeLoopbackCandidate(o.Loopback)
	pc, err := webrtc.NewAPI(webrtc.WithMediaEngine(media), webrtc.WithSettingEngine(se), webrtc.WithInterceptorRegistry(&interceptor.Registry{})).
		NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, fmt.Errorf("connection: %w", err)
	}
	c := &Client{pc: pc, connected: make(chan struct{}), ended: make(chan struct{}), told: o.Told}
	if err := c.prepare(o); err != nil {
		return nil, errors.Join(err, pc.Close())
	}
	return c, nil
}

func (c *Client) prepare(o Options) error {
	var connected, ended sync.Once
	c.pc.OnConnectionStateChange(func(s webrtc.PeerConnectionState) {
		switch s { //nolint:exhaustive // the others are on the way
		case webrtc.PeerConnectionStateConnected:
			connected.Do(func() { close(c.connected) })
		case webrtc.PeerConnectionStateFailed, webrtc.PeerConnectionStateClosed, webrtc.PeerConnectionStateDisconnected:
			ended.Do(func() { close(c.ended) })
		}
	})
	if o.Heard != nil {
		c.pc.OnTrack(func(t *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
			c.readers.Add(1)
			defer c.readers.Done()
			for {
				p, _, err := t.ReadRTP()
				if err != nil {
					return
				}
				o.Heard(t.ID(), p)
			}
		})
	}
	switch {
	case o.Silent:
		_, err := c.pc.CreateDataChannel("nothing", nil)
		return err //nolint:wrapcheck // named by New
	case o.Unheard:
		_, err := c.pc.AddTransceiverFromKind(webrtc.RTPCodecTypeAudio, webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly})
		return err //nolint:wrapcheck // as above
	}
	if err := c.Track(); err != nil {
		return err
	}
	for range o.Voices - 1 { // what this one says on is the first
		init := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}
		if _, err := c.pc.AddTransceiverFromKind(webrtc.RTPCodecTypeAudio, init); err != nil {
			return err //nolint:wrapcheck // named by New
		}
	}
	return nil
}

// Track adds a track, in place of the one before: what is said from now on has another
// source. The next Offer tells of it.
func (c *Client) Track() error {
	if c.track != nil {
		for _, s := range c.pc.GetSenders() {
			if err := c.pc.RemoveTrack(s); err != nil {
				return fmt.Errorf("track: %w", err)
			}
		}
	}
	t, err := webrtc.NewTrackLocalStaticRTP(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus}, "audio", "caller")
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	c.track = t
	s, err := c.pc.AddTrack(t)
	if err != nil {
		return fmt.Errorf("track: %w", err)
	}
	c.readers.Go(func() { // reports are read, or they gather
		buf := make([]byte, 1500)
		for {
			n, _, err := s.Read(buf)
			if err != nil {
				return
			}
			if c.told != nil {
				c.told(buf[:n])
			}
		}
	})
	return nil
}

// Restart has the next Offer look for a way to the gateway anew (ICE restart), as who has changed networks does.
func (c *Client) Restart() { c.restart = true }

// Offer makes an offer with every address of this client.
func (c *Client) Offer() (string, error) {
	offer, err := c.pc.CreateOffer(&webrtc.OfferOptions{ICERestart: c.restart})
	c.restart = false
	if err != nil {
		return "", fmt.Errorf("offer: %w", err)
	}
	gathered := webrtc.GatheringCompletePromise(c.pc)
	if err := c.pc.SetLocalDescription(offer); err != nil {
		return "", fmt.Errorf("offer: %w", err)
	}
	<-gathered
	return c.pc.LocalDescription().SDP, nil
}

// Answer takes the gateway's answer.
func (c *Client) Answer(sdp string) error {
	if err := c.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: sdp}); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

// Connected is closed once sound can flow, Ended once it no longer can.
func (c *Client) Connected() <-chan struct{} { return c.connected }

// Ended is closed once the gateway has ended the call, or can't be reached.
func (c *Client) Ended() <-chan struct{} { return c.ended }

// Send sends one packet in its turn, and counts its time.
func (c *Client) Send(p Packet) error {
	c.head.Version = 2
	err := c.track.WriteRTP(&rtp.Packet{Header: c.head, Payload: p.Data})
	c.head.SequenceNumber++
	c.head.Timestamp += uint32(p.Samples) //nolint:gosec // 120 ms at most
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// Write sends a packet as it is; Send goes on behind it.
func (c *Client) Write(p *rtp.Packet) error {
	c.head.SequenceNumber, c.head.Timestamp = p.SequenceNumber+1, p.Timestamp
	return c.track.WriteRTP(p) //nolint:wrapcheck // for tests
}

// Pause lets time pass without a packet, as in silence that is not sent.
func (c *Client) Pause(samples int) { c.head.Timestamp += uint32(samples) } //nolint:gosec // a test's

// Lose has the next packets of the file not arrive.
func (c *Client) Lose(p Packet) {
	c.head.SequenceNumber++
	c.head.Timestamp += uint32(p.Samples) //nolint:gosec // as above
}

// Speak sends packets in their own time, until the last or ctx ends. before is called
// before each, where it is not nil; false leaves that one out.
func (c *Client) Speak(ctx context.Context, packets []Packet, before func(i int) bool) error {
	start, sent := time.Now(), 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for i, p := range packets {
		timer.Reset(time.Until(start.Add(time.Duration(sent) * time.Second / 48000)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err() //nolint:wrapcheck // the caller's own
		case <-c.ended:
			return errors.New("the gateway ended the call")
		}
		sent += p.Samples
		if before != nil && !before(i) {
			c.Lose(p)
			continue
		}
		if err := c.Send(p); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the call and waits for what belongs to it.
func (c *Client) Close() error {
	err := c.pc.Close()
	c.readers.Wait()
	if err != nil {
		return fmt.Errorf("close: %w", err)
	}
	return nil
}
