package wire

import (
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Types of the messages about calls that clients send, and of the answer.
const (
	TypeVoiceOffer     = "voice.offer"
	TypeVoiceCandidate = "voice.candidate"
	TypeVoiceClose     = "voice.close"
	TypeVoiceOpen      = "voice.open"
)

// Codecs of a game server's voice bridge.
const (
	VoiceOpus = "opus"
	VoicePCM  = "pcm16"
)

// VoiceOffer is a client's wish for a call.
type VoiceOffer struct {
	Scene engines.SceneID
	SDP   string
}

// ReadVoiceOffer reads a voice.offer.
func ReadVoiceOffer(o *Object) (VoiceOffer, error) {
	v := VoiceOffer{Scene: engines.SceneID(o.ID("scene_id", true)), SDP: o.Require("sdp")}
	if v.SDP == "" && o.Has("sdp") {
		o.Fault("sdp", "must not be empty")
	}
	return v, o.Err()
}

// ReadVoiceCandidate reads a voice.candidate: an ICE candidate line and the media
// section that it is of; an empty one says that there are no more.
func ReadVoiceCandidate(o *Object) (candidate, mid string, err error) {
	candidate = o.Require("candidate")
	mid, _ = o.Text("sdp_mid")
	if len(candidate) > 1024 {
		o.Fault("candidate", "is longer than any candidate")
	}
	if len(mid) > MaxMessageID {
		o.Fault("sdp_mid", "has at most "+strconv.Itoa(MaxMessageID)+" bytes")
	}
	return candidate, mid, o.Err()
}

// VoiceTrack is a track of a game server's voice bridge.
type VoiceTrack struct {
	Track    uint8
	Player   engines.PlayerID
	Scene    engines.SceneID
	Codec    string
	Rate     int
	Channels int
	Language string
}

// Rates of PCM16 that are taken.
const (
	MinVoiceRate = 8000
	MaxVoiceRate = 48000
)

// ReadVoiceOpen reads a voice.open.
func ReadVoiceOpen(o *Object) (VoiceTrack, error) {
	t := VoiceTrack{Track: readTrack(o, true)}
	t.Player = engines.PlayerID(o.ID("player_id", true))
	t.Scene = engines.SceneID(o.ID("scene_id", true))
	t.Language = o.language()
	t.Codec = o.Require("codec")
	if o.Has("codec") && t.Codec != VoiceOpus && t.Codec != VoicePCM {
		o.Fault("codec", "must be opus or pcm16")
	}
	t.Rate, t.Channels = readRate(o, 1)
	return t, o.Err()
}

// readRate reads the rate and channels of PCM; Opus says both by itself.
func readRate(o *Object, channels int) (int, int) {
	rate, n := 48000, channels
	if v, ok := o.Int("rate", MinVoiceRate, MaxVoiceRate); ok {
		rate = int(v)
	}
	if v, ok := o.Int("channels", 1, 2); ok {
		n = int(v)
	}
	return rate, n
}

func readTrack(o *Object, required bool) uint8 {
	if required && !o.Has("track") {
		o.Fault("track", "is required")
	}
	n, _ := o.Int("track", 0, 255)
	return uint8(n) //nolint:gosec // bounded
}

// ReadVoiceClose reads a voice.close; a game server names the track.
func ReadVoiceClose(o *Object, server bool) (uint8, error) {
	if !server {
		return 0, o.Err()
	}
	track := readTrack(o, true)
	return track, o.Err()
}

// VoiceEgress is a game server's wish for an address that takes a player's sound.
type VoiceEgress struct {
	Scene          engines.SceneID
	Player         engines.PlayerID
	Language       string
	Rate, Channels int
}

// ReadVoiceEgress reads the body of POST /voice/egress. LiveKit sends 48 kHz, two
// channels, and so that is what an address takes that is not told otherwise.
func ReadVoiceEgress(o *Object) (VoiceEgress, error) {
	v := VoiceEgress{Scene: engines.SceneID(o.ID("scene_id", true)), Player: engines.PlayerID(o.ID("player_id", true)), Language: o.language()}
	v.Rate, v.Channels = readRate(o, 2)
	return v, o.Err()
}

// ReadVoiceMute reads a text frame of a track egress: {"muted": true}.
func ReadVoiceMute(frame []byte) (muted, ok bool) {
	o, err := Parse(frame)
	if err != nil {
		return false, false
	}
	muted = o.Bool("muted")
	return muted, o.Has("muted") && o.Err() == nil
}

// AppendVoiceAnswer appends the answer to a voice.offer.
func AppendVoiceAnswer(dst []byte, id, sdp string) []byte {
	return append(appendString(append(open(dst, "voice.answer", id), `,"sdp":`...), sdp), '}')
}

// AppendVoiceTrack appends the answer to a voice.open.
func AppendVoiceTrack(dst []byte, id string, track uint8) []byte {
	return append(appendInt(append(open(dst, "ok", id), `,"track":`...), int64(track)), '}')
}

// VoiceCall is the call that a push is about. A player has one; a game server is told
// the track and the player.
type VoiceCall struct {
	Scene   engines.SceneID
	Player  engines.PlayerID
	Track   uint8
	Bridged bool
}

func (c *VoiceCall) append(dst []byte) []byte {
	dst = appendString(append(dst, `,"scene_id":`...), string(c.Scene))
	if c.Bridged {
		dst = appendInt(append(dst, `,"track":`...), int64(c.Track))
		dst = Some(dst, "player_id", string(c.Player))
	}
	return dst
}

// AppendVoiceVerdict appends a verdict on what was said at a time of the call, without
// its seq: categories alone, as in AppendVerdict.
func AppendVoiceVerdict(dst []byte, c VoiceCall, atMS int64, out *engines.Outcome) []byte {
	v := &out.Verdict
	dst = c.append(open(dst, "voice.verdict", ""))
	dst = appendInt(append(dst, `,"at_ms":`...), atMS)
	dst = appendString(append(dst, `,"request_id":`...), string(out.RequestID))
	dst = appendString(append(dst, `,"suggestion":`...), string(v.Suggestion))
	dst = appendString(append(dst, `,"action":`...), string(v.Action))
	dst = append(dst, `,"categories":[`...)
	for i, l := range v.Labels {
		if seen(v.Labels[:i], l.Category) {
			continue
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, string(l.Category))
	}
	dst = appendInt(append(dst, `],"latency_ms":`...), out.Took.Milliseconds())
	if v.Warn {
		dst = append(dst, `,"warn":true`...)
	}
	if v.Degraded {
		dst = append(dst, `,"degraded":true`...)
	}
	return append(Some(dst, "reason", v.Reason), '}')
}

// AppendVoiceMute appends a push, without its seq, that the voice is muted until a
// time; zero is for good.
func AppendVoiceMute(dst []byte, c VoiceCall, until time.Time) []byte {
	dst = c.append(open(dst, "voice.mute", ""))
	if !until.IsZero() {
		dst = When(dst, "until", until)
	}
	return append(dst, '}')
}
