package redisstore

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

func openEmbedded(t *testing.T) *Redis {
	t.Helper()
	r, err := Open(t.Context(), Config{Node: "node-1", Wait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func newState(i int) session.State {
	return session.State{
		ID: engines.SessionID(fmt.Sprintf("0192d3c4-5a6b-7c8d-9e0f-%012d", i)), App: "demo-game",
		Player: engines.PlayerID(fmt.Sprintf("player-%08d", i)), Epoch: "0123456789abcdef", Node: "node-1", Fence: 1,
	}
}

func TestEngineIsGuarded(t *testing.T) {
	r := openEmbedded(t)
	if r.Shared() {
		t.Error("the embedded engine says that it is shared")
	}
	for _, password := range []string{"", "guess"} {
		stranger := redis.NewClient(&redis.Options{Addr: r.embedded.addr(), Password: password, Protocol: 2, MaxRetries: -1})
		if err := stranger.Ping(t.Context()).Err(); err == nil {
			t.Errorf("password %q is let in", password)
		}
		_ = stranger.Close()
	}
}

func TestEngineIsCapped(t *testing.T) {
	r := openEmbedded(t)
	r.embedded.keys.Store(engineKeys - 1)
	if _, err := r.Create(t.Context(), newState(1)); !errors.Is(err, session.ErrFull) {
		t.Errorf("Create at the cap: %v, want ErrFull", err)
	}
	r.embedded.keys.Store(0)
	r.starting.Store(0)
	if _, err := r.Create(t.Context(), newState(1)); err != nil {
		t.Errorf("Create below the cap: %v", err)
	}
}

// TestSessionMemory holds the promise that an idle session costs at most 1 KiB here.
func TestSessionMemory(t *testing.T) {
	r := openEmbedded(t)
	create := func(from, to int) {
		for i := from; i < to; i++ {
			if _, err := r.Create(t.Context(), newState(i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	create(0, 100)
	before := heap()
	const n = 5000
	create(100, 100+n)
	each := int64(heap()-before) / n
	t.Logf("%d bytes a session", each)
	if each > 1024 {
		t.Errorf("a session costs %d bytes, want at most 1024", each)
	}
}
