package auth

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// ReplayRule says what happens to the same signed request the second time.
// Every signed route has one.
type ReplayRule int

// The rules.
const (
	// ReplayHarmless is for safe reads.
	ReplayHarmless ReplayRule = iota
	// ReplayKeyed is for writes with a durable key: the repeat may be the retry
	// of a request whose answer was lost, and the key makes it change nothing.
	ReplayKeyed
	// ReplayAnswered is for actions: whoever acts stores its answer under the
	// signature and gives it again. Clients of the action class send no nonce.
	ReplayAnswered
	// ReplayNonce is for minting and administration: a nonce is due and the
	// repeat is refused.
	ReplayNonce
)

// SeenFor is how long a signature is remembered: it is good for MaxSkew on both
// sides of our clock, and a little.
const SeenFor = 2*MaxSkew + 10*time.Second

// SeenStore remembers keys. Seen reports whether this is the first time within
// ttl that key is shown, and remembers it: of many callers at once one is first.
type SeenStore interface {
	Seen(ctx context.Context, key string, ttl time.Duration) (first bool, err error)
}

// SeenKey builds the key of a SeenStore for something of app that is used once:
// 64 lower-case hex digits.
type SeenKey func(app engines.AppID, id string) string

// Replay refuses what must happen once. It fails closed: without its store
// nothing passes.
type Replay struct {
	seen SeenStore
	key  SeenKey
}

// NewReplay returns a Replay that remembers under key.
func NewReplay(seen SeenStore, key SeenKey) *Replay { return &Replay{seen, key} }

// Check applies rule to a verified request. Only ReplayNonce needs anything
// here: ReplayKeyed and ReplayAnswered are kept where the write is made.
func (r *Replay) Check(ctx context.Context, rule ReplayRule, svc SVC, nonce string) error {
	if rule != ReplayNonce {
		return nil
	}
	return r.Nonce(ctx, svc.App, nonce, svc.Signature)
}

// Nonce lets a signed request through once. Call it after the signature was
// verified, else strangers could use up requests. The signature is what is
// remembered: it covers the nonce, and it can be spelled in one way only.
// Errors are ErrNonce, ErrReplayed or wrap ErrUnavailable.
func (r *Replay) Nonce(ctx context.Context, app engines.AppID, nonce, signature string) error {
	if len(nonce) < 16 || len(nonce) > 64 || !all(nonce, urlSafe) {
		return ErrNonce
	}
	first, err := r.seen.Seen(ctx, r.key(app, signature), SeenFor)
	switch {
	case err != nil:
		return unavailable(fmt.Sprintf("remember request of app %s", app), err)
	case !first:
		return ErrReplayed
	}
	return nil
}
