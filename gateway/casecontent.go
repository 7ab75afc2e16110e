package gateway

import (
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// caseContent answers GET /cases/{id}/content?unlock=: the picture or clip that a case
// is about. A moderator sees that of a case in hand, and who may see all evidence that
// of any. It is read as evidence is: on the item's chain before it leaves.
func (g *Gateway) caseContent(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	f, err := g.deps.Cases.File(c.ctx(), engines.CaseID(id))
	if err != nil {
		return caseFault(err)
	}
	if !c.user.Role.Can(auth.SeeEvidence) && !inHand(c, f) {
		return wire.Fail(wire.Forbidden, "claim the case first: content is shown of a case in hand")
	}
	list, err := g.deps.Evidence.List(c.ctx(), store.EvidenceQuery{App: f.Case.App, Request: f.Case.About(), Limit: 1})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return noEvidence(store.ErrNotFound)
	}
	if !c.user.MayTake("", string(list[0].Category)) {
		return wire.Fail(wire.Forbidden, "content of this category is not yours to see")
	}
	return g.showContent(c, list[0].ID)
}

// inHand reports whether the case is claimed, or put aside, by who asks.
func inHand(c *call, f *casework.File) bool {
	return f.Case.Assignee == c.user.Name && f.Case.State != store.CaseClosed
}

// colleagues answers GET /colleagues: to whom a case can be handed over.
func (g *Gateway) colleagues(c *call) error {
	all, err := g.deps.Users.Users(c.ctx())
	if err != nil {
		return err
	}
	list := all[:0]
	for _, u := range all {
		role, err := auth.ParseRole(u.Role)
		if errors.Is(err, auth.ErrInvalid) || u.Disabled || !role.Can(auth.DecideCases) {
			continue
		}
		list = append(list, u)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "colleagues", len(list), func(dst []byte, i int) []byte {
			return wire.Str(wire.Str(dst, "name", list[i].Name), "role", list[i].Role)
		})
	})
}

// appendRouting appends which queue takes what, the first that matches, and how long
// cases may wait.
func appendRouting(dst []byte, r *casework.Config) []byte {
	dst = wire.List(dst, "rules", len(r.Queues), func(dst []byte, i int) []byte {
		q := &r.Queues[i]
		return wire.Strs(wire.Strs(wire.Strs(wire.Str(dst, "queue", q.Queue), "kinds", q.Kinds), "categories", q.Categories), "roles", q.Roles)
	})
	dst = wire.Num(wire.Num(dst, "lease_s", int64(r.Lease.Seconds())), "hold_within_s", int64(r.HoldWithin.Seconds()))
	return wire.Obj(dst, "due_s", func(dst []byte) []byte {
		dst = wire.Num(wire.Num(dst, "critical", int64(r.Due.Critical.Seconds())), "high", int64(r.Due.High.Seconds()))
		dst = wire.Num(wire.Num(dst, "medium", int64(r.Due.Medium.Seconds())), "low", int64(r.Due.Low.Seconds()))
		return wire.Num(wire.Num(dst, "lowest", int64(r.Due.Lowest.Seconds())), "held_content", int64(r.Held.Seconds()))
	})
}
