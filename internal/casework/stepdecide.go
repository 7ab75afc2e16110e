package casework

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// States of a scene's message. It is published at most once and taken back at most
// once: held → delivered → retracted, or held → rejected (→ held or delivered by undo).
const (
	messageDelivered = "delivered"
	messageHeld      = "held"
	messageRetracted = "retracted"
	messageRejected  = "rejected"
)

// penaltyGroup is the group of an appeal against a penalty.
const penaltyGroup = "penalty\n"

func opposite(decision string) string {
	if decision == store.CaseApproved {
		return store.CaseRejected
	}
	return store.CaseApproved
}

func (s *step) decide() error {
	if err := s.reach(); err != nil {
		return err
	}
	m, c := s.m, &s.c
	found := *c // what the case was before anybody said more
	c.State, c.Assignee, c.Until = store.CaseClosed, "", time.Time{}
	c.Decision, c.By, c.Policy, c.Reason, c.Note, c.Decided, c.Undone = m.Decision, m.By.Name, m.Policy, m.Reason, m.Note, m.At, false
	if m.Decision == store.CaseRejected && m.Category != "" {
		if m.Category != c.Category {
			c.SubLabel, c.Severity = "", 0 // were of another category
		}
		c.Category = m.Category
		if m.SubLabel != "" {
			c.SubLabel = m.SubLabel
		}
		if m.Severity != 0 {
			c.Severity = m.Severity
		}
	}
	if c.Decision == store.CaseRejected && c.Category == "" && s.accuses() {
		return &Refusal{"is required with the rejection of a case that has none", ErrCategory}
	}
	s.said["decision"], s.said["policy"] = c.Decision, c.Policy
	if c.Decision == store.CaseRejected {
		s.said["category"] = c.Category
	}
	switch {
	case c.Second:
		s.compare(&found)
		return nil // nobody is to notice
	case c.Kind == store.CaseOfAppeal:
		s.answer()
	case c.Kind == store.CaseOfDispute:
		s.settle()
	case c.Alert == nil:
		s.actOnMessage()
		s.ruled(c.Decision, false)
		s.sample(&found)
		s.state()
	}
	s.reports()
	s.x.Tells = append(s.x.Tells, store.EventCaseDecided)
	return nil
}

// accuses reports whether to reject the case is to say that somebody did something wrong,
// and so what: an appeal that is denied leaves that as it was, and an alert of the economy
// is no content of a category.
func (s *step) accuses() bool {
	return s.c.Alert == nil && s.c.Kind != store.CaseOfAppeal
}

// actOnMessage publishes what was held and approved, keeps back what was rejected and
// takes back what was out already.
func (s *step) actOnMessage() {
	msg := s.facts.Message
	if msg == nil {
		return
	}
	switch approved := s.c.Decision == store.CaseApproved; {
	case approved && msg.State == messageHeld:
		s.message(messageDelivered, store.EffectPublish)
	case !approved && msg.State == messageHeld:
		s.message(messageRejected, store.EffectReject)
	case !approved && msg.State == messageDelivered:
		s.message(messageRetracted, store.EffectRetract)
	}
}

func (s *step) message(state string, kind store.EffectKind) {
	s.x.Message = state
	if kind != "" {
		s.effect(store.Effect{Kind: kind})
	}
}

// effect asks for something outside; what it does not say is the case's.
func (s *step) effect(e store.Effect) {
	c := &s.c
	e.Case, e.App, e.N, e.At, e.Next = c.ID, c.App, len(s.x.Effects), s.m.At, s.m.At
	e.Player, e.Scene, e.Message = c.Player, c.Scene, c.About()
	e.Category, e.SubLabel, e.Severity, e.By, e.Reason = c.Category, c.SubLabel, c.Severity, s.m.By.Name, s.m.Reason
	if e.Decision == "" {
		e.Decision = c.Decision
	}
	s.x.Effects = append(s.x.Effects, e)
}

func (s *step) ruled(decision string, undone bool) {
	s.effect(store.Effect{Kind: store.EffectRuled, Decision: decision, Undone: undone})
}

// reports have turned out one way or the other.
func (s *step) reports() {
	if s.c.Reporters == 0 {
		return
	}
	s.x.Reports = map[string]string{
		"": store.ReportOpen, store.CaseApproved: store.ReportDismissed, store.CaseRejected: store.ReportUpheld,
	}[s.c.Decision]
}

// answer decides an appeal: to approve is to say that nothing was wrong, so that what
// was decided against the player falls.
func (s *step) answer() {
	c := &s.c
	s.x.Appeal, s.x.Statement = store.AppealDenied, s.m.Statement
	if c.Decision == store.CaseApproved {
		s.x.Appeal = store.AppealUpheld
		if c.Parent != "" {
			s.effect(store.Effect{Kind: store.EffectUndo, Target: string(c.Parent)})
		}
		if penalty, ok := strings.CutPrefix(c.Group, penaltyGroup); ok {
			s.effect(store.Effect{Kind: store.EffectRevoke, Target: penalty})
		}
	}
	s.effect(store.Effect{Kind: store.EffectNotice})
	s.x.Tells = append(s.x.Tells, store.EventAppealDone)
}

// settle decides what two saw differently: where it is not what stands, that falls.
func (s *step) settle() {
	p := s.facts.Parent
	if p == nil || p.State != store.CaseClosed || s.original(p) == s.c.Decision {
		return
	}
	s.effect(store.Effect{Kind: store.EffectUndo, Target: string(p.ID)})
	s.ruled(s.c.Decision, false)
}

// sample opens a second look at a share of what is decided. Which ones follows from
// their ids alone.
func (s *step) sample(found *store.Case) {
	if share := s.rules.cfg.SecondShare; share <= 0 || fraction(string(s.c.ID)) >= share {
		return
	}
	twin := s.opened("second", found)
	twin.Kind, twin.Second, twin.Barred = found.Kind, true, []string{s.m.By.Name}
	twin.Reporters, twin.Weight = found.Reporters, found.Weight
	twin.Queue = s.rules.QueueOf(twin.Kind, twin.Category)
	s.rules.Weigh(&twin)
	s.x.Opens = append(s.x.Opens, twin)
}

// opened is a case that comes of this one, the same whoever makes it.
func (s *step) opened(why string, found *store.Case) store.Case {
	id := madeID(s.m.At, why+"\n"+string(s.c.ID))
	return store.Case{
		ID: engines.CaseID(id), App: found.App, Request: engines.RequestID(id), Subject: found.About(), Player: found.Player, Scene: found.Scene,
		State: store.CaseOpen, Held: found.Held, Category: found.Category, SubLabel: found.SubLabel, Severity: found.Severity, Parent: s.c.ID,
		Version: 1, Created: s.m.At, Updated: s.m.At,
	}
}

// madeID is the id that a name has at a time. It looks like any other's (UUIDv7), so
// that it does not tell what made it.
func madeID(at time.Time, name string) string {
	id := uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s\n%d", name, at.UnixMilli()))
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(at.UnixMilli()))
	copy(id[:6], stamp[2:])
	id[6] = id[6]&0x0f | 0x70
	return id.String()
}

// fraction is a place in [0, 1) that an id always has.
func fraction(id string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // never fails
	// FNV alone leaves ids that differ at their end close together.
	x := h.Sum64() * 0x9e3779b97f4a7c15
	return float64(x^x>>32) / math.MaxUint64 * (1 - 1e-12)
}

// compare notes what a second look said of a first, and has a senior look where it
// was something else.
func (s *step) compare(found *store.Case) {
	p, c := s.facts.Parent, &s.c
	if p == nil || p.State != store.CaseClosed {
		return // the first was opened again: there is nothing to compare with
	}
	pair := &store.CasePair{
		App: c.App, First: p.ID, Second: c.ID, FirstBy: p.By, SecondBy: c.By,
		FirstDecision: p.Decision, SecondDecision: c.Decision, At: s.m.At,
	}
	if p.Decision == store.CaseRejected {
		pair.FirstCategory = p.Category
	}
	if c.Decision == store.CaseRejected {
		pair.SecondCategory = c.Category
	}
	s.x.Pair = pair
	if pair.FirstDecision == pair.SecondDecision && pair.FirstCategory == pair.SecondCategory {
		return
	}
	d := s.opened("dispute", found)
	d.Kind, d.Parent, d.Barred = store.CaseOfDispute, p.ID, []string{p.By, c.By}
	d.State, d.Level, d.Queue = store.CaseEscalated, 1, s.rules.QueueOf(store.CaseOfDispute, found.Category)
	s.rules.Weigh(&d)
	s.x.Opens = append(s.x.Opens, d)
}
