package gateway

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Audit is the audit log.
type Audit interface {
	AuditList(ctx context.Context, q store.AuditQuery) ([]store.Audit, error)
	// AuditCheckpoints are the newest of each chain, and the key that checks them.
	AuditCheckpoints(ctx context.Context) (list []store.Checkpoint, key string, err error)
}

const (
	auditAtMost   = 500
	auditDownload = 100_000 // entries of one NDJSON answer
)

// listAudit answers GET /audit?chain=&actor=&action=&object=&from=&to=&limit=&cursor=&format=.
func (g *Gateway) listAudit(c *call) error {
	var wrong faults
	q, err := readAuditQuery(c)
	wrong.add(err)
	format := c.Query("format", "json")
	if format != "json" && format != "ndjson" {
		wrong.tell("?format", "must be json or ndjson")
	}
	q.Limit = wrong.count(c, "limit", pageUsual, auditAtMost) + 1
	if err := wrong.err(); err != nil {
		return err
	}
	if format == "ndjson" {
		return g.downloadAudit(c, q)
	}
	list, err := g.deps.Audit.AuditList(c.ctx(), q)
	if err != nil {
		return err
	}
	cursor := ""
	if len(list) == q.Limit {
		list = list[:len(list)-1]
		cursor = auditCursor(&list[len(list)-1])
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "entries", len(list), func(dst []byte, i int) []byte { return appendAudit(dst, &list[i]) })
		return wire.Some(dst, "cursor", cursor)
	})
}

// downloadAudit sends entries as lines, newest first, for keeping elsewhere.
func (g *Gateway) downloadAudit(c *call, q store.AuditQuery) error {
	f, err := unnamedFile()
	if err != nil {
		return err
	}
	if err := g.writeAudit(c.ctx(), f, q); err != nil {
		return errors.Join(err, f.Close())
	}
	return c.sendFile(f, "application/x-ndjson", "audit.ndjson")
}

func (g *Gateway) writeAudit(ctx context.Context, to io.Writer, q store.AuditQuery) error {
	w := bufio.NewWriter(to)
	q.Limit = auditAtMost
	for n := 0; n < auditDownload; {
		list, err := g.deps.Audit.AuditList(ctx, q)
		if err != nil {
			return err
		}
		for i := range list {
			line := appendAudit([]byte{'{'}, &list[i])
			line = append(line[:1], line[2:]...) // the comma in front of the first member
			if _, err := w.Write(append(line, '}', '\n')); err != nil {
				return err
			}
		}
		n += len(list)
		if len(list) < q.Limit {
			break
		}
		last := &list[len(list)-1]
		q.Before, q.AfterChain, q.AfterSeq = last.TS, last.Chain, last.Seq
	}
	return w.Flush()
}

func readAuditQuery(c *call) (q store.AuditQuery, err error) {
	var wrong faults
	for _, f := range []struct {
		name string
		to   *string
	}{{"chain", &q.Chain}, {"actor", &q.Actor}, {"action", &q.Action}, {"object", &q.Object}} {
		*f.to = strings.Clone(c.Query(f.name))
		if len(*f.to) > 512 {
			wrong.tell("?"+f.name, "is too long")
		}
	}
	for _, f := range []struct {
		name string
		to   *time.Time
	}{{"from", &q.From}, {"to", &q.To}} {
		text := c.Query(f.name)
		if text == "" {
			continue
		}
		if *f.to, err = time.Parse(time.RFC3339, text); err != nil {
			wrong.tell("?"+f.name, "must be a time such as 2026-01-31T00:00:00Z")
		}
	}
	if text := c.Query("cursor"); text != "" {
		at, rest, ok := readCursor(text)
		seq, chain, cut := strings.Cut(rest, " ")
		n, err := strconv.ParseInt(seq, 10, 64)
		if !ok || !cut || err != nil {
			wrong.tell("?cursor", "must be the cursor of an answer")
		}
		q.Before, q.AfterSeq, q.AfterChain = time.UnixMilli(at), n, chain
	}
	return q, wrong.err()
}

func auditCursor(a *store.Audit) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(a.TS.UnixMilli(), 10) + " " + strconv.FormatInt(a.Seq, 10) + " " + a.Chain))
}

func appendAudit(dst []byte, a *store.Audit) []byte {
	dst = wire.When(wire.Num(wire.Str(dst, "chain", a.Chain), "seq", a.Seq), "at", a.TS)
	dst = wire.Str(wire.Str(wire.Str(dst, "actor", a.Actor), "action", a.Action), "object", a.Object)
	dst = wire.Str(dst, "detail", a.Detail) // as it is hashed, whatever it is
	return wire.Str(wire.Str(dst, "prev", a.Prev), "hash", a.Hash)
}

// auditCheckpoints answers GET /audit/checkpoints.
func (g *Gateway) auditCheckpoints(c *call) error {
	list, key, err := g.deps.Audit.AuditCheckpoints(c.ctx())
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Str(dst, "public_key", key)
		return wire.List(dst, "checkpoints", len(list), func(dst []byte, i int) []byte {
			k := &list[i]
			dst = wire.Str(wire.Num(wire.Str(dst, "chain", k.Chain), "seq", k.Seq), "hash", k.Hash)
			return wire.Str(wire.Str(wire.Num(dst, "ts", k.TS.UnixMilli()), "public_key", k.Key), "signature", k.Signature)
		})
	})
}

func (g *Gateway) auditRoutes() []route {
	return []route{
		{method: "GET", path: "/audit", auth: cookie, perm: auth.SeeAudit, handle: g.listAudit},
		{method: "GET", path: "/audit/checkpoints", auth: cookie, perm: auth.SeeAudit, handle: g.auditCheckpoints},
	}
}
