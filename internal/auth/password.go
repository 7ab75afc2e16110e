package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// argon2id as OWASP rates it strong enough; 47 ms on the machine it was measured on.
const (
	argonMemory  = 46 * 1024 // KiB
	argonTime    = 1
	argonThreads = 1
	argonSalt    = 16
	argonKey     = 32
)

// A hash takes 46 MiB: logins would be a way to use up memory. The slots belong
// to the process, as memory does. When all wait places are taken the next caller
// gets ErrBusy.
var (
	hashSlots = make(chan struct{}, 2)
	hashQueue = make(chan struct{}, 2+32)
)

// Rules of names and passwords.
const (
	MinPassword = 12  // code points
	maxPassword = 256 // bytes
	maxUser     = 64  // bytes
)

// UserName returns the one spelling (NFC) of a moderator's name, or an error
// that wraps ErrInvalid and says what is wrong. Store names in that spelling.
func UserName(name string) (string, error) {
	name = norm.NFC.String(name)
	if !validID(name) || len(name) > maxUser || strings.ContainsFunc(name, unicode.IsSpace) {
		return "", invalid("a user name has 1 to 64 bytes, no spaces and no control characters")
	}
	return name, nil
}

// CheckPassword applies the rules to a new password. Errors wrap ErrInvalid and
// say what is wrong.
func CheckPassword(user, password string) error {
	password = norm.NFC.String(password)
	switch {
	case !utf8.ValidString(password):
		return invalid("a password is UTF-8 text")
	case utf8.RuneCountInString(password) < MinPassword:
		return invalid("a password has at least 12 characters")
	case len(password) > maxPassword:
		return invalid("a password has at most 256 bytes")
	case strings.EqualFold(password, norm.NFC.String(user)):
		return invalid("a password is not the user name")
	}
	return nil
}

// HashPassword returns the argon2id hash of a password in PHC string format.
// Errors are ErrBusy or ctx's.
func HashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never fails: it ends the process
	h := phc{memory: argonMemory, time: argonTime, threads: argonThreads, salt: salt, key: make([]byte, argonKey)}
	if err := inSlot(ctx, func() { h.key = h.derive(password) }); err != nil {
		return "", err
	}
	return h.String(), nil
}

// VerifyPassword reports whether hash was made of password. Errors are ErrBusy,
// ctx's, or say that hash is none of ours.
func VerifyPassword(ctx context.Context, hash, password string) (ok bool, err error) {
	h, err := parsePHC(hash)
	if err != nil {
		return false, err
	}
	err = inSlot(ctx, func() { ok = h.matches(password) })
	return ok, err
}

// inSlot runs f when a slot is free.
func inSlot(ctx context.Context, f func()) error {
	select {
	case hashQueue <- struct{}{}:
		defer func() { <-hashQueue }()
	default:
		return ErrBusy
	}
	select {
	case hashSlots <- struct{}{}:
		defer func() { <-hashSlots }()
	case <-ctx.Done():
		return fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
	f()
	return nil
}

// phc is an argon2id hash with its parameters.
type phc struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

// dummyHash costs what a real one costs, and no password matches it.
func dummyHash() phc {
	key := make([]byte, argonKey)
	_, _ = rand.Read(key) // never fails: it ends the process
	return phc{memory: argonMemory, time: argonTime, threads: argonThreads, salt: key[:argonSalt], key: key}
}

func (h phc) derive(password string) []byte {
	return argon2.IDKey([]byte(norm.NFC.String(password)), h.salt, h.time, h.memory, h.threads, uint32(len(h.key)))
}

func (h phc) matches(password string) bool {
	return subtle.ConstantTimeCompare(h.derive(password), h.key) == 1
}

// String returns the PHC string.
func (h phc) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, h.memory, h.time, h.threads, b64.EncodeToString(h.salt), b64.EncodeToString(h.key))
}

func parsePHC(s string) (phc, error) {
	var (
		h       phc
		version int
	)
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return h, errors.New("password hash is not argon2id in PHC format")
	}
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return h, errors.New("password hash has another argon2 version")
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.threads); err != nil {
		return h, fmt.Errorf("read password hash parameters: %w", err)
	}
	// What a damaged record asks for must not take the machine.
	if h.memory > 256*1024 || h.memory < 8 || h.time < 1 || h.time > 10 || h.threads < 1 || h.threads > 8 {
		return h, errors.New("password hash parameters out of range")
	}
	var err error
	if h.salt, err = base64.RawStdEncoding.Strict().DecodeString(parts[4]); err != nil || len(h.salt) < 8 {
		return h, errors.New("password hash has no salt")
	}
	if h.key, err = base64.RawStdEncoding.Strict().DecodeString(parts[5]); err != nil || len(h.key) < 16 || len(h.key) > 64 {
		return h, errors.New("password hash has no key")
	}
	return h, nil
}
