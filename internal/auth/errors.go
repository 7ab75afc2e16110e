package auth

import (
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrUnauthenticated: the caller is not who it says. Clients get one wording
	// for every cause; CauseOf has the one for the log.
	ErrUnauthenticated = errors.New("auth: not authenticated")
	// ErrUnavailable: a store that had to be asked did not answer. Nothing was
	// decided about the caller, who may try again.
	ErrUnavailable = errors.New("auth: store not available")
	// ErrNonce: the nonce is missing where one is due, or is not 16 to 64
	// URL-safe characters.
	ErrNonce = errors.New("auth: nonce must be 16 to 64 of A-Z a-z 0-9 - _")
	// ErrReplayed: this signed request was seen before.
	ErrReplayed = errors.New("auth: request was seen before")
	// ErrNotFound is what the stores declared here return for a record that
	// does not exist.
	ErrNotFound = errors.New("auth: not found")
	// ErrExists is what AdminStore returns once there is an admin.
	ErrExists = errors.New("auth: exists already")
	// ErrBusy: as many passwords are being hashed, and as many wait, as memory
	// allows.
	ErrBusy = errors.New("auth: too many logins at once")
	// ErrInvalid: what was asked for can't be made: a lifetime, a scope, a name
	// or a password outside its rules. The text says which and may be shown.
	ErrInvalid = errors.New("invalid")
)

// Cause says why a caller was refused. It is for logs and metrics alone.
type Cause string

// The causes.
const (
	CauseGrammar       Cause = "grammar"        // header, token or cookie of the wrong shape
	CauseSkew          Cause = "skew"           // signed too long ago, or ahead of the clock
	CauseApp           Cause = "app"            // no such app, or none of its secrets is live
	CauseSignature     Cause = "signature"      // no live secret makes this signature
	CauseToken         Cause = "token"          // bearer token unknown or revoked
	CauseTokenExpired  Cause = "token_expired"  // bearer token past its time
	CauseTicket        Cause = "ticket"         // player ticket not acceptable
	CauseTicketExpired Cause = "ticket_expired" // player ticket past its time
	CauseTicketUsed    Cause = "ticket_used"    // its jti connected before
	CausePassword      Cause = "password"       // user unknown, disabled, or another password
	CauseSession       Cause = "session"        // cookie unknown, idle too long or past its end
	CauseSetup         Cause = "setup"          // setup token wrong, used or past its time
)

// Error is a refusal. errors.Is(err, ErrUnauthenticated) holds for every one.
type Error struct {
	Cause Cause
	// App is the app that the caller claims to be, "" where it did not get that
	// far. It has the grammar of an app id, so it is safe to log.
	App engines.AppID
	// Err has the detail, nil when the cause says it all. It holds no secret.
	Err error
}

// Error returns the text for logs.
func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("auth: not authenticated: %s", e.Cause)
	}
	return fmt.Sprintf("auth: not authenticated: %s: %v", e.Cause, e.Err)
}

// Is makes every refusal an ErrUnauthenticated.
func (e *Error) Is(target error) bool { return target == ErrUnauthenticated }

// Unwrap returns the detail.
func (e *Error) Unwrap() error { return e.Err }

// CauseOf returns why err refused the caller, "" when it is no refusal.
func CauseOf(err error) Cause {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Cause
	}
	return ""
}

// ThrottledError refuses a login before the password is looked at, because too
// many failed before it.
type ThrottledError struct {
	// Retry is how long to wait.
	Retry time.Duration
}

// Error returns the text for logs.
func (e *ThrottledError) Error() string {
	return fmt.Sprintf("auth: too many failed logins, wait %s", e.Retry)
}

func unavailable(doing string, err error) error {
	return fmt.Errorf("%s: %w: %w", doing, ErrUnavailable, err)
}

// invalidError is an ErrInvalid whose text is for whoever asked.
type invalidError struct{ text string }

func (e *invalidError) Error() string { return e.text }

func (e *invalidError) Is(target error) bool { return target == ErrInvalid }

func invalid(format string, args ...any) error {
	return &invalidError{fmt.Sprintf(format, args...)}
}
