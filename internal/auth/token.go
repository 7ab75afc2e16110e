package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/portcullis-gg/portcullis/engines"
)

// Lifetimes of bearer tokens.
const (
	TokenTTL    = time.Hour // unless asked otherwise
	TokenTTLMin = 5 * time.Minute
	TokenTTLMax = 24 * time.Hour
)

const (
	tokenPrefix  = "pst_"
	secretBytes  = 32
	tokenKept    = 30 * time.Second // after a revocation on another node, at worst
	tokenRefused = 2 * time.Second
	tokensCached = 16384 // per generation, good and refused ones apart
)

// Token is a stored bearer token: of the token itself only the SHA-256 is kept.
type Token struct {
	Hash    [32]byte
	App     engines.AppID
	Scopes  []string
	Expires time.Time
	Revoked bool
}

// TokenStore keeps tokens where a restart does not lose them. Token returns
// ErrNotFound for a hash that it does not have.
type TokenStore interface {
	PutToken(ctx context.Context, t Token) error
	Token(ctx context.Context, hash [32]byte) (Token, error)
}

// Grant is what a bearer token allows.
type Grant struct {
	App    engines.AppID
	Scopes []string
}

// Has reports whether the grant has a scope.
func (g Grant) Has(scope string) bool { return slices.Contains(g.Scopes, scope) }

// Tokens mints and checks bearer tokens.
type Tokens struct {
	store   TokenStore
	now     func() time.Time
	good    *cache[[32]byte, Token]
	refused *cache[[32]byte, struct{}]
	flights singleflight.Group
}

// NewTokens returns a Tokens over store. A nil now is time.Now.
func NewTokens(store TokenStore, now func() time.Time) *Tokens {
	now = clock(now)
	return &Tokens{
		store: store, now: now,
		good:    newCache[[32]byte, Token](tokenKept, tokensCached, now),
		refused: newCache[[32]byte, struct{}](tokenRefused, tokensCached, now),
	}
}

// Mint makes a token of app and stores it before it returns. A ttl of 0 is
// TokenTTL. Errors wrap ErrInvalid (lifetime, no scope) or ErrUnavailable.
func (t *Tokens) Mint(ctx context.Context, app engines.AppID, scopes []string, ttl time.Duration) (token string, expires time.Time, err error) {
	if ttl == 0 {
		ttl = TokenTTL
	}
	if ttl < TokenTTLMin || ttl > TokenTTLMax {
		return "", time.Time{}, invalid("token lifetime must be 5 min to 24 h")
	}
	if len(scopes) == 0 {
		return "", time.Time{}, invalid("a token needs a scope")
	}
	token = tokenPrefix + newSecret()
	expires = t.now().Add(ttl)
	err = t.store.PutToken(ctx, Token{Hash: sha256.Sum256([]byte(token)), App: app, Scopes: slices.Clone(scopes), Expires: expires})
	if err != nil {
		return "", time.Time{}, unavailable("store token", err)
	}
	return token, expires, nil
}

// Check returns what token allows. A revocation on another node takes at most
// 30 s to be heard here. Errors are *Error or wrap ErrUnavailable.
func (t *Tokens) Check(ctx context.Context, token string) (Grant, error) {
	secret, ok := strings.CutPrefix(token, tokenPrefix)
	if !ok || !secretShaped(secret) {
		return Grant{}, &Error{Cause: CauseGrammar, Err: errors.New("not a bearer token")}
	}
	hash := sha256.Sum256([]byte(token))
	record, err := t.find(ctx, hash)
	switch {
	case errors.Is(err, ErrNotFound):
		return Grant{}, &Error{Cause: CauseToken}
	case err != nil:
		return Grant{}, unavailable("look up token", err)
	case record.Revoked:
		return Grant{}, &Error{Cause: CauseToken, App: record.App, Err: errors.New("revoked")}
	case !t.now().Before(record.Expires):
		return Grant{}, &Error{Cause: CauseTokenExpired, App: record.App}
	}
	return Grant{App: record.App, Scopes: record.Scopes}, nil
}

// ForgetApp drops every cached token of app. Call it where they are revoked.
func (t *Tokens) ForgetApp(app engines.AppID) {
	t.good.drop(func(_ [32]byte, r Token) bool { return r.App == app })
}

func (t *Tokens) find(ctx context.Context, hash [32]byte) (Token, error) {
	if r, ok := t.good.get(hash, tokenKept); ok {
		return r, nil
	}
	if _, ok := t.refused.get(hash, tokenRefused); ok {
		return Token{}, ErrNotFound
	}
	v, err, _ := t.flights.Do(string(hash[:]), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		return t.load(ctx, hash)
	})
	record, _ := v.(Token)
	return record, err
}

func (t *Tokens) load(ctx context.Context, hash [32]byte) (Token, error) {
	good, refused := t.good.mark(), t.refused.mark()
	record, err := t.store.Token(ctx, hash)
	switch {
	case errors.Is(err, ErrNotFound):
		t.refused.put(hash, struct{}{}, refused)
		return Token{}, err
	case err != nil:
		return Token{}, err
	}
	t.good.put(hash, record, good)
	return record, nil
}

// newSecret returns 32 random bytes in 43 URL-safe characters.
func newSecret() string {
	b := make([]byte, secretBytes)
	_, _ = rand.Read(b) // never fails: it ends the process
	return base64.RawURLEncoding.EncodeToString(b)
}

// secretShaped reports whether s may have come from newSecret.
func secretShaped(s string) bool {
	return len(s) == base64.RawURLEncoding.EncodedLen(secretBytes) && all(s, urlSafe)
}
