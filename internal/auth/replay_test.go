package auth

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	testNonce = "0123456789abcdef"
	sigA      = "dee899f445d7fb80b475fe7cdd5f1e424fcfed52ede87240d557c63409026732"
	sigB      = "de51b024854bd5e0b4c30fe2d377c331a6426273725cdd65711d73f87177ba22"
)

func TestNonce(t *testing.T) {
	clock := newClock(1790000000)
	store := newSeen(clock)
	replay := NewReplay(store, seenKey)
	steps := []struct {
		name string
		svc  SVC
		wait time.Duration
		want error
	}{
		{"first", SVC{App: "a", Signature: sigA}, 0, nil},
		{"again", SVC{App: "a", Signature: sigA}, 0, ErrReplayed},
		{"another request", SVC{App: "a", Signature: sigB}, 0, nil},
		{"another app", SVC{App: "b", Signature: sigA}, 0, nil},
		{"at the end of the window", SVC{App: "a", Signature: sigA}, 2*MaxSkew + time.Second, ErrReplayed},
		{"long after, when the skew refuses it", SVC{App: "a", Signature: sigA}, 10 * time.Second, nil},
	}
	for _, step := range steps {
		clock.advance(step.wait)
		if got := replay.Nonce(t.Context(), step.svc.App, testNonce, step.svc.Signature); !errors.Is(got, step.want) {
			t.Errorf("%s: Nonce = %v, want %v", step.name, got, step.want)
		}
	}
	if got, want := store.keys(), []string{"a/" + sigB, "a/" + sigA, "b/" + sigA}; !cmp.Equal(got, want) {
		t.Errorf("keys = %v, want %v", got, want)
	}
	if SeenFor != 610*time.Second {
		t.Errorf("SeenFor = %s, want 610 s", SeenFor)
	}
}

func TestNonceGrammar(t *testing.T) {
	store := newSeen(newClock(1))
	replay := NewReplay(store, seenKey)
	for _, nonce := range []string{"", testNonce[:15], strings.Repeat("a", 65), "0123456789abcde+", "0123456789abcde ", "0123456789abcde\n", "0123456789abcdé"} {
		if err := replay.Nonce(t.Context(), "a", nonce, sigA); !errors.Is(err, ErrNonce) {
			t.Errorf("Nonce(%q) = %v, want ErrNonce", nonce, err)
		}
	}
	if got := store.keys(); len(got) != 0 {
		t.Errorf("a bad nonce used the request up: %v", got)
	}
	for i, nonce := range []string{testNonce, strings.Repeat("A", 64), "-_-_-_-_-_-_-_-_"} {
		if err := replay.Nonce(t.Context(), "a", nonce, sigA[:63]+string(rune('0'+i))); err != nil {
			t.Errorf("Nonce(%q) = %v", nonce, err)
		}
	}
}

func TestReplayRules(t *testing.T) {
	store := newSeen(newClock(1))
	store.err = errStore
	replay := NewReplay(store, seenKey)
	for _, rule := range []ReplayRule{ReplayHarmless, ReplayKeyed, ReplayAnswered} {
		if err := replay.Check(t.Context(), rule, SVC{App: "a", Signature: sigA}, ""); err != nil {
			t.Errorf("Check(%v) = %v, want nil", rule, err)
		}
	}
	// Without its store the nonce rule lets nothing through.
	if err := replay.Check(t.Context(), ReplayNonce, SVC{App: "a", Signature: sigA}, testNonce); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Check(ReplayNonce) = %v, want ErrUnavailable", err)
	}
}

func TestNonceRace(t *testing.T) {
	replay := NewReplay(newSeen(newClock(1)), seenKey)
	var passed atomic.Int32
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if replay.Nonce(t.Context(), "a", testNonce, sigA) == nil {
				passed.Add(1)
			}
		})
	}
	wg.Wait()
	if got := passed.Load(); got != 1 {
		t.Errorf("%d of 50 passed, want 1", got)
	}
}
