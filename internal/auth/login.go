package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/netip"
	"time"
)

// Lifetimes of moderators' sessions.
const (
	SessionIdle = 30 * time.Minute
	SessionLife = 12 * time.Hour

	touchEvery = time.Minute
)

// CookieName is the name of the session cookie: HttpOnly, Secure,
// SameSite=Lax, Path=/. Browsers bind the prefix to this host and TLS.
const CookieName = "__Host-portcullis"

// UserRecord is a stored moderator.
type UserRecord struct {
	Name         string
	PasswordHash string
	Role         string
	Disabled     bool
	Created      time.Time
	// Queues and Categories bound what the moderator may take; none is all.
	Queues, Categories []string
}

// LoginRecord is a stored session: of the cookie only the SHA-256 is kept.
type LoginRecord struct {
	Hash     [32]byte
	User     string
	Created  time.Time
	LastSeen time.Time
	Expires  time.Time
}

// UserStore finds moderators; ErrNotFound when there is none of that name.
type UserStore interface {
	User(ctx context.Context, name string) (UserRecord, error)
}

// LoginStore keeps sessions. Login returns ErrNotFound for a hash that it does
// not have; deleting one that is not there is no error.
type LoginStore interface {
	PutLogin(ctx context.Context, l LoginRecord) error
	Login(ctx context.Context, hash [32]byte) (LoginRecord, error)
	DeleteLogin(ctx context.Context, hash [32]byte) error
}

// LoginToucher notes when a session was last used; ErrNotFound when it is gone.
type LoginToucher interface {
	TouchLogin(ctx context.Context, hash [32]byte, seen time.Time) error
}

// User is a moderator who is logged in.
type User struct {
	Name string
	Role Role
	// Queues and Categories bound what the user may take, see MayTake.
	Queues, Categories []string
}

// Logins logs moderators in and knows them by their cookies.
type Logins struct {
	users    UserStore
	logins   LoginStore
	touch    LoginToucher
	now      func() time.Time
	throttle *throttle
	dummy    phc
}

// NewLogins returns a Logins. A nil now is time.Now.
func NewLogins(users UserStore, logins LoginStore, touch LoginToucher, now func() time.Time) *Logins {
	now = clock(now)
	return &Logins{users: users, logins: logins, touch: touch, now: now, throttle: newThrottle(now), dummy: dummyHash()}
}

// Login returns a new cookie for whoever knows the password. It takes as long
// for a name that does not exist. A caller that had a cookie logs that one out.
// Errors are *Error with CausePassword, *ThrottledError, ErrBusy, ctx's, or wrap
// ErrUnavailable.
func (l *Logins) Login(ctx context.Context, name, password string, addr netip.Addr) (cookie string, u User, err error) {
	name, err = UserName(name)
	if err != nil || len(password) > 4*maxPassword { // NFC may shorten it
		return "", User{}, &Error{Cause: CausePassword, Err: err}
	}
	who := account{name, LimitPrefix(addr)}
	if wait := l.throttle.wait(who); wait > 0 {
		return "", User{}, &ThrottledError{wait}
	}
	record, err := l.users.User(ctx, name)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", User{}, unavailable("look up user", err)
	}
	hash, usable := l.dummy, false
	if h, perr := parsePHC(record.PasswordHash); err == nil && perr == nil && !record.Disabled {
		hash, usable = h, true
	}
	role, rerr := ParseRole(record.Role)
	var (
		wait    time.Duration
		matched bool
	)
	err = inSlot(ctx, func() {
		// Counted here, so that those who raced past the first look count too.
		if wait = l.throttle.attempt(who); wait == 0 {
			matched = hash.matches(password)
		}
	})
	switch {
	case err != nil:
		return "", User{}, err
	case wait > 0:
		return "", User{}, &ThrottledError{wait}
	case !matched || !usable || rerr != nil:
		return "", User{}, &Error{Cause: CausePassword}
	}
	l.throttle.forget(who)
	return l.Begin(ctx, User{Name: name, Role: role})
}

// Begin opens a session for a user who has proven to be u in another way: by
// the setup token. Errors wrap ErrUnavailable.
func (l *Logins) Begin(ctx context.Context, u User) (cookie string, _ User, err error) {
	cookie = newSecret()
	now := l.now()
	err = l.logins.PutLogin(ctx, LoginRecord{
		Hash: sha256.Sum256([]byte(cookie)), User: u.Name, Created: now, LastSeen: now, Expires: now.Add(SessionLife),
	})
	if err != nil {
		return "", User{}, unavailable("store login", err)
	}
	return cookie, u, nil
}

// Session returns whose cookie it is, with the role that the user has now. It
// reads the stores each time, so a logout, a new role or a disabled user counts
// at once. Errors are *Error with CauseSession or wrap ErrUnavailable.
func (l *Logins) Session(ctx context.Context, cookie string) (User, error) {
	if !secretShaped(cookie) {
		return User{}, &Error{Cause: CauseSession, Err: errors.New("not a session cookie")}
	}
	hash := sha256.Sum256([]byte(cookie))
	login, err := l.logins.Login(ctx, hash)
	if err != nil {
		return User{}, sessionError("look up login", err)
	}
	now := l.now()
	if !now.Before(login.Expires) || now.Sub(login.LastSeen) >= SessionIdle {
		if err := l.logins.DeleteLogin(ctx, hash); err != nil {
			return User{}, unavailable("delete ended login", err)
		}
		return User{}, &Error{Cause: CauseSession, Err: errors.New("ended")}
	}
	record, err := l.users.User(ctx, login.User)
	if err != nil {
		return User{}, sessionError("look up user", err)
	}
	role, err := ParseRole(record.Role)
	if err != nil || record.Disabled {
		return User{}, &Error{Cause: CauseSession, Err: errors.New("user may not log in")}
	}
	if now.Sub(login.LastSeen) >= touchEvery {
		// A store that can only be read (a full disk) must not log people out:
		// they lose at most the idle time that was not noted.
		if err := l.touch.TouchLogin(ctx, hash, now); errors.Is(err, ErrNotFound) {
			return User{}, sessionError("note login", err)
		}
	}
	return User{Name: record.Name, Role: role, Queues: record.Queues, Categories: record.Categories}, nil
}

// Logout ends the session of a cookie. One that is not ours is no error.
func (l *Logins) Logout(ctx context.Context, cookie string) error {
	if !secretShaped(cookie) {
		return nil
	}
	if err := l.logins.DeleteLogin(ctx, sha256.Sum256([]byte(cookie))); err != nil && !errors.Is(err, ErrNotFound) {
		return unavailable("delete login", err)
	}
	return nil
}

func sessionError(doing string, err error) error {
	if errors.Is(err, ErrNotFound) {
		return &Error{Cause: CauseSession, Err: err}
	}
	return unavailable(doing, err)
}
