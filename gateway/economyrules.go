package gateway

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	ruleVersionsUsual = 50
	statsDaysUsual    = 30
	statsDaysAtMost   = 366
)

// pathRule reads the name of a rule.
func pathRule(c *call) (string, error) {
	name := strings.Clone(c.Params("name"))
	if !economy.ValidRuleName(name) {
		return "", wire.Invalid("/name", "must be 1 to 48 of a-z 0-9 _ -, beginning with a letter or digit")
	}
	return name, nil
}

// unknownRule translates what is wrong with rules and back-tests.
func unknownRule(err error) error {
	switch {
	case errors.Is(err, economy.ErrNoRule):
		return wire.Fail(wire.NotFound, "no such rule")
	case errors.Is(err, economy.ErrNoBacktest):
		return wire.Fail(wire.NotFound, "no such back-test")
	case errors.Is(err, economy.ErrRuleVersion):
		return wire.Fail(wire.Conflict, "the rule has changed since it was read, or If-Match is missing")
	case errors.Is(err, economy.ErrUntried):
		return wire.Invalid("/state", "a rule goes live only from shadow with the same on, when and then, or after a back-test of them that is done")
	case errors.Is(err, economy.ErrRuleLimit):
		return wire.Fail(wire.Conflict, "the app has as many as it may have: 1,000 rules, 100 in shadow or live, 10,000 snoozes")
	case errors.Is(err, economy.ErrBacktests):
		e := wire.Fail(wire.RateLimited, "two of the app's back-tests, or eight of this gateway's, wait already")
		e.RetryAfter = 10 * time.Second
		return e
	}
	return unknownPlayer(err)
}

// listRules answers GET /economy/rules.
func (g *Gateway) listRules(c *call) error {
	list, err := g.deps.Rules.Rules(c.ctx(), c.app)
	if err != nil {
		return unknownRule(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendRules(dst, list) })
}

// rule answers GET /economy/rules/{name}.
func (g *Gateway) rule(c *call) error {
	name, err := pathRule(c)
	if err != nil {
		return err
	}
	list, err := g.deps.Rules.History(c.ctx(), c.app, name, 0, 1)
	if err != nil {
		return unknownRule(err)
	}
	return c.withRule(&list[0])
}

// withRule answers a rule, with its version as ETag.
func (c *call) withRule(r *economy.Rule) error {
	c.Set(fiber.HeaderETag, strconv.Quote(strconv.Itoa(r.Version)))
	return c.ok(func(dst []byte) []byte { return wire.AppendRule(dst, r) })
}

// ifMatch reads the version that a change is meant for; 0 for a new thing.
func ifMatch(c *call) (int, error) {
	lines := headers(c.Ctx, fiber.HeaderIfMatch)
	if len(lines) == 0 {
		return 0, nil
	}
	tag := strings.TrimSpace(lines[0])
	n, err := strconv.Atoi(strings.Trim(tag, `"`))
	if len(lines) > 1 || err != nil || n < 1 || tag != strconv.Quote(strconv.Itoa(n)) {
		return 0, wire.Fail(wire.InvalidParameter, `If-Match must be the ETag of an answer, as "3"`)
	}
	return n, nil
}

// change reads the version that a change is meant for, 0 for a new thing, and its body.
func (c *call) change() (was int, o *wire.Object, err error) {
	if was, err = ifMatch(c); err != nil {
		return 0, nil, err
	}
	o, err = c.object()
	return was, o, err
}

// putRule answers PUT /economy/rules/{name}.
func (g *Gateway) putRule(c *call) error {
	name, err := pathRule(c)
	if err != nil {
		return err
	}
	was, o, err := c.change()
	if err != nil {
		return err
	}
	r := wire.ReadRule(o, c.app, false)
	r.Name, r.By = name, c.actor()
	if err := o.Merge("", g.deps.Rules.Faults(&r)); err != nil {
		return err
	}
	stored, err := g.deps.Rules.Put(c.ctx(), r, was)
	if err != nil {
		return unknownRule(err)
	}
	g.log.Info("economy: rule", "request_id", c.request, "app", c.app, "rule", name, "version", stored.Version, "state", stored.State)
	return c.withRule(&stored)
}

// ruleHistory answers GET /economy/rules/{name}/history?before=&limit=.
func (g *Gateway) ruleHistory(c *call) error {
	var wrong faults
	name, err := pathRule(c)
	wrong.add(err)
	before, most := wrong.count(c, "before", 0, 1<<30), wrong.count(c, "limit", ruleVersionsUsual, pageAtMost)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Rules.History(c.ctx(), c.app, name, before, most)
	if err != nil {
		return unknownRule(err)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(wire.Str(dst, "name", name), "versions", len(list), func(dst []byte, i int) []byte { return wire.AppendRule(dst, &list[i]) })
	})
}

// queryCount reads a number of the query string, at least 1.
func queryCount(c *call, name string, usual, most int) (int, error) {
	q := c.Query(name)
	if q == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(q)
	if err != nil || n < 1 || n > most {
		return 0, wire.Invalid("?"+name, "must be 1 to "+strconv.Itoa(most))
	}
	return n, nil
}

// ruleStats answers GET /economy/rules/{name}/stats?days=.
func (g *Gateway) ruleStats(c *call) error {
	var wrong faults
	name, err := pathRule(c)
	wrong.add(err)
	days := wrong.count(c, "days", statsDaysUsual, statsDaysAtMost)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Rules.History(c.ctx(), c.app, name, 0, 1)
	if err != nil {
		return unknownRule(err)
	}
	counts, snoozed, err := g.deps.Rules.Stats(c.ctx(), c.app, name, int64(days))
	if err != nil {
		return unknownRule(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendRuleStats(dst, &list[0], counts, snoozed) })
}

// snoozeRule answers POST /economy/rules/{name}/snooze.
func (g *Gateway) snoozeRule(c *call) error {
	name, err := pathRule(c)
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadSnooze(o)
	if err != nil {
		return err
	}
	z, err := g.deps.Rules.Snooze(c.ctx(), economy.Snooze{
		App: c.app, Rule: name, Player: r.Player, By: c.actor(), Reason: r.Reason,
	}, r.Hours)
	if err != nil {
		return unknownRule(err)
	}
	g.log.Info("economy: snooze", "request_id", c.request, "app", c.app, "rule", name, "player", r.Player, "hours", r.Hours, "by", c.actor())
	return c.ok(func(dst []byte) []byte {
		return wire.When(wire.Str(wire.Str(dst, "rule", name), "player_id", string(z.Player)), "until", time.UnixMilli(z.Until))
	})
}

// backtestRule answers POST /economy/rules/{name}/backtest.
func (g *Gateway) backtestRule(c *call) error {
	name, err := pathRule(c)
	if err != nil {
		return err
	}
	o, err := c.optionalObject()
	if err != nil {
		return err
	}
	r := wire.ReadBacktest(o, c.app)
	var wrong error
	if r.Rule != nil {
		r.Rule.Name = name
		wrong = g.deps.Rules.Faults(r.Rule)
	}
	if err := o.Merge("rule", wrong); err != nil {
		return err
	}
	b, err := g.deps.Rules.Backtest(c.ctx(), economy.Backtest{
		App: c.app, ID: string(c.request), Rule: name, From: r.From, To: r.To, By: c.actor(),
	}, r.Rule)
	if _, ok := errors.AsType[economy.RuleFaults](err); ok {
		return o.Merge("", err)
	}
	if err != nil {
		return unknownRule(err)
	}
	return send(c.Ctx, fiber.StatusAccepted, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte { return wire.AppendBacktest(dst, &b) }))
}

// backtestResult answers GET /economy/rules/{name}/backtest/{id}.
func (g *Gateway) backtestResult(c *call) error {
	name, err := pathRule(c)
	if err != nil {
		return err
	}
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	b, err := g.deps.Rules.ResultOf(c.ctx(), c.app, name, id)
	if err != nil {
		return unknownRule(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendBacktest(dst, &b) })
}

// tryRule answers POST /economy/rules/try.
func (g *Gateway) tryRule(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	t := wire.ReadTry(o, c.app, time.Now())
	t.Rule.Name = "try"
	var wrong error
	if t.Rule.App != "" {
		wrong = g.deps.Rules.Faults(&t.Rule)
	}
	if err := o.Merge("rule", wrong); err != nil {
		return err
	}
	trial, err := g.deps.Rules.Try(c.ctx(), &t.Rule, t.Player, &t.Trade)
	if err != nil {
		return unknownRule(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendTrial(dst, t.Rule.On, &trial) })
}
