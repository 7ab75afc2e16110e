package auth

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const testPassword = "correct horse battery"

// cheapHash is a hash that takes no time, for tests of what surrounds it.
func cheapHash(password string) string {
	h := phc{memory: 8, time: 1, threads: 1, salt: []byte("8 or more"), key: make([]byte, argonKey)}
	h.key = h.derive(password)
	return h.String()
}

func TestPassword(t *testing.T) {
	hash, err := HashPassword(t.Context(), testPassword)
	if err != nil {
		t.Fatal(err)
	}
	if want := "$argon2id$v=19$m=47104,t=1,p=1$"; !strings.HasPrefix(hash, want) {
		t.Errorf("hash = %q, want prefix %q", hash, want)
	}
	for password, want := range map[string]bool{testPassword: true, testPassword + " ": false, "": false} {
		if got, err := VerifyPassword(t.Context(), hash, password); got != want || err != nil {
			t.Errorf("VerifyPassword(%q) = %v, %v; want %v", password, got, err, want)
		}
	}
	again, err := HashPassword(t.Context(), testPassword)
	if err != nil || again == hash {
		t.Errorf("the same password has the same hash twice (%v): no salt", err)
	}
}

func TestPasswordNFC(t *testing.T) {
	// é composed, and as e with an accent: the same key on another keyboard.
	if ok, err := VerifyPassword(t.Context(), cheapHash("caf\u00e9 au lait, deux"), "cafe\u0301 au lait, deux"); !ok || err != nil {
		t.Errorf("VerifyPassword = %v, %v; want true", ok, err)
	}
}

func TestParsePHC(t *testing.T) {
	good := cheapHash(testPassword)
	if ok, err := VerifyPassword(t.Context(), good, testPassword); !ok || err != nil {
		t.Fatalf("VerifyPassword = %v, %v; want true", ok, err)
	}
	for _, bad := range []string{
		"", "plain", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "m=8", "m=99999999", 1), strings.Replace(good, "m=8", "m=-8", 1), strings.Replace(good, "t=1", "t=0", 1),
		strings.Replace(good, "p=1", "p=0", 1), good + "=", good + "$", good[:strings.LastIndex(good, "$")+1],
	} {
		if ok, err := VerifyPassword(t.Context(), bad, testPassword); ok || err == nil {
			t.Errorf("VerifyPassword with hash %q = %v, %v; want an error", bad, ok, err)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	tests := []struct {
		password string
		ok       bool
	}{
		{"twelve chars", true},
		{"eleven char", false},
		{"十二文字以上の合言葉です", true},
		{"十一文字の合言葉だ。", false},
		{strings.Repeat("a", 256), true},
		{strings.Repeat("a", 257), false},
		{"Some.Moderator", false}, // the name, whatever its case
		{"some.moderator!", true},
		{"invalid \xff utf-8 text", false},
		{strings.Repeat("e\u0301", 11), false}, // 22 code points, 11 after NFC
	}
	for _, test := range tests {
		err := CheckPassword("some.moderator", test.password)
		if got := err == nil; got != test.ok {
			t.Errorf("CheckPassword(%q) = %v, want ok %v", test.password, err, test.ok)
		}
		if err != nil && !errors.Is(err, ErrInvalid) {
			t.Errorf("CheckPassword(%q) = %v, want ErrInvalid", test.password, err)
		}
	}
}

func TestUserName(t *testing.T) {
	for in, want := range map[string]string{
		"ana": "ana", "Jose\u0301": "Jos\u00e9", "モデレーター": "モデレーター",
		"": "", "a b": "", "a\n": "", "\u3000a": "", strings.Repeat("a", 65): "", "a\xff": "",
	} {
		got, err := UserName(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("UserName(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

// Two hash at once, so many wait, and the next is turned away at once.
func TestHashSlots(t *testing.T) {
	// Channels made outside a bubble can't be waited for inside it.
	slots, queue := hashSlots, hashQueue
	defer func() { hashSlots, hashQueue = slots, queue }()
	synctest.Test(t, func(t *testing.T) {
		hashSlots, hashQueue = make(chan struct{}, cap(slots)), make(chan struct{}, cap(queue))
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		results := make(chan error, cap(queue))
		running := make(chan struct{}, cap(queue))
		for range cap(queue) {
			go func() {
				results <- inSlot(ctx, func() { running <- struct{}{}; <-release })
			}()
		}
		synctest.Wait()
		if got := len(running); got != 2 {
			t.Errorf("%d hash at once, want 2", got)
		}
		start := time.Now()
		if err := inSlot(ctx, func() { t.Error("ran") }); !errors.Is(err, ErrBusy) {
			t.Errorf("inSlot = %v, want ErrBusy", err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("ErrBusy took %s", took)
		}
		cancel()
		synctest.Wait()
		if got := len(results); got != cap(queue)-2 {
			t.Errorf("%d gave up waiting, want %d", got, cap(queue)-2)
		}
		close(release)
		synctest.Wait()
		if err := inSlot(t.Context(), func() {}); err != nil {
			t.Errorf("inSlot after all that = %v", err)
		}
	})
}
