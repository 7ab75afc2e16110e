package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestSecretsCache(t *testing.T) {
	clock, source := newClock(1000), &apps{}
	source.set("a", "psk_1")
	s := NewSecrets(source, clock.now)
	check := func(step string, want []string, lookups int) {
		t.Helper()
		got, err := s.LiveSecrets(t.Context(), "a")
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: LiveSecrets = %v, %v; want %v", step, got, err, want)
		}
		if n := source.lookups(); n != lookups {
			t.Errorf("%s: %d look-ups, want %d", step, n, lookups)
		}
	}
	check("first", []string{"psk_1"}, 1)
	source.set("a", "psk_2")
	clock.advance(29 * time.Second)
	check("cached", []string{"psk_1"}, 1)
	clock.advance(time.Second)
	check("after 30 s", []string{"psk_2"}, 2)
	source.set("a", "psk_3")
	s.Forget("a")
	check("forgotten", []string{"psk_3"}, 3)
	source.set("a")
	s.Forget("a")
	check("gone", nil, 4)
	source.set("a", "psk_4")
	check("still gone", nil, 4)
	clock.advance(time.Second)
	check("made a second ago", []string{"psk_4"}, 5)
}

// A rotated secret works at once, and forgeries cost one look-up a second.
func TestVerifyAfterRotation(t *testing.T) {
	clock, source := newClock(1790000000), &apps{}
	source.set("demo-app", "psk_old")
	c := newCaller("psk_old")
	c.service = NewVerifier("SVC", NewSecrets(source, clock.now), clock.now)
	if _, err := c.send(t, c.sign()); err != nil {
		t.Fatalf("Verify with the first secret: %v", err)
	}
	source.set("demo-app", "psk_new", "psk_old")
	clock.advance(time.Second)
	c.secret = "psk_new"
	if _, err := c.send(t, c.sign()); err != nil {
		t.Errorf("Verify with a secret made a second ago: %v", err)
	}
	before := source.lookups()
	c.secret = "psk_forged"
	for range 50 {
		_, err := c.send(t, c.sign())
		wantCause(t, err, CauseSignature)
	}
	if n := source.lookups() - before; n != 0 {
		t.Errorf("50 forgeries within a second of a look-up cost %d more, want 0", n)
	}
	clock.advance(time.Second)
	for range 50 {
		_, err := c.send(t, c.sign())
		wantCause(t, err, CauseSignature)
	}
	if n := source.lookups() - before; n != 1 {
		t.Errorf("50 forgeries in the next second cost %d look-ups, want 1", n)
	}
}

// Whatever is looked up replaces what was known: once a look-up finds that an
// app has no secrets left, none works any more.
func TestVerifyAfterRevocation(t *testing.T) {
	clock, source := newClock(1790000000), &apps{}
	source.set("demo-app", "psk_revoked")
	c := newCaller("psk_revoked")
	c.service = NewVerifier("SVC", NewSecrets(source, clock.now), clock.now)
	if _, err := c.send(t, c.sign()); err != nil {
		t.Fatalf("Verify before: %v", err)
	}
	source.set("demo-app")
	clock.advance(time.Second)
	signed := c.sign()
	c.secret = "psk_forged"
	_, err := c.send(t, c.sign())
	wantCause(t, err, CauseApp)
	_, err = c.send(t, signed)
	wantCause(t, err, CauseApp)
}

func TestSecretsUnavailable(t *testing.T) {
	clock, source := newClock(1790000000), &apps{err: errStore}
	c := newCaller("psk_live")
	c.service = NewVerifier("SVC", NewSecrets(source, clock.now), clock.now)
	_, err := c.send(t, c.sign())
	if !errors.Is(err, ErrUnavailable) || !errors.Is(err, errStore) || errors.Is(err, ErrUnauthenticated) {
		t.Errorf("Verify = %v, want ErrUnavailable", err)
	}
}

// Many callers of one app ask the source once; a caller that leaves takes
// nobody with it.
func TestSecretsSingleFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lookups := 0
		s := NewSecrets(sourceFunc(func(ctx context.Context, _ engines.AppID) ([]string, error) {
			lookups++
			time.Sleep(time.Second)
			return []string{"psk_1"}, ctx.Err()
		}), nil)
		gone, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for i := range 20 {
			ctx := t.Context()
			if i == 0 {
				ctx = gone
			}
			wg.Go(func() {
				if got, err := s.LiveSecrets(ctx, "a"); err != nil || len(got) != 1 {
					t.Errorf("LiveSecrets = %v, %v", got, err)
				}
			})
			synctest.Wait()
		}
		leave()
		wg.Wait()
		if lookups != 1 {
			t.Errorf("%d look-ups, want 1", lookups)
		}
	})
}

// What Forget was told of must not come back from a look-up that began before.
func TestSecretsForgetDuringLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secret := "psk_revoked"
		s := NewSecrets(sourceFunc(func(context.Context, engines.AppID) ([]string, error) {
			read := secret
			time.Sleep(time.Second)
			return []string{read}, nil
		}), nil)
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = s.LiveSecrets(t.Context(), "a") })
		synctest.Wait()
		secret = "psk_new"
		s.Forget("a")
		wg.Wait()
		if got, _ := s.LiveSecrets(t.Context(), "a"); !cmp.Equal(got, []string{"psk_new"}) {
			t.Errorf("LiveSecrets = %v, want psk_new", got)
		}
	})
}

// Made-up apps: so many look-ups at once, the rest wait, and a store that
// hangs does not hang them for long.
func TestSecretsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		running, most := 0, 0
		s := NewSecrets(sourceFunc(func(ctx context.Context, _ engines.AppID) ([]string, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			<-ctx.Done()
			mu.Lock()
			running--
			mu.Unlock()
			return nil, ctx.Err()
		}), nil)
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				if _, err := s.LiveSecrets(t.Context(), engines.AppID(fmt.Sprint("made-up-", i))); !errors.Is(err, ErrUnavailable) {
					t.Errorf("LiveSecrets = %v, want ErrUnavailable", err)
				}
			})
		}
		wg.Wait()
		if most != secretLookups {
			t.Errorf("%d look-ups at once, want %d", most, secretLookups)
		}
		if took := time.Since(start); took > lookupTimeout+time.Second {
			t.Errorf("took %s, want about %s", took, lookupTimeout)
		}
	})
	clock := newClock(1)
	c := newCache[int, int](time.Minute, 100, clock.now)
	for i := range 10_000 {
		c.put(i, i, c.mark())
		// An entry in use survives any number of others.
		if _, ok := c.get(0, time.Minute); !ok {
			t.Fatalf("entry in use was dropped after %d others", i)
		}
	}
	if n := c.len(); n > 200 {
		t.Errorf("cache has %d entries, want at most 200", n)
	}
	clock.advance(-time.Hour)
	if _, ok := c.get(0, time.Minute); ok {
		t.Error("entry from the future counts as fresh")
	}
}
