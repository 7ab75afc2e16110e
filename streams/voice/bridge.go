package voice

import (
	"encoding/binary"
	"strconv"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Frame is one binary frame of a game server's voice bridge (WIRE.md section 5): an
// Opus packet or a block of PCM16 of one track.
type Frame struct {
	Track   uint8
	Seq     uint16
	Time    uint32 // at 48 kHz
	Payload []byte
}

const (
	frameVersion = 1
	frameHead    = 8
	// mostFrame is the longest payload: 120 ms of PCM16 at 48 kHz, two channels.
	mostFrame = 48 * 120 * 2 * 2
)

// ReadFrame reads a binary frame; the payload is a part of it.
func ReadFrame(b []byte) (Frame, error) {
	switch {
	case len(b) < frameHead:
		return Frame{}, wire.Fail(wire.InvalidParameter, "a voice frame has a head of 8 bytes: version, track, seq (2), timestamp (4)")
	case b[0] != frameVersion:
		return Frame{}, wire.Fail(wire.InvalidParameter, "a voice frame's version is 1, not "+strconv.Itoa(int(b[0])))
	case len(b)-frameHead > mostFrame:
		return Frame{}, wire.Fail(wire.TooLarge, "a voice frame holds at most "+strconv.Itoa(mostFrame)+" bytes of sound")
	}
	return Frame{b[1], binary.BigEndian.Uint16(b[2:]), binary.BigEndian.Uint32(b[4:]), b[frameHead:]}, nil
}

// AppendFrame writes a binary frame.
func AppendFrame(dst []byte, f *Frame) []byte {
	dst = append(dst, frameVersion, f.Track)
	dst = binary.BigEndian.AppendUint16(dst, f.Seq)
	dst = binary.BigEndian.AppendUint32(dst, f.Time)
	return append(dst, f.Payload...)
}

// Open begins a track of a game server's session. A track of the same number ends.
func (h *Hub) Open(who *session.Speaker, t wire.VoiceTrack) error {
	if err := h.admit(who, false); err != nil {
		return err
	}
	sound, err := h.sound(t.Codec, t.Rate, t.Channels)
	if err != nil {
		return err
	}
	c := h.newCall(who, sound)
	c.track, c.bridged = t.Track, true
	if old := h.trackOf(who.Session, t.Track); old != nil {
		old.end("opened again")
	}
	return h.add(c)
}

// sound makes what turns payloads into sound.
func (h *Hub) sound(codec string, rate, channels int) (source, error) {
	if codec == wire.VoiceOpus {
		return newOpus()
	}
	s := &pcmSource{rate: rate, channels: max(channels, 1)}
	if rate != engines.SoundRate {
		s.to = h.deps.Resampler(rate, engines.SoundRate)
	}
	return s, nil
}

// CloseTrack ends a track.
func (h *Hub) CloseTrack(id engines.SessionID, track uint8) error {
	c := h.trackOf(id, track)
	if c == nil {
		return wire.Fail(wire.NotFound, "there is no such track")
	}
	c.end("closed")
	return nil
}

func (h *Hub) trackOf(id engines.SessionID, track uint8) *Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tracks[trackKey{id, track}]
}

// Frame takes a binary frame of a game server's session. It never waits, and keeps
// nothing of b.
func (h *Hub) Frame(id engines.SessionID, b []byte) error {
	f, err := ReadFrame(b)
	if err != nil {
		h.m.malformed.Inc()
		return err
	}
	c := h.trackOf(id, f.Track)
	if c == nil {
		return wire.Fail(wire.NotFound, "track "+strconv.Itoa(int(f.Track))+" is not open: send voice.open first")
	}
	c.put(packet{source: 1, seq: f.Seq, ts: f.Time, payload: append([]byte(nil), f.Payload...)})
	return nil
}
