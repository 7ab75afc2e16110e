package wire

import (
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Close codes of the stream (WIRE.md §5).
const (
	CloseGoingAway   = 1001
	CloseWrongKind   = 1003
	CloseBadUTF8     = 1007
	CloseRestart     = 1012
	CloseOverloaded  = 1013
	CloseAuth        = 4001
	CloseTicket      = 4002
	CloseForbidden   = 4003
	CloseReplaced    = 4005
	CloseBanned      = 4006
	CloseReconnect   = 4007
	CloseSlow        = 4008
	CloseHeartbeat   = 4009
	CloseMoved       = 4010
	CloseRateAbuse   = 4029
	MaxHeartbeatSkew = 2 // silence of so many heartbeats closes
)

// Ready answers hello.
type Ready struct {
	ID           string
	Session      engines.SessionID
	ResumeToken  string
	Epoch        string
	Heartbeat    time.Duration
	ResumeWindow time.Duration
	Rate, Burst  int
	InFlight     int
	Limits       Limits
	Scenes       []engines.SceneID
}

// AppendReady appends a ready message.
func AppendReady(dst []byte, r *Ready) []byte {
	dst = open(dst, "ready", r.ID)
	dst = appendString(append(dst, `,"session_id":`...), string(r.Session))
	dst = appendString(append(dst, `,"resume_token":`...), r.ResumeToken)
	dst = appendString(append(dst, `,"epoch":`...), r.Epoch)
	dst = appendInt(append(dst, `,"heartbeat_ms":`...), r.Heartbeat.Milliseconds())
	dst = appendInt(append(dst, `,"resume_window_ms":`...), r.ResumeWindow.Milliseconds())
	dst = appendInt(append(dst, `,"limits":{"messages_per_second":`...), int64(r.Rate))
	dst = appendInt(append(dst, `,"burst":`...), int64(r.Burst))
	dst = appendInt(append(dst, `,"in_flight":`...), int64(r.InFlight))
	dst = appendInt(append(dst, `,"frame_bytes":`...), int64(r.Limits.FrameBytes))
	dst = appendInt(append(dst, `,"text_code_points":`...), int64(r.Limits.TextCodePoints))
	dst = append(dst, `},"scenes":[`...)
	for i, s := range r.Scenes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, string(s))
	}
	return append(dst, ']', '}')
}

// AppendResumed appends a resumed message: count pushes from seq from on follow.
func AppendResumed(dst []byte, id, token string, from uint64, count int) []byte {
	dst = open(dst, "resumed", id)
	dst = appendString(append(dst, `,"resume_token":`...), token)
	dst = appendInt(append(dst, `,"from":`...), int64(from))
	dst = appendInt(append(dst, `,"count":`...), int64(count))
	return append(dst, '}')
}

// AppendReset appends a reset message.
func AppendReset(dst []byte, id, reason string) []byte {
	dst = appendString(append(open(dst, "reset", id), `,"reason":`...), reason)
	return append(dst, '}')
}

// AppendOK appends the answer to a message that has no other.
func AppendOK(dst []byte, id string) []byte { return append(open(dst, "ok", id), '}') }

// AppendPong appends the answer to a ping.
func AppendPong(dst []byte, id string) []byte { return append(open(dst, "pong", id), '}') }

// AppendError appends an error that the session survives.
func AppendError(dst []byte, id string, e *Error) []byte {
	dst = e.appendMembers(append(open(dst, "error", id), ','))
	if e.RetryAfter > 0 {
		dst = appendInt(append(dst, `,"retry_ms":`...), e.RetryAfter.Milliseconds())
	}
	return append(dst, '}')
}

// AppendVerdict appends what a player learns of its own message: the categories,
// never scores, positions or rules, which would be an oracle for evasion.
func AppendVerdict(dst []byte, id string, out *engines.Outcome) []byte {
	v := &out.Verdict
	dst = open(dst, "verdict", id)
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
	if v.Action == engines.Mask {
		dst = appendString(append(dst, `,"content":`...), v.Masked)
	}
	if v.Warn {
		dst = append(dst, `,"warn":true`...)
	}
	if out.Pending {
		dst = append(dst, `,"pending":true`...)
	}
	if v.Degraded {
		dst = append(dst, `,"degraded":true`...)
	}
	if v.Action != engines.Deliver { // of what is delivered the player learns nothing, warnings aside
		dst = Some(dst, "reason", v.Reason)
	}
	return append(dst, '}')
}

func seen(labels []engines.Label, c engines.Category) bool {
	for _, l := range labels {
		if l.Category == c {
			return true
		}
	}
	return false
}

// AppendServerVerdict appends a verdict for a game server, which sees everything.
func AppendServerVerdict(dst []byte, typ, id string, c *TextCheck, out *engines.Outcome) []byte {
	dst = open(dst, typ, id)
	dst = appendString(append(dst, `,"request_id":`...), string(out.RequestID))
	dst = appendInt(append(dst, `,"code":`...), 0)
	dst = AppendTextResult(append(dst, `,"result":`...), c, out)
	return append(dst, '}')
}

// Dup returns a stored answer as the answer to a repeat.
func Dup(dst, frame []byte) []byte {
	dst = append(dst, frame[:len(frame)-1]...)
	return append(dst, `,"dup":true}`...)
}

// Chat is a message of a scene as its members see it.
type Chat struct {
	Scene    engines.SceneID
	Message  engines.RequestID
	Player   engines.PlayerID
	Content  string
	Language string
	Sent     time.Time
}

// AppendChat appends a message push without its seq, which WithSeq adds for
// each member.
func AppendChat(dst []byte, m *Chat) []byte {
	dst = appendString(append(dst, `{"type":"message","scene_id":`...), string(m.Scene))
	dst = appendString(append(dst, `,"message_id":`...), string(m.Message))
	dst = appendString(append(dst, `,"player_id":`...), string(m.Player))
	dst = appendString(append(dst, `,"content":`...), m.Content)
	if m.Language != "" {
		dst = appendString(append(dst, `,"language":`...), m.Language)
	}
	dst = m.Sent.UTC().AppendFormat(append(dst, `,"sent_at":"`...), "2006-01-02T15:04:05.000Z")
	return append(dst, '"', '}')
}

// AppendRetract appends a retraction push without its seq.
func AppendRetract(dst []byte, scene engines.SceneID, message engines.RequestID, reason string) []byte {
	dst = appendString(append(dst, `{"type":"retract","scene_id":`...), string(scene))
	dst = appendString(append(dst, `,"message_id":`...), string(message))
	dst = appendString(append(dst, `,"reason":`...), reason)
	return append(dst, '}')
}

// Notice tells a player something about itself or one of its messages.
type Notice struct {
	Kind     string // warning, mute, unmute, ban, approved, rejected
	Scope    string // of mute and unmute: text or voice
	Category engines.Category
	Reason   string            // in the words of the policy
	Request  engines.RequestID // the message that it is about
	Case     engines.CaseID    // or the case
	Until    time.Time         // of mute and ban; zero: no end
	Text     string
}

// AppendNotice appends a notice push without its seq.
func AppendNotice(dst []byte, n *Notice) []byte {
	dst = appendString(append(dst, `{"type":"notice","kind":`...), n.Kind)
	dst = Some(Some(Some(dst, "scope", n.Scope), "category", string(n.Category)), "request_id", string(n.Request))
	dst = Some(Some(dst, "reason", n.Reason), "case_id", string(n.Case))
	if !n.Until.IsZero() {
		dst = When(dst, "until", n.Until)
	}
	return append(Str(dst, "text", n.Text), '}')
}

// WithSeq appends a push with its seq as the first member.
func WithSeq(dst []byte, seq uint64, body []byte) []byte {
	dst = strconv.AppendUint(append(dst, `{"seq":`...), seq, 10)
	dst = append(dst, ',')
	return append(dst, body[1:]...)
}

// AppendDrain tells a client to come back elsewhere.
func AppendDrain(dst []byte, reconnect time.Duration) []byte {
	dst = appendInt(append(open(dst, "drain", ""), `,"reconnect_in_ms":`...), reconnect.Milliseconds())
	return append(dst, '}')
}

func open(dst []byte, typ, id string) []byte {
	dst = append(append(append(dst, `{"type":"`...), typ...), '"')
	if id != "" {
		dst = appendString(append(dst, `,"id":`...), id)
	}
	return dst
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
