package main

import (
	"context"
	"errors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/hooks"
	"github.com/portcullis-gg/portcullis/internal/penalty"
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

// eventBody says what an event of one type is about (CloudEvents' subject) and appends
// the members of its data; false where there is nothing left to say.
type eventBody func(ctx context.Context, a *app, e *store.Event, dst []byte) (subject string, data []byte, ok bool, err error)

// eventBodies has a body for each type that webhooks tell of: a type is added by a line
// here, beside its name in internal/store/hooks.go.
var eventBodies = map[string]eventBody{
	store.EventBanCreated:  banBody,
	store.EventBanLifted:   banBody,
	store.EventBanExpired:  banBody,
	store.EventEconomyCase: alertBody,
	store.EventCheckDone:   checkBody,
	store.EventBatchDone: factBody(func(dst []byte, b *store.Batch) (string, []byte) {
		return "batch/" + b.ID, wire.AppendBatch(dst, (*wire.Batch)(b))
	}),
	store.EventAnomaly: factBody(func(dst []byte, o *store.Anomaly) (string, []byte) {
		return "category/" + o.Category, wire.AppendAnomaly(dst, anomalyOf(o))
	}),
	store.EventReport: factBody(func(dst []byte, r *store.ReportRun) (string, []byte) {
		return "report/" + r.ID, wire.AppendReportRun(dst, runOf(r))
	}),
	store.EventPenaltyCreated: penaltyBody(penalty.Created),
	store.EventPenaltyLifted:  penaltyBody(penalty.Lifted),
	store.EventPenaltyExpired: penaltyBody(penalty.Expired),
	store.EventCaseOpened:     factBody(caseBody),
	store.EventCaseDecided:    factBody(caseBody),
	store.EventCaseUndone:     factBody(caseBody),
	store.EventAppealDone:     factBody(appealBody),
	store.EventPolicyStopped:  stoppedBody,
	store.EventTest: func(_ context.Context, _ *app, _ *store.Event, dst []byte) (string, []byte, bool, error) {
		return "", wire.Flag(dst, "test", true), true, nil
	},
}

// factBody is of events that keep a record with them (store.EventFact).
func factBody[T any](say func(dst []byte, record *T) (subject string, data []byte)) eventBody {
	return func(_ context.Context, _ *app, e *store.Event, dst []byte) (string, []byte, bool, error) {
		record, err := store.ReadFact[T](e)
		if err != nil { // it can't be read today, and will not be tomorrow
			return "", nil, false, nil //nolint:nilerr // one bad row must not keep the rest back
		}
		subject, data := say(dst, &record)
		return subject, data, true, nil
	}
}

// tells writes an event as webhooks get it; nil for one that is about nothing.
func (a *app) tells(ctx context.Context, e *store.Event) ([]byte, error) {
	say, ok := eventBodies[e.Type]
	if !ok { // of a newer release that shares the database
		return nil, nil
	}
	subject, data, ok, err := say(ctx, a, e, nil)
	if err != nil || !ok {
		return nil, err
	}
	c := wire.CloudEvent{ID: e.ID, App: e.App, Type: e.Type, Subject: subject, At: e.At}
	return wire.AppendCloudEvent(nil, &c, func(dst []byte) []byte { return append(dst, data...) }), nil
}

func banBody(_ context.Context, _ *app, e *store.Event, dst []byte) (string, []byte, bool, error) {
	if e.Ban == nil {
		return "", nil, false, nil
	}
	return "player/" + string(e.Ban.Player), wire.AppendBanChange(dst, e.Ban, banStates[e.Type]), true, nil
}

func stoppedBody(_ context.Context, _ *app, e *store.Event, dst []byte) (string, []byte, bool, error) {
	r := e.Rollout
	if r == nil {
		return "", nil, false, nil
	}
	stopped := wire.StoppedRollout{ID: r.ID, Layer: r.Layer, Name: r.Name, Step: string(r.Step), Share: r.Share, Why: r.Why}
	return "policy/" + r.Layer + "/" + r.Name, wire.AppendStopped(dst, &stopped), true, nil
}

func alertBody(_ context.Context, _ *app, e *store.Event, dst []byte) (string, []byte, bool, error) {
	k := e.Case
	if k == nil || k.Alert == nil {
		return "", nil, false, nil
	}
	dst = wire.Str(wire.Str(dst, "case_id", string(k.ID)), "kind", k.Kind)
	dst = wire.Str(wire.Str(dst, "state", k.State), "change", k.Alert.Change())
	dst = wire.Num(wire.Str(dst, "player_id", string(k.Player)), "priority", int64(k.Priority))
	return "player/" + string(k.Player), wire.AppendAlert(wire.When(dst, "created_at", k.Created), k.Alert), true, nil
}

func checkBody(ctx context.Context, a *app, e *store.Event, dst []byte) (string, []byte, bool, error) {
	item, out, err := a.desk.Result(ctx, e.App, e.Check)
	if errors.Is(err, store.ErrNotFound) { // past its retention
		return "", nil, false, nil
	}
	if err != nil {
		return "", nil, false, err
	}
	check := wire.TextCheck{Item: item, Detail: true}
	dst = wire.Str(wire.Str(dst, "request_id", string(e.Check)), "status", "done")
	return "check/" + string(e.Check), wire.AppendCheckResult(dst, &check, &out), true, nil
}

// banChanged tells moderators of a ban, and has webhooks sent.
func (a *app) banChanged(b *economy.Ban, state economy.BanState) {
	a.feed.ban(b, state)
	a.hooks.Wake()
}

// cased tells moderators of a case of the economy, and has webhooks sent.
func (a *app) cased(c *economy.AlertCase) {
	a.feed.economyCase(c)
	a.hooks.Wake()
}

// checkTold has webhooks sent as soon as a submitted check has its verdict.
type checkTold struct{ a *app }

// Observed wakes whoever delivers; what is told was committed with the verdict.
func (c checkTold) Observed(_ *engines.Item, _ engines.Outcome, way string) {
	if way == "async" {
		c.a.hooks.Wake()
	}
}
