package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const caseFields = `case_id, app_id, request_id, subject_id, player_id, scene_id, state, held, kind, details, queue, category, sub_label, severity,
	priority, due_ts, assignee, until_ts, level, parent_id, second, barred, report_group, reporters, weight, decision, decided_by, policy,
	reason, note, decided_ts, undone, version, created_ts, updated_ts`

const caseColumns = `SELECT ` + caseFields + ` FROM review_case `

// insertCase reports how many cases were new, one or none, and tells of a new one.
// The economy tells of its own; of a second look nobody is to know.
func insertCase(ctx context.Context, q querier, c *store.Case) (int64, error) {
	details, err := encodeAlert(c.Alert)
	if err != nil {
		return 0, err
	}
	n, err := exec(ctx, q, `INSERT INTO review_case (`+caseFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
		$17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35) ON CONFLICT DO NOTHING`,
		c.ID, c.App, c.Request, c.Subject, c.Player, c.Scene, c.State, flag(c.Held), c.Kind, details, c.Queue, c.Category, c.SubLabel, c.Severity,
		c.Priority, zeroMillis(c.Due), c.Assignee, zeroMillis(c.Until), c.Level, c.Parent, flag(c.Second), strings.Join(c.Barred, "\n"), c.Group,
		c.Reporters, c.Weight, c.Decision, c.By, c.Policy, []byte(c.Reason), []byte(c.Note), zeroMillis(c.Decided), flag(c.Undone), c.Version,
		millis(c.Created), millis(c.Updated))
	if err == nil && n == 1 && c.Alert == nil && !c.Second {
		err = tellOpened(ctx, q, c)
	}
	return n, err
}

// tellOpened tells of a new case where anybody is to be told: a verdict waits for this,
// and most apps have no webhook.
func tellOpened(ctx context.Context, q querier, c *store.Case) error {
	var listens bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM webhook WHERE app_id = $1)`, c.App).Scan(&listens)
	if err != nil || !listens {
		return err
	}
	return tellCase(ctx, q, store.EventCaseOpened, c)
}

// tellCase tells of a case as it is now.
func tellCase(ctx context.Context, q querier, typ string, c *store.Case) error {
	fact, err := store.EventFact(c)
	if err != nil {
		return err
	}
	return tell(ctx, q, store.Event{App: c.App, Type: typ, Fact: fact})
}

func scanCase(row scanner) (c store.Case, err error) {
	var (
		held, second, undone                  int
		reason, note, details                 []byte
		due, until, decided, created, updated int64
		barred                                string
	)
	err = row.Scan(&c.ID, &c.App, &c.Request, &c.Subject, &c.Player, &c.Scene, &c.State, &held, &c.Kind, &details, &c.Queue, &c.Category, &c.SubLabel,
		&c.Severity, &c.Priority, &due, &c.Assignee, &until, &c.Level, &c.Parent, &second, &barred, &c.Group, &c.Reporters, &c.Weight,
		&c.Decision, &c.By, &c.Policy, &reason, &note, &decided, &undone, &c.Version, &created, &updated)
	c.Held, c.Second, c.Undone, c.Reason, c.Note = held != 0, second != 0, undone != 0, string(reason), string(note)
	c.Due, c.Until, c.Decided = someMillis(due), someMillis(until), someMillis(decided)
	c.Created, c.Updated, c.Alert = fromMillis(created), fromMillis(updated), decodeAlert(details)
	if barred != "" {
		c.Barred = strings.Split(barred, "\n")
	}
	return c, err
}

// Case returns one case.
func (s *Store) Case(ctx context.Context, id engines.CaseID) (store.Case, error) {
	c, err := scanCase(s.core.read().QueryRowContext(ctx, caseColumns+`WHERE case_id = $1`, id))
	if err != nil {
		return store.Case{}, fmt.Errorf("case %s: %w", id, classify(err))
	}
	return c, nil
}

// query is a condition that is put together, with its arguments.
type query struct {
	text strings.Builder
	args []any
}

// and adds a condition, in which each ? is the next argument.
func (w *query) and(text string, args ...any) {
	if w.text.Len() == 0 {
		w.text.WriteString("WHERE ")
	} else {
		w.text.WriteString(" AND ")
	}
	w.add("("+text+")", args...)
}

// add appends text as it is.
func (w *query) add(text string, args ...any) {
	for _, arg := range args {
		before, rest, _ := strings.Cut(text, "?")
		w.args = append(w.args, arg)
		_, _ = fmt.Fprintf(&w.text, "%s$%d", before, len(w.args)) // a builder never fails
		text = rest
	}
	w.text.WriteString(text)
}

// Cases lists cases: those of a higher priority first, then those that are due
// sooner.
func (s *Store) Cases(ctx context.Context, cq store.CaseQuery) ([]store.Case, error) {
	var w query
	if cq.Now.IsZero() && len(cq.States) == 1 {
		w.and(`state = ?`, cq.States[0]) // an index has it in this order
	} else {
		w.inStates(cq.States, millis(cq.Now))
	}
	for _, f := range []struct{ column, value string }{
		{"app_id", string(cq.App)}, {"queue", cq.Queue}, {"category", string(cq.Category)}, {"player_id", string(cq.Player)}, {"assignee", cq.Assignee},
	} {
		if f.value != "" {
			w.and(f.column+` = ?`, f.value)
		}
	}
	switch cq.Kind {
	case "":
	case "content":
		w.and(`kind = ''`)
	default:
		w.and(`kind = ?`, cq.Kind)
	}
	if !cq.DueBefore.IsZero() {
		w.and(`due_ts < ?`, millis(cq.DueBefore))
	}
	if cq.Held {
		w.and(`held = 1`)
	}
	if cq.NotSkippedBy != "" {
		w.and(`NOT EXISTS (SELECT 1 FROM case_event e WHERE e.case_id = review_case.case_id AND e.action = 'skip' AND e.actor = ?)`, cq.NotSkippedBy)
	}
	if m := cq.After; m.ID != "" {
		due := zeroMillis(m.Due)
		w.and(`priority < ? OR priority = ? AND (due_ts > ? OR due_ts = ? AND case_id > ?)`, m.Priority, m.Priority, due, due, string(m.ID))
	}
	w.add(` ORDER BY priority DESC, due_ts, case_id LIMIT ?`, cq.Limit)
	cases, err := collect(ctx, s.core.read(), scanCase, caseColumns+w.text.String(), w.args...)
	if err != nil {
		return nil, fmt.Errorf("list cases: %w", classify(err))
	}
	return cases, nil
}

// inStates keeps cases that are in one of these states as of now: what was somebody's
// until a time that has passed is open again. It comes before every other condition.
func (w *query) inStates(states []string, now int64) {
	if len(states) == 0 {
		return
	}
	w.add("WHERE (")
	for i, state := range states {
		if i > 0 {
			w.add(" OR ")
		}
		switch state {
		case store.CaseClaimed, store.CaseHeld:
			w.add(`state = ? AND until_ts > ?`, state, now)
		case store.CaseOpen:
			w.add(`state = 'open' OR state IN ('claimed', 'held') AND level = 0 AND until_ts <= ?`, now)
		case store.CaseEscalated:
			w.add(`state = 'escalated' OR state IN ('claimed', 'held') AND level > 0 AND until_ts <= ?`, now)
		default:
			w.add(`state = ?`, state)
		}
	}
	w.add(")")
}

// CasesOfPlayer lists a player's closed cases, newest first.
func (s *Store) CasesOfPlayer(ctx context.Context, app engines.AppID, player engines.PlayerID, most int) ([]store.Case, error) {
	list, err := collect(ctx, s.core.read(), scanCase, caseColumns+`WHERE app_id = $1 AND player_id = $2 AND state = 'closed' AND second = 0
		ORDER BY case_id DESC LIMIT $3`, string(app), string(player), most)
	if err != nil {
		return nil, fmt.Errorf("cases of a player: %w", classify(err))
	}
	return list, nil
}

// CasesDue lists claims and holds whose time has passed, up to most.
func (s *Store) CasesDue(ctx context.Context, now time.Time, most int) ([]engines.CaseID, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (id engines.CaseID, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT case_id FROM review_case WHERE until_ts > 0 AND until_ts <= $1 ORDER BY until_ts LIMIT $2`, millis(now), most)
	if err != nil {
		return nil, fmt.Errorf("cases whose time has passed: %w", classify(err))
	}
	return list, nil
}

// CaseEvents lists what became of a case, oldest first.
func (s *Store) CaseEvents(ctx context.Context, id engines.CaseID) ([]store.CaseEvent, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (e store.CaseEvent, err error) {
		var at int64
		var detail []byte
		err = row.Scan(&e.Version, &at, &e.Actor, &e.Action, &e.State, &detail, &e.Key)
		e.At, e.Detail = fromMillis(at), string(detail)
		return e, err
	}, `SELECT version, at_ts, actor, action, state, detail, request_key FROM case_event WHERE case_id = $1 ORDER BY version`, string(id))
	if err != nil {
		return nil, fmt.Errorf("history of case %s: %w", id, classify(err))
	}
	return list, nil
}
