package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

// memTokens is a TokenStore that counts look-ups.
type memTokens struct {
	mu     sync.Mutex
	tokens map[[32]byte]Token
	asked  int
	err    error
}

func newMemTokens() *memTokens { return &memTokens{tokens: map[[32]byte]Token{}} }

func (m *memTokens) PutToken(_ context.Context, t Token) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.tokens[t.Hash] = t
	}
	return m.err
}

func (m *memTokens) Token(_ context.Context, hash [32]byte) (Token, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	t, ok := m.tokens[hash]
	switch {
	case m.err != nil:
		return Token{}, m.err
	case !ok:
		return Token{}, fmt.Errorf("read token: %w", ErrNotFound)
	}
	return t, nil
}

func (m *memTokens) revoke(app engines.AppID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for h, t := range m.tokens {
		if t.App == app {
			t.Revoked = true
			m.tokens[h] = t
		}
	}
}

func (m *memTokens) lookups() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked
}

func TestTokens(t *testing.T) {
	clock, store := newClock(1000), newMemTokens()
	tokens := NewTokens(store, clock.now)
	token, expires, err := tokens.Mint(t.Context(), "a", []string{ScopeCheck}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Unix(1000, 0).Add(time.Hour); !expires.Equal(want) {
		t.Errorf("expires %s, want %s", expires, want)
	}
	if !strings.HasPrefix(token, "pst_") || len(token) != 47 {
		t.Errorf("token has %d characters, want pst_ and 43", len(token))
	}
	stored := fmt.Sprint(store.tokens)
	if strings.Contains(stored, token) || strings.Contains(stored, token[4:]) {
		t.Error("the store has the token itself")
	}
	if _, ok := store.tokens[sha256.Sum256([]byte(token))]; !ok {
		t.Error("the store has no SHA-256 of the token")
	}
	for range 3 {
		got, err := tokens.Check(t.Context(), token)
		if want := (Grant{App: "a", Scopes: []string{ScopeCheck}}); err != nil || !cmp.Equal(got, want) {
			t.Errorf("Check = %v, %v; want %v", got, err, want)
		}
		if !got.Has(ScopeCheck) || got.Has(ScopeFeed) {
			t.Errorf("%v has the wrong scopes", got)
		}
	}
	if got := store.lookups(); got != 1 {
		t.Errorf("3 checks took %d look-ups, want 1", got)
	}

	store.revoke("a")
	clock.advance(29 * time.Second)
	if _, err := tokens.Check(t.Context(), token); err != nil {
		t.Errorf("Check 29 s after a revocation elsewhere: %v", err)
	}
	clock.advance(time.Second)
	_, err = tokens.Check(t.Context(), token)
	wantCause(t, err, CauseToken)
}

func TestTokenForgetApp(t *testing.T) {
	store := newMemTokens()
	tokens := NewTokens(store, newClock(1000).now)
	var minted []string
	for _, app := range []engines.AppID{"a", "b"} {
		token, _, err := tokens.Mint(t.Context(), app, []string{ScopeStream}, TokenTTLMax)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tokens.Check(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		minted = append(minted, token)
	}
	store.revoke("a")
	tokens.ForgetApp("a")
	_, err := tokens.Check(t.Context(), minted[0])
	wantCause(t, err, CauseToken)
	if _, err := tokens.Check(t.Context(), minted[1]); err != nil {
		t.Errorf("Check of the other app's token: %v", err)
	}
	if got := store.lookups(); got != 3 {
		t.Errorf("%d look-ups, want 3: the other app stays cached", got)
	}
}

func TestTokenExpiry(t *testing.T) {
	clock := newClock(1000)
	tokens := NewTokens(newMemTokens(), clock.now)
	token, _, err := tokens.Mint(t.Context(), "a", []string{ScopeCheck}, TokenTTLMin)
	if err != nil {
		t.Fatal(err)
	}
	clock.advance(TokenTTLMin - time.Second)
	if _, err := tokens.Check(t.Context(), token); err != nil {
		t.Errorf("Check in its last second: %v", err)
	}
	clock.advance(time.Second) // cached still
	_, err = tokens.Check(t.Context(), token)
	wantCause(t, err, CauseTokenExpired)
}

func TestTokenRefused(t *testing.T) {
	clock, store := newClock(1000), newMemTokens()
	tokens := NewTokens(store, clock.now)
	unknown := "pst_" + newSecret()
	for range 10 {
		_, err := tokens.Check(t.Context(), unknown)
		wantCause(t, err, CauseToken)
	}
	if got := store.lookups(); got != 1 {
		t.Errorf("10 checks of one unknown token took %d look-ups, want 1", got)
	}
	clock.advance(tokenRefused)
	_, err := tokens.Check(t.Context(), unknown)
	wantCause(t, err, CauseToken)
	if got := store.lookups(); got != 2 {
		t.Errorf("%d look-ups 2 s later, want 2", got)
	}
	for _, bad := range []string{"", "pst_", unknown[4:], unknown + "A", unknown[:46], "PST_" + unknown[4:], unknown[:46] + "=", " " + unknown, unknown[:46] + "\n"} {
		_, err := tokens.Check(t.Context(), bad)
		wantCause(t, err, CauseGrammar)
	}
	if got := store.lookups(); got != 2 {
		t.Errorf("tokens of the wrong shape were looked up: %d look-ups, want 2", got)
	}
	store.err = errStore
	if _, err := tokens.Check(t.Context(), "pst_"+newSecret()); !errors.Is(err, ErrUnavailable) || errors.Is(err, ErrUnauthenticated) {
		t.Errorf("Check = %v, want ErrUnavailable", err)
	}
	if _, _, err := tokens.Mint(t.Context(), "a", []string{ScopeCheck}, 0); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Mint = %v, want ErrUnavailable", err)
	}
}

func TestMintRefuses(t *testing.T) {
	tokens := NewTokens(newMemTokens(), newClock(1).now)
	for _, ttl := range []time.Duration{-1, 1, TokenTTLMin - 1, TokenTTLMax + 1} {
		if _, _, err := tokens.Mint(t.Context(), "a", []string{ScopeCheck}, ttl); !errors.Is(err, ErrInvalid) {
			t.Errorf("Mint for %s = %v, want ErrInvalid", ttl, err)
		}
	}
	if _, _, err := tokens.Mint(t.Context(), "a", nil, 0); !errors.Is(err, ErrInvalid) {
		t.Errorf("Mint without scopes = %v, want ErrInvalid", err)
	}
}

func TestParseScopes(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", []string{"check", "stream"}},
		{"  ", []string{"check", "stream"}},
		{"text:check", []string{"check"}},
		{"stream check stream text:check", []string{"check", "stream"}},
		{"feed", []string{"feed"}},
		{"admin", nil},
		{"check,stream", nil},
		{"CHECK", nil},
	}
	for _, test := range tests {
		got, err := ParseScopes(test.in)
		if !cmp.Equal(got, test.want) || (err != nil) != (test.want == nil) {
			t.Errorf("ParseScopes(%q) = %v, %v; want %v", test.in, got, err, test.want)
		}
		if err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseScopes(%q) = %v, want ErrInvalid", test.in, err)
		}
	}
}
