package main

import (
	"context"
	"errors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/hooks"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func (a *app) buildHooks() {
	a.hooks = hooks.New(a.cfg.Webhooks, hooks.Deps{Store: a.db, Body: a.tells, Registry: a.reg, Log: a.log})
}

// banStates says what an event tells of a ban.
var banStates = map[string]economy.BanState{
	store.EventBanCreated: economy.BanCreated, store.EventBanLifted: economy.BanLifted, store.EventBanExpired: economy.BanExpired,
}

// tells writes an event as webhooks get it; nil for one that is about nothing.
func (a *app) tells(ctx context.Context, e *store.Event) ([]byte, error) {
	c := wire.CloudEvent{ID: e.ID, App: e.App, Type: e.Type, At: e.At}
	switch {
	case e.Ban != nil:
		c.Subject = "player/" + string(e.Ban.Player)
		return wire.AppendCloudEvent(nil, &c, func(dst []byte) []byte { return wire.AppendBanChange(dst, e.Ban, banStates[e.Type]) }), nil
	case e.Case != nil:
		k := e.Case
		c.Subject = "player/" + string(k.Player)
		return wire.AppendCloudEvent(nil, &c, func(dst []byte) []byte {
			dst = wire.Str(wire.Str(dst, "case_id", string(k.ID)), "kind", k.Kind)
			dst = wire.Num(wire.Str(dst, "player_id", string(k.Player)), "priority", int64(k.Priority))
			return wire.AppendAlert(wire.When(dst, "created_at", k.Created), k.Alert)
		}), nil
	case e.Check != "":
		c.Subject = "check/" + string(e.Check)
		item, out, err := a.desk.Result(ctx, e.App, e.Check)
		if errors.Is(err, store.ErrNotFound) { // past its retention
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return wire.AppendCloudEvent(nil, &c, func(dst []byte) []byte {
			check := wire.TextCheck{Item: item, Detail: true}
			dst = wire.Str(wire.Str(dst, "request_id", string(e.Check)), "status", "done")
			return wire.AppendCheckResult(dst, &check, &out)
		}), nil
	case e.Rollout != nil:
		r := e.Rollout
		c.Subject = "policy/" + r.Layer + "/" + r.Name
		stopped := wire.StoppedRollout{ID: r.ID, Layer: r.Layer, Name: r.Name, Step: string(r.Step), Share: r.Share, Why: r.Why}
		return wire.AppendCloudEvent(nil, &c, func(dst []byte) []byte { return wire.AppendStopped(dst, &stopped) }), nil
	case e.Type == store.EventTest:
		return wire.AppendCloudEvent(nil, &c, func(dst []byte) []byte { return wire.Flag(dst, "test", true) }), nil
	}
	return nil, nil
}

// banChanged tells moderators of a ban, and has webhooks sent.
func (a *app) banChanged(b *economy.Ban, state economy.BanState) {
	a.feed.ban(b, state)
	a.hooks.Wake()
}
