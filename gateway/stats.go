package gateway

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/internal/table"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Stats answers for what was counted; package stats has the one there is. What cannot
// be answered is a *table.Fault.
type Stats interface {
	Answer(ctx context.Context, kind string, q table.Query) (*table.Answer, error)
}

const (
	statsUsual   = 7 * 24 * time.Hour
	topAtMost    = 1000
	topUsual     = 50
	topOfSteps   = 20 // where each is told by step
	filterAtMost = 32
)

// statsFilters are what statistics may be asked for by; not each knows each.
var statsFilters = []string{
	"kind", "way", "mode", "language", "region", "segment", "suggestion", "action", "degraded", "scene", "category", "sub_label", "source",
}

// stats answers GET /stats/{kind}?from=&to=&step=&by=&top=&compare=&format=&table= and
// the filters.
func (g *Gateway) stats(kind string) func(c *call) error {
	return func(c *call) error {
		q, err := readFigures(c)
		if err != nil {
			return err
		}
		csv, err := oneOf(c, "format", "json", "csv")
		if err != nil {
			return err
		}
		a, err := g.deps.Stats.Answer(c.ctx(), kind, q)
		if err != nil {
			return noFigures(err)
		}
		if csv == "csv" {
			return c.csv(kind, a)
		}
		return c.ok(func(dst []byte) []byte { return wire.AppendAnswer(dst, a) })
	}
}

// noFigures translates what is wrong with a question.
func noFigures(err error) error {
	if fault, ok := errors.AsType[*table.Fault](err); ok {
		return wire.Invalid("?"+fault.Param, fault.Reason)
	}
	return err
}

// csv answers one table: that which is asked for, or the chief one.
func (c *call) csv(name string, a *table.Answer) error {
	t := &a.Tables[0]
	if q := c.Query("table"); q != "" {
		i := slices.IndexFunc(a.Tables, func(t table.Table) bool { return t.ID == q })
		if i < 0 {
			ids := make([]string, len(a.Tables))
			for i := range a.Tables {
				ids[i] = a.Tables[i].ID
			}
			return wire.Invalid("?table", "must be of "+strings.Join(ids, ", "))
		}
		t = &a.Tables[i]
		name += "-" + t.ID
	}
	return c.file("text/csv; charset=utf-8; header=present", name+".csv", t.AppendCSV(nil))
}

// file answers a file to keep.
func (c *call) file(typ, name string, body []byte) error {
	c.Set(fiber.HeaderContentType, typ)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Send(body)
}

// readFigures reads what is asked for, all faults but those of the answer itself.
func readFigures(c *call) (q table.Query, err error) {
	q = table.Query{App: c.app, Top: topUsual}
	var wrong faults
	q.From, q.To, err = readPeriod(c)
	wrong.add(err)
	q.Step = map[string]time.Duration{"hour": time.Hour, "day": 24 * time.Hour}[wrong.oneOf(c, "step", "", "hour", "day")]
	q.Compare = wrong.oneOf(c, "compare", "", "previous") != ""
	usual := topUsual
	if q.Step > 0 {
		usual = topOfSteps
	}
	q.Top = wrong.count(c, "top", usual, topAtMost)
	if by := strings.Clone(c.Query("by")); by != "" {
		q.By = strings.Split(by, ",")
	}
	for _, name := range statsFilters {
		for _, raw := range c.Context().QueryArgs().PeekMulti(name) {
			v := string(raw)
			if len(v) > 128 || len(q.Where[name]) == filterAtMost {
				wrong.tell("?"+name, "must be at most 128 bytes, "+strconv.Itoa(filterAtMost)+" times at most")
				break
			}
			if q.Where == nil {
				q.Where = map[string][]string{}
			}
			q.Where[name] = append(q.Where[name], v)
		}
	}
	return q, wrong.err()
}

// readPeriod reads ?from=&to=, the last week where nothing is said.
func readPeriod(c *call) (from, to time.Time, err error) {
	var wrong faults
	to, err = queryTime(c, "to", time.Now())
	wrong.add(err)
	from, err = queryTime(c, "from", to.Add(-statsUsual))
	wrong.add(err)
	return from, to, wrong.err()
}

// queryTime reads a time, or a date of UTC.
func queryTime(c *call, name string, usual time.Time) (time.Time, error) {
	q := c.Query(name)
	if q == "" {
		return usual, nil
	}
	t, err := time.Parse(time.RFC3339, q)
	if err != nil {
		t, err = time.Parse(time.DateOnly, q)
	}
	if err != nil || t.Year() < 2000 || t.Year() > 2200 {
		return t, wire.Invalid("?"+name, "must be a time as 2026-01-31T00:00:00Z, or a date as 2026-01-31, from the year 2000 on")
	}
	return t, nil
}

// oneOf reads one of some words, the first where nothing is said.
func oneOf(c *call, name string, list ...string) (string, error) {
	q := c.Query(name, list[0])
	if !slices.Contains(list, q) {
		return "", wire.Invalid("?"+name, "must be of "+strings.Trim(strings.Join(list, ", "), ", "))
	}
	return strings.Clone(q), nil
}
