package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// SetupTTL is how long a setup token is good for; a restart makes another.
const SetupTTL = 30 * time.Minute

const setupFile = "setup-token"

// AdminStore makes the first admin. CreateFirstAdmin returns ErrExists, and
// changes nothing, when there is an admin: checked and made in one transaction.
type AdminStore interface {
	HasAdmin(ctx context.Context) (bool, error)
	CreateFirstAdmin(ctx context.Context, u UserRecord) error
}

// Setup lets whoever can read the terminal, or the file, of a new gateway
// become its first admin, once. There is no default password.
type Setup struct {
	path  string
	store AdminStore
	now   func() time.Time

	mu      sync.Mutex
	hash    [32]byte
	expires time.Time // zero: closed
}

// NewSetup returns a closed Setup whose token goes to dir. A nil now is time.Now.
func NewSetup(dir string, store AdminStore, now func() time.Time) *Setup {
	return &Setup{path: filepath.Join(dir, setupFile), store: store, now: clock(now)}
}

// Open makes the token and writes it to the file, readable by the owner alone.
// It returns "", and removes a file left over, when there is an admin already.
func (s *Setup) Open(ctx context.Context) (token string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	has, err := s.store.HasAdmin(ctx)
	if err != nil {
		return "", unavailable("look for an admin", err)
	}
	if has {
		return "", s.close()
	}
	token = newSecret()
	if err := writePrivate(s.path, token+"\n"); err != nil {
		return "", fmt.Errorf("write setup token: %w", err)
	}
	s.hash, s.expires = sha256.Sum256([]byte(token)), s.now().Add(SetupTTL)
	return token, nil
}

// Needed reports whether there is no admin yet.
func (s *Setup) Needed(ctx context.Context) (bool, error) {
	has, err := s.store.HasAdmin(ctx)
	if err != nil {
		return false, unavailable("look for an admin", err)
	}
	return !has, nil
}

// Use makes the first admin. The token is used up by success alone: a password
// that breaks the rules may be chosen again. Errors are *Error with CauseSetup,
// ErrBusy, ctx's, or wrap ErrInvalid or ErrUnavailable.
func (s *Setup) Use(ctx context.Context, token, name, password string) (User, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := sha256.Sum256([]byte(token))
	// Compared first, so that the time of an answer says nothing of the token.
	matches := subtle.ConstantTimeCompare(hash[:], s.hash[:]) == 1
	if !matches || !s.now().Before(s.expires) {
		return User{}, &Error{Cause: CauseSetup}
	}
	name, err := UserName(name)
	if err != nil {
		return User{}, err
	}
	if err := CheckPassword(name, password); err != nil {
		return User{}, err
	}
	passwordHash, err := HashPassword(ctx, password)
	if err != nil {
		return User{}, err
	}
	err = s.store.CreateFirstAdmin(ctx, UserRecord{Name: name, PasswordHash: passwordHash, Role: string(RoleAdmin), Created: s.now()})
	switch {
	case errors.Is(err, ErrExists):
		return User{}, errors.Join(&Error{Cause: CauseSetup, Err: err}, s.close())
	case err != nil:
		return User{}, unavailable("create first admin", err)
	}
	// The admin is made: a file that stays behind opens nothing any more, and
	// the next start removes it.
	_ = s.close()
	return User{Name: name, Role: RoleAdmin}, nil
}

// close is called with mu held.
func (s *Setup) close() error {
	s.hash, s.expires = [32]byte{}, time.Time{}
	if err := os.Remove(s.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove setup token: %w", err)
	}
	return nil
}

// writePrivate replaces path by a file of mode 0600. It never writes through
// what is there, a link or a file that others have open.
func writePrivate(path, text string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
