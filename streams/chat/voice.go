package chat

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Voice takes calls, whose offers and answers walk over the stream. Sound does not,
// but for a game server's own voice bridge, whose binary frames it takes. Errors are
// answers of the wire.
type Voice interface {
	// Offer answers a player's SDP offer.
	Offer(ctx context.Context, who *session.Speaker, sdp string) (answer, id string, err error)
	Candidate(id engines.SessionID, candidate, mid string) error
	// Close ends a player's call, CloseTrack a track of a game server's bridge.
	Close(id engines.SessionID) error
	CloseTrack(id engines.SessionID, track uint8) error
	Open(who *session.Speaker, t wire.VoiceTrack) error
	// Frame takes a binary frame. It does not wait, and keeps nothing of b.
	Frame(id engines.SessionID, b []byte) error
	// Left ends whatever the session has.
	Left(id engines.SessionID)
}

// offerWithin bounds the answer to an offer.
const offerWithin = 5 * time.Second

// voice answers the messages about calls.
func (r *reader) voice(msg wire.Message) bool {
	v := r.s.hub.deps.Voice
	if v == nil {
		return r.fail(msg.ID, wire.Fail(wire.Unavailable, "this gateway takes no calls"))
	}
	server := r.s.role == session.Server
	switch msg.Type {
	case wire.TypeVoiceOpen:
		if !server {
			return r.fail(msg.ID, wire.Fail(wire.Forbidden, "voice.open is for game servers: send voice.offer"))
		}
		return r.openTrack(v, msg)
	case wire.TypeVoiceClose:
		return r.closeCall(v, msg, server)
	}
	if server {
		return r.fail(msg.ID, wire.Fail(wire.Forbidden, "a game server bridges calls: send voice.open"))
	}
	if msg.Type == wire.TypeVoiceOffer {
		return r.offer(v, msg)
	}
	candidate, mid, err := wire.ReadVoiceCandidate(msg.Body)
	if err == nil {
		err = v.Candidate(r.s.id, candidate, mid)
	}
	return r.done(msg.ID, err)
}

// done answers a message that has no other answer than that it was done.
func (r *reader) done(id string, err error) bool {
	if err != nil {
		return r.fail(id, err)
	}
	return r.send(wire.AppendOK(r.out, id))
}

func (r *reader) offer(v Voice, msg wire.Message) bool {
	asked, err := wire.ReadVoiceOffer(msg.Body)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	if !slices.Contains(r.s.grants, asked.Scene) {
		return r.fail(msg.ID, wire.Fail(wire.Forbidden, "the ticket does not name this scene"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), offerWithin)
	defer cancel()
	who := r.s.speaker(r.s.player, asked.Scene, "")
	who.From = r.l.from
	answer, _, err := v.Offer(ctx, who, asked.SDP)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	return r.send(wire.AppendVoiceAnswer(r.out, msg.ID, answer))
}

func (r *reader) openTrack(v Voice, msg wire.Message) bool {
	t, err := wire.ReadVoiceOpen(msg.Body)
	if err == nil {
		r.s.hub.deps.Bans.Named(r.s.app, t.Player)
		err = v.Open(r.s.speaker(t.Player, t.Scene, t.Language), t)
	}
	if err != nil {
		return r.fail(msg.ID, err)
	}
	return r.send(wire.AppendVoiceTrack(r.out, msg.ID, t.Track))
}

func (r *reader) closeCall(v Voice, msg wire.Message, server bool) bool {
	track, err := wire.ReadVoiceClose(msg.Body, server)
	switch {
	case err != nil:
	case server:
		err = v.CloseTrack(r.s.id, track)
	default:
		err = v.Close(r.s.id)
	}
	return r.done(msg.ID, err)
}

// speaker is who is to be heard.
func (s *Session) speaker(player engines.PlayerID, scene engines.SceneID, language string) *session.Speaker {
	who := &session.Speaker{App: s.app, Player: player, Scene: scene, Session: s.id, Language: language}
	if s.tags != nil {
		who.Segment, who.Region = s.tags.segment, s.tags.region
		if language == "" {
			who.Language = s.tags.language
		}
	}
	return who
}

// bridges reports whether a frame may be sound: of a game server alone.
func (s *Session) bridges(typ websocket.MessageType) bool {
	return typ == websocket.MessageBinary && s.role == session.Server && s.hub.deps.Voice != nil
}

// sound takes a binary frame; false ends the connection. What is wrong with one is
// told, and the session goes on.
func (r *reader) sound(in io.Reader, buf []byte) ([]byte, bool) {
	buf, err := readAll(in, buf[:0])
	if err != nil {
		return buf, false
	}
	r.l.heard.Store(time.Now().Unix())
	if err := r.s.hub.deps.Voice.Frame(r.s.id, buf); err != nil {
		if allowed, goesOn := r.allow(&r.s.mine.other, ""); !allowed {
			return buf, goesOn
		}
		return buf, r.fail("", err)
	}
	return buf, true
}

// Push gives a player's session here, or the session of this id, a message. It does
// not wait.
func (h *Hub) Push(app engines.AppID, player engines.PlayerID, id engines.SessionID, body []byte) {
	if s := h.whose(app, player, id); s != nil {
		s.push(body, "")
	}
}

// silence ends the calls of a session that has ended.
func (h *Hub) silence(id engines.SessionID) {
	if h.deps.Voice != nil {
		h.deps.Voice.Left(id)
	}
}
