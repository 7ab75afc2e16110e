package casework

import (
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// undo takes a decision back. As a rule it turns round: an approval's message is
// retracted, a rejection's is published if it was held and is not too old. With
// Reopen the case is to be decided again: what was held waits again, what was
// published for it is retracted. What a scene has seen retracted stays so.
func (s *step) undo() error {
	m, c := s.m, &s.c
	if m.Restore != "" {
		return s.restore()
	}
	switch {
	case c.Undone && (c.State != store.CaseClosed || !m.Reopen):
		s.x.Silent, s.c = true, s.facts.Case // a repeat changes nothing
		return nil
	case c.State != store.CaseClosed:
		return refuse("the case is not decided")
	case c.Second:
		return refuse("a second look has no effect that could be undone")
	case s.onDecision():
		if err := s.another(); err != nil {
			return err
		}
	case c.By != m.By.Name && !m.By.Senior():
		return forbid("somebody else has decided it: that is for a senior")
	}
	was, turned := c.Decision, c.Undone
	switch {
	case s.onDecision():
		s.unfollow(was)
	case !turned && c.Alert == nil: // else nothing follows of it any more
		s.ruled(was, true)
	}
	c.Decision, c.By, c.Policy, c.Reason, c.Note, c.Decided, c.Undone = opposite(was), m.By.Name, "", m.Reason, "", m.At, true
	if m.Reopen {
		c.Decision, c.By, c.Reason, c.Decided = "", "", "", time.Time{}
		c.Due = time.Time{}
		s.free()
		s.dueFromNow()
	}
	if s.onDecision() {
		s.refollow()
	} else {
		s.unsay(was)
		s.unstate(turned)
	}
	s.reports()
	s.said["was"], s.said["reopened"] = was, m.Reopen
	s.x.Tells = append(s.x.Tells, store.EventCaseUndone)
	return nil
}

// onDecision reports whether the case is about another's decision, or a penalty.
func (s *step) onDecision() bool {
	return s.c.Kind == store.CaseOfAppeal || s.c.Kind == store.CaseOfDispute
}

// another refuses the undo of an answer to all but a senior who has had no part in it.
func (s *step) another() error {
	m, c := s.m, &s.c
	switch {
	case m.By.System:
		return refuse("what was decided about a decision stands")
	case !m.By.Senior() || m.By.Name == c.By || slices.Contains(c.Barred, m.By.Name):
		return forbid("what was decided about a decision is undone by another senior")
	case c.Decision == store.CaseApproved && strings.HasPrefix(c.Group, penaltyGroup):
		return refuse("the penalty was lifted, which is not taken back: give it again")
	}
	return nil
}

// unfollow takes back what an answer did: the decision that it was against stands
// again.
func (s *step) unfollow(was string) {
	p := s.facts.Parent
	if p == nil {
		return
	}
	fell := was == store.CaseApproved
	if s.c.Kind == store.CaseOfDispute {
		if fell = s.original(p) != was; fell {
			s.ruled(was, true)
		}
	}
	if fell {
		s.effect(store.Effect{Kind: store.EffectRestore, Target: string(p.ID)})
	}
}

// refollow does what the answer that stands now asks for.
func (s *step) refollow() {
	switch {
	case s.c.Kind == store.CaseOfDispute && s.c.Decision != "":
		s.settle()
	case s.c.Kind == store.CaseOfAppeal && s.c.Decision != "":
		s.answer()
	case s.c.Kind == store.CaseOfAppeal:
		s.x.Appeal = store.AppealOpen
	}
}

// original is what was decided in a parent before this case undid that.
func (s *step) original(p *store.Case) string {
	if p.Undone && p.Reason == otherwise(s.c.ID) {
		return opposite(p.Decision)
	}
	return p.Decision
}

// otherwise is the reason that the undo of a parent has.
func otherwise(id engines.CaseID) string { return "case " + string(id) + " decided otherwise" }

// restore has a decision stand again that another case had undone, and which nobody
// has touched since.
func (s *step) restore() error {
	m, c := s.m, &s.c
	if !m.By.System || c.State != store.CaseClosed || !c.Undone || c.Reason != otherwise(m.Restore) {
		return refuse("that is not what stands")
	}
	was := c.Decision
	c.Decision, c.By, c.Reason, c.Decided, c.Undone = opposite(was), m.By.Name, m.Reason, m.At, false
	if c.Alert == nil {
		s.ruled(c.Decision, false)
		s.x.States = []store.PersonDecision{{Undone: true, At: m.At}}
	}
	s.unsay(was)
	s.reports()
	s.said["was"], s.said["decision"] = was, c.Decision
	s.x.Tells = append(s.x.Tells, store.EventCaseDecided)
	return nil
}

// dueFromNow counts the time that a case may wait from now on.
func (s *step) dueFromNow() {
	created := s.c.Created
	s.c.Created = s.m.At
	s.rules.Weigh(&s.c)
	s.c.Created = created
}

// unsay is what an undo does to the message.
func (s *step) unsay(was string) {
	msg := s.facts.Message
	if msg == nil || s.c.Alert != nil {
		return
	}
	switch {
	case was == store.CaseApproved && msg.State == messageDelivered && (s.c.Held || !s.m.Reopen):
		s.message(messageRetracted, store.EffectRetract)
	case was == store.CaseRejected && msg.State == messageRejected && s.m.Reopen:
		s.message(messageHeld, "")
	case was == store.CaseRejected && msg.State == messageRejected && s.m.At.Sub(msg.Sent) <= s.rules.cfg.PublishWithin:
		s.message(messageDelivered, store.EffectPublish)
	}
}
