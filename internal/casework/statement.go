package casework

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// state gives the person's reasons for the decision that stands now.
func (s *step) state() {
	c := &s.c
	p := store.PersonDecision{Ground: c.Policy, Facts: c.Reason, At: s.m.At}
	if c.Kind == store.CaseOfReports {
		p.Source = store.SourceUserReport
	}
	if c.Decision == store.CaseRejected {
		p.Reject, p.Category = true, string(c.Category)
		p.Illegal = c.Category == engines.Illegal || c.Category == engines.Extremism || engines.AboutChildren(c.Category, c.SubLabel)
	}
	s.x.States = append(s.x.States, p)
}

// unstate follows an undo: a decision that turns round is one more, with reasons of its
// own; of a case that is open again no decision of a person holds.
func (s *step) unstate(turned bool) {
	switch {
	case s.c.Alert != nil:
	case !s.m.Reopen:
		s.state()
	default:
		back := store.PersonDecision{Undone: true, At: s.m.At}
		s.x.States = append(s.x.States, back)
		if turned { // what it had turned round comes back first
			s.x.States = append(s.x.States, back)
		}
	}
}
