package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// overlap is how long the old secret of an app goes on signing after a rotation.
const overlap = 24 * time.Hour

// keys manages the secrets of apps. It works on the store itself, also while
// gateways serve from it.
func keys(ctx context.Context, args []string, io std) error {
	verbs := map[string]func(context.Context, *sqlstore.Store, keyFlags, std) error{
		"create": createKey, "list": listKeys, "rotate": rotateKey, "revoke": revokeKey, "token": mintToken,
	}
	if len(args) == 0 || verbs[args[0]] == nil {
		return badUsage("keys create|list|rotate|revoke|token --data DIR [--app NAME]")
	}
	f := newFlags("keys "+args[0], io)
	var k keyFlags
	place := storeFlags(f)
	f.StringVar(&k.app, "app", "", "the app's id")
	f.StringVar(&k.key, "key", "", "revoke: one key; without it all keys and tokens of the app")
	f.DurationVar(&k.overlap, "overlap", overlap, "rotate: how long the old secret goes on signing (at most 168h)")
	f.BoolVar(&k.json, "json", false, "print JSON")
	if err := parse(f, args[1:]); err != nil {
		return err
	}
	if args[0] != "list" && !auth.ValidApp(engines.AppID(k.app)) {
		return badUsage("--app must be 1 to 64 of A-Z a-z 0-9 . _ -")
	}
	db, err := place.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(verbs[args[0]](ctx, db, k, io), db.Close())
}

type keyFlags struct {
	app, key string
	overlap  time.Duration
	json     bool
}

func createKey(ctx context.Context, db *sqlstore.Store, k keyFlags, io std) error {
	secret, id := newSecret(), newKeyID()
	err := db.RegisterApp(ctx, engines.AppID(k.app), id, secret, cliActor())
	if errors.Is(err, store.ErrExists) {
		return fmt.Errorf("app %s exists; keys rotate makes a second secret", k.app)
	}
	if err != nil {
		return err
	}
	return printSecret(io, k, id, secret, time.Time{})
}

func rotateKey(ctx context.Context, db *sqlstore.Store, k keyFlags, io std) error {
	if k.overlap < 0 || k.overlap > 7*24*time.Hour {
		return badUsage("--overlap must be 0 to 168h")
	}
	secret, id, now := newSecret(), newKeyID(), time.Now()
	err := db.RotateSecret(ctx, store.Secret{
		App: engines.AppID(k.app), KeyID: id, Secret: secret, NotBefore: now, Created: now,
	}, now.Add(k.overlap), cliActor())
	switch {
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("no app %s", k.app)
	case errors.Is(err, store.ErrConflict):
		return fmt.Errorf("app %s has two live secrets; revoke one first (keys list, keys revoke --key)", k.app)
	case err != nil:
		return err
	}
	return printSecret(io, k, id, secret, now.Add(k.overlap))
}

func printSecret(io std, k keyFlags, id, secret string, old time.Time) error {
	if k.json {
		return printJSON(io, map[string]string{"app_id": k.app, "key_id": id, "secret": secret})
	}
	io.say("app_id  %s\nkey_id  %s\nsecret  %s\n\nThe secret is shown this once. It signs requests (SVC) and player tickets (HS256).\n", k.app, id, secret)
	if !old.IsZero() {
		io.say("The old secret signs until %s.\n", old.UTC().Format(time.RFC3339))
	}
	return nil
}

func listKeys(ctx context.Context, db *sqlstore.Store, k keyFlags, io std) error {
	apps, err := db.Apps(ctx)
	if err != nil {
		return err
	}
	type row struct {
		App     engines.AppID `json:"app_id"`
		Key     string        `json:"key_id"`
		Created time.Time     `json:"created_at"`
		Expires *time.Time    `json:"expires_at,omitempty"`
	}
	list := []row{}
	for _, a := range apps {
		if k.app != "" && string(a.ID) != k.app {
			continue
		}
		secrets, err := db.Secrets(ctx, a.ID)
		if err != nil {
			return err
		}
		for _, s := range secrets {
			r := row{App: a.ID, Key: s.KeyID, Created: s.Created.UTC()}
			if !s.Expires.IsZero() {
				at := s.Expires.UTC()
				r.Expires = &at
			}
			list = append(list, r)
		}
	}
	if k.json {
		return printJSON(io, list)
	}
	for _, r := range list {
		until := "until rotated"
		if r.Expires != nil {
			until = "until " + r.Expires.Format(time.RFC3339)
		}
		io.say("%-32s %-14s %s\n", r.App, r.Key, until)
	}
	return nil
}

// mintToken prints a bearer token, to try the gateway with a plain HTTP client.
// Game servers mint theirs at POST /api/v1/auth/token.
func mintToken(ctx context.Context, db *sqlstore.Store, k keyFlags, io std) error {
	if _, err := db.Secrets(ctx, engines.AppID(k.app)); errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("no app %s", k.app)
	} else if err != nil {
		return err
	}
	scopes := []string{auth.ScopeCheck, auth.ScopeStream}
	token, expires, err := auth.NewTokens(authStore{db}, nil).Mint(ctx, engines.AppID(k.app), scopes, time.Hour)
	if err != nil {
		return err
	}
	if err := noteAudit(ctx, db, "app.token", k.app, map[string]any{"scopes": scopes}); err != nil {
		return err
	}
	if k.json {
		return printJSON(io, map[string]any{"access_token": token, "expires_at": expires.UTC()})
	}
	io.say("%s\n", token)
	return nil
}

func revokeKey(ctx context.Context, db *sqlstore.Store, k keyFlags, io std) error {
	app := engines.AppID(k.app)
	ids := []string{k.key}
	if k.key == "" {
		secrets, err := db.Secrets(ctx, app)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("no app %s", k.app)
		}
		if err != nil {
			return err
		}
		ids = nil
		for _, s := range secrets {
			ids = append(ids, s.KeyID)
		}
	}
	if err := db.EndSecrets(ctx, app, ids, cliActor()); err != nil {
		return err
	}
	io.say("revoked %d secrets and all tokens of %s; gateways follow within 30 seconds\n", len(ids), k.app)
	return nil
}

// newSecret is a signing secret: 32 random bytes.
func newSecret() string { return "psk_" + randomText(32) }

func newKeyID() string { return "k_" + randomText(6) }

func randomText(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

func printJSON(io std, v any) error {
	return json.NewEncoder(io.out).Encode(v)
}

// noteAudit records what was done on the command line.
func noteAudit(ctx context.Context, db *sqlstore.Store, action, object string, detail any) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	return db.AppendAudit(ctx, store.Audit{Chain: "cli", TS: time.Now(), Actor: cliActor(), Action: action, Object: object, Detail: string(text)})
}

// cliActor is who runs the command.
func cliActor() string {
	if u := os.Getenv("USER"); u != "" {
		return "cli:" + u
	}
	return "cli"
}
