package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// checkText answers POST /text/check.
func (g *Gateway) checkText(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	check, err := wire.ReadTextCheck(o, g.cfg.Limits)
	if err != nil {
		return err
	}
	check.Item.App, check.Item.RequestID = c.app, c.request
	g.deps.Economy.Named(c.app, check.Item.Player)
	return g.once(c, check.Item.Player, turn{}, func() (int, []byte, error) { return g.check(c, &check) })
}

// check has the desk decide, now or later, and makes the answer.
func (g *Gateway) check(c *call, check *wire.TextCheck) (status int, body []byte, err error) {
	if check.Async {
		if err := g.deps.Desk.Submit(c.ctx(), &check.Item); err != nil {
			return 0, nil, err
		}
		return 202, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte {
			return wire.Str(dst, "status", "pending")
		}), nil
	}
	out, err := g.deps.Desk.Check(c.ctx(), &check.Item)
	if err != nil {
		return 0, nil, err
	}
	return 200, wire.AppendSuccess(make([]byte, 0, 512), c.request, func(dst []byte) []byte {
		return wire.AppendCheckResult(dst, check, &out)
	}), nil
}

// askAgain is how often a repeat looks for the answer of the request before it.
const askAgain = 20 * time.Millisecond

// turn is how a repeat waits for the request before it, which may be under way or
// have died with its gateway.
type turn struct {
	wait time.Duration
	// asked is the hash of what was asked, where the body was no longer in memory.
	asked []byte
	// anyway: then it is done, since what it writes has keys of its own. Otherwise it
	// is a conflict.
	anyway bool
}

// once gives the stored answer to a request whose Idempotency-Key was used
// before by the same app for the same player, and stores the answer to a new
// one. The same key with another body is a conflict, and so may be one whose first
// request is still under way. Without a store it fails closed: a key asks for a
// promise that could not be kept.
func (g *Gateway) once(c *call, player engines.PlayerID, turn turn, answer func() (int, []byte, error)) error {
	keys := headers(c.Ctx, "Idempotency-Key")
	if len(keys) == 0 {
		status, body, err := answer()
		if err != nil {
			return err
		}
		return send(c.Ctx, status, body)
	}
	if len(keys) > 1 || !wire.ValidID(keys[0]) {
		return wire.Fail(wire.InvalidParameter, "Idempotency-Key must be one id of 1 to 128 bytes")
	}
	asked := sha256.Sum256(slices.Concat([]byte(c.route.path+"\x00"), c.body(), turn.asked))
	key := hex.EncodeToString(hashOf("idempotency", string(player), keys[0]))
	stored, mine, err := g.await(c, player, key, turn)
	if err != nil {
		return err
	}
	if stored != nil {
		return again(c, stored, asked[:])
	}
	status, body, err := answer()
	if err != nil && mine {
		return errors.Join(err, g.deps.Answers.Release(c.ctx(), c.app, key))
	}
	if err != nil {
		return err
	}
	kept := append(append(asked[:], byte(status-fiber.StatusOK)), body...)
	if err := g.deps.Answers.PutAnswer(c.ctx(), c.app, player, key, kept); err != nil {
		return err
	}
	return send(c.Ctx, status, body)
}

// await finds the answer that is stored under a key, or claims the key.
func (g *Gateway) await(c *call, player engines.PlayerID, key string, turn turn) (stored []byte, mine bool, err error) {
	for end := time.Now().Add(turn.wait); ; time.Sleep(askAgain) {
		if stored, err = g.deps.Answers.Answer(c.ctx(), c.app, player, key); stored != nil || err != nil {
			return stored, false, err
		}
		if mine, err = g.deps.Answers.Claim(c.ctx(), c.app, key); mine || err != nil {
			return nil, mine, err
		}
		if time.Now().Before(end) {
			continue
		}
		if turn.anyway {
			return nil, false, nil
		}
		e := wire.Fail(wire.Conflict, "a request with this Idempotency-Key is under way")
		e.RetryAfter = time.Second
		return nil, false, e
	}
}

// again sends a stored answer: the hash of what was asked, the status over 200,
// and the body.
func again(c *call, stored, asked []byte) error {
	if len(stored) <= len(asked) || !bytes.Equal(stored[:len(asked)], asked) {
		return wire.Fail(wire.Conflict, "the Idempotency-Key was used for another request")
	}
	c.Set("Idempotency-Replayed", "true")
	body := stored[len(asked)+1:]
	c.Set("X-Request-Id", wire.RequestOf(body))
	return send(c.Ctx, fiber.StatusOK+int(stored[len(asked)]), body)
}

func hashOf(parts ...string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return sum[:]
}

// checkResult answers GET /checks/{id}, for the app that asked alone.
func (g *Gateway) checkResult(c *call) error {
	id := strings.Clone(c.Params("id"))
	item, out, err := g.deps.Desk.Result(c.ctx(), c.app, engines.RequestID(id))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such check, or it passed and the policy does not record passes")
	case err != nil:
		return err
	}
	var decided *store.Case // what people made of it, which the verdict can't know
	if out.CaseID != "" {
		switch found, err := g.deps.Cases.Case(c.ctx(), out.CaseID); {
		case err == nil:
			decided = &found
		case !errors.Is(err, store.ErrNotFound): // else it is erased
			return err
		}
	}
	return send(c.Ctx, 200, wire.AppendSuccess(nil, engines.RequestID(id), func(dst []byte) []byte {
		if out.Pending {
			return wire.Str(dst, "status", "pending")
		}
		check := wire.TextCheck{Item: item, Detail: true}
		dst = wire.AppendCheckResult(wire.Str(dst, "status", "done"), &check, &out)
		if decided == nil {
			return dst
		}
		return wire.Obj(dst, "case", func(dst []byte) []byte { return appendCheckCase(dst, decided) })
	}))
}

// appendCheckCase appends how a check's case stands, as webhooks tell it: nothing of who
// decided it, or of what was noted for colleagues.
func appendCheckCase(dst []byte, c *store.Case) []byte {
	dst = wire.Str(wire.Str(dst, "case_id", string(c.ID)), "state", c.State)
	if c.Decision != "" {
		dst = wire.Flag(wire.Str(dst, "decision", c.Decision), "undone", c.Undone)
		dst = wire.Some(wire.Some(wire.Some(dst, "category", string(c.Category)), "sub_label", c.SubLabel), "policy", c.Policy)
	}
	return wire.When(dst, "updated_at", c.Updated)
}
