package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func testSecrets(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	_, err := s.Secrets(ctx, "game")
	wantErr(t, "Secrets of no app", err, store.ErrNotFound)
	must(t, s.CreateApp(ctx, "game", "k1", "psk_one"))
	wantErr(t, "CreateApp again", s.CreateApp(ctx, "game", "k9", "psk_nine"), store.ErrExists)

	second := store.Secret{App: "game", KeyID: "k2", Secret: "psk_two", NotBefore: now(), Created: now().Add(time.Second)}
	until := now().Add(time.Hour)
	must(t, s.AddSecret(ctx, second, until))
	live, err := s.Secrets(ctx, "game")
	must(t, err)
	if len(live) != 2 || live[0].KeyID != "k1" || !live[0].Expires.Equal(until) || live[0].Secret != "psk_one" {
		t.Fatalf("after rotation: %d secrets, the first %s until %v", len(live), live[0].KeyID, live[0].Expires)
	}
	same(t, "second secret", live[1], second)

	third := store.Secret{App: "game", KeyID: "k3", Secret: "psk_three", NotBefore: now(), Created: now()}
	wantErr(t, "a third live secret", s.AddSecret(ctx, third, until), store.ErrConflict)
	third.App = "nobody"
	wantErr(t, "a secret of no app", s.AddSecret(ctx, third, until), store.ErrNotFound)

	must(t, s.RevokeSecret(ctx, "game", "k1"))
	wantErr(t, "RevokeSecret twice", s.RevokeSecret(ctx, "game", "k1"), store.ErrNotFound)
	must(t, s.RevokeSecret(ctx, "game", "k2"))
	live, err = s.Secrets(ctx, "game")
	must(t, err)
	if len(live) != 0 {
		t.Errorf("%d secrets after all were revoked, want 0", len(live))
	}

	// Rotations at the same time can't leave three live.
	must(t, s.CreateApp(ctx, "busy", "k0", "psk_0"))
	wins, errs := race(8, func(i int) error {
		return s.AddSecret(ctx, store.Secret{App: "busy", KeyID: fmt.Sprintf("k%d", i+1), Secret: "psk", NotBefore: now(), Created: now()}, until)
	})
	if wins != 1 {
		t.Errorf("%d of 8 rotations at once succeeded, want 1", wins)
	}
	for _, err := range errs {
		wantErr(t, "rotation", err, store.ErrConflict)
	}
}

func testSecretsAtRest(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	must(t, s.CreateApp(ctx, "one", "k", "psk_secret_of_one"))
	must(t, s.CreateApp(ctx, "two", "k", "psk_secret_of_two"))
	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	var sealed []byte
	must(t, raw.QueryRowContext(ctx, `SELECT secret_enc FROM app_secret WHERE app_id = 'one'`).Scan(&sealed))
	if bytes.Contains(sealed, []byte("psk_")) {
		t.Error("the stored secret is readable")
	}
	// A row that is copied to another app does not open there.
	_, err := raw.ExecContext(ctx, `UPDATE app_secret SET secret_enc = $1 WHERE app_id = 'two'`, sealed)
	must(t, err)
	if _, err := s.Secrets(ctx, "two"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("Secrets of a copied row: %v, want an error of its own", err)
	}
	// Nor under another master key.
	other := p.Config
	other.MasterKey[31] ^= 1
	o, err := sqlstore.Open(ctx, other)
	must(t, err)
	if _, err := o.Secrets(ctx, "one"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("Secrets under another key: %v, want an error of its own", err)
	}
	must(t, o.Close())
}

func testTokens(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	token := store.Token{Hash: [32]byte{1}, App: "game", Scopes: []string{"check", "stream"}, Expires: now().Add(time.Hour)}
	_, err := s.Token(ctx, token.Hash)
	wantErr(t, "unknown token", err, store.ErrNotFound)
	must(t, s.PutToken(ctx, token))
	wantErr(t, "PutToken twice", s.PutToken(ctx, token), store.ErrExists)
	other := store.Token{Hash: [32]byte{2}, App: "other", Scopes: []string{"check"}, Expires: now().Add(time.Hour)}
	must(t, s.PutToken(ctx, other))
	got, err := s.Token(ctx, token.Hash)
	must(t, err)
	same(t, "token", got, token)

	must(t, s.RevokeTokens(ctx, "game"))
	token.Revoked = true
	got, err = s.Token(ctx, token.Hash)
	must(t, err)
	same(t, "revoked token", got, token)
	got, err = s.Token(ctx, other.Hash)
	must(t, err)
	same(t, "another app's token", got, other)
}

func testUsers(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	u := store.User{Name: "ana", PasswordHash: "$argon2id$…", Role: "moderator", Created: now()}
	must(t, s.CreateUser(ctx, u, "root"))
	wantErr(t, "CreateUser twice", s.CreateUser(ctx, u, "root"), store.ErrExists)
	_, err := s.User(ctx, "bob")
	wantErr(t, "User", err, store.ErrNotFound)
	wantErr(t, "SetUser", s.SetUser(ctx, store.User{Name: "bob"}), store.ErrNotFound)
	if n, err := s.CountAdmins(ctx); n != 0 || err != nil {
		t.Errorf("CountAdmins() = %d, %v, want 0", n, err)
	}
	login := store.Login{Hash: [32]byte{9}, User: "ana", Created: now(), LastSeen: now(), Expires: now().Add(time.Hour)}
	must(t, s.PutLogin(ctx, login))
	u.Role, u.Disabled, u.PasswordHash = "admin", true, "$argon2id$other"
	must(t, s.SetUser(ctx, u))
	got, err := s.User(ctx, "ana")
	must(t, err)
	same(t, "user", got, u)
	_, err = s.Login(ctx, login.Hash)
	wantErr(t, "login after a change of role", err, store.ErrNotFound)
	if n, err := s.CountAdmins(ctx); n != 1 || err != nil {
		t.Errorf("CountAdmins() = %d, %v, want 1", n, err)
	}
	all, err := s.Users(ctx)
	must(t, err)
	same(t, "users", all, []store.User{u})
}

func testFirstAdminOnce(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	wins, errs := race(8, func(i int) error {
		u := store.User{Name: fmt.Sprintf("admin%d", i), PasswordHash: "x", Role: "admin", Created: now()}
		return s.CreateFirstAdmin(ctx, u)
	})
	if wins != 1 {
		t.Errorf("%d of 8 became the first admin, want 1", wins)
	}
	for _, err := range errs {
		wantErr(t, "CreateFirstAdmin", err, store.ErrExists)
	}
	if n, err := s.CountAdmins(ctx); n != 1 || err != nil {
		t.Errorf("CountAdmins() = %d, %v, want 1", n, err)
	}
}

func testLogins(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	l := store.Login{Hash: [32]byte{3}, User: "ana", Created: now(), LastSeen: now(), Expires: now().Add(12 * time.Hour)}
	_, err := s.Login(ctx, l.Hash)
	wantErr(t, "unknown login", err, store.ErrNotFound)
	must(t, s.PutLogin(ctx, l))
	l.LastSeen = l.LastSeen.Add(time.Minute)
	must(t, s.TouchLogin(ctx, l.Hash, l.LastSeen))
	must(t, s.TouchLogin(ctx, l.Hash, l.LastSeen.Add(-time.Second)))
	got, err := s.Login(ctx, l.Hash)
	must(t, err)
	same(t, "login", got, l)
	must(t, s.DeleteLogin(ctx, l.Hash))
	must(t, s.DeleteLogin(ctx, l.Hash))
	_, err = s.Login(ctx, l.Hash)
	wantErr(t, "deleted login", err, store.ErrNotFound)
	wantErr(t, "use of a deleted login", s.TouchLogin(ctx, l.Hash, now()), store.ErrNotFound)
}

func testSeen(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	wins, _ := race(16, func(int) error {
		first, err := s.Seen(ctx, "nonce", time.Hour)
		if err == nil && !first {
			err = store.ErrExists
		}
		return err
	})
	if wins != 1 {
		t.Errorf("%d of 16 were first, want 1", wins)
	}
	_, err := s.SeenAnswer(ctx, "nonce")
	wantErr(t, "answer before there is one", err, store.ErrNotFound)
	for _, answer := range [][]byte{[]byte("{\x00}"), {}} {
		must(t, s.PutSeen(ctx, "nonce", answer, time.Hour))
		got, err := s.SeenAnswer(ctx, "nonce")
		must(t, err)
		if !bytes.Equal(got, answer) {
			t.Errorf("SeenAnswer() = %q, want %q", got, answer)
		}
	}
	if first, err := s.Seen(ctx, "nonce", time.Hour); first || err != nil {
		t.Errorf("Seen() of an answered key = %v, %v, want false", first, err)
	}
	// What is of one owner goes at once, and nothing of another whose name begins alike.
	for _, key := range []string{"a%_b:1:x", "a%_b:1:y", "a%_b:10:x", "aXYb:1:x"} {
		must(t, s.PutSeenOf(ctx, key[:len(key)-1], key, []byte("{}"), time.Hour))
	}
	must(t, s.ForgetSeenOf(ctx, "a%_b:1:"))
	for key, want := range map[string]error{"a%_b:1:x": store.ErrNotFound, "a%_b:1:y": store.ErrNotFound, "a%_b:10:x": nil, "aXYb:1:x": nil} {
		if _, err := s.SeenAnswer(ctx, key); !errors.Is(err, want) {
			t.Errorf("the answer of %s: %v, want %v", key, err, want)
		}
	}
	must(t, s.ForgetSeen(ctx, "nonce"))
	if first, err := s.Seen(ctx, "nonce", time.Hour); !first || err != nil {
		t.Errorf("Seen() of a forgotten key = %v, %v, want true", first, err)
	}
	// A key that ran out is first again, with no answer left over.
	must(t, s.PutSeen(ctx, "old", []byte("a"), -time.Second))
	_, err = s.SeenAnswer(ctx, "old")
	wantErr(t, "answer that ran out", err, store.ErrNotFound)
	if first, err := s.Seen(ctx, "old", time.Hour); !first || err != nil {
		t.Errorf("Seen() of a key that ran out = %v, %v, want true", first, err)
	}
	_, err = s.SeenAnswer(ctx, "old")
	wantErr(t, "answer of the key's former life", err, store.ErrNotFound)
}

func testAudit(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	must(t, s.VerifyAudit(ctx, "node1"))
	if _, errs := race(20, func(i int) error {
		return s.AppendAudit(ctx, store.Audit{
			Chain: "node1", TS: now(), Actor: "ana", Action: "case.decide", Object: strconv.Itoa(i), Detail: `{"a":"<é\u0000>"}`,
		})
	}); errs != nil {
		t.Fatal(errs)
	}
	must(t, s.AppendAudit(ctx, store.Audit{Chain: "node2", TS: now(), Action: "other chain"}))
	must(t, s.VerifyAudit(ctx, "node1"))
	must(t, s.VerifyAudit(ctx, "node2"))

	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	for _, damage := range []struct{ name, do, undo string }{
		{
			"changed", `UPDATE audit_log SET actor = 'eve' WHERE chain = 'node1' AND seq = 7`,
			`UPDATE audit_log SET actor = 'ana' WHERE chain = 'node1' AND seq = 7`,
		},
		{
			"out of place", `UPDATE audit_log SET seq = 70 WHERE chain = 'node1' AND seq = 7`,
			`UPDATE audit_log SET seq = 7 WHERE chain = 'node1' AND seq = 70`,
		},
		{"cut off", `DELETE FROM audit_log WHERE chain = 'node1' AND seq = 20`, ""},
	} {
		_, err := raw.ExecContext(ctx, damage.do)
		must(t, err)
		wantErr(t, damage.name, s.VerifyAudit(ctx, "node1"), sqlstore.ErrAuditBroken)
		if damage.undo != "" {
			_, err = raw.ExecContext(ctx, damage.undo)
			must(t, err)
			must(t, s.VerifyAudit(ctx, "node1"))
		}
	}
	must(t, s.VerifyAudit(ctx, "node2"))
}
