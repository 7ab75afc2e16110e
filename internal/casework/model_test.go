package casework_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// model is what a case is, step by step, as somebody who reads the rules would have it.
type model struct {
	state, assignee string
	until           time.Time
	raised          bool
	decision, by    string
	undone          bool
	version         int
	rulings         []string // as they must be heard
}

// replay takes the model through a history and complains of each step that may not be.
func replay(t *testing.T, id engines.CaseID, history []store.CaseEvent, lease time.Duration) *model {
	t.Helper()
	m := &model{state: store.CaseOpen, version: 1}
	for i := range history {
		e := &history[i]
		if e.Version != m.version+1 {
			t.Errorf("%s: version %d after %d", id, e.Version, m.version)
		}
		var said struct {
			To       string `json:"to"`
			Until    int64  `json:"until"`
			Decision string `json:"decision"`
			Reopened bool   `json:"reopened"`
		}
		if err := json.Unmarshal([]byte(e.Detail), &said); err != nil {
			t.Fatal(err)
		}
		m.version = e.Version
		// Heart-beats leave no step: a claim may last longer than this says, not shorter.
		free := m.assignee == "" || !m.until.After(e.At)
		may := m.state != store.CaseClosed && (free || m.assignee == e.Actor)
		wrong := func(legal bool) {
			t.Helper()
			if !legal {
				t.Errorf("%s: %s by %s at version %d, of %+v", id, e.Action, e.Actor, e.Version, *m)
			}
		}
		switch e.Action {
		case "claim":
			wrong(may)
			m.give(e.Actor, e.At.Add(lease))
		case "release":
			wrong(m.state != store.CaseClosed && m.assignee != "")
			m.free()
		case "handover":
			wrong(m.state != store.CaseClosed && m.assignee != "")
			m.give(said.To, e.At.Add(lease))
		case "hold":
			wrong(may)
			m.state, m.assignee, m.until = store.CaseHeld, e.Actor, time.UnixMilli(said.Until)
		case "escalate":
			wrong(may)
			m.raised = true
			m.free()
		case "skip":
			wrong(may)
			m.free()
		case "lapse":
			wrong(m.state != store.CaseClosed && m.assignee != "" && free)
			m.free()
		case "decide":
			wrong(may)
			m.state, m.assignee, m.decision, m.by, m.undone = store.CaseClosed, "", said.Decision, e.Actor, false
			m.rulings = append(m.rulings, fmt.Sprint(m.decision, " ", false))
		case "undo":
			wrong(m.state == store.CaseClosed && (said.Reopened || !m.undone))
			m.undo(e.Actor, said.Reopened)
		default:
			t.Errorf("%s: no action %s", id, e.Action)
		}
		if e.State != m.state {
			t.Errorf("%s: %s at version %d left it %s, want %s", id, e.Action, e.Version, e.State, m.state)
		}
	}
	return m
}

func (m *model) give(to string, until time.Time) {
	m.state, m.assignee, m.until = store.CaseClaimed, to, until
}

func (m *model) free() {
	m.state, m.assignee = store.CaseOpen, ""
	if m.raised {
		m.state = store.CaseEscalated
	}
}

func (m *model) undo(by string, reopen bool) {
	if !m.undone {
		m.rulings = append(m.rulings, fmt.Sprint(m.decision, " ", true))
	}
	m.undone = true
	if reopen {
		m.decision, m.by = "", ""
		m.free()
		return
	}
	m.by = by
	if m.decision == store.CaseApproved {
		m.decision = store.CaseRejected
	} else {
		m.decision = store.CaseApproved
	}
}

// is holds a stored case against the model.
func (m *model) is(t *testing.T, c *store.Case) {
	t.Helper()
	got := fmt.Sprint(c.State, c.Assignee, c.Version, c.Decision, c.By, c.Undone, c.Level > 0)
	if want := fmt.Sprint(m.state, m.assignee, m.version, m.decision, m.by, m.undone, m.raised); got != want {
		t.Errorf("%s is %s, its history says %s", c.ID, got, want)
	}
}
