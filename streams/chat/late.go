package chat

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Late brings the verdict of a message that was delivered before it was checked
// (deferred review): the author gets the verdict again, and where it is drop the
// scene a retraction, after the message.
func (h *Hub) Late(it *engines.Item, out engines.Outcome) {
	tell := func() {
		if s := h.author(it); s != nil {
			s.push(wire.AppendVerdict(nil, "", &out), "")
			if out.Verdict.Warn && s.role == session.Player {
				h.warn(s, reason(&out.Verdict), out.Verdict.Reason, out.RequestID)
			}
		}
		if out.Verdict.Action == engines.Drop {
			h.retract(it.App, it.Scene, out.RequestID, string(reason(&out.Verdict)))
		}
	}
	if s := h.find(it.Session); s != nil {
		s.after(tell) // the message is on its way until its turn is over
		return
	}
	tell()
}

// Publish delivers a held message that a moderator has approved, to the scene as
// it is now, and tells its author. A repeat changes nothing.
func (h *Hub) Publish(ctx context.Context, it *engines.Item, _ engines.CaseID) error {
	fresh, err := h.once(ctx, it, session.SceneEntry{
		Node: h.cfg.Node, Message: it.RequestID, Player: it.Player, Frame: wire.AppendChat(nil, &wire.Chat{
			Scene: it.Scene, Message: it.RequestID, Player: it.Player, Content: it.Text, Language: it.Language, Sent: time.Now(),
		}),
	})
	if fresh {
		h.notify(it, noticeApproved) //nolint:contextcheck // a push waits for nothing that a context could end
	}
	return err
}

// Reject tells the author that a held message will not be published.
func (h *Hub) Reject(_ context.Context, it *engines.Item, _ engines.CaseID) error {
	h.notify(it, noticeRejected) //nolint:contextcheck // as in Publish
	return nil
}

// Retract takes a message back from its scene. A repeat changes nothing.
func (h *Hub) Retract(ctx context.Context, it *engines.Item, category engines.Category) error {
	_, err := h.once(ctx, it, session.SceneEntry{
		Node: h.cfg.Node, Message: it.RequestID, Retract: true, Frame: wire.AppendRetract(nil, it.Scene, it.RequestID, string(category)),
	})
	return err
}

// once gives a scene an entry that somebody may have given it before: here, or at a
// gateway that died before it could say so. The members here get it once, those
// elsewhere ignore what they know; when it returns without an error, the scene's log
// has it. fresh is false where the members here had it.
func (h *Hub) once(ctx context.Context, it *engines.Item, e session.SceneEntry) (fresh bool, err error) {
	fresh = true
	if sc := h.scene(sceneKey{it.App, it.Scene}); sc != nil {
		sc.mu.Lock()
		fresh = sc.hear(logID(e))
		sc.mu.Unlock()
	}
	shared := h.deps.Bus.Shared()
	if shared {
		h.deps.Behind.Scene(it.App, it.Scene, e)
	}
	if fresh {
		h.local(sceneKey{it.App, it.Scene}, it.Session, e) //nolint:contextcheck // as in Publish
	}
	if !shared {
		return fresh, nil
	}
	ctx, cancel := context.WithTimeout(ctx, h.cfg.StoreWait)
	defer cancel()
	return fresh, h.deps.Behind.Flush(ctx)
}

// AppealDecided tells a player what became of its appeal.
func (h *Hub) AppealDecided(_ context.Context, app engines.AppID, player engines.PlayerID, id engines.CaseID, upheld bool) error {
	kind := noticeAppealDenied
	if upheld {
		kind = noticeAppealUpheld
	}
	h.announce(notice{app: app, player: player, kind: kind, kase: id}) //nolint:contextcheck // as in Publish
	return nil
}

func (h *Hub) notify(it *engines.Item, kind noticeText) {
	h.announce(notice{app: it.App, player: it.Player, session: it.Session, kind: kind, request: it.RequestID})
}

// author is the session that sent an item, or the player's session now.
func (h *Hub) author(it *engines.Item) *Session {
	return h.whose(it.App, it.Player, it.Session)
}

// whose is a session of this id and app, or else the player's.
func (h *Hub) whose(app engines.AppID, player engines.PlayerID, id engines.SessionID) *Session {
	if s := h.find(id); s != nil && s.app == app {
		return s
	}
	return h.of(app, player)
}

func reason(v *engines.Verdict) engines.Category {
	if labels := v.Found().Labels; len(labels) > 0 {
		return labels[0].Category
	}
	return ""
}
