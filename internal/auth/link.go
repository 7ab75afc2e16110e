package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"
)

// LinkTTL is how long a link to set a password is good for.
const LinkTTL = 72 * time.Hour

// LinkRecord is a stored link: of its token only the SHA-256 is kept.
type LinkRecord struct {
	Hash    [32]byte
	User    string
	By      string
	Expires time.Time
}

// NewLink makes a one-time link for a user to set a password. The token is shown to
// whoever asked, and nowhere kept.
func NewLink(user, by string, now time.Time) (token string, l LinkRecord) {
	token = newSecret()
	return token, LinkRecord{Hash: sha256.Sum256([]byte(token)), User: user, By: by, Expires: now.Add(LinkTTL)}
}

// LinkStore keeps links; ErrNotFound for one that there is not, or that has run out.
type LinkStore interface {
	PasswordLinkOf(ctx context.Context, hash [32]byte, now time.Time) (user string, err error)
	// UsePasswordLink sets the password and uses the link up, all or nothing.
	UsePasswordLink(ctx context.Context, hash [32]byte, passwordHash string, now time.Time) error
}

// Links lets moderators set their passwords.
type Links struct {
	store LinkStore
	now   func() time.Time
}

// NewLinks returns a Links. A nil now is time.Now.
func NewLinks(s LinkStore, now func() time.Time) *Links { return &Links{store: s, now: clock(now)} }

// Use sets the password of whose link it is. The link is used up by success alone.
// Errors are *Error with CauseSetup, ErrBusy, ctx's, or wrap ErrInvalid or
// ErrUnavailable.
func (l *Links) Use(ctx context.Context, token, password string) (user string, err error) {
	if !secretShaped(token) {
		return "", &Error{Cause: CauseSetup, Err: errors.New("not a link's token")}
	}
	hash := sha256.Sum256([]byte(token))
	user, err = l.store.PasswordLinkOf(ctx, hash, l.now())
	if err != nil {
		return "", linkError("look up link", err)
	}
	if err := CheckPassword(user, password); err != nil {
		return "", err
	}
	passwordHash, err := HashPassword(ctx, password)
	if err != nil {
		return "", err
	}
	if err := l.store.UsePasswordLink(ctx, hash, passwordHash, l.now()); err != nil {
		return "", linkError("use link", err)
	}
	return user, nil
}

func linkError(doing string, err error) error {
	if errors.Is(err, ErrNotFound) {
		return &Error{Cause: CauseSetup, Err: err}
	}
	return unavailable(doing, err)
}
