package casework_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

const (
	moderators = 32
	casesEach  = 10 // in all
	movesEach  = 60
	lease      = 5 * time.Millisecond
)

// faulty is a store that fails before it does something, or after it has, or is slow.
type faulty struct {
	*sqlstore.Store
	chance *chance
}

func (f faulty) before() error {
	if f.chance.hit(10) {
		time.Sleep(time.Duration(f.chance.n(5)) * time.Millisecond) // a slow one, not a wait for anything
	}
	if f.chance.hit(8) {
		return fmt.Errorf("before: %w", store.ErrUnavailable)
	}
	return nil
}

func (f faulty) after() error {
	if f.chance.hit(8) {
		return fmt.Errorf("after: %w", store.ErrUnavailable)
	}
	return nil
}

func (f faulty) MoveCase(ctx context.Context, id engines.CaseID, action, key string, step func(store.CaseFacts) (store.CaseChange, error)) (store.Case, []store.Effect, error) {
	if err := f.before(); err != nil {
		return store.Case{}, nil, err
	}
	c, effects, err := f.Store.MoveCase(ctx, id, action, key, step)
	if err == nil {
		err = f.after()
	}
	if err != nil {
		return store.Case{}, nil, err
	}
	return c, effects, nil
}

func (f faulty) FinishEffect(ctx context.Context, e store.Effect) error {
	if err := f.before(); err != nil {
		return err
	}
	return errors.Join(f.Store.FinishEffect(ctx, e), f.after())
}

func (f faulty) ClaimEffects(ctx context.Context, id engines.CaseID, now, until time.Time, most int) ([]store.Effect, error) {
	if err := f.before(); err != nil {
		return nil, err
	}
	list, err := f.Store.ClaimEffects(ctx, id, now, until, most)
	if err == nil {
		err = f.after()
	}
	return list, err
}

// asked is what a moderator asked and learned.
type asked struct {
	move       casework.Move
	id         engines.CaseID
	start, end time.Time
	got        store.Case
	err        error // a refusal; else it was done
}

// TestConformance has many moderators work on few cases at two gateways of one store,
// while the store and what is outside fail, and holds what came of it against a model:
// nothing was decided twice, nothing that was answered is lost, nothing that was
// refused happened, what one saw done was done before what it asked next, and what is
// outside is as the cases say.
func TestConformance(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		cfg := casework.Default()
		cfg.Lease = lease
		dice := newChance(uint64(time.Now().UnixNano()))
		out := newOutside()
		out.faults = func() (before, after bool) { return dice.hit(10), dice.hit(10) }
		now := &clock{}
		gateway := func(st casework.Store) *casework.Service {
			return casework.New(cfg, casework.Deps{
				Store: st, Scenes: out, Notices: out, Ruled: out, People: anybody{}, Now: now.now, Log: slog.New(slog.DiscardHandler),
			})
		}
		gateways := []*casework.Service{gateway(faulty{db, dice}), gateway(faulty{db, dice})}
		d := &desk{Service: gateways[0], db: db, out: out, clock: now}
		var ids []engines.CaseID
		for i := range casesEach {
			ids = append(ids, d.held(t, fmt.Sprint("c", i), fmt.Sprint("p", i)).ID)
		}
		log := work(t, gateways, ids, dice)

		// Everything stands still: what is left is finished by who looks next.
		out.faults = nil
		quiet := gateway(db)
		for range 3 {
			now.forward(time.Hour)
			for range casesEach * 20 {
				if err := quiet.Look(t.Context()); err != nil {
					t.Fatal(err)
				}
				if left, err := db.ClaimEffects(t.Context(), "", time.Now().Add(1000*time.Hour), time.Now(), 1); err != nil || len(left) == 0 {
					break
				}
			}
		}
		steps := 0
		for _, id := range ids {
			history, err := db.CaseEvents(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			steps += len(history)
			c, err := db.Case(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			m := replay(t, id, history, cfg.Lease)
			m.is(t, &c)
			answered(t, id, history, log)
			outcome(t, d, &c, m)
		}
		if err := db.VerifyAudit(t.Context(), node); err != nil {
			t.Error(err)
		}
		t.Logf("%d moves were asked, %d steps taken", len(log), steps)
		if steps < casesEach*4 {
			t.Errorf("only %d steps: the test does not test much", steps)
		}
	})
}

// anybody may be handed a case.
type anybody struct{}

func (anybody) Person(_ context.Context, name string) (casework.Person, error) {
	return casework.Person{Name: name, Role: "moderator"}, nil
}

// work has the moderators at it and returns all that they asked.
func work(t *testing.T, gateways []*casework.Service, ids []engines.CaseID, dice *chance) []asked {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var lookers, people sync.WaitGroup
	for _, g := range gateways {
		lookers.Go(func() {
			for ctx.Err() == nil {
				_ = g.Look(ctx) // fails as often as the store does
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	logs := make([][]asked, moderators)
	for i := range moderators {
		people.Go(func() {
			me := casework.Person{Name: fmt.Sprint("mod", i), Role: "moderator"}
			if i%8 == 0 {
				me.Role = "senior"
			}
			for n := range movesEach {
				a := asked{id: ids[dice.n(len(ids))], move: some(dice, me)}
				a.move.Key = fmt.Sprint(me.Name, "-", n)
				a.start = time.Now()
				for {
					a.got, a.err = gateways[dice.n(len(gateways))].Move(t.Context(), a.id, a.move)
					if a.err == nil || !errors.Is(a.err, store.ErrUnavailable) {
						break
					}
				}
				a.end = time.Now()
				logs[i] = append(logs[i], a)
			}
		})
	}
	people.Wait()
	stop()
	lookers.Wait()
	var all []asked
	for _, log := range logs {
		all = append(all, log...)
	}
	return all
}

// some move that a person may think of.
func some(dice *chance, me casework.Person) casework.Move {
	m := casework.Move{By: me, Version: casework.AnyVersion, Reason: "r"}
	switch n := dice.n(100); {
	case n < 30:
		m.Action = casework.Claim
	case n < 40:
		m.Action = casework.Renew
	case n < 48:
		m.Action = casework.Release
	case n < 58:
		m.Action, m.To = casework.HandOver, casework.Person{Name: fmt.Sprint("mod", dice.n(moderators))}
	case n < 64:
		m.Action, m.Until = casework.Hold, time.Now().Add(time.Duration(5+dice.n(15))*time.Millisecond)
	case n < 66:
		m.Action, m.Queue = casework.Escalate, "abuse"
	case n < 70:
		m.Action = casework.Skip
	case n < 82:
		m.Action, m.Decision = casework.Decide, []string{store.CaseApproved, store.CaseRejected}[dice.n(2)]
	default:
		m.Action, m.Reopen = casework.Undo, dice.hit(70)
	}
	return m
}

// answered holds what people were told against the history.
func answered(t *testing.T, id engines.CaseID, history []store.CaseEvent, log []asked) {
	t.Helper()
	at := map[string]store.CaseEvent{}
	for _, e := range history {
		if e.Key == "" {
			continue
		}
		if before, twice := at[e.Key]; twice {
			t.Errorf("%s: %s was done at %d and %d", id, e.Key, before.Version, e.Version)
		}
		at[e.Key] = e
	}
	type done struct {
		version    int
		start, end time.Time
	}
	var order []done
	for i := range log {
		a := &log[i]
		if a.id != id {
			continue
		}
		e, happened := at[a.move.Key]
		switch {
		case a.err != nil && happened:
			t.Errorf("%s: %s was refused (%v) and happened at %d", id, a.move.Key, a.err, e.Version)
		case a.err != nil && !errors.Is(a.err, store.ErrConflict) && !errors.Is(a.err, casework.ErrForbidden):
			t.Errorf("%s: %s: %v", id, a.move.Key, a.err)
		case a.err != nil:
		case !happened: // a heart-beat, or an undo of what was undone, leaves no step
			if a.move.Action != casework.Renew && a.move.Action != casework.Claim && a.move.Action != casework.Undo {
				t.Errorf("%s: %s of %s was answered and is lost", id, a.move.Action, a.move.Key)
			}
		case e.Actor != a.move.By.Name || e.Action != string(a.move.Action) || a.got.Version < e.Version:
			t.Errorf("%s: %s was answered with version %d: %+v", id, a.move.Key, a.got.Version, e)
		default:
			order = append(order, done{e.Version, a.start, a.end})
		}
	}
	for _, x := range order {
		for _, y := range order {
			if x.end.Before(y.start) && x.version >= y.version {
				t.Errorf("%s: what was done before (%d) comes after (%d)", id, x.version, y.version)
			}
		}
	}
}

// outcome holds what is outside against the case.
func outcome(t *testing.T, d *desk, c *store.Case, m *model) {
	t.Helper()
	about := c.About()
	state := d.message(t, string(c.ID))
	published, retracted := d.out.published[about] > 0, d.out.retracted[about] > 0
	want := map[string][2]bool{"held": {false, false}, "rejected": {false, false}, "delivered": {true, false}, "retracted": {true, true}}[state]
	if state == "retracted" { // perhaps before the scene has seen it
		want[0] = published
	}
	if got := [2]bool{published, retracted}; got != want {
		t.Errorf("%s: the message is %s, published %t, retracted %t", c.ID, state, published, retracted)
	}
	var got []string
	for _, r := range d.out.rulings[c.ID] {
		got = append(got, fmt.Sprint(r.Decision, " ", r.Undone))
	}
	if fmt.Sprint(got) != fmt.Sprint(m.rulings) {
		t.Errorf("%s: rulings were heard as %v, decided as %v", c.ID, got, m.rulings)
	}
}
