package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Decide closes a case that its caller read at version. A message that was held
// for it is published when approved; else its author is told. The error wraps
// store.ErrConflict when the case has changed or is closed, store.ErrNotFound
// when there is none; nothing has happened then. Any other error may come after
// the decision was stored: the case says so.
func (d *Desk) Decide(ctx context.Context, id engines.CaseID, version int, approve bool, by, reason string) error {
	decision, state := decidedReject, messageRejected
	if approve {
		decision, state = decidedApprove, messageDelivered
	}
	// The case is the lock: of two who decide, one goes on.
	c, err := d.deps.Store.DecideCase(ctx, id, version, decision, by, reason, time.Now())
	if err != nil {
		return fmt.Errorf("decide case %s: %w", id, err)
	}
	d.log.LogAttrs(ctx, slog.LevelInfo, "case decided",
		slog.String("case", string(id)), slog.String("request_id", string(c.Request)), slog.String("app", string(c.App)),
		slog.String("player", string(c.Player)), slog.String("decision", decision), slog.String("by", by))
	if !c.Held {
		return nil
	}
	m, err := d.deps.Store.SceneMessage(ctx, c.App, c.Scene, c.Request)
	if errors.Is(err, store.ErrNotFound) {
		return nil // held by a game server, which looks at the case
	}
	if err != nil {
		return fmt.Errorf("decide case %s: %w", id, err)
	}
	if err := d.deps.Store.SetSceneMessageState(ctx, c.App, c.Scene, c.Request, state); err != nil {
		return fmt.Errorf("decide case %s: %w", id, err)
	}
	return d.settle(ctx, &m, id, approve)
}

// settle tells the scene what became of a message that was held.
func (d *Desk) settle(ctx context.Context, m *store.SceneMessage, id engines.CaseID, approve bool) error {
	item := &engines.Item{
		RequestID: m.Message, App: m.App, Player: m.Player, Scene: m.Scene, Session: m.Session,
		Kind: engines.KindText, Text: m.Content, Language: m.Language, Live: true, ReceivedAt: m.Sent,
	}
	if !approve {
		if err := d.scenes.Reject(ctx, item, id); err != nil {
			return fmt.Errorf("tell the author of %s: %w", m.Message, err)
		}
		return nil
	}
	if err := d.scenes.Publish(ctx, item, id); err != nil {
		return fmt.Errorf("publish %s: %w", m.Message, err)
	}
	return nil
}
