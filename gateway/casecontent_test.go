package gateway

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// A moderator is shown the content of a case in hand and of no other, a senior of any.
func TestCaseContent(t *testing.T) {
	mine := store.Case{App: appA, Request: "r1", State: store.CaseClaimed, Assignee: "user-moderator", Until: time.Now().Add(time.Hour)}
	of := func(change func(*store.Case)) store.Case {
		c := mine
		change(&c)
		return c
	}
	cases := map[engines.CaseID]store.Case{
		"mine":   mine,
		"held":   of(func(c *store.Case) { c.State = store.CaseHeld }),
		"open":   of(func(c *store.Case) { c.State, c.Assignee = store.CaseOpen, "" }),
		"others": of(func(c *store.Case) { c.Assignee = "bob" }),
		"closed": of(func(c *store.Case) { c.State = store.CaseClosed }),
	}
	for _, test := range []struct {
		role  auth.Role
		yours string // categories of who asks
		may   string
	}{
		{auth.RoleViewer, "", ""},
		{auth.RoleModerator, "", "mine held"},
		{auth.RoleModerator, "spam", ""},
		{auth.RoleSenior, "", "mine held open others closed"},
		{auth.RoleAuditor, "", ""},
	} {
		f := &fakeVault{plainFirst: true}
		d := open(t, withVault(f))
		d.cases.file = func(id engines.CaseID) (*casework.File, error) {
			c, ok := cases[id]
			if !ok {
				return nil, store.ErrNotFound
			}
			c.ID = id
			return &casework.File{Case: c}, nil
		}
		ask := d.moderator(test.role, strings.Fields(test.yours)...)
		for id := range cases {
			f.asked = nil
			a := ask("GET", "/cases/"+string(id)+"/content", "")
			if !strings.Contains(" "+test.may+" ", " "+string(id)+" ") {
				if wantError(t, a, wire.Forbidden); len(f.asked) > 0 {
					t.Errorf("%s: %s reached %v", test.role, id, f.asked)
				}
				continue
			}
			if a.status != 200 || !cmp.Equal(f.asked, []string{"read plain"}) || a.header.Get("Content-Security-Policy") != "sandbox; default-src 'none'" {
				t.Errorf("%s: %s = %d %s, asked %v", test.role, id, a.status, a.body, f.asked)
			}
		}
		if f.listed != (store.EvidenceQuery{}) && f.listed != (store.EvidenceQuery{App: appA, Request: "r1", Limit: 1}) {
			t.Errorf("%s: listed %+v", test.role, f.listed)
		}
	}
}

// Locked content of a case in hand stays locked.
func TestCaseContentLocked(t *testing.T) {
	f := &fakeVault{}
	d := open(t, withVault(f))
	d.cases.file = func(id engines.CaseID) (*casework.File, error) {
		return &casework.File{Case: store.Case{ID: id, App: appA, Request: "r1", State: store.CaseClaimed, Assignee: "user-moderator"}}, nil
	}
	ask := d.moderator(auth.RoleModerator)
	wantError(t, ask("GET", "/cases/c1/content", ""), wire.Forbidden)
	wantError(t, ask("GET", "/cases/c1/content?unlock=child_safety", ""), wire.Forbidden)
	if len(f.asked) > 0 {
		t.Errorf("reached %v", f.asked)
	}
}

// userKeeper is Users by a name that is not its method's.
type userKeeper = Users

// people is moderators whose list a test gives.
type people struct {
	userKeeper
	list []store.User
}

func (p people) Users(context.Context) ([]store.User, error) { return p.list, nil }

// A case is handed to who can decide it and works here.
func TestColleagues(t *testing.T) {
	ask := open(t, func(_ *Config, deps *Deps) {
		deps.Users = people{list: []store.User{{Name: "sue", Role: "senior"}, {Name: "vic", Role: "viewer"}, {Name: "gone", Role: "senior", Disabled: true}, {Name: "mo", Role: "moderator"}}}
	}).moderator(auth.RoleModerator)
	want := []any{map[string]any{"name": "sue", "role": "senior"}, map[string]any{"name": "mo", "role": "moderator"}}
	if diff := cmp.Diff(want, ask("GET", "/colleagues", "").json(t)["colleagues"]); diff != "" {
		t.Errorf("colleagues (-want +got):\n%s", diff)
	}
}

// The queues say what they take, so that nobody has to read the configuration.
func TestRouting(t *testing.T) {
	m := open(t).moderator(auth.RoleViewer)("GET", "/queues", "").json(t)
	first := m["rules"].([]any)[0].(map[string]any)
	want := map[string]any{"queue": "appeals", "kinds": []any{"appeal"}, "categories": []any{}, "roles": []any{"senior", "admin"}}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("first rule (-want +got):\n%s", diff)
	}
	if m["lease_s"] != 600.0 || m["due_s"].(map[string]any)["critical"] != 900.0 {
		t.Errorf("lease %v, due %v", m["lease_s"], m["due_s"])
	}
}
