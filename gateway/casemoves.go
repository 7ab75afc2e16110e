package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// person is the moderator who asks.
func (c *call) person() casework.Person {
	return casework.Person{Name: c.user.Name, Role: string(c.user.Role)}
}

// key is the Idempotency-Key, in the name of who asks: a repeat moves a case once.
func (c *call) key() (string, error) {
	key := strings.Clone(c.Get("Idempotency-Key"))
	switch {
	case key == "":
		return "", nil
	case !wire.ValidID(key):
		return "", wire.Invalid("Idempotency-Key", "must be 1 to 128 bytes without control characters")
	}
	body := sha256.Sum256(c.body())
	return c.actor() + "\n" + key + store.KeyDigest + hex.EncodeToString(body[:]), nil
}

// moveCase answers POST /cases/{id}/{action}; need names the members that its body
// must have.
func (g *Gateway) moveCase(action casework.Action, need ...string) func(*call) error {
	return func(c *call) error {
		o, err := c.optionalObject()
		if err != nil {
			return err
		}
		asked, err := wire.ReadCaseMove(o, need...)
		if err != nil {
			return err
		}
		if asked.Queue != "" && !casework.ValidQueue(asked.Queue) {
			return wire.Invalid("/queue", "must be 1 to 64 of a-z 0-9 - _")
		}
		return g.move(c, casework.Move{
			Action: action, Version: asked.Version, Reason: asked.Reason, To: casework.Person{Name: asked.To}, Until: asked.Until,
			Queue: asked.Queue, Reopen: asked.Reopen,
		})
	}
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
	m := casework.Move{
		Action: casework.Decide, Version: d.Version, Reason: d.Reason, Decision: store.CaseRejected, Category: d.Category, SubLabel: d.SubLabel,
		Severity: d.Severity, Policy: d.Policy, Note: d.Note, Statement: d.Statement,
	}
	if d.Approve {
		m.Decision = store.CaseApproved
	}
	return g.move(c, m)
}

func (g *Gateway) move(c *call, m casework.Move) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if m.Key, err = c.key(); err != nil {
		return err
	}
	m.By = c.person()
	k, err := g.deps.Cases.Move(c.ctx(), engines.CaseID(id), m)
	if err != nil {
		return caseFault(err)
	}
	return c.ok(func(dst []byte) []byte { return appendCaseItself(dst, &k) })
}

// nextCase answers POST /cases/next.
func (g *Gateway) nextCase(c *call) error {
	o, err := c.optionalObject()
	if err != nil {
		return err
	}
	queue, app := o.ID("queue", false), o.ID("app_id", false)
	if err := o.Err(); err != nil {
		return err
	}
	k, err := g.deps.Cases.Next(c.ctx(), c.person(), engines.AppID(app), queue)
	if errors.Is(err, casework.ErrNone) {
		return c.ok(func(dst []byte) []byte { return append(dst, `,"case":null`...) })
	}
	if err != nil {
		return caseFault(err)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.Obj(dst, "case", func(dst []byte) []byte { return appendInner(dst, &k) })
	})
}

// preferences answers GET /me/preferences.
func (g *Gateway) preferences(c *call) error {
	p, err := g.deps.Cases.Preferences(c.ctx(), c.user.Name)
	if err != nil {
		return err
	}
	return g.showPreferences(c, &p)
}

// putPreferences answers PUT /me/preferences.
func (g *Gateway) putPreferences(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	asked, err := wire.ReadPreferences(o)
	if err != nil {
		return err
	}
	p := store.Preferences{Name: c.user.Name, OptOut: asked.OptOut, ExposureLimit: asked.ExposureLimit}
	if err := g.deps.Cases.PutPreferences(c.ctx(), p); err != nil {
		return err
	}
	return g.showPreferences(c, &p)
}

func (g *Gateway) showPreferences(c *call, p *store.Preferences) error {
	n, err := g.deps.Cases.Exposure(c.ctx(), c.user.Name)
	if err != nil {
		return err
	}
	list := make([]string, len(p.OptOut))
	for i, category := range p.OptOut {
		list[i] = string(category)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.Num(wire.Num(wire.Strs(dst, "opt_out", list), "exposure_limit", int64(p.ExposureLimit)), "exposure_24h", int64(n))
	})
}
