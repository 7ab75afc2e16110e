package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Batches takes many checks at once; internal/batch has the one there is. A batch that
// is not the app's is store.ErrNotFound.
type Batches interface {
	// Submit returns once the batch is on disk; again: it was sent before.
	Submit(ctx context.Context, u store.BatchUpload) (b store.Batch, again bool, err error)
	Batch(ctx context.Context, app engines.AppID, id string) (store.Batch, error)
	Batches(ctx context.Context, app engines.AppID, state string, before economy.Mark, most int) ([]store.Batch, error)
	Cancel(ctx context.Context, app engines.AppID, id, by string) (store.Batch, error)
	// Results writes the results after a line, as far as they have come.
	Results(ctx context.Context, id string, after int, w io.Writer) error
}

// postBatch answers POST /batches. The lines are stored as they arrive.
func (g *Gateway) postBatch(c *call) error {
	if enc := c.Get(fiber.HeaderContentEncoding); enc != "" && enc != "identity" {
		return cut(c.Ctx, wire.Fail(wire.Unsupported, "Content-Encoding is not supported"))
	}
	if strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEMultipartForm) {
		return cut(c.Ctx, wire.Fail(wire.Unsupported, "the body is NDJSON: a check in each line"))
	}
	keys := headers(c.Ctx, "Idempotency-Key")
	if len(keys) > 1 || len(keys) == 1 && !wire.ValidID(keys[0]) {
		return cut(c.Ctx, wire.Fail(wire.InvalidParameter, "Idempotency-Key must be one id of 1 to 128 bytes"))
	}
	u := store.BatchUpload{App: c.app, By: c.actor(), Body: c.stream()}
	if len(keys) == 1 {
		u.Key = keys[0]
	}
	if int64(c.Request().Header.ContentLength()) > g.cfg.Limits.BatchBytes {
		return cut(c.Ctx, wire.Fail(wire.TooLarge, "more than "+strconv.FormatInt(g.cfg.Limits.BatchBytes, 10)+" bytes"))
	}
	if err := c.Context().SetReadDeadline(time.Now().Add(g.cfg.UploadTimeout)); err != nil {
		return err
	}
	b, again, err := g.deps.Batches.Submit(c.ctx(), u)
	if err != nil {
		return cut(c.Ctx, err)
	}
	if again {
		c.Set("Idempotency-Replayed", "true")
	}
	return send(c.Ctx, fiber.StatusAccepted, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte {
		return wire.Num(wire.Str(wire.Str(dst, "batch_id", b.ID), "status", b.State), "lines", int64(b.Lines))
	}))
}

// noBatch translates what is wrong with the batch that a path names.
func noBatch(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return wire.Fail(wire.NotFound, "no such batch")
	}
	return err
}

// find returns the batch that the path names.
func (g *Gateway) find(c *call) (store.Batch, error) {
	id, err := pathID(c, "id")
	if err != nil {
		return store.Batch{}, err
	}
	b, err := g.deps.Batches.Batch(c.ctx(), c.app, id)
	return b, noBatch(err)
}

// batch answers GET /batches/{id}.
func (g *Gateway) batch(c *call) error {
	b, err := g.find(c)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendBatch(dst, (*wire.Batch)(&b)) })
}

// listBatches answers GET /batches?status=&limit=&cursor=.
func (g *Gateway) listBatches(c *call) error {
	var wrong faults
	state := wrong.oneOf(c, "status", "", store.BatchQueued, store.BatchRunning, store.BatchDone, store.BatchCancelled)
	p := wrong.part(c)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Batches.Batches(c.ctx(), c.app, state, p.before, p.most+1)
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
		dst = wire.List(dst, "batches", len(list), func(dst []byte, i int) []byte { return wire.AppendBatch(dst, (*wire.Batch)(&list[i])) })
		return wire.Some(dst, "cursor", cursorOf(next))
	})
}

// cancelBatch answers DELETE /batches/{id}.
func (g *Gateway) cancelBatch(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	b, err := g.deps.Batches.Cancel(c.ctx(), c.app, id, c.actor())
	if err != nil {
		return noBatch(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendBatch(dst, (*wire.Batch)(&b)) })
}

// batchResults answers GET /batches/{id}/results?after=. What goes wrong once it has
// begun ends the answer early, as a result that is not there yet does: the client asks
// again after the last line that it has.
func (g *Gateway) batchResults(c *call) error {
	after := 0
	if q := c.Query("after"); q != "" {
		n, err := strconv.ParseInt(q, 10, 64)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return wire.Invalid("?after", "must be the number of a line, or 0")
		}
		after = int(n)
	}
	b, err := g.find(c)
	if err != nil {
		return err
	}
	within := g.cfg.UploadTimeout
	if err := c.Context().SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/x-ndjson; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set("Batch-Status", b.State)
	request := c.request // c is gone when the stream is written
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		err := g.deps.Batches.Results(ctx, b.ID, after, w)
		if err == nil {
			err = w.Flush()
		}
		if err != nil {
			g.log.Debug("http: results of a batch not sent to their end", "request_id", request, "err", err)
		}
	})
	return nil
}
