package redisstore_test

import (
	"context"
	"errors"
	"net"
	"os/exec"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// ownServer starts a redis-server that a test may stop as it likes.
func ownServer(t *testing.T, options ...string) (url string, server *exec.Cmd) {
	t.Helper()
	storetest.RedisURL(t) // skips where no servers are meant to run
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	options = append([]string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--save", "", "--dir", t.TempDir()}, options...)
	server = exec.Command("redis-server", options...)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	within(t, 30*time.Second, "redis-server to listen", func() bool {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		conn.Close()
		return true
	})
	return "redis://" + address, server
}

func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	until := time.Now().Add(limit)
	for !ok() {
		if time.Now().After(until) {
			t.Fatalf("waited %v for %s", limit, what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func create(t *testing.T, r *redisstore.Redis) session.State {
	t.Helper()
	s := storetest.State(r.Node())
	if _, err := r.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestHung stops redis-server with a signal, which leaves its connections open
// and silent: the fault that a default client waits 5 s for.
func TestHung(t *testing.T) {
	url, server := ownServer(t)
	r := storetest.OpenRedis(t, url, "")
	var lost atomic.Int64
	b := r.NewBehind(func(engines.SessionID, redisstore.Lost) { lost.Add(1) })
	defer b.Close()
	s := create(t, r)
	b.Log(s.ID, 1, session.Entry{Seq: 1, Frame: []byte("f")})
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := server.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()

	calls := map[string]func(context.Context) error{
		"Create": func(ctx context.Context) error { _, err := r.Create(ctx, storetest.State("n")); return err },
		"Resume": func(ctx context.Context) error { _, err := r.Resume(ctx, session.Claim{ID: s.ID}); return err },
		"Replay": func(ctx context.Context) error { _, _, _, err := r.Replay(ctx, s.ID, 0); return err },
		"SceneLog": func(ctx context.Context) error {
			_, _, err := r.SceneLog(ctx, "a", "s", "0")
			return err
		},
		"SceneHead": func(ctx context.Context) error { _, err := r.SceneHead(ctx, "a", "s"); return err },
		"Answers":   func(ctx context.Context) error { _, err := r.Answers(ctx, "a", "p"); return err },
		"Seen":      func(ctx context.Context) error { _, err := r.Seen(ctx, "k", time.Minute); return err },
		"PutSeen":   func(ctx context.Context) error { return r.PutSeen(ctx, "k", nil, time.Minute) },
		"Forget":    func(ctx context.Context) error { return r.Forget(ctx, s.ID, s.App, s.Player) },
		"Tell":      func(ctx context.Context) error { return r.Tell(ctx, "n", nil) },
		"Ping":      r.Ping,
	}
	// Each call has 20 ms; what is added is for a busy machine, and is far from the client's
	// own 250 ms. One that was held up, by whatever else runs, is asked again: of some calls
	// that heed their context one is in time, of those that don't none.
	const limit, slack, tries = 20 * time.Millisecond, 100 * time.Millisecond, 20
	for name, call := range calls {
		took := time.Hour
		for range tries {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			start := time.Now()
			err := call(ctx)
			took = min(took, time.Since(start))
			cancel()
			if !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%s: %v, want ErrUnavailable", name, err)
			}
			if took <= limit+slack {
				break
			}
		}
		if took > limit+slack {
			t.Errorf("%s returned after %v at the soonest", name, took)
		}
	}
	if r.Healthy() {
		t.Error("Healthy() after a dozen failures")
	}
	// Open now: refused at once, however long the context. One that asked would wait 3 s.
	start := time.Now()
	for range 1000 {
		if _, err := r.Seen(t.Context(), "k", time.Minute); !errors.Is(err, store.ErrUnavailable) {
			t.Fatalf("Seen with the breaker open: %v", err)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("1000 refused calls took %v", took)
	}
	// Writes are given up, their owner is told, and nothing piles up.
	for i := range 20_000 {
		b.Log(s.ID, 1, session.Entry{Seq: uint64(i + 2), Frame: []byte("f")})
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	if lost.Load() == 0 {
		t.Error("no lost write was reported")
	}
	within(t, 30*time.Second, "the goroutines of the fault to end", func() bool { return runtime.NumGoroutine() <= before+5 })

	if err := server.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	within(t, 30*time.Second, "recovery", r.Healthy)
	if _, err := r.Create(t.Context(), storetest.State(r.Node())); err != nil {
		t.Errorf("Create after recovery: %v", err)
	}
	// The session's log has a hole now: it must not be resumed from it.
	b.Log(s.ID, 1, session.Entry{Seq: 30_000, Frame: []byte("f")})
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, last, ok, err := r.Replay(t.Context(), s.ID, 1); ok || last != 30_000 || err != nil {
		t.Errorf("Replay over the hole: last %d, ok %v, %v, want not ok", last, ok, err)
	}
}

// TestReconnect breaks a listener's connection: it comes back by itself, with the
// scenes it had, and says that something may be missing.
func TestReconnect(t *testing.T) {
	url, _ := ownServer(t)
	r := storetest.OpenRedis(t, url, "")
	missed, scenes := make(chan struct{}, 8), make(chan session.SceneEntry, 8)
	l := r.NewListener(redisstore.Handlers{
		Missed: func() { missed <- struct{}{} },
		Scene:  func(_ engines.AppID, _ engines.SceneID, e session.SceneEntry) { scenes <- e },
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.Listen(ctx)
	}()
	defer func() {
		cancel()
		<-done
	}()
	if err := l.SubscribeScene(t.Context(), "app", "s"); err != nil {
		t.Fatal(err)
	}
	if err := r.Client().Do(t.Context(), "CLIENT", "KILL", "TYPE", "pubsub").Err(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-missed:
	case <-time.After(30 * time.Second):
		t.Fatal("the listener did not come back")
	}
	b := r.NewBehind(func(engines.SessionID, redisstore.Lost) {})
	defer b.Close()
	within(t, 30*time.Second, "a message after the reconnection", func() bool {
		b.Scene("app", "s", session.SceneEntry{Node: "n", Message: "m", Frame: []byte("f")})
		select {
		case <-scenes:
			return true
		case <-time.After(50 * time.Millisecond):
			return false
		}
	})
}

// TestServerAway opens a Redis that is not there.
func TestServerAway(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	r := storetest.OpenRedis(t, "redis://"+address, "")
	if r.Healthy() {
		t.Error("Healthy() without a server")
	}
	if _, err := r.Create(t.Context(), storetest.State("n")); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Create: %v, want ErrUnavailable", err)
	}
	l := r.NewListener(redisstore.Handlers{})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.Listen(ctx)
	}()
	if err := l.SubscribeScene(ctx, "a", "s"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("SubscribeScene: %v, want ErrUnavailable", err)
	}
	<-done
}
