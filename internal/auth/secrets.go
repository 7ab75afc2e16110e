package auth

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/portcullis-gg/portcullis/engines"
)

// SecretSource gives the secrets of an app that are live now, newest first;
// none, and no error, for an app that does not exist.
type SecretSource interface {
	LiveSecrets(ctx context.Context, app engines.AppID) ([]string, error)
}

const (
	secretsKept    = 30 * time.Second // after a revocation on another node, at worst
	secretsRecheck = time.Second      // an app made by another process works after this, at worst
	// Made-up app ids cost a look-up each; so many run at once and the others
	// wait, so that they can't take every connection of the store.
	secretLookups = 8
	lookupTimeout = 2 * time.Second
	secretsCached = 4096 // apps per generation, known and made-up ones apart
)

// Secrets caches a SecretSource in memory.
type Secrets struct {
	source  SecretSource
	known   *cache[engines.AppID, []string]
	unknown *cache[engines.AppID, struct{}]
	flights singleflight.Group
	slots   chan struct{}
}

// NewSecrets returns a cache of source. A nil now is time.Now.
func NewSecrets(source SecretSource, now func() time.Time) *Secrets {
	now = clock(now)
	return &Secrets{
		source:  source,
		known:   newCache[engines.AppID, []string](secretsKept, secretsCached, now),
		unknown: newCache[engines.AppID, struct{}](secretsRecheck, secretsCached, now),
		slots:   make(chan struct{}, secretLookups),
	}
}

// LiveSecrets returns the secrets as they were at most 30 s ago, none for an
// app that did not exist a second ago. Errors wrap ErrUnavailable.
func (s *Secrets) LiveSecrets(ctx context.Context, app engines.AppID) ([]string, error) {
	return s.get(ctx, app, secretsKept)
}

// Refresh returns the secrets as they were at most one second ago. It is for
// when those of LiveSecrets did not do; the second bounds what forgeries cost.
func (s *Secrets) Refresh(ctx context.Context, app engines.AppID) ([]string, error) {
	return s.get(ctx, app, secretsRecheck)
}

// Forget drops what is known of app, so that the next caller asks the source.
// Call it where a secret is made or revoked.
func (s *Secrets) Forget(app engines.AppID) {
	s.flights.Forget(string(app))
	s.known.drop(func(k engines.AppID, _ []string) bool { return k == app })
	s.unknown.drop(func(k engines.AppID, _ struct{}) bool { return k == app })
}

func (s *Secrets) get(ctx context.Context, app engines.AppID, maxAge time.Duration) ([]string, error) {
	if secrets, ok := s.known.get(app, maxAge); ok {
		return secrets, nil
	}
	if _, ok := s.unknown.get(app, maxAge); ok {
		return nil, nil
	}
	v, err, _ := s.flights.Do(string(app), func() (any, error) {
		// The answer is for all who wait: none of them ends it by leaving.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		return s.load(ctx, app)
	})
	if err != nil {
		return nil, unavailable(fmt.Sprintf("look up secrets of app %s", app), err)
	}
	secrets, _ := v.([]string)
	return secrets, nil
}

func (s *Secrets) load(ctx context.Context, app engines.AppID) ([]string, error) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	known, unknown := s.known.mark(), s.unknown.mark()
	secrets, err := s.source.LiveSecrets(ctx, app)
	if err != nil {
		return nil, err
	}
	if len(secrets) == 0 {
		s.known.remove(app)
		s.unknown.put(app, struct{}{}, unknown)
		return nil, nil
	}
	s.known.put(app, secrets, known)
	return secrets, nil
}
