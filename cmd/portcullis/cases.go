package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/penalty"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// buildCases builds the review queue, which sends what was decided to the scenes.
func (a *app) buildCases() {
	a.cases = casework.New(a.cfg.Cases, casework.Deps{
		Store: conversations{a.db, a}, Scenes: a.hub, Notices: a.hub, People: people{a.db}, Rights: people{a.db}, Ruled: rulings{a}, Penalties: punished{a.penalties}, Wake: func() { a.hooks.Wake() }, Registry: a.reg, Log: a.log,
	})
}

// people are the moderators who may be given a case, and the bounds of each.
type people struct{ db *sqlstore.Store }

// MayTake holds a case against the queues and categories of the person's account as
// it is now: a bound that is set ends what the person has, too.
func (p people) MayTake(ctx context.Context, who casework.Person, queue string, category engines.Category) (bool, error) {
	u, err := p.db.User(ctx, who.Name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	bounds := auth.User{Queues: u.Queues, Categories: u.Categories}
	return !u.Disabled && bounds.MayTake(queue, string(category)), nil
}

func (p people) Person(ctx context.Context, name string) (casework.Person, error) {
	u, err := p.db.User(ctx, name)
	if err == nil && u.Disabled {
		err = store.ErrNotFound
	}
	return casework.Person{Name: u.Name, Role: u.Role}, err
}

// punished shows what was done about players, and takes it back.
type punished struct{ service *penalty.Service }

func (p punished) PenaltiesOf(ctx context.Context, app engines.AppID, player engines.PlayerID, most int) ([]casework.Penalty, error) {
	list, err := p.service.Penalties(ctx, store.PenaltyQuery{App: app, Player: player, Limit: most})
	if errors.Is(err, economy.ErrUnknownPlayer) { // an erased one: nothing holds, and the case stays
		return nil, nil
	}
	out := make([]casework.Penalty, len(list))
	now := time.Now().UnixMilli()
	for i := range list {
		x := &list[i]
		out[i] = casework.Penalty{ID: x.ID, Kind: string(x.Kind), Reason: x.Reason, State: x.Status(now), By: x.By, At: time.UnixMilli(x.Created)}
		if x.Expires > 0 {
			out[i].Until = time.UnixMilli(x.Expires)
		}
	}
	return out, err
}

func (p punished) Revoke(ctx context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string) error {
	_, err := p.service.Lift(ctx, app, player, id, by, reason)
	if errors.Is(err, penalty.ErrNone) || errors.Is(err, economy.ErrUnknownPlayer) {
		return nil
	}
	return err
}

// rulings act on players by what people decide about their content, and have what was
// found in it stand, or no longer, for what they say next.
type rulings struct{ a *app }

func (r rulings) Ruled(ctx context.Context, ruling store.Ruling) error {
	if err := r.a.penalties.Ruled(ctx, ruling); err != nil {
		return err
	}
	if ruling.Player != "" {
		r.a.players.Changed(ruling.App, ruling.Player)
		r.a.tellOf(playerNotice, ruling.App, ruling.Player)
	}
	return nil
}

// streamReports files what players say over their streams.
type streamReports struct{ a *app }

func (s streamReports) Report(ctx context.Context, r session.Report) (engines.CaseID, error) {
	c, err := s.a.cases.Report(ctx, store.Report{
		App: r.App, Reporter: r.Reporter, Player: r.Player, Message: r.Message, Scene: r.Scene, Reason: r.Reason, Detail: r.Detail,
	})
	return c.ID, gateway.ReportFault(err)
}

// decisionNotice is the first line of a note on the feed's channel, which every
// gateway hears: a player is to be told, wherever its session is.
const decisionNotice = "decision"

func (a *app) tellElsewhere(payload []byte) {
	if a.redis.Shared() {
		a.behind.Feed([]byte(decisionNotice + "\n" + a.node + "\n" + string(payload)))
	}
}

// heardDecision takes such a note; false for any other.
func (a *app) heardDecision(payload []byte) bool {
	rest, ok := strings.CutPrefix(string(payload), decisionNotice+"\n")
	if !ok {
		return false
	}
	if node, rest, _ := strings.Cut(rest, "\n"); node != a.node {
		a.hub.Announced([]byte(rest))
	}
	return true
}

// caseBody is what webhooks tell of a case: nothing of who decided it, or of what was
// noted for colleagues.
func caseBody(dst []byte, c *store.Case) (subject string, data []byte) {
	dst = wire.Str(wire.Str(dst, "case_id", string(c.ID)), "request_id", string(c.About()))
	dst = wire.Some(wire.Str(dst, "player_id", string(c.Player)), "scene_id", string(c.Scene))
	dst = wire.Str(wire.Some(wire.Str(dst, "state", c.State), "kind", c.Kind), "queue", c.Queue)
	dst = wire.Some(wire.Some(dst, "category", string(c.Category)), "sub_label", c.SubLabel)
	dst = wire.Num(wire.Num(dst, "severity", int64(c.Severity)), "priority", int64(c.Priority))
	dst = wire.Some(wire.Some(dst, "parent_case_id", string(c.Parent)), "policy", c.Policy)
	if c.Decision != "" {
		dst = wire.Flag(wire.Str(dst, "decision", c.Decision), "undone", c.Undone)
	}
	dst = wire.Num(dst, "version", int64(c.Version))
	return "player/" + string(c.Player), wire.When(wire.When(dst, "created_at", c.Created), "updated_at", c.Updated)
}

// appealBody is what webhooks tell of an appeal's end.
func appealBody(dst []byte, c *store.Case) (subject string, data []byte) {
	state := store.AppealDenied
	if c.Decision == store.CaseApproved {
		state = store.AppealUpheld
	}
	dst = wire.Str(wire.Str(wire.Str(dst, "appeal_id", string(c.Request)), "case_id", string(c.ID)), "player_id", string(c.Player))
	dst = wire.Str(wire.Some(dst, "against_case_id", string(c.Parent)), "state", state)
	return "player/" + string(c.Player), wire.When(dst, "decided_at", c.Decided)
}
