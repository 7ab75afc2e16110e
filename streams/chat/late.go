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
				h.warn(s, reason(&out.Verdict), out.RequestID)
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
// it is now, and tells its author.
func (h *Hub) Publish(_ context.Context, it *engines.Item, _ engines.CaseID) error {
	h.deliver(it.App, it.Session, &wire.Chat{ //nolint:contextcheck // a push waits for nothing that a context could end
		Scene: it.Scene, Message: it.RequestID, Player: it.Player, Content: it.Text,
		Language: it.Language, Sent: time.Now(),
	})
	h.notify(it, "approved", approved) //nolint:contextcheck // as above
	return nil
}

// Reject tells the author that a held message will not be published.
func (h *Hub) Reject(_ context.Context, it *engines.Item, _ engines.CaseID) error {
	h.notify(it, "rejected", rejected) //nolint:contextcheck // as in Publish
	return nil
}

func (h *Hub) notify(it *engines.Item, kind string, text textID) {
	if s := h.author(it); s != nil {
		n := wire.Notice{Kind: kind, Request: it.RequestID, Text: textFor(h.language(s), text, time.Time{})}
		s.push(wire.AppendNotice(nil, &n), "")
	}
}

// author is the session that sent an item, or the player's session now.
func (h *Hub) author(it *engines.Item) *Session {
	if s := h.find(it.Session); s != nil && s.app == it.App {
		return s
	}
	return h.of(it.App, it.Player)
}

func reason(v *engines.Verdict) engines.Category {
	if labels := v.Found().Labels; len(labels) > 0 {
		return labels[0].Category
	}
	return ""
}
