package gateway

import (
	"bytes"
	"context"
	"errors"
	"net/url"
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

// Policies keeps the apps' policies; internal/policies has the one there is. Errors are
// policy.Faults, those of internal/policies and the store's.
type Policies interface {
	PolicyLayers
	PolicyRollouts
	PolicyTrials
}

// PolicyLayers are what is in force: layers, lists and settings.
type PolicyLayers interface {
	List(ctx context.Context, app engines.AppID) ([]policies.View, error)
	Lists(ctx context.Context, app engines.AppID) ([]policies.View, error)
	Layer(ctx context.Context, key store.PolicyKey) (policies.View, error)
	History(ctx context.Context, key store.PolicyKey, before, most int) ([]store.Policy, error)
	Diff(ctx context.Context, key store.PolicyKey, from, to int) ([]policies.Difference, error)
	// HasLayer reports whether the app's policy has a layer with an id such as region/jp.
	HasLayer(app engines.AppID, id string) bool
	// Reserved is the names that an app keeps for itself.
	Reserved(ctx context.Context, app engines.AppID) ([]string, error)
	// Put returns a proposal where another person has to approve it first.
	Put(ctx context.Context, c policies.Change, was int) (store.Policy, *store.Rollout, error)
	Return(ctx context.Context, key store.PolicyKey, version, was int, by, comment string) (store.Policy, error)
}

const versionsUsual = 50

// pathKey reads the layer and name of the path.
func pathKey(c *call) (store.PolicyKey, error) {
	name, err := url.PathUnescape(c.Params("name"))
	if err != nil || !wire.ValidID(name) {
		return store.PolicyKey{}, wire.Invalid("/name", "must be 1 to 128 bytes without control characters")
	}
	return store.PolicyKey{App: c.app, Layer: strings.Clone(c.Params("layer")), Name: strings.Clone(name)}, nil
}

// listKey reads the name of a word list.
func listKey(c *call) (store.PolicyKey, error) {
	key, err := pathKey(c)
	key.Layer = store.ListLayer
	return key, err
}

// settingsKey is the app's settings.
func settingsKey(c *call) (store.PolicyKey, error) {
	return store.PolicyKey{App: c.app, Layer: store.SettingsLayer, Name: store.SettingsName}, nil
}

// noPolicy translates what is wrong with policies; at is what stands before pointers.
func noPolicy(err error, at string) error {
	if faults, ok := errors.AsType[policy.Faults](err); ok {
		e := wire.Fail(wire.InvalidParameter, "")
		for _, f := range faults {
			reason := f.Reason
			if f.Line > 1 {
				reason += " (line " + strconv.Itoa(f.Line) + ")"
			}
			e.Fields = append(e.Fields, wire.Field{Pointer: at + f.Pointer, Reason: reason})
		}
		return e
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such layer, list, version, rollout or back-test")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "it has changed since it was read, or If-Match is missing")
	case errors.Is(err, store.ErrRollout):
		return wire.Fail(wire.Conflict, "a rollout of this layer is under way: stop it first")
	case errors.Is(err, store.ErrRunning):
		return wire.Fail(wire.Conflict, "one of the app runs already: a rollout in shadow or with a share, or a back-test")
	case errors.Is(err, policies.ErrUsed), errors.Is(err, policies.ErrState):
		return wire.Fail(wire.Conflict, strings.TrimPrefix(err.Error(), "policies: "))
	case errors.Is(err, policies.ErrApproval):
		return wire.Fail(wire.Forbidden, "another person approves it first: who wrote it can't, nor can an app")
	case errors.Is(err, policies.ErrMany):
		e := wire.Fail(wire.RateLimited, strings.TrimPrefix(err.Error(), "policies: "))
		e.RetryAfter = 10 * time.Second
		return e
	}
	return err
}

// listPolicies answers GET /policies.
func (g *Gateway) listPolicies(c *call) error {
	list, err := g.deps.Policies.List(c.ctx(), c.app)
	if err != nil {
		return noPolicy(err, "")
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "policies", len(list), func(dst []byte, i int) []byte { return appendView(dst, &list[i]) })
	})
}

// policy answers GET of a layer, a list or settings.
func (g *Gateway) policy(key func(*call) (store.PolicyKey, error)) func(*call) error {
	return func(c *call) error {
		k, err := key(c)
		if err != nil {
			return err
		}
		v, err := g.deps.Policies.Layer(c.ctx(), k)
		if err != nil {
			return noPolicy(err, "")
		}
		return c.withView(&v)
	}
}

// withView answers a version, with its number as ETag.
func (c *call) withView(v *policies.View) error {
	if v.Version > 0 {
		c.Set(fiber.HeaderETag, strconv.Quote(strconv.Itoa(v.Version)))
	}
	if c.Accepts("application/json", yamlType) == yamlType {
		text, err := v.YAML()
		if err != nil {
			return err
		}
		c.Set(fiber.HeaderContentType, yamlType)
		return c.Send(text)
	}
	return c.ok(func(dst []byte) []byte { return appendView(dst, v) })
}

const yamlType = "application/yaml"

// putPolicy answers PUT of a layer, a list or settings: the body is what it is to say.
func (g *Gateway) putPolicy(key func(*call) (store.PolicyKey, error)) func(*call) error {
	return func(c *call) error {
		k, err := key(c)
		if err != nil {
			return err
		}
		if enc := c.Get(fiber.HeaderContentEncoding); enc != "" && enc != "identity" {
			return wire.Fail(wire.Unsupported, "Content-Encoding is not supported")
		}
		body := bytes.Clone(c.body())
		// A file may say nothing at all; whoever sends nothing has lost something.
		if text := bytes.TrimSpace(body); len(text) == 0 || string(text) == "null" {
			return wire.Invalid("", "must be an object; {} overrides nothing")
		}
		return g.changePolicy(c, policies.Change{PolicyKey: k, Body: body})
	}
}

// deletePolicy answers DELETE of a layer, a list or settings: what is built in holds
// again.
func (g *Gateway) deletePolicy(key func(*call) (store.PolicyKey, error)) func(*call) error {
	return func(c *call) error {
		k, err := key(c)
		if err != nil {
			return err
		}
		return g.changePolicy(c, policies.Change{PolicyKey: k, Remove: true})
	}
}

func (g *Gateway) changePolicy(c *call, change policies.Change) error {
	was, err := ifMatch(c)
	if err != nil {
		return err
	}
	change.By, change.Comment = c.actor(), strings.Clone(c.Query("comment"))
	if len(change.Comment) > commentBytes {
		return wire.Invalid("?comment", "is too long")
	}
	if !wire.ValidText(change.Comment) {
		return wire.Invalid("?comment", "must be UTF-8 without control characters")
	}
	stored, proposal, err := g.deps.Policies.Put(c.ctx(), change, was)
	if err != nil {
		return noPolicy(err, "")
	}
	if proposal != nil {
		return send(c.Ctx, fiber.StatusAccepted, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte { return appendRollout(dst, proposal) }))
	}
	return g.published(c, &stored)
}

const commentBytes = 2000

// published answers a version that was stored.
func (g *Gateway) published(c *call, p *store.Policy) error {
	g.log.Info("policy changed", "request_id", c.request, "app", c.app, "layer", p.Layer, "name", p.Name, "version", p.Version, "how", p.How, "by", p.By)
	v := policies.View{Policy: *p, Source: policies.SourceApp}
	if p.Removed {
		now, err := g.deps.Policies.Layer(c.ctx(), p.PolicyKey)
		switch {
		case err == nil:
			v = now
		case !errors.Is(err, store.ErrNotFound): // nothing is built in
			return noPolicy(err, "")
		}
		v.Version = p.Version
	}
	return c.withView(&v)
}

// policyHistory answers GET …/history?before=&limit=.
func (g *Gateway) policyHistory(key func(*call) (store.PolicyKey, error)) func(*call) error {
	return func(c *call) error {
		var wrong faults
		k, err := key(c)
		wrong.add(err)
		before, most := wrong.count(c, "before", 0, 1<<30), wrong.count(c, "limit", versionsUsual, pageAtMost)
		if err := wrong.err(); err != nil {
			return err
		}
		list, err := g.deps.Policies.History(c.ctx(), k, before, most)
		if err != nil {
			return noPolicy(err, "")
		}
		return c.ok(func(dst []byte) []byte {
			dst = wire.Str(wire.Str(dst, "layer", k.Layer), "name", k.Name)
			return wire.List(dst, "versions", len(list), func(dst []byte, i int) []byte { return appendVersion(dst, &list[i]) })
		})
	}
}

// policyDiff answers GET …/diff?from=&to=; 0 is what is built in.
func (g *Gateway) policyDiff(key func(*call) (store.PolicyKey, error)) func(*call) error {
	return func(c *call) error {
		var wrong faults
		k, err := key(c)
		wrong.add(err)
		var versions [2]int
		for i, name := range []string{"from", "to"} {
			n, err := strconv.Atoi(c.Query(name))
			if err != nil || n < 0 {
				wrong.tell("?"+name, "must be a version, or 0 for what is built in")
			}
			versions[i] = n
		}
		if err := wrong.err(); err != nil {
			return err
		}
		list, err := g.deps.Policies.Diff(c.ctx(), k, versions[0], versions[1])
		if err != nil {
			return noPolicy(err, "")
		}
		return c.ok(func(dst []byte) []byte {
			dst = wire.Str(wire.Str(dst, "layer", k.Layer), "name", k.Name)
			dst = wire.Num(wire.Num(dst, "from", int64(versions[0])), "to", int64(versions[1]))
			return wire.List(dst, "changes", len(list), func(dst []byte, i int) []byte { return appendDifference(dst, &list[i]) })
		})
	}
}

// returnPolicy answers POST …/return {version}.
func (g *Gateway) returnPolicy(key func(*call) (store.PolicyKey, error)) func(*call) error {
	return func(c *call) error {
		k, err := key(c)
		if err != nil {
			return err
		}
		was, o, err := c.change()
		if err != nil {
			return err
		}
		version, comment, err := wire.ReadReturn(o)
		if err != nil {
			return err
		}
		stored, err := g.deps.Policies.Return(c.ctx(), k, version, was, c.actor(), comment)
		if err != nil {
			return noPolicy(err, "")
		}
		return g.published(c, &stored)
	}
}
