package gateway

import (
	"errors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// listHooks answers GET /webhooks.
func (g *Gateway) listHooks(c *call) error {
	list, err := g.deps.Hooks.List(c.ctx(), c.app)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte { return appendHooks(dst, list, nil) })
}

// putHooks answers PUT /webhooks: the list it is given is the app's from now on.
func (g *Gateway) putHooks(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	asked, err := wire.ReadHooks(o, store.EventTypes, g.deps.Hooks.Fault)
	if err != nil {
		return err
	}
	wishes := make([]store.HookWish, len(asked))
	for i, a := range asked {
		wishes[i] = store.HookWish(a)
	}
	list, secrets, err := g.deps.Hooks.Put(c.ctx(), c.app, wishes, c.actor())
	if err != nil {
		return noHook(err)
	}
	g.log.Info("webhooks changed", "request_id", c.request, "app", c.app, "webhooks", len(list))
	return c.ok(func(dst []byte) []byte { return appendHooks(dst, list, secrets) })
}

// noHook translates what is wrong with the endpoint or delivery that a path names.
func noHook(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such webhook or delivery")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "the webhook is off: switch it on first")
	}
	return err
}

// appendHooks appends endpoints; secrets are the new ones, by id.
func appendHooks(dst []byte, list []store.Hook, secrets map[string]string) []byte {
	return wire.List(dst, "webhooks", len(list), func(dst []byte, i int) []byte {
		h := &list[i]
		dst = wire.Str(wire.Str(dst, "id", h.ID), "url", h.URL)
		dst = wire.Flag(wire.Strs(dst, "events", h.Events), "enabled", h.Enabled)
		dst = wire.Str(dst, "state", hookState(h))
		if !h.Failing.IsZero() {
			dst = wire.When(dst, "failing_since", h.Failing)
		}
		dst = wire.Some(dst, "off_reason", h.OffReason)
		dst = wire.Num(wire.Num(dst, "pending", int64(h.Pending)), "dead", int64(h.Dead))
		dst = wire.Num(dst, "secrets", int64(len(h.Secrets)))
		dst = wire.When(wire.When(dst, "created_at", h.Created), "updated_at", h.Updated)
		return wire.Some(dst, "secret", secrets[h.ID])
	})
}

// hookState says how an endpoint is: off, failing or ok.
func hookState(h *store.Hook) string {
	switch {
	case !h.Enabled:
		return "off"
	case !h.Failing.IsZero():
		return "failing"
	}
	return "ok"
}

// listDeliveries answers GET /webhooks/{id}/deliveries?state=&limit=&cursor=.
func (g *Gateway) listDeliveries(c *call) error {
	var wrong faults
	hook, err := pathID(c, "id")
	wrong.add(err)
	p := wrong.part(c)
	state := wrong.word(c, "state", store.DeliveryPending, store.DeliveryDelivered, store.DeliveryDead)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Hooks.Deliveries(c.ctx(), c.app, hook, state, p.before, p.most+1)
	if err != nil {
		return noHook(err)
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created.UnixMilli(), ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "deliveries", len(list), func(dst []byte, i int) []byte { return appendDelivery(dst, &list[i]) })
		return wire.Some(dst, "cursor", cursorOf(next))
	})
}

func appendDelivery(dst []byte, d *store.Delivery) []byte {
	dst = wire.Str(wire.Str(dst, "delivery_id", d.ID), "event_id", d.Event)
	dst = wire.Num(wire.Str(wire.Str(dst, "type", d.Type), "state", d.State), "attempts", int64(d.Attempts))
	dst = wire.When(dst, "created_at", d.Created)
	if d.State == store.DeliveryPending {
		dst = wire.When(dst, "next_at", d.Next)
	}
	if !d.Last.IsZero() {
		dst = wire.When(dst, "last_at", d.Last)
	}
	if d.Status != 0 {
		dst = wire.Num(dst, "last_status", int64(d.Status))
	}
	return wire.Some(dst, "last_error", d.Error)
}

// resend answers POST /webhooks/{id}/deliveries/{delivery}/resend.
func (g *Gateway) resend(c *call) error {
	hook, err := pathID(c, "id")
	if err != nil {
		return err
	}
	delivery, err := pathID(c, "delivery")
	if err != nil {
		return err
	}
	d, err := g.deps.Hooks.Resend(c.ctx(), c.app, hook, delivery)
	if err != nil {
		return noHook(err)
	}
	return c.ok(func(dst []byte) []byte { return appendDelivery(dst, &d) })
}

// testHook answers POST /webhooks/{id}/test.
func (g *Gateway) testHook(c *call) error {
	hook, err := pathID(c, "id")
	if err != nil {
		return err
	}
	d, err := g.deps.Hooks.Test(c.ctx(), c.app, hook)
	if err != nil {
		return noHook(err)
	}
	return c.ok(func(dst []byte) []byte { return appendDelivery(dst, &d) })
}
