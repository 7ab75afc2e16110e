package chat

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// report files what a player, or a game server for one, says of another. The same id
// again gets the same answer; another id for the same thing is counted as a repeat.
func (r *reader) report(msg wire.Message) bool {
	s := r.s
	if s.hub.deps.Reports == nil {
		return r.fail(msg.ID, wire.Fail(wire.Unavailable, ""))
	}
	asked, err := wire.ReadReport(msg.Body, s.player)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	s.begin()
	defer s.finish()
	if !s.holds(r.l) {
		return true // resumed meanwhile: the client asks again over its new connection
	}
	body := bodyHash(msg.Type, string(asked.Reporter), string(asked.Player), string(asked.Message), string(asked.Scene), asked.Reason, asked.Detail)
	if msg.ID != "" {
		frame, found, conflict := s.mine.answers.get(msg.ID, body, time.Now())
		if conflict {
			return r.fail(msg.ID, wire.Fail(wire.Conflict, "the id was used for another message"))
		}
		if found {
			return r.send(wire.Dup(r.out, frame))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.s.hub.cfg.StoreWait)
	defer cancel()
	id, err := s.hub.deps.Reports.Report(ctx, session.Report{
		App: s.app, Reporter: asked.Reporter, Player: asked.Player, Message: asked.Message, Scene: asked.Scene, Reason: asked.Reason, Detail: asked.Detail,
	})
	if err != nil {
		return r.fail(msg.ID, err)
	}
	r.out = wire.AppendReported(r.out, msg.ID, id)
	if msg.ID != "" {
		r.keep(msg.ID, body, r.out)
	}
	return r.send(r.out)
}
