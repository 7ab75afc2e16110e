package auth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSetup(t *testing.T) {
	dir, clock, store := t.TempDir(), newClock(1790000000), newMemUsers()
	file := filepath.Join(dir, "setup-token")
	setup := NewSetup(dir, store, clock.now)
	_, err := setup.Use(t.Context(), "", "ana", testPassword)
	wantCause(t, err, CauseSetup) // closed: not even the empty token opens it

	token, err := setup.Open(t.Context())
	if err != nil || len(token) != 43 {
		t.Fatalf("Open = %q, %v", token, err)
	}
	if got, err := os.ReadFile(file); err != nil || strings.TrimSpace(string(got)) != token {
		t.Errorf("file has %q, %v; want the token", got, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file has mode %v, %v; want 0600", info.Mode(), err)
	}
	if needed, err := setup.Needed(t.Context()); !needed || err != nil {
		t.Errorf("Needed = %v, %v; want true", needed, err)
	}
	_, err = setup.Use(t.Context(), newSecret(), "ana", testPassword)
	wantCause(t, err, CauseSetup)
	// What breaks a rule does not use the token up.
	for name, password := range map[string]string{"ana": "short", "a b": testPassword} {
		if _, err := setup.Use(t.Context(), token, name, password); !errors.Is(err, ErrInvalid) {
			t.Errorf("Use(%q, %q) = %v, want ErrInvalid", name, password, err)
		}
	}
	got, err := setup.Use(t.Context(), token, "ana", testPassword)
	if want := (User{Name: "ana", Role: RoleAdmin}); err != nil || !cmp.Equal(got, want) {
		t.Fatalf("Use = %v, %v; want %v", got, err, want)
	}
	record := store.users["ana"]
	if ok, err := VerifyPassword(t.Context(), record.PasswordHash, testPassword); !ok || err != nil || record.Created != clock.now() {
		t.Errorf("stored %+v: password matches %v, %v", record, ok, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if needed, err := setup.Needed(t.Context()); needed || err != nil {
		t.Errorf("Needed = %v, %v; want false", needed, err)
	}
	_, err = setup.Use(t.Context(), token, "eve", testPassword)
	wantCause(t, err, CauseSetup)
	if token, err := setup.Open(t.Context()); token != "" || err != nil {
		t.Errorf("Open with an admin = %q, %v; want closed", token, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSetupExpires(t *testing.T) {
	dir, clock, store := t.TempDir(), newClock(1790000000), newMemUsers()
	setup := NewSetup(dir, store, clock.now)
	old, err := setup.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clock.advance(SetupTTL)
	_, err = setup.Use(t.Context(), old, "ana", testPassword)
	wantCause(t, err, CauseSetup)
	token, err := setup.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = setup.Use(t.Context(), old, "ana", testPassword)
	wantCause(t, err, CauseSetup)
	clock.advance(SetupTTL - time.Second)
	if _, err := setup.Use(t.Context(), token, "ana", testPassword); err != nil {
		t.Errorf("Use in the last second: %v", err)
	}
}

// An admin made on the command line meanwhile closes it for ever.
func TestSetupOvertaken(t *testing.T) {
	dir, store := t.TempDir(), newMemUsers()
	setup := NewSetup(dir, store, newClock(1).now)
	token, err := setup.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	store.change("cli", func(u *UserRecord) { *u = UserRecord{Name: "cli", Role: "admin"} })
	_, err = setup.Use(t.Context(), token, "eve", testPassword)
	wantCause(t, err, CauseSetup)
	delete(store.users, "cli")
	_, err = setup.Use(t.Context(), token, "eve", testPassword)
	wantCause(t, err, CauseSetup)
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSetupOnce(t *testing.T) {
	store := newMemUsers()
	setup := NewSetup(t.TempDir(), store, newClock(1).now)
	token, err := setup.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		wg.Go(func() { _, _ = setup.Use(t.Context(), token, name, testPassword) })
	}
	wg.Wait()
	if got := len(store.users); got != 1 {
		t.Errorf("%d admins were made, want 1", got)
	}
}

// What stands at the path is replaced, never written through.
func TestSetupFileReplaced(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "someone-elses")
	if err := os.WriteFile(target, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, "setup-token")); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSetup(dir, newMemUsers(), nil).Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); string(got) != "precious" || err != nil {
		t.Errorf("the link's target has %q, %v", got, err)
	}
	if _, err := NewSetup(filepath.Join(dir, "no-such"), newMemUsers(), nil).Open(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open in a folder that is not there = %v", err)
	}
	store := newMemUsers()
	store.err = errStore
	if _, err := NewSetup(dir, store, nil).Open(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Open = %v, want ErrUnavailable", err)
	}
}
