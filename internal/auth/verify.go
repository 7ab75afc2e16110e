package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// MaxSkew is how far a signature's time may lie from ours, either way.
	MaxSkew = 300 * time.Second
	// liveSecrets is how many secrets an app has at most. Every verification
	// computes as many MACs, so that time tells nothing of the app.
	liveSecrets = 2
)

// Request is what a signature covers, as it came over the wire.
type Request struct {
	// Authorization has every header line of that name: more than one is refused.
	Authorization []string
	// Nonce is the X-SVC-Nonce header, "" when absent.
	Nonce  string
	Method string
	// Target is the raw request target: path, "?", query.
	Target string
	// Body is the raw body, before any Content-Encoding is undone.
	Body []byte
}

// Verifier verifies SVC signatures.
type Verifier struct {
	scheme  string
	secrets *Secrets
	now     func() time.Time
	dummy   string // stands in for the secrets of an app that has none
}

// NewVerifier returns a verifier of headers that start with scheme ("SVC"
// unless configured). A nil now is time.Now.
func NewVerifier(scheme string, secrets *Secrets, now func() time.Time) *Verifier {
	return &Verifier{scheme: scheme, secrets: secrets, now: clock(now), dummy: rand.Text()}
}

// Verify returns who signed the request. The caller's body limit and
// per-address limit come before it; the per-app limit and the replay rule, for
// which it returns the signature, after it. Errors are *Error or wrap ErrUnavailable.
//
// A signature that no known secret makes is tried once more against the store
// when what we know is over a second old, so that a rotated key works at once.
func (v *Verifier) Verify(ctx context.Context, r Request) (SVC, error) {
	svc, err := v.parse(r)
	if err != nil {
		return SVC{}, err
	}
	if d := v.now().Sub(svc.Time()); d > MaxSkew || d < -MaxSkew {
		return SVC{}, &Error{Cause: CauseSkew, App: svc.App, Err: fmt.Errorf("off by %s", d.Round(time.Second))}
	}
	secrets, err := v.secrets.LiveSecrets(ctx, svc.App)
	if err != nil {
		return SVC{}, err
	}
	toSign := StringToSign(svc.App, svc.Timestamp, r.Nonce, r.Method, r.Target, sha256.Sum256(r.Body))
	if v.match(secrets, toSign, svc.Signature) {
		return svc, nil
	}
	fresh, err := v.secrets.Refresh(ctx, svc.App)
	if err != nil {
		return SVC{}, err
	}
	if !slices.Equal(fresh, secrets) && v.match(fresh, toSign, svc.Signature) {
		return svc, nil
	}
	if len(fresh) == 0 {
		return SVC{}, &Error{Cause: CauseApp, App: svc.App}
	}
	return SVC{}, &Error{Cause: CauseSignature, App: svc.App}
}

func (v *Verifier) parse(r Request) (SVC, error) {
	if len(r.Authorization) != 1 {
		return SVC{}, &Error{Cause: CauseGrammar, Err: fmt.Errorf("%d Authorization headers", len(r.Authorization))}
	}
	svc, err := ParseSVC(r.Authorization[0], v.scheme)
	if err != nil {
		return SVC{}, err
	}
	// The fields are joined with newlines: one that holds a newline could pass
	// for two.
	for _, field := range []string{r.Nonce, r.Method, r.Target} {
		if !all(field, func(c byte) bool { return c > ' ' && c != 0x7f }) {
			return SVC{}, &Error{Cause: CauseGrammar, App: svc.App, Err: errors.New("space or control character in a signed field")}
		}
	}
	return svc, nil
}

// match tries every secret, whether or not one matched already.
func (v *Verifier) match(secrets []string, toSign, signature string) bool {
	want, err := hex.DecodeString(signature)
	if err != nil {
		return false
	}
	matched := false
	for i := range max(liveSecrets, len(secrets)) {
		// An empty secret is no secret: anybody could sign with it.
		live := i < len(secrets) && secrets[i] != ""
		key := v.dummy
		if live {
			key = secrets[i]
		}
		sum := hmacSum(key, toSign)
		matched = hmac.Equal(sum[:], want) && live || matched
	}
	return matched
}
