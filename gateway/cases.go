package gateway

import (
	"errors"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const casesAtOnce = 200

// listCases answers GET /cases?state=&app_id=&limit=.
func (g *Gateway) listCases(c *call) error {
	state := strings.Clone(c.Query("state", store.CaseOpen))
	if state != store.CaseOpen && state != store.CaseClosed {
		return wire.Invalid("?state", "must be open or closed")
	}
	most := casesAtOnce
	if q := c.Query("limit"); q != "" {
		n, err := strconv.Atoi(q)
		if err != nil || n < 1 || n > casesAtOnce {
			return wire.Invalid("?limit", "must be 1 to "+strconv.Itoa(casesAtOnce))
		}
		most = n
	}
	list, err := g.deps.Cases.Cases(c.ctx(), engines.AppID(strings.Clone(c.Query("app_id"))), state, most)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "cases", len(list), func(dst []byte, i int) []byte { return appendCase(dst, &list[i]) })
	})
}

func appendCase(dst []byte, k *Case) []byte {
	dst = wire.Str(dst, "case_id", string(k.ID))
	dst = wire.Str(dst, "app_id", string(k.App))
	dst = wire.Str(dst, "request_id", string(k.Request))
	dst = wire.Str(dst, "player_id", string(k.Player))
	dst = wire.Str(dst, "scene_id", string(k.Scene))
	dst = wire.Str(dst, "state", k.State)
	dst = wire.Flag(dst, "held", k.Held)
	if k.State == store.CaseClosed {
		dst = wire.Str(wire.Str(wire.Str(dst, "decision", k.Decision), "by", k.By), "reason", k.Reason)
	}
	dst = wire.Num(dst, "version", int64(k.Version))
	dst = wire.When(wire.When(dst, "created_at", k.Created), "updated_at", k.Updated)
	if k.Alert != nil { // the economy's: no content was checked
		dst = wire.Num(wire.Str(dst, "kind", k.Kind), "priority", int64(k.Priority))
		return wire.Obj(dst, "economy", func(dst []byte) []byte { return wire.AppendAlert(dst, k.Alert) })
	}
	return wire.AppendFinding(dst, k.Opened.Content, k.Opened.Language, &k.Opened.Verdict, k.Opened.Took)
}

// decideCase answers POST /cases/{id}/decide.
func (g *Gateway) decideCase(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	d, err := wire.ReadDecision(o)
	if err != nil {
		return err
	}
	id := engines.CaseID(strings.Clone(c.Params("id")))
	err = g.deps.Cases.Decide(c.ctx(), id, d.Version, d.Approve, c.user.Name, d.Reason)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such case")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "the case has changed since you read it")
	case err != nil:
		return err
	}
	return c.ok(func(dst []byte) []byte { return wire.Str(dst, "case_id", string(id)) })
}
