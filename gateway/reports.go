package gateway

import (
	"context"
	"errors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Complaints are what players say: of others, and of what was decided about them.
type Complaints interface {
	Report(ctx context.Context, r store.Report) (store.Case, error)
	Reports(ctx context.Context, q store.ReportQuery) ([]store.Report, error)
	Appeal(ctx context.Context, a store.Appeal) (store.Appeal, error)
	Appeals(ctx context.Context, q store.AppealQuery) ([]store.Appeal, error)
	AppealOf(ctx context.Context, app engines.AppID, id string) (store.Appeal, error)
}

// report answers POST /reports, by which a game server passes on what a player says.
func (g *Gateway) report(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadReportFor(o)
	if err != nil {
		return err
	}
	k, err := g.deps.Cases.Report(c.ctx(), store.Report{
		App: c.app, Reporter: r.Reporter, Player: r.Player, Message: r.Message, Scene: r.Scene, Reason: r.Reason, Detail: r.Detail, Content: r.Content,
	})
	if err != nil {
		return ReportFault(err)
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Num(wire.Str(dst, "case_id", string(k.ID)), "reporters", int64(k.Reporters))
		return wire.Str(dst, "state", k.State)
	})
}

// ReportFault is what a client sees of a report that can't be filed.
func ReportFault(err error) error {
	switch {
	case errors.Is(err, casework.ErrOwn):
		return wire.Invalid("/player_id", "must be another player's")
	case errors.Is(err, casework.ErrNotTheirs):
		return wire.Invalid("/message_id", "is not a message of this player")
	}
	return err
}

// listReports answers GET /reports?player_id=&reporter_id=&case_id=&state=.
func (g *Gateway) listReports(c *call) error {
	var wrong faults
	p := wrong.part(c)
	q := store.ReportQuery{
		App: c.app, Player: engines.PlayerID(wrong.id(c, "player_id")), Reporter: engines.PlayerID(wrong.id(c, "reporter_id")), Case: engines.CaseID(wrong.id(c, "case_id")),
		Before: p.before, Limit: p.most + 1,
	}
	q.State = wrong.word(c, "state", store.ReportOpen, store.ReportUpheld, store.ReportDismissed)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Cases.Reports(c.ctx(), q)
	if err != nil {
		return err
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created.UnixMilli(), ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte { return wire.Some(appendReports(dst, list), "cursor", cursorOf(next)) })
}

func appendReports(dst []byte, list []store.Report) []byte {
	return wire.List(dst, "reports", len(list), func(dst []byte, i int) []byte {
		r := &list[i]
		dst = wire.Str(wire.Str(dst, "report_id", r.ID), "case_id", string(r.Case))
		dst = wire.Str(wire.Str(dst, "reporter_id", string(r.Reporter)), "player_id", string(r.Player))
		dst = wire.Some(wire.Some(dst, "message_id", string(r.Message)), "scene_id", string(r.Scene))
		dst = wire.Some(wire.Some(wire.Str(dst, "reason", r.Reason), "detail", r.Detail), "content", r.Content)
		dst = wire.Num(wire.Real(dst, "weight", r.Weight), "times", int64(r.Times))
		return wire.When(wire.When(wire.Str(dst, "state", r.State), "created_at", r.Created), "updated_at", r.Updated)
	})
}
