package gateway

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// PolicyRollouts take changes of a policy to life.
type PolicyRollouts interface {
	Draft(ctx context.Context, c policies.Change, plan policies.Plan, was int) (store.Rollout, error)
	Rollout(ctx context.Context, key store.PolicyKey, id string) (store.Rollout, error)
	Rollouts(ctx context.Context, q store.RolloutQuery) ([]store.Rollout, error)
	Stats(ctx context.Context, r *store.Rollout) (policies.Stats, error)
	TestsNow(ctx context.Context, key store.PolicyKey, id string) (of int, wrong policy.Faults, err error)
	Advance(ctx context.Context, o policies.Order) (store.Rollout, error)
	Approve(ctx context.Context, o policies.Order) (store.Rollout, error)
	Pause(ctx context.Context, o policies.Order) (store.Rollout, error)
	Stop(ctx context.Context, o policies.Order) (store.Rollout, error)
	TakeBack(ctx context.Context, o policies.Order) (store.Rollout, error)
}

// newRollout answers POST /policies/{layer}/{name}/rollouts.
func (g *Gateway) newRollout(c *call) error {
	key, err := pathKey(c)
	if err != nil {
		return err
	}
	was, o, err := c.change()
	if err != nil {
		return err
	}
	asked, err := wire.ReadRollout(o, policies.MaxTests)
	if err != nil {
		return err
	}
	plan := policies.Plan{}
	for i := range asked.Tests {
		plan.Tests = append(plan.Tests, store.PolicyTest(asked.Tests[i]))
	}
	if b := asked.Bounds; b != nil {
		plan.Bounds = &store.RolloutBounds{Block: store.Bound(b.Block), Review: store.Bound(b.Review), Least: b.Least}
	}
	r, err := g.deps.Policies.Draft(c.ctx(), policies.Change{
		PolicyKey: key, Body: asked.Body, Remove: asked.Remove, Comment: asked.Comment, By: c.actor(),
	}, plan, was)
	if err != nil {
		return noPolicy(err, "/body")
	}
	return g.withRollout(c, &r)
}

// withRollout answers a rollout, with its version as ETag.
func (g *Gateway) withRollout(c *call, r *store.Rollout) error {
	g.log.Info("rollout", "request_id", c.request, "app", c.app, "layer", r.Layer, "name", r.Name, "rollout_id", r.ID, "state", r.State, "share", r.Share, "by", c.actor())
	c.Set(fiber.HeaderETag, strconv.Quote(strconv.Itoa(r.Version)))
	return c.ok(func(dst []byte) []byte { return appendRollout(dst, r) })
}

// pathRollout is the rollout that a path names.
func pathRollout(c *call) (store.PolicyKey, string, error) {
	key, err := pathKey(c)
	if err != nil {
		return key, "", err
	}
	id, err := pathID(c, "id")
	return key, id, err
}

// rollout answers GET /policies/{layer}/{name}/rollouts/{id}, with what it has counted.
func (g *Gateway) rollout(c *call) error {
	key, id, err := pathRollout(c)
	if err != nil {
		return err
	}
	r, err := g.deps.Policies.Rollout(c.ctx(), key, id)
	if err != nil {
		return noPolicy(err, "")
	}
	s, err := g.deps.Policies.Stats(c.ctx(), &r)
	if err != nil {
		return noPolicy(err, "")
	}
	c.Set(fiber.HeaderETag, strconv.Quote(strconv.Itoa(r.Version)))
	return c.ok(func(dst []byte) []byte { return appendStats(appendRollout(dst, &r), &s) })
}

// rolloutTests answers GET /policies/{layer}/{name}/rollouts/{id}/tests: how much of its
// test set comes out as promised under what is in force now.
func (g *Gateway) rolloutTests(c *call) error {
	key, id, err := pathRollout(c)
	if err != nil {
		return err
	}
	of, wrong, err := g.deps.Policies.TestsNow(c.ctx(), key, id)
	if err != nil {
		return noPolicy(err, "")
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Num(wire.Num(dst, "tests", int64(of)), "right", int64(of-len(wrong)))
		return wire.List(dst, "wrong", len(wrong), func(dst []byte, i int) []byte {
			return wire.Str(wire.Str(dst, "pointer", wrong[i].Pointer), "reason", wrong[i].Reason)
		})
	})
}

// rolloutStates are the states that a list may be asked for; "" is all.
var rolloutStates = []string{
	"",
	string(store.RolloutProposed), string(store.RolloutDraft), string(store.RolloutTested), string(store.RolloutBacktest), string(store.RolloutShadow),
	string(store.RolloutPartial), string(store.RolloutLive), string(store.RolloutPaused), string(store.RolloutStopped), string(store.RolloutReturned),
}

// listRollouts answers GET /policies/rollouts?layer=&name=&state=&limit=&cursor=.
func (g *Gateway) listRollouts(c *call) error {
	var wrong faults
	p := wrong.part(c)
	q := store.RolloutQuery{
		App: c.app, Layer: wrong.id(c, "layer"), Name: wrong.id(c, "name"), State: store.RolloutState(wrong.oneOf(c, "state", rolloutStates...)),
		Before: p.before.At, BeforeID: p.before.ID, Most: p.most + 1,
	}
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Policies.Rollouts(c.ctx(), q)
	if err != nil {
		return noPolicy(err, "")
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created, ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "rollouts", len(list), func(dst []byte, i int) []byte { return appendRollout(dst, &list[i]) })
		return wire.Some(dst, "cursor", cursorOf(next))
	})
}

// order answers POST …/rollouts/{id}/advance, approve, pause, stop and return. The
// If-Match header has the rollout's version.
func (g *Gateway) order(do func(PolicyRollouts, context.Context, policies.Order) (store.Rollout, error)) func(*call) error {
	return func(c *call) error {
		key, id, err := pathRollout(c)
		if err != nil {
			return err
		}
		was, err := ifMatch(c)
		if err != nil {
			return err
		}
		o, err := c.optionalObject()
		if err != nil {
			return err
		}
		asked, err := wire.ReadOrder(o)
		if err != nil {
			return err
		}
		r, err := do(g.deps.Policies, c.ctx(), policies.Order{
			Key: key, ID: id, Was: was, By: c.actor(), Person: c.user.Name != "", Why: asked.Why, From: asked.From, To: asked.To,
		})
		if err != nil {
			return noPolicy(err, "")
		}
		return g.withRollout(c, &r)
	}
}
