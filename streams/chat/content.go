package chat

import (
	"context"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// content answers a chat message or a check: the stored answer where the id was
// used before, else a new verdict.
func (r *reader) content(msg wire.Message) bool {
	var check wire.TextCheck
	var err error
	switch {
	case msg.Type == wire.TypeChat:
		check.Item, err = wire.ReadChat(msg.Body, r.s.player, r.s.hub.cfg.Limits)
	case r.s.role != session.Server:
		err = wire.Fail(wire.Forbidden, "a player can't send check")
	default:
		check, err = wire.ReadTextCheck(msg.Body, r.s.hub.cfg.Limits)
	}
	if err != nil {
		return r.fail(msg.ID, err)
	}
	s := r.s
	s.begin()
	defer s.finish()
	if !s.holds(r.l) {
		return true // resumed meanwhile: the client asks again over its new connection
	}
	body := hashOfCheck(msg.Type, &check)
	if msg.ID != "" {
		frame, found, conflict := s.mine.answers.get(msg.ID, body, time.Now())
		if conflict {
			return r.fail(msg.ID, wire.Fail(wire.Conflict, "the id was used for another message"))
		}
		if found {
			return r.send(wire.Dup(r.out, frame))
		}
	}
	if allowed, goesOn := r.allow(&s.mine.rate, msg.ID); !allowed {
		return goesOn
	}
	return r.judge(msg, &check, body)
}

// judge has the desk decide and answers; the verdict goes out before the
// message is delivered, since the verdict has the tighter time.
func (r *reader) judge(msg wire.Message, check *wire.TextCheck, body uint64) bool {
	s, it := r.s, &check.Item
	s.fill(it)
	var sc *scene
	if msg.Type == wire.TypeChat {
		if sc = s.hub.scene(sceneKey{s.app, it.Scene}); !s.mayChat(sc) {
			return r.fail(msg.ID, wire.Fail(wire.Forbidden, "join the scene first"))
		}
		if err := s.hub.mayWrite(it); err != nil {
			return r.fail(msg.ID, err)
		}
	}
	if s.role == session.Server { // a player's own was named at hello
		s.hub.deps.Bans.Named(it.App, it.Player)
	}
	out, err := s.hub.deps.Desk.Check(context.Background(), it)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	switch {
	case msg.Type == wire.TypeCheck:
		r.out = wire.AppendServerVerdict(r.out, "result", msg.ID, check, &out)
	case s.role == session.Server:
		r.out = wire.AppendServerVerdict(r.out, "verdict", msg.ID, check, &out)
	default:
		r.out = wire.AppendVerdict(r.out, msg.ID, &out)
	}
	if msg.ID != "" {
		r.keep(msg.ID, body, r.out)
	}
	goesOn := r.send(r.out)
	if msg.Type == wire.TypeChat {
		s.hub.act(it, &out)
		if out.Verdict.Warn && s.role == session.Player { // a game server tells its players itself
			s.hub.warn(s, reason(&out.Verdict), out.Verdict.Reason, out.RequestID)
		}
	}
	return goesOn
}

// hashOfCheck tells one question from another under the same id.
func hashOfCheck(typ string, c *wire.TextCheck) uint64 {
	it := &c.Item
	return bodyHash(typ, string(it.Player), string(it.Scene), it.Text, string(it.To), string(it.Parent),
		it.Language, it.Segment, it.Region, strconv.Itoa(it.StrictLevel), strconv.FormatBool(c.Detail), c.Unit)
}

// keep stores an answer here and, where there are more gateways, for them.
func (r *reader) keep(id string, body uint64, frame []byte) {
	now := time.Now()
	r.s.mine.answers.put(id, body, frame, now)
	if r.s.hub.deps.Bus.Shared() && r.s.player != "" {
		a := session.Answer{ID: id, Frame: append([]byte(nil), frame...), At: now}
		binary.LittleEndian.PutUint64(a.Body[:], body)
		r.s.hub.deps.Answers.Answer(r.s.app, r.s.player, a)
	}
}

func hashOf(body [32]byte) uint64 { return binary.LittleEndian.Uint64(body[:]) }

// act does what the verdict says: deliver, deliver masked, or nothing (held and
// dropped messages reach nobody).
func (h *Hub) act(it *engines.Item, out *engines.Outcome) {
	content := it.Text
	switch out.Verdict.Action {
	case engines.Mask:
		content = out.Verdict.Masked
	case engines.Deliver:
	default:
		return
	}
	h.deliver(it.App, it.Session, &wire.Chat{
		Scene: it.Scene, Message: out.RequestID, Player: it.Player, Content: content,
		Language: it.Language, Sent: it.ReceivedAt,
	})
}

// batch answers each message of a game server's batch by its own id, in order.
func (r *reader) batch(msg wire.Message) bool {
	if r.s.role != session.Server {
		return r.fail(msg.ID, wire.Fail(wire.Forbidden, "a player can't send batch"))
	}
	list, err := wire.ReadBatch(msg.Body)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	for _, m := range list {
		if !r.content(m) {
			return false
		}
	}
	return r.send(wire.AppendOK(r.out, msg.ID))
}
