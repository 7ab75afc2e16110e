package voice

import (
	"fmt"
	"time"

	"github.com/pion/rtp"
	"github.com/pion/sdp/v3"
	"github.com/pion/webrtc/v4"
)

// mostVoices is how many others one may ask to hear at a time.
const mostVoices = 12

// voiceOut is one track of a listener, on which one other is heard at a time. It belongs
// to whoever serves the call.
type voiceOut struct {
	track *webrtc.TrackLocalStaticRTP
	from  *Call
	// source is that of from's packets; another one has numbers of its own.
	source uint32
	seq    uint16 // what is added to those of from
	ts     uint32
	next   uint16 // that follows what was sent last
	last   uint32
	sent   int64 // when
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
	first := v.from != p.from || v.source != p.source
	if first {
		gap := uint32(max(now-v.sent, 0) / int64(time.Second/clock)) //nolint:gosec // it goes round
		if v.from == nil {
			gap = 0
		}
		v.from, v.source, v.seq, v.ts = p.from, p.source, v.next-p.seq, v.last+max(gap, clock/50)-p.ts
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
