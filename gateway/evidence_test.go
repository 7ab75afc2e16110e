package gateway

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeVault has a plain and a locked item, and remembers what it was asked.
type fakeVault struct {
	asked  []string
	chain  error
	listed store.EvidenceQuery
	// plainFirst lists the plain item alone.
	plainFirst bool
}

func (f *fakeVault) item(id string) (store.Evidence, error) {
	e := store.Evidence{
		ID: id, App: appA, Request: "r1", Player: "ann", Kind: "text", MIME: "text/html", SHA256: "abc", Bytes: 8, Category: "hate", Created: time.UnixMilli(1790000000000),
	}
	switch id {
	case "plain":
	case "locked":
		e.Locked, e.Category, e.SubLabel = true, "illegal", "child_safety"
	default:
		return e, store.ErrNotFound
	}
	return e, nil
}

func (f *fakeVault) List(_ context.Context, q store.EvidenceQuery) ([]store.Evidence, error) {
	f.listed = q
	plain, _ := f.item("plain")
	if f.plainFirst {
		return []store.Evidence{plain}, nil
	}
	locked, _ := f.item("locked")
	return []store.Evidence{locked, plain}[:min(2, q.Limit)], nil
}

func (f *fakeVault) Read(_ context.Context, id string, who evidence.Reader) (store.Evidence, io.ReadCloser, error) {
	e, err := f.item(id)
	switch {
	case err != nil:
		return e, nil, err
	case e.Locked && !who.Unlock:
		return e, nil, evidence.ErrLocked
	}
	f.asked = append(f.asked, "read "+id)
	return e, io.NopCloser(strings.NewReader("<script>")), nil
}

func (f *fakeVault) Chain(_ context.Context, id string) (store.Evidence, []store.EvidenceLink, error) {
	e, err := f.item(id)
	if err == nil {
		err = f.chain
	}
	return e, []store.EvidenceLink{{Seq: 1, Action: store.LinkTaken, Detail: "{}"}}, err
}

func (f *fakeVault) Hold(_ context.Context, id, by, reason string) (store.Evidence, error) {
	f.asked = append(f.asked, "hold "+id+" "+by+" "+reason)
	e, err := f.item(id)
	e.Hold = &store.Hold{By: by, Reason: reason}
	return e, err
}

func (f *fakeVault) Release(_ context.Context, id, _, _ string) (store.Evidence, error) {
	e, err := f.item(id)
	if err == nil {
		err = store.ErrConflict
	}
	return e, err
}

func (f *fakeVault) Transfer(_ context.Context, id, by, authority, reference string) (evidence.HandOff, error) {
	e, err := f.item(id)
	f.asked = append(f.asked, "transfer "+id)
	return evidence.HandOff{Evidence: e, By: by, Authority: authority, Reference: reference}, err
}

func (*fakeVault) Shown(_ context.Context, e *store.Evidence, content io.ReadCloser) (*evidence.Shown, error) {
	if e.Kind != engines.KindImage {
		return nil, nil //nolint:nilnil // as it is
	}
	return &evidence.Shown{MIME: "image/png", File: []byte("a picture of ours")}, content.Close()
}

func (f *fakeVault) Select(_ context.Context, ids []string, _ store.EvidenceQuery) (list []store.Evidence, err error) {
	for _, id := range ids {
		e, err := f.item(id)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

func (f *fakeVault) Pack(_ context.Context, x evidence.Export, w io.Writer) error {
	for _, e := range x.Items {
		f.asked = append(f.asked, "pack "+e.ID)
	}
	_, err := io.WriteString(w, "an archive")
	return err
}

func withVault(f *fakeVault) func(*Config, *Deps) {
	return func(_ *Config, deps *Deps) { deps.Evidence = f }
}

// moderator signs somebody in with bounds, and asks in their name.
func (d *door) moderator(role auth.Role, categories ...string) func(method, target, body string) answer {
	d.t.Helper()
	cookie, _ := d.signIn(role)
	d.mem.mu.Lock()
	for name, u := range d.mem.users {
		u.Categories = categories
		d.mem.users[name] = u
	}
	d.mem.mu.Unlock()
	return func(method, target, body string) answer {
		return d.send(method, "/api/v1"+target, body, append(own, cookie)...)
	}
}

// Who may do what with evidence, for each role: v m s A a, in the order of roles.
func TestEvidenceRoles(t *testing.T) {
	cases := []struct{ method, target, body, may string }{
		{"GET", "/evidence", "", "- - s A a"},
		{"GET", "/evidence/plain/log", "", "- - s A a"},
		{"GET", "/evidence/plain", "", "- - s A -"},
		{"GET", "/evidence/locked", "", "- - - - -"},
		{"GET", "/evidence/locked?unlock=yes", "", "- - - - -"},
		{"GET", "/evidence/locked?unlock=child_safety", "", "- - - A -"},
		{"POST", "/evidence/plain/hold", `{"reason":"r"}`, "- - s A -"},
		{"POST", "/evidence/plain/handoff", `{"authority":"a"}`, "- - s A -"},
		{"POST", "/evidence/locked/handoff", `{"authority":"a"}`, "- - - - -"},
		{"POST", "/evidence/locked/handoff", `{"authority":"a","unlock":"child_safety"}`, "- - - A -"},
		{"POST", "/evidence/export", `{"ids":["plain"],"reason":"r"}`, "- - s A -"},
	}
	for i, role := range []auth.Role{auth.RoleViewer, auth.RoleModerator, auth.RoleSenior, auth.RoleAdmin, auth.RoleAuditor} {
		f := &fakeVault{}
		ask := open(t, withVault(f)).moderator(role)
		for _, c := range cases {
			f.asked = nil
			a := ask(c.method, c.target, c.body)
			switch may := strings.Fields(c.may)[i] != "-"; {
			case may && a.status != 200:
				t.Errorf("%s: %s %s = %d %s, want 200", role, c.method, c.target, a.status, a.body)
			case !may:
				wantError(t, a, wire.Forbidden)
				if len(f.asked) > 0 {
					t.Errorf("%s: %s %s reached %v", role, c.method, c.target, f.asked)
				}
			}
		}
	}
}

// An app has no business with evidence, whatever it signs.
func TestEvidenceIsForPeople(t *testing.T) {
	d := open(t, withVault(&fakeVault{}))
	for _, target := range []string{"/api/v1/evidence", "/api/v1/evidence/plain"} {
		wantError(t, d.send("GET", target, "", signature("GET", target, "", "")), wire.Unauthenticated)
		wantError(t, d.send("GET", target, ""), wire.Unauthenticated)
	}
}

// Content that a browser could run reaches it as a file, whatever it is.
func TestEvidenceContentIsInert(t *testing.T) {
	d := open(t, withVault(&fakeVault{}))
	a := d.moderator(auth.RoleSenior)("GET", "/evidence/plain", "")
	if a.status != 200 || string(a.body) != "<script>" {
		t.Fatalf("content: %d %q", a.status, a.body)
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": "sandbox; default-src 'none'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Content-Disposition": `attachment; filename="evidence-plain.bin"`,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestEvidenceFaults(t *testing.T) {
	f := &fakeVault{}
	d := open(t, withVault(f))
	ask := d.moderator(auth.RoleSenior)
	for _, c := range []struct {
		method, target, body string
		code                 wire.Code
	}{
		{"GET", "/evidence/none", "", wire.NotFound},
		{"GET", "/evidence/none/log", "", wire.NotFound},
		{"GET", "/evidence?state=odd", "", wire.InvalidParameter},
		{"GET", "/evidence?limit=501", "", wire.InvalidParameter},
		{"GET", "/evidence?cursor=!", "", wire.InvalidParameter},
		{"GET", "/evidence?player_id=%00", "", wire.InvalidParameter},
		{"POST", "/evidence/plain/hold", `{}`, wire.InvalidParameter},
		{"POST", "/evidence/plain/hold", `{"reason":"` + strings.Repeat("x", 2001) + `"}`, wire.InvalidParameter},
		{"POST", "/evidence/none/hold", `{"reason":"r"}`, wire.NotFound},
		{"DELETE", "/evidence/plain/hold", `{"reason":"r"}`, wire.Conflict},
		{"POST", "/evidence/plain/handoff", `{}`, wire.InvalidParameter},
		{"POST", "/evidence/export", `{"reason":"r"}`, wire.InvalidParameter},
		{"POST", "/evidence/export", `{"reason":"r","player_id":"ann"}`, wire.InvalidParameter},
		{"POST", "/evidence/export", `{"reason":"r","ids":["a"],"case_id":"c"}`, wire.InvalidParameter},
		{"POST", "/evidence/export", `{"ids":["plain"]}`, wire.InvalidParameter},
		{"POST", "/evidence/export", `{"reason":"r","ids":["none"]}`, wire.NotFound},
		{"POST", "/evidence/export", `{"reason":"r","case_id":"empty"}`, wire.NotFound},
	} {
		wantError(t, ask(c.method, c.target, c.body), c.code)
	}
	// A broken chain is told, and stops nobody from reading; only no authority gets it.
	f.chain = store.ErrChainBroken
	if a := ask("GET", "/evidence/plain/log", ""); a.json(t)["chain_ok"] != false {
		t.Errorf("log of a broken chain: %s", a.body)
	}
	if a := ask("GET", "/evidence/plain", ""); a.status != 200 {
		t.Errorf("content of a broken chain: %d", a.status)
	}
	wantError(t, ask("POST", "/evidence/plain/handoff", `{"authority":"a"}`), wire.Conflict)
}

// The bounds of a moderator hold for content, one by one and in archives.
func TestEvidenceBounds(t *testing.T) {
	f := &fakeVault{}
	d := open(t, withVault(f))
	ask := d.moderator(auth.RoleSenior, "spam")
	wantError(t, ask("GET", "/evidence/plain", ""), wire.Forbidden)
	wantError(t, ask("POST", "/evidence/export", `{"ids":["plain"],"reason":"r"}`), wire.Forbidden)
	if len(f.asked) > 0 {
		t.Errorf("reached %v", f.asked)
	}
	if a := ask("GET", "/evidence?app_id=app-a&player_id=ann&case_id=c&request_id=r&category=hate&state=held&limit=1", ""); a.json(t)["cursor"] == nil {
		t.Errorf("page %s", a.body)
	}
	want := store.EvidenceQuery{App: appA, Player: "ann", Case: "c", Request: "r", Category: "hate", State: "held", Limit: 2}
	if f.listed != want {
		t.Errorf("asked for %+v, want %+v", f.listed, want)
	}
}
