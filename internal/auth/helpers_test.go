package auth

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeClock is a clock that moves when told to.
type fakeClock struct {
	mu sync.Mutex
	t  time.Time
}

func newClock(unix int64) *fakeClock { return &fakeClock{t: time.Unix(unix, 0)} }

func (c *fakeClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// sourceFunc is a SecretSource.
type sourceFunc func(context.Context, engines.AppID) ([]string, error)

func (f sourceFunc) LiveSecrets(ctx context.Context, app engines.AppID) ([]string, error) {
	return f(ctx, app)
}

// apps is a SecretSource whose secrets can be changed and that counts look-ups.
type apps struct {
	mu      sync.Mutex
	secrets map[engines.AppID][]string
	asked   int
	err     error
}

func (a *apps) LiveSecrets(_ context.Context, app engines.AppID) ([]string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	return slices.Clone(a.secrets[app]), a.err
}

func (a *apps) set(app engines.AppID, secrets ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.secrets == nil {
		a.secrets = map[engines.AppID][]string{}
	}
	a.secrets[app] = secrets
}

func (a *apps) lookups() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked
}

// seen is a SeenStore on a clock.
type seen struct {
	clock *fakeClock
	mu    sync.Mutex
	until map[string]time.Time
	err   error
}

func newSeen(clock *fakeClock) *seen { return &seen{clock: clock, until: map[string]time.Time{}} }

func (s *seen) Seen(_ context.Context, key string, ttl time.Duration) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return false, s.err
	}
	if s.until[key].After(s.clock.now()) {
		return false, nil
	}
	s.until[key] = s.clock.now().Add(ttl)
	return true, nil
}

func (s *seen) keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.until))
}

func seenKey(app engines.AppID, id string) string { return string(app) + "/" + id }

var errStore = errors.New("store is down")

func wantCause(t *testing.T, err error, want Cause) {
	t.Helper()
	if !errors.Is(err, ErrUnauthenticated) {
		t.Fatalf("error = %v, want a refusal", err)
	}
	if got := CauseOf(err); got != want {
		t.Errorf("cause = %q (%v), want %q", got, err, want)
	}
}
