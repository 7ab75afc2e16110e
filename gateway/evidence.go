package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Evidence is what was kept of flagged content; internal/evidence has the one there is.
// What is not there is store.ErrNotFound, what its state forbids store.ErrConflict,
// locked content evidence.ErrLocked.
type Evidence interface {
	List(ctx context.Context, q store.EvidenceQuery) ([]store.Evidence, error)
	// Read puts the reading on the item's chain before it hands the content out.
	Read(ctx context.Context, id string, who evidence.Reader) (store.Evidence, io.ReadCloser, error)
	// Chain comes with store.ErrChainBroken where it is not what was written.
	Chain(ctx context.Context, id string) (store.Evidence, []store.EvidenceLink, error)
	Hold(ctx context.Context, id, by, reason string) (store.Evidence, error)
	Release(ctx context.Context, id, by, reason string) (store.Evidence, error)
	// Shown makes what a moderator is shown of content that Read returned; nil where that
	// is as it is.
	Shown(ctx context.Context, e *store.Evidence, content io.ReadCloser) (*evidence.Shown, error)
	Transfer(ctx context.Context, id, by, authority, reference string) (evidence.HandOff, error)
	Exports
}

// Exports packs evidence into archives.
type Exports interface {
	Select(ctx context.Context, ids []string, q store.EvidenceQuery) ([]store.Evidence, error)
	Pack(ctx context.Context, x evidence.Export, w io.Writer) error
}

// unlockWord is what a reader has to say to be shown locked content.
const unlockWord = "child_safety"

// listEvidence answers GET /evidence?app_id=&player_id=&case_id=&request_id=&category=&state=&limit=&cursor=.
func (g *Gateway) listEvidence(c *call) error {
	var wrong faults
	p, err := readPart(c)
	wrong.add(err)
	q := store.EvidenceQuery{Limit: p.most + 1}
	q.App, q.Player = engines.AppID(wrong.id(c, "app_id")), engines.PlayerID(wrong.id(c, "player_id"))
	q.Case, q.Request = engines.CaseID(wrong.id(c, "case_id")), engines.RequestID(wrong.id(c, "request_id"))
	q.Category = engines.Category(wrong.id(c, "category"))
	switch state := c.Query("state"); state {
	case "", "held", "locked", "removed", "kept":
		q.State = strings.Clone(state)
	default:
		wrong.tell("?state", "must be held, locked, removed or kept")
	}
	if err := wrong.err(); err != nil {
		return err
	}
	if p.before != (economy.Mark{}) {
		q.Before, q.ID = time.UnixMilli(p.before.At), p.before.ID
	}
	list, err := g.deps.Evidence.List(c.ctx(), q)
	if err != nil {
		return err
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created.UnixMilli(), ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "evidence", len(list), func(dst []byte, i int) []byte { return appendEvidence(dst, &list[i]) })
		return wire.Some(dst, "cursor", cursorOf(next))
	})
}

// readEvidence answers GET /evidence/{id}?unlock=: the content, as an attachment that
// no page can run.
func (g *Gateway) readEvidence(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	e, _, err := g.deps.Evidence.Chain(c.ctx(), id)
	if err != nil && !errors.Is(err, store.ErrChainBroken) {
		return noEvidence(err)
	}
	if !c.user.MayTake("", string(e.Category)) {
		return wire.Fail(wire.Forbidden, "content of this category is not yours to see")
	}
	return g.showContent(c, id)
}

// showContent reads an item, which puts that on its chain, and answers with what a
// moderator is shown of it.
func (g *Gateway) showContent(c *call, id string) error {
	e, body, err := g.deps.Evidence.Read(c.ctx(), id, evidence.Reader{Name: c.user.Name, Unlock: c.unlocks(c.Query("unlock"))})
	if err != nil {
		return noEvidence(err)
	}
	mime := e.MIME
	shown, err := g.deps.Evidence.Shown(c.ctx(), &e, body)
	if err != nil {
		return notShown(err)
	}
	if shown != nil {
		mime = shown.MIME
	}
	c.Set(fiber.HeaderContentType, mime)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="evidence-`+e.ID+evidence.Extension(mime)+`"`)
	c.Set("X-Evidence-SHA256", e.SHA256)
	if shown != nil {
		return c.Send(shown.File)
	}
	return c.SendStream(body, int(e.Bytes))
}

// notShown tells that content can't be shown, which is why it was not looked at.
func notShown(err error) error {
	if r, ok := errors.AsType[*engines.Refusal](err); ok {
		return wire.Fail(wire.Unsupported, "the content can't be shown ("+r.Reason+"); an export has the file")
	}
	return err
}

// unlocks reports whether locked content may be shown: to this user, who has asked for
// it expressly.
func (c *call) unlocks(word string) bool { return word == unlockWord && c.user.MayUnlock(unlockWord) }

// evidenceLog answers GET /evidence/{id}/log.
func (g *Gateway) evidenceLog(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	e, links, err := g.deps.Evidence.Chain(c.ctx(), id)
	whole := !errors.Is(err, store.ErrChainBroken)
	if err != nil && whole {
		return noEvidence(err)
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Flag(oneEvidence(dst, &e), "chain_ok", whole)
		return appendLinks(dst, links)
	})
}

// holdEvidence answers POST /evidence/{id}/hold.
func (g *Gateway) holdEvidence(c *call) error { return g.changeHold(c, g.deps.Evidence.Hold) }

// releaseEvidence answers DELETE /evidence/{id}/hold.
func (g *Gateway) releaseEvidence(c *call) error { return g.changeHold(c, g.deps.Evidence.Release) }

func (g *Gateway) changeHold(c *call, change func(ctx context.Context, id, by, reason string) (store.Evidence, error)) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	reason, err := wire.ReadReason(o)
	if err != nil {
		return err
	}
	e, err := change(c.ctx(), id, c.user.Name, reason)
	if err != nil {
		return noEvidence(err)
	}
	return c.ok(func(dst []byte) []byte { return oneEvidence(dst, &e) })
}

// handOff answers POST /evidence/{id}/handoff: what a report to an authority says. Of
// locked evidence only who may see it makes one.
func (g *Gateway) handOff(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadHandOff(o)
	if err != nil {
		return err
	}
	e, _, err := g.deps.Evidence.Chain(c.ctx(), id)
	switch {
	case errors.Is(err, store.ErrChainBroken):
		return wire.Fail(wire.Conflict, "the chain of this evidence is broken: see its log")
	case err != nil:
		return noEvidence(err)
	case e.Locked && !c.unlocks(r.Unlock):
		return noEvidence(evidence.ErrLocked)
	}
	h, err := g.deps.Evidence.Transfer(c.ctx(), id, c.user.Name, r.Authority, r.Reference)
	if err != nil {
		return noEvidence(err)
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Str(wire.Str(oneEvidence(dst, &h.Evidence), "authority", h.Authority), "reference", h.Reference)
		return appendLinks(wire.When(wire.Str(dst, "prepared_by", h.By), "prepared_at", h.At), h.Links)
	})
}

// noEvidence translates what is wrong with the evidence that is asked for.
func noEvidence(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such evidence, or its content is gone")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "the evidence is not in a state for this")
	case errors.Is(err, evidence.ErrLocked):
		return wire.Fail(wire.Forbidden, "locked: only who may see it can, and has to confirm with unlock="+unlockWord)
	case errors.Is(err, evidence.ErrTooMany):
		return wire.Fail(wire.TooLarge, fmt.Sprintf("an archive holds at most %d items", evidence.MaxExport))
	}
	return err
}

// oneEvidence is an answer's only item.
func oneEvidence(dst []byte, e *store.Evidence) []byte {
	return wire.Obj(dst, "evidence", func(dst []byte) []byte { return appendEvidence(dst, e) })
}

func appendEvidence(dst []byte, e *store.Evidence) []byte {
	dst = wire.Str(wire.Str(wire.Str(dst, "evidence_id", e.ID), "app_id", string(e.App)), "player_id", string(e.Player))
	dst = wire.Str(wire.Some(wire.Some(dst, "case_id", string(e.Case)), "scene_id", string(e.Scene)), "request_id", string(e.Request))
	dst = wire.Str(wire.Str(dst, "kind", string(e.Kind)), "mime", e.MIME)
	dst = wire.Num(wire.Str(dst, "sha256", e.SHA256), "bytes", e.Bytes)
	dst = wire.Some(wire.Str(dst, "category", string(e.Category)), "sub_label", e.SubLabel)
	dst = wire.Str(wire.Num(dst, "severity", int64(e.Severity)), "suggestion", string(e.Suggestion))
	dst = wire.When(wire.Flag(dst, "locked", e.Locked), "created_at", e.Created)
	if !e.Expires.IsZero() {
		dst = wire.When(dst, "expires_at", e.Expires)
	}
	if !e.Removed.IsZero() {
		dst = wire.When(dst, "removed_at", e.Removed)
	}
	if h := e.Hold; h != nil {
		dst = wire.Obj(dst, "hold", func(dst []byte) []byte {
			return wire.When(wire.Str(wire.Str(dst, "by", h.By), "reason", h.Reason), "since", h.Since)
		})
	}
	return wire.Str(wire.Num(dst, "chain_length", e.HeadSeq), "chain_head", e.HeadHash)
}

func appendLinks(dst []byte, links []store.EvidenceLink) []byte {
	return wire.List(dst, "links", len(links), func(dst []byte, i int) []byte {
		l := &links[i]
		dst = wire.Str(wire.Str(wire.When(wire.Num(dst, "seq", l.Seq), "at", l.TS), "actor", l.Actor), "action", l.Action)
		return wire.Str(wire.Str(wire.Raw(dst, "detail", []byte(l.Detail)), "prev", l.Prev), "hash", l.Hash)
	})
}

// evidenceRoutes are the routes of evidence. People alone may use them.
func (g *Gateway) evidenceRoutes() []route {
	return []route{
		{method: "GET", path: "/evidence", auth: cookie, perm: auth.SeeCustody, handle: g.listEvidence},
		{method: "POST", path: "/evidence/export", auth: cookie, perm: auth.HoldEvidence, handle: g.exportEvidence},
		{method: "GET", path: "/evidence/:id", auth: cookie, perm: auth.SeeEvidence, handle: g.readEvidence},
		{method: "GET", path: "/evidence/:id/log", auth: cookie, perm: auth.SeeCustody, handle: g.evidenceLog},
		{method: "POST", path: "/evidence/:id/hold", auth: cookie, perm: auth.HoldEvidence, handle: g.holdEvidence},
		{method: "DELETE", path: "/evidence/:id/hold", auth: cookie, perm: auth.HoldEvidence, handle: g.releaseEvidence},
		{method: "POST", path: "/evidence/:id/handoff", auth: cookie, perm: auth.HoldEvidence, handle: g.handOff},
	}
}
