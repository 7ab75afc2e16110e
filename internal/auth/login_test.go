package auth

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// memUsers is UserStore, LoginStore, LoginToucher and AdminStore.
type memUsers struct {
	mu      sync.Mutex
	users   map[string]UserRecord
	logins  map[[32]byte]LoginRecord
	touched int
	err     error // of everything
	readErr error // of writes alone
}

func newMemUsers(users ...UserRecord) *memUsers {
	m := &memUsers{users: map[string]UserRecord{}, logins: map[[32]byte]LoginRecord{}}
	for _, u := range users {
		m.users[u.Name] = u
	}
	return m
}

func find[K comparable, V any](m map[K]V, k K, err error) (V, error) {
	v, ok := m[k]
	if err == nil && !ok {
		err = fmt.Errorf("read: %w", ErrNotFound)
	}
	return v, err
}

func (m *memUsers) User(_ context.Context, name string) (UserRecord, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return find(m.users, name, m.err)
}

func (m *memUsers) PutLogin(_ context.Context, l LoginRecord) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logins[l.Hash] = l
	return m.err
}

func (m *memUsers) Login(_ context.Context, hash [32]byte) (LoginRecord, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return find(m.logins, hash, m.err)
}

func (m *memUsers) DeleteLogin(_ context.Context, hash [32]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.logins, hash)
	return m.err
}

func (m *memUsers) TouchLogin(_ context.Context, hash [32]byte, seen time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.touched++
	l, err := find(m.logins, hash, m.readErr)
	if err == nil {
		l.LastSeen = seen
		m.logins[hash] = l
	}
	return err
}

func (m *memUsers) HasAdmin(context.Context) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, u := range m.users {
		if u.Role == string(RoleAdmin) {
			return true, m.err
		}
	}
	return false, m.err
}

func (m *memUsers) CreateFirstAdmin(ctx context.Context, u UserRecord) error {
	if has, err := m.HasAdmin(ctx); has || err != nil {
		return errors.Join(err, ErrExists)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.users[u.Name] = u
	return nil
}

func (m *memUsers) change(name string, f func(*UserRecord)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.users[name]
	f(&u)
	m.users[name] = u
}

var home = netip.MustParseAddr("203.0.113.9")

func newTestLogins() (*Logins, *memUsers, *fakeClock) {
	clock := newClock(1790000000)
	store := newMemUsers(
		UserRecord{Name: "ana", PasswordHash: cheapHash(testPassword), Role: "senior"},
		UserRecord{Name: "bob", PasswordHash: cheapHash(testPassword), Role: "viewer", Disabled: true},
		UserRecord{Name: "cho", PasswordHash: cheapHash(testPassword), Role: "root"},
		UserRecord{Name: "dan", PasswordHash: "not a hash", Role: "viewer"},
	)
	return NewLogins(store, store, store, clock.now), store, clock
}

func TestLogin(t *testing.T) {
	logins, store, _ := newTestLogins()
	cookie, got, err := logins.Login(t.Context(), "ana", testPassword, home)
	want := User{Name: "ana", Role: RoleSenior}
	if err != nil || !cmp.Equal(got, want) {
		t.Fatalf("Login = %v, %v; want %v", got, err, want)
	}
	if got, err := logins.Session(t.Context(), cookie); err != nil || !cmp.Equal(got, want) {
		t.Errorf("Session = %v, %v; want %v", got, err, want)
	}
	if strings.Contains(fmt.Sprint(store.logins), cookie) {
		t.Error("the store has the cookie itself")
	}
	other, _, err := logins.Login(t.Context(), "ana", testPassword, home)
	if err != nil || other == cookie {
		t.Errorf("second login has the same cookie (%v)", err)
	}
	if err := logins.Logout(t.Context(), cookie); err != nil {
		t.Fatal(err)
	}
	_, err = logins.Session(t.Context(), cookie)
	wantCause(t, err, CauseSession)
	if _, err := logins.Session(t.Context(), other); err != nil {
		t.Errorf("the other session ended too: %v", err)
	}
	for _, bad := range []string{cookie, "", "x", cookie + "A"} {
		if err := logins.Logout(t.Context(), bad); err != nil {
			t.Errorf("Logout(%q) = %v", bad, err)
		}
	}
}

func TestLoginRefused(t *testing.T) {
	for name, try := range map[string][2]string{
		"wrong password":        {"ana", testPassword + "!"},
		"empty password":        {"ana", ""},
		"unknown user":          {"eve", testPassword},
		"disabled user":         {"bob", testPassword},
		"role that is none":     {"cho", testPassword},
		"hash that is none":     {"dan", "not a hash"},
		"name with a line feed": {"ana\n", testPassword},
		"no name":               {"", testPassword},
		"huge password":         {"ana", strings.Repeat("a", 5000)},
	} {
		t.Run(name, func(t *testing.T) {
			logins, store, _ := newTestLogins()
			cookie, _, err := logins.Login(t.Context(), try[0], try[1], home)
			wantCause(t, err, CausePassword)
			if cookie != "" || len(store.logins) != 0 {
				t.Error("a refused login has a session")
			}
		})
	}
	logins, store, _ := newTestLogins()
	store.err = errStore
	if _, _, err := logins.Login(t.Context(), "ana", testPassword, home); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Login = %v, want ErrUnavailable", err)
	}
}

// The stand-in for users that there are not costs what a real hash costs.
func TestDummyHashCost(t *testing.T) {
	got := dummyHash()
	hash, err := HashPassword(t.Context(), testPassword)
	if err != nil {
		t.Fatal(err)
	}
	want, err := parsePHC(hash)
	if err != nil {
		t.Fatal(err)
	}
	type cost struct {
		memory, time uint32
		threads      uint8
		salt, key    int
	}
	of := func(h phc) cost { return cost{h.memory, h.time, h.threads, len(h.salt), len(h.key)} }
	if of(got) != of(want) {
		t.Errorf("dummy costs %+v, a real one %+v", of(got), of(want))
	}
	if got.matches("") {
		t.Error("the dummy matches a password")
	}
}

func TestLoginThrottle(t *testing.T) {
	logins, _, clock := newTestLogins()
	login := func(name, password string, from netip.Addr) error {
		_, _, err := logins.Login(t.Context(), name, password, from)
		return err
	}
	throttled := func(step string, err error, want time.Duration) {
		t.Helper()
		if e, ok := errors.AsType[*ThrottledError](err); !ok || e.Retry != want {
			t.Errorf("%s: %v, want to wait %s", step, err, want)
		}
	}
	for range freeAttempts {
		wantCause(t, login("ana", "wrong", home), CausePassword)
	}
	throttled("sixth", login("ana", testPassword, home), time.Minute)
	if err := login("ana", testPassword, netip.MustParseAddr("198.51.100.7")); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
	wantCause(t, login("eve", testPassword, home), CausePassword) // another account
	for _, delay := range []int{1, 2, 4, 8, 15, 15, 15} {
		clock.advance(time.Duration(delay)*time.Minute - time.Second)
		throttled(fmt.Sprintf("a second before %d min", delay), login("ana", testPassword, home), time.Second)
		clock.advance(time.Second)
		wantCause(t, login("ana", "wrong", home), CausePassword)
	}
	clock.advance(longestDelay)
	if err := login("ana", testPassword, home); err != nil {
		t.Errorf("right password after the delay: %v", err)
	}
	for range freeAttempts {
		wantCause(t, login("ana", "wrong", home), CausePassword) // success starts afresh
	}
	throttled("sixth again", login("ana", testPassword, home), time.Minute)
	clock.advance(attemptsKept)
	for range freeAttempts {
		wantCause(t, login("ana", "wrong", home), CausePassword) // as does half an hour
	}
	// One /64 is one address.
	for i := range freeAttempts {
		wantCause(t, login("ana", "wrong", netip.MustParseAddr(fmt.Sprintf("2001:db8::%d", i+1))), CausePassword)
	}
	throttled("sixth of a /64", login("ana", testPassword, netip.MustParseAddr("2001:db8::ffff")), time.Minute)
}

// A hundred guesses at once are no more than five.
func TestLoginThrottleRace(t *testing.T) {
	logins, _, _ := newTestLogins()
	var mu sync.Mutex
	looked := 0
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			_, _, err := logins.Login(t.Context(), "ana", "wrong", home)
			mu.Lock()
			defer mu.Unlock()
			if CauseOf(err) == CausePassword {
				looked++
			}
		})
	}
	wg.Wait()
	if looked > freeAttempts {
		t.Errorf("%d passwords were looked at, want at most %d", looked, freeAttempts)
	}
}

func TestSessionLifetime(t *testing.T) {
	logins, store, clock := newTestLogins()
	begin := func() string {
		cookie, _, err := logins.Login(t.Context(), "ana", testPassword, home)
		if err != nil {
			t.Fatal(err)
		}
		return cookie
	}
	cookie := begin()
	for range 59 {
		clock.advance(time.Second)
		if _, err := logins.Session(t.Context(), cookie); err != nil {
			t.Fatal(err)
		}
	}
	if store.touched != 0 {
		t.Errorf("touched %d times in a minute, want 0", store.touched)
	}
	clock.advance(time.Second)
	for range 3 {
		if _, err := logins.Session(t.Context(), cookie); err != nil {
			t.Fatal(err)
		}
	}
	if store.touched != 1 {
		t.Errorf("touched %d times after a minute, want 1", store.touched)
	}
	clock.advance(SessionIdle - time.Second)
	if _, err := logins.Session(t.Context(), cookie); err != nil {
		t.Errorf("in the last second of idling: %v", err)
	}
	clock.advance(SessionIdle)
	_, err := logins.Session(t.Context(), cookie)
	wantCause(t, err, CauseSession)
	if len(store.logins) != 0 {
		t.Error("an ended session is still stored")
	}

	cookie = begin()
	for range 12*60/29 + 1 {
		if _, err = logins.Session(t.Context(), cookie); err != nil {
			break
		}
		clock.advance(29 * time.Minute)
	}
	_, err = logins.Session(t.Context(), cookie)
	wantCause(t, err, CauseSession) // never idle, 12 h old
}

func TestSessionFollowsUser(t *testing.T) {
	logins, store, clock := newTestLogins()
	cookie, _, err := logins.Login(t.Context(), "ana", testPassword, home)
	if err != nil {
		t.Fatal(err)
	}
	store.change("ana", func(u *UserRecord) { u.Role = "auditor" })
	if got, err := logins.Session(t.Context(), cookie); err != nil || got.Role != RoleAuditor {
		t.Errorf("Session = %v, %v; want the new role", got, err)
	}
	// A disk that is full can't note the use, and logs nobody out.
	clock.advance(touchEvery)
	store.readErr = errStore
	if _, err := logins.Session(t.Context(), cookie); err != nil {
		t.Errorf("Session while nothing can be written: %v", err)
	}
	store.readErr = ErrNotFound // logged out in between
	_, err = logins.Session(t.Context(), cookie)
	wantCause(t, err, CauseSession)
	store.readErr = nil
	store.change("ana", func(u *UserRecord) { u.Disabled = true })
	_, err = logins.Session(t.Context(), cookie)
	wantCause(t, err, CauseSession)
	store.err = errStore
	if _, err := logins.Session(t.Context(), cookie); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Session = %v, want ErrUnavailable", err)
	}
}

func TestThrottleBounded(t *testing.T) {
	clock := newClock(1)
	th := newThrottle(clock.now)
	for i := range 4 * throttledKept {
		th.attempt(account{name: fmt.Sprint("user-", i)})
	}
	if got, most := th.attempts.len(), 2*throttledKept; got > most {
		t.Errorf("throttle has %d entries, want at most %d", got, most)
	}
	if got := th.wait(account{name: "nobody"}); got != 0 {
		t.Errorf("wait = %s, want 0", got)
	}
}

func TestRoles(t *testing.T) {
	roles := []Role{RoleViewer, RoleModerator, RoleSenior, RoleAdmin, RoleAuditor}
	// One row a permission; v m s A a, in the order of roles.
	want := map[Permission]string{
		SeeFeed:      "v m s A a",
		SeeCases:     "v m s A a",
		SeeStats:     "v m s A a",
		SeePolicy:    "- m s A a",
		DecideCases:  "- m s A -",
		ReverseCases: "- - s A -",
		Punish:       "- - s A -",
		SeeEvidence:  "- - s A -",
		EditPolicy:   "- - - A -",
		ManageKeys:   "- - - A -",
		ManageUsers:  "- - - A -",
		SeeAudit:     "- - - A a",
		SeeCustody:   "- - s A a",
		HoldEvidence: "- - s A -",
		SeeLocked:    "- - - A -",
		ErasePlayers: "- - - A -",
	}
	got := map[Permission]string{}
	for p := range permissions {
		var row []string
		for i, r := range roles {
			mark := "-"
			if r.Can(p) {
				mark = []string{"v", "m", "s", "A", "a"}[i]
			}
			row = append(row, mark)
		}
		got[p] = strings.Join(row, " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
	for _, r := range roles {
		if got, err := ParseRole(string(r)); got != r || err != nil {
			t.Errorf("ParseRole(%q) = %q, %v", r, got, err)
		}
		if r.Can("no.such") {
			t.Errorf("%s may do what there is not", r)
		}
	}
	for _, bad := range []string{"", "Admin", "root"} {
		if _, err := ParseRole(bad); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseRole(%q) = %v, want ErrInvalid", bad, err)
		}
		if Role(bad).Can(SeeFeed) {
			t.Errorf("role %q may see the feed", bad)
		}
	}
}
