package gateway

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Cases is the review queue; internal/casework has the one there is. What is not
// possible is a casework.Refusal, what is not there store.ErrNotFound.
type Cases interface {
	CaseList
	CaseWork
	Complaints
}

// CaseList shows cases.
type CaseList interface {
	List(ctx context.Context, q store.CaseQuery) ([]casework.File, error)
	File(ctx context.Context, id engines.CaseID) (*casework.File, error)
	// Case is what of it File begins with.
	Case(ctx context.Context, id engines.CaseID) (store.Case, error)
	Queues(ctx context.Context, app engines.AppID) ([]store.CaseQueue, error)
	// HasQueue reports whether there is a queue of this name.
	HasQueue(name string) bool
	// Routing is what the queue was configured with.
	Routing() casework.Config
	Agreement(ctx context.Context, app engines.AppID, from, to time.Time) (casework.Agreement, error)
}

// CaseWork moves cases.
type CaseWork interface {
	Move(ctx context.Context, id engines.CaseID, m casework.Move) (store.Case, error)
	// Next claims the most urgent case that the person may take, or is casework.ErrNone.
	Next(ctx context.Context, p casework.Person, app engines.AppID, queue string) (store.Case, error)
	Preferences(ctx context.Context, name string) (store.Preferences, error)
	PutPreferences(ctx context.Context, p store.Preferences) error
	Exposure(ctx context.Context, name string) (int, error)
}

const casesAtOnce = 200

// caseStates are the words of ?state= that stand for several states.
var caseStates = map[string][]string{
	"pending": {store.CaseOpen, store.CaseClaimed, store.CaseHeld, store.CaseEscalated},
	"all":     {store.CaseOpen, store.CaseClaimed, store.CaseHeld, store.CaseEscalated, store.CaseClosed},
}

// listCases answers GET /cases with its filters.
func (g *Gateway) listCases(c *call) error {
	q, err := readCaseQuery(c)
	if err != nil {
		return err
	}
	most := q.Limit
	q.Limit++
	list, err := g.deps.Cases.List(c.ctx(), q)
	if err != nil {
		return err
	}
	cursor := ""
	if len(list) > most {
		list = list[:most]
		last := &list[most-1].Case
		cursor = cursorOf(economy.Mark{At: last.Due.UnixMilli(), ID: strconv.Itoa(last.Priority) + " " + string(last.ID)})
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "cases", len(list), func(dst []byte, i int) []byte {
			return appendCase(wire.Str(dst, "request_id", string(list[i].Case.About())), &list[i], false)
		})
		return wire.Some(dst, "cursor", cursor)
	})
}

func readCaseQuery(c *call) (store.CaseQuery, error) {
	q := store.CaseQuery{Limit: casesAtOnce}
	var wrong faults
	for state := range strings.SplitSeq(strings.Clone(c.Query("state", store.CaseOpen)), ",") {
		switch several, ok := caseStates[state]; {
		case ok:
			q.States = append(q.States, several...)
		case slices.Contains(caseStates["all"], state):
			q.States = append(q.States, state)
		default:
			wrong.tell("?state", "must be open, claimed, held, escalated, closed, pending or all")
		}
	}
	if s := c.Query("limit"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > casesAtOnce {
			wrong.tell("?limit", "must be 1 to "+strconv.Itoa(casesAtOnce))
		}
		q.Limit = n
	}
	q.App, q.Queue, q.Kind = engines.AppID(wrong.id(c, "app_id")), wrong.id(c, "queue"), wrong.id(c, "kind")
	q.Category, q.Player, q.Assignee = engines.Category(wrong.id(c, "category")), engines.PlayerID(wrong.id(c, "player_id")), wrong.id(c, "assignee")
	if q.Assignee == "me" {
		q.Assignee = c.user.Name
	}
	var err error
	q.DueBefore, err = caseTime(c, "due_before")
	wrong.add(err)
	switch c.Query("held") {
	case "", "false":
	case "true":
		q.Held = true
	default:
		wrong.tell("?held", "must be true or false")
	}
	if s := c.Query("cursor"); s != "" {
		at, rest, ok := readCursor(s)
		priority, id, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(priority)
		if !ok || err != nil || id == "" {
			wrong.tell("?cursor", "must be the cursor of an answer")
		}
		q.After = store.QueueMark{Priority: n, Due: time.UnixMilli(at), ID: engines.CaseID(id)}
	}
	return q, wrong.err()
}

// caseTime reads an ISO 8601 time of the query, the zero time when absent.
func caseTime(c *call, name string) (time.Time, error) {
	s := c.Query(name)
	if s == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil || at.Year() < 1970 || at.Year() > 9999 {
		return time.Time{}, wire.Invalid("?"+name, "must be an ISO 8601 time")
	}
	return at, nil
}

// readCase answers GET /cases/{id}.
func (g *Gateway) readCase(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	f, err := g.deps.Cases.File(c.ctx(), engines.CaseID(id))
	if err != nil {
		return caseFault(err)
	}
	return c.ok(func(dst []byte) []byte { return appendFile(dst, f) })
}

// listQueues answers GET /queues?app_id=.
func (g *Gateway) listQueues(c *call) error {
	app, err := queryID(c, "app_id", false)
	if err != nil {
		return err
	}
	list, err := g.deps.Cases.Queues(c.ctx(), engines.AppID(app))
	if err != nil {
		return err
	}
	now, routing := time.Now(), g.deps.Cases.Routing()
	return c.ok(func(dst []byte) []byte {
		dst = appendRouting(dst, &routing)
		return wire.List(dst, "queues", len(list), func(dst []byte, i int) []byte {
			q := &list[i]
			dst = wire.Num(wire.Str(dst, "queue", q.Queue), "count", int64(q.Open+q.Claimed+q.Held))
			dst = wire.Num(wire.Num(wire.Num(dst, "open", int64(q.Open)), "claimed", int64(q.Claimed)), "held", int64(q.Held))
			dst = wire.Num(dst, "overdue", int64(q.Overdue))
			dst = wire.Num(wire.When(dst, "oldest_at", q.Oldest), "oldest_age_s", int64(now.Sub(q.Oldest).Seconds()))
			return wire.List(dst, "owners", len(q.Owners), func(dst []byte, i int) []byte {
				return wire.Num(wire.Str(dst, "name", q.Owners[i].Name), "cases", int64(q.Owners[i].Cases))
			})
		})
	})
}

// agreementUsual is the period where none is asked for.
const agreementUsual = 30 * 24 * time.Hour

// agreement answers GET /cases/agreement?from=&to=&app_id=.
func (g *Gateway) agreement(c *call) error {
	var wrong faults
	app := wrong.id(c, "app_id")
	from, err := caseTime(c, "from")
	wrong.add(err)
	to, err := caseTime(c, "to")
	wrong.add(err)
	if err := wrong.err(); err != nil {
		return err
	}
	if to.IsZero() {
		to = time.Now().Add(time.Second) // what was decided just now too
	}
	if from.IsZero() {
		from = to.Add(-agreementUsual)
	}
	if !from.Before(to) {
		return wire.Invalid("?from", "must be before to")
	}
	a, err := g.deps.Cases.Agreement(c.ctx(), engines.AppID(app), from, to)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.When(wire.When(dst, "from", from), "to", to)
		dst = wire.Num(wire.Num(dst, "pairs", int64(a.Pairs)), "agreed", int64(a.Agreed))
		dst = appendKappa(wire.Real(dst, "raw", a.Raw), a.Kappa, a.Defined)
		return wire.List(dst, "categories", len(a.Categories), func(dst []byte, i int) []byte {
			k := &a.Categories[i]
			dst = wire.Num(wire.Str(dst, "category", string(k.Category)), "both", int64(k.Both))
			dst = wire.Num(wire.Num(wire.Num(dst, "first_only", int64(k.FirstOnly)), "second_only", int64(k.SecondOnly)), "neither", int64(k.Neither))
			return appendKappa(wire.Real(dst, "raw", k.Raw), k.Kappa, k.Defined)
		})
	})
}

func appendKappa(dst []byte, kappa float64, defined bool) []byte {
	if !defined {
		return append(dst, `,"kappa":null`...)
	}
	return wire.Real(dst, "kappa", kappa)
}

// caseFault translates why a case can't be shown or moved.
func caseFault(err error) error {
	var refusal *casework.Refusal
	switch {
	case errors.As(err, &refusal) && errors.Is(err, casework.ErrForbidden):
		return wire.Fail(wire.Forbidden, refusal.Why)
	case errors.As(err, &refusal) && errors.Is(err, casework.ErrCategory):
		return wire.Invalid("/category", refusal.Why)
	case errors.As(err, &refusal):
		return wire.Fail(wire.Conflict, refusal.Why)
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such case")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "the key was used for another action or body")
	}
	return err
}
