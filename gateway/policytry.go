package gateway

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// PolicyTrials say what policies do, and what drafts would.
type PolicyTrials interface {
	Explain(item *engines.Item) policy.Explanation
	Try(ctx context.Context, drafts []policies.Change, item *engines.Item) (policies.Trial, error)
	Replay(ctx context.Context, b store.PolicyBacktest, drafts []policies.Change) (store.PolicyBacktest, error)
	Backtest(ctx context.Context, app engines.AppID, id string) (store.PolicyBacktest, error)
	Backtests(ctx context.Context, app engines.AppID, most int) ([]store.PolicyBacktest, error)
}

const backtestsUsual = 20

// resolvePolicy answers POST /policies/resolve: which rules hold, and who says so.
func (g *Gateway) resolvePolicy(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	asked := wire.ReadAsked(o, c.app, time.Now(), false)
	if err := o.Err(); err != nil {
		return err
	}
	x := g.deps.Policies.Explain(&asked.Item)
	return c.ok(func(dst []byte) []byte { return appendExplanation(dst, &x) })
}

// tryPolicy answers POST /policies/try: what a draft makes of an item at once, or of
// the stored decisions of a time behind the answer.
func (g *Gateway) tryPolicy(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	drafts, at := wire.ReadDrafts(o)
	asked := wire.ReadAsked(o, c.app, time.Now(), true)
	if err := o.Err(); err != nil {
		return err
	}
	changes := make([]policies.Change, len(drafts))
	for i, d := range drafts {
		changes[i] = policies.Change{
			PolicyKey: store.PolicyKey{App: c.app, Layer: d.Layer, Name: d.Name}, Body: d.Body, Remove: d.Remove, By: c.actor(),
		}
	}
	if !asked.Period {
		t, err := g.deps.Policies.Try(c.ctx(), changes, &asked.Item)
		if err != nil {
			return noPolicy(ofDrafts(err, at), "")
		}
		return c.ok(func(dst []byte) []byte { return appendPolicyTrial(dst, asked.Item.Text, &t) })
	}
	b, err := g.deps.Policies.Replay(c.ctx(), store.PolicyBacktest{
		App: c.app, ID: string(c.request), From: asked.From, To: asked.To, By: c.actor(),
	}, changes)
	if err != nil {
		return noPolicy(ofDrafts(err, at), "")
	}
	return send(c.Ctx, fiber.StatusAccepted, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte { return appendBacktest(dst, &b) }))
}

// ofDrafts puts the places of drafts, which are numbered, in the request.
func ofDrafts(err error, at []string) error {
	faults, ok := errors.AsType[policy.Faults](err)
	if !ok {
		return err
	}
	for i := range faults {
		first, rest, _ := strings.Cut(strings.TrimPrefix(faults[i].Pointer, "/"), "/")
		if n, err := strconv.Atoi(first); err == nil && n >= 0 && n < len(at) {
			faults[i].Pointer = at[n] + "/" + rest
		}
	}
	return faults
}

// policyBacktest answers GET /policies/backtests/{id}.
func (g *Gateway) policyBacktest(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	b, err := g.deps.Policies.Backtest(c.ctx(), c.app, id)
	if err != nil {
		return noPolicy(err, "")
	}
	return c.ok(func(dst []byte) []byte { return appendBacktest(dst, &b) })
}

// policyBacktests answers GET /policies/backtests?limit=.
func (g *Gateway) policyBacktests(c *call) error {
	most, err := queryCount(c, "limit", backtestsUsual, pageAtMost)
	if err != nil {
		return err
	}
	list, err := g.deps.Policies.Backtests(c.ctx(), c.app, most)
	if err != nil {
		return noPolicy(err, "")
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "backtests", len(list), func(dst []byte, i int) []byte { return appendBacktest(dst, &list[i]) })
	})
}
