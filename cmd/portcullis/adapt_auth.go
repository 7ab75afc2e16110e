package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// authStore is the durable store as auth wants it: auth's records, auth's errors.
type authStore struct{ db *sqlstore.Store }

// LiveSecrets returns the secrets of an app that sign now, none for an app that
// there is not.
func (s authStore) LiveSecrets(ctx context.Context, app engines.AppID) ([]string, error) {
	list, err := s.db.Secrets(ctx, app)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("secrets of app %s: %w", app, err)
	}
	now := time.Now()
	var live []string
	for _, k := range list {
		if !k.NotBefore.After(now) && (k.Expires.IsZero() || k.Expires.After(now)) {
			live = append(live, k.Secret)
		}
	}
	return live, nil
}

func (s authStore) PutToken(ctx context.Context, t auth.Token) error {
	return s.db.PutToken(ctx, store.Token(t))
}

func (s authStore) Token(ctx context.Context, hash [32]byte) (auth.Token, error) {
	t, err := s.db.Token(ctx, hash)
	return auth.Token(t), missing(err)
}

func (s authStore) User(ctx context.Context, name string) (auth.UserRecord, error) {
	u, err := s.db.User(ctx, name)
	return auth.UserRecord(u), missing(err)
}

func (s authStore) PutLogin(ctx context.Context, l auth.LoginRecord) error {
	return s.db.PutLogin(ctx, store.Login(l))
}

func (s authStore) Login(ctx context.Context, hash [32]byte) (auth.LoginRecord, error) {
	l, err := s.db.Login(ctx, hash)
	return auth.LoginRecord(l), missing(err)
}

func (s authStore) DeleteLogin(ctx context.Context, hash [32]byte) error {
	if err := s.db.DeleteLogin(ctx, hash); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

func (s authStore) TouchLogin(ctx context.Context, hash [32]byte, seen time.Time) error {
	return missing(s.db.TouchLogin(ctx, hash, seen))
}

func (s authStore) HasAdmin(ctx context.Context) (bool, error) {
	n, err := s.db.CountAdmins(ctx)
	return n > 0, err
}

func (s authStore) CreateFirstAdmin(ctx context.Context, u auth.UserRecord) error {
	err := s.db.CreateFirstAdmin(ctx, store.User(u))
	if errors.Is(err, store.ErrExists) {
		return fmt.Errorf("%w: %w", auth.ErrExists, err)
	}
	return err
}

// missing turns the store's "not found" into auth's.
func missing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %w", auth.ErrNotFound, err)
	}
	return err
}

// seenKey names things of one kind, of an app, that happen once.
func seenKey(kind string) func(engines.AppID, string) string {
	return func(app engines.AppID, id string) string { return kind + ":" + string(app) + ":" + id }
}

// identities says who a stream's token belongs to: a player by ticket, a game
// server by bearer token.
type identities struct {
	tickets *auth.Tickets
	tokens  *auth.Tokens
}

func (i identities) Identify(ctx context.Context, token string) (session.Identity, error) {
	if strings.HasPrefix(token, "pst_") {
		grant, err := i.tokens.Check(ctx, token)
		if err != nil {
			return session.Identity{}, unknown(err)
		}
		if !grant.Has(auth.ScopeStream) {
			return session.Identity{}, fmt.Errorf("%w: scope", session.ErrUnknown)
		}
		return session.Identity{Role: session.Server, App: grant.App}, nil
	}
	t, err := i.tickets.Check(ctx, token)
	if err != nil {
		return session.Identity{}, unknown(err)
	}
	return session.Identity{
		Role: session.Player, App: t.App, Player: t.Player, Ticket: t.ID, Grants: t.Scenes,
		Segment: t.Segment, Region: t.Region, Language: t.Language,
	}, nil
}

// Use marks a ticket as used. Where the store that remembers does not answer, a
// ticket of at most five minutes is let by: players must get in.
func (i identities) Use(ctx context.Context, id session.Identity) error {
	if id.Ticket == "" {
		return nil
	}
	err := i.tickets.UseJTI(ctx, id.App, id.Ticket)
	if errors.Is(err, auth.ErrUnavailable) {
		return nil
	}
	return unknown(err)
}

// unknown turns a refusal into the stream's words.
func unknown(err error) error {
	switch auth.CauseOf(err) {
	case auth.CauseTicketExpired, auth.CauseTicketUsed, auth.CauseTokenExpired:
		return fmt.Errorf("%w: %w", session.ErrExpired, err)
	}
	if errors.Is(err, auth.ErrUnauthenticated) {
		return fmt.Errorf("%w: %w", session.ErrUnknown, err)
	}
	return err
}
