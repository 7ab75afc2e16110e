package casework

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// systemName is the actor of what time does.
const systemName = "system"

// step is one move under way.
type step struct {
	rules *Rules
	facts *store.CaseFacts
	m     *Move
	c     store.Case // as it will be
	x     store.CaseChange
	said  map[string]any // for the history and the audit
}

// Step is the life of a case: what a move makes of it. A Refusal says why nothing.
func (r *Rules) Step(f store.CaseFacts, m Move) (store.CaseChange, error) {
	if m.At.Before(f.Case.Updated) {
		m.At = f.Case.Updated // who waited for the case comes after whom it waited for
	}
	s := &step{rules: r, facts: &f, m: &m, c: f.Case, said: map[string]any{}}
	s.lapse()
	if m.Version != AnyVersion && m.Version != f.Case.Version {
		return store.CaseChange{}, refuse("the case has changed since you read it")
	}
	if err := s.move(); err != nil {
		return store.CaseChange{}, err
	}
	return s.change()
}

// lapse ends a claim or a hold whose time has passed.
func (s *step) lapse() {
	c := &s.c
	if (c.State == store.CaseClaimed || c.State == store.CaseHeld) && !c.Until.After(s.m.At) {
		s.free()
	}
}

// free makes the case anybody's.
func (s *step) free() {
	s.c.State, s.c.Assignee, s.c.Until = store.CaseOpen, "", time.Time{}
	if s.c.Level > 0 {
		s.c.State = store.CaseEscalated
	}
}

func (s *step) mine() bool { return s.c.Assignee == s.m.By.Name && s.c.Assignee != "" }

// reach refuses what is closed, somebody else's, or not for this person.
func (s *step) reach() error {
	c := &s.c
	switch {
	case c.State == store.CaseClosed:
		return refuse("the case is closed")
	case c.Assignee != "" && !s.mine():
		return refuse("the case is " + c.Assignee + "'s until " + c.Until.UTC().Format(time.RFC3339))
	case slices.Contains(c.Barred, s.m.By.Name):
		return forbid("you have decided on this before: it is for somebody else")
	}
	return nil
}

// own is reach for what only the owner does, or a senior in the owner's place.
func (s *step) own() error {
	if s.c.Assignee == "" {
		return refuse("nobody has the case: claim it first")
	}
	if !s.mine() && !s.m.By.Senior() {
		return refuse("the case is " + s.c.Assignee + "'s")
	}
	return nil
}

func (s *step) give(p Person) {
	s.c.State, s.c.Assignee, s.c.Until = store.CaseClaimed, p.Name, s.m.At.Add(s.rules.cfg.Lease)
}

func (s *step) move() error {
	m := s.m
	switch m.Action {
	case Claim:
		return s.claim()
	case Renew:
		return s.renew()
	case Release:
		if err := s.own(); err != nil {
			return err
		}
		s.free()
	case HandOver:
		if err := s.own(); err != nil {
			return err
		}
		if slices.Contains(s.c.Barred, m.To.Name) {
			return forbid(m.To.Name + " has decided on this before")
		}
		s.said["to"], s.said["from"] = m.To.Name, s.c.Assignee
		s.give(m.To)
	case Hold:
		if err := s.reach(); err != nil {
			return err
		}
		if !m.Until.After(m.At) {
			return refuse("until has passed")
		}
		if most := s.rules.cfg.HoldWithin; m.Until.Sub(m.At) > most {
			return refuse("until is more than " + most.String() + " ahead")
		}
		s.c.State, s.c.Assignee, s.c.Until = store.CaseHeld, m.By.Name, m.Until.Truncate(time.Millisecond)
		s.said["until"] = m.Until.UnixMilli()
	case Escalate:
		return s.escalate()
	case Skip:
		if err := s.reach(); err != nil {
			return err
		}
		s.free()
	case Decide:
		return s.decide()
	case Undo:
		return s.undo()
	case Lapse:
		return s.lapsed()
	default:
		return refuse("no such action: " + string(m.Action))
	}
	return nil
}

func (s *step) claim() error {
	if err := s.reach(); err != nil {
		return err
	}
	if s.mine() && s.c.State == store.CaseClaimed {
		s.x.Silent = true // a repeat: as good as a heart-beat
	}
	s.give(s.m.By)
	return nil
}

// renew takes a lease that has just run out up again where nobody else came.
func (s *step) renew() error {
	if was := &s.facts.Case; was.State != store.CaseClaimed || was.Assignee != s.m.By.Name {
		return refuse("you do not have the case")
	}
	s.x.Silent = true
	s.give(s.m.By)
	return nil
}

func (s *step) escalate() error {
	if err := s.reach(); err != nil {
		return err
	}
	s.c.Level, s.c.Queue = 1, QueueSenior
	if s.m.Queue != "" {
		if !s.rules.HasQueue(s.m.Queue) { // where nobody would look for it
			return refuse("there is no queue " + s.m.Queue)
		}
		s.c.Queue = s.m.Queue
	}
	s.free()
	s.rules.Weigh(&s.c)
	s.said["queue"] = s.c.Queue
	return nil
}

// lapsed notes that a lease or a hold has ended. What was held is due now: it comes
// back and is not forgotten.
func (s *step) lapsed() error {
	was := &s.facts.Case
	if was.State != store.CaseClaimed && was.State != store.CaseHeld || was.Until.After(s.m.At) {
		return refuse("its time has not come")
	}
	if was.State == store.CaseHeld && s.c.Due.After(s.m.At) {
		s.c.Due = s.m.At
	}
	s.said["state"], s.said["of"] = was.State, was.Assignee
	return nil
}

// change completes what is to be committed.
func (s *step) change() (store.CaseChange, error) {
	m, x := s.m, &s.x
	s.c.Updated = m.At
	x.Case = s.c
	if x.Silent {
		return *x, nil
	}
	x.Case.Version++
	actor := m.By.Name
	if m.By.System && actor == "" {
		actor = systemName
	}
	if m.Reason != "" {
		s.said["reason"] = m.Reason
	}
	detail, err := json.Marshal(s.said)
	if err != nil {
		return store.CaseChange{}, err
	}
	x.Event = store.CaseEvent{Version: x.Case.Version, At: m.At, Actor: actor, Action: string(m.Action), State: x.Case.State, Detail: string(detail), Key: m.Key}
	s.said["app_id"], s.said["player_id"], s.said["version"] = s.c.App, s.c.Player, x.Case.Version
	audit, err := json.Marshal(s.said)
	if err != nil {
		return store.CaseChange{}, err
	}
	x.Audit = store.Audit{TS: m.At, Actor: actor, Action: "case." + string(m.Action), Object: "case/" + string(s.c.ID), Detail: string(audit)}
	for i := range x.Effects {
		x.Effects[i].Version = x.Case.Version
	}
	return *x, nil
}
