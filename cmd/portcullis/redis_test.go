package main

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisServer is a real redis-server of this test's own, so that it can be hung.
type redisServer struct {
	url string
	cmd *exec.Cmd
}

func startRedis(t *testing.T) *redisServer {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server is not installed: make setup installs what the tests need")
	}
	for range 3 { // another process may take the port between the look and the start
		if r := tryRedis(t, program); r != nil {
			return r
		}
	}
	t.Fatal("redis-server does not start")
	return nil
}

func tryRedis(t *testing.T, program string) *redisServer {
	t.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	// Not the test's context: it ends before the clean-up, which is orderly.
	cmd := exec.CommandContext(context.Background(), program, "--bind", "127.0.0.1", "--port", port,
		"--save", "", "--appendonly", "yes", "--appendfsync", "everysec", "--dir", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &redisServer{url: "redis://" + addr, cmd: cmd}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // SIGKILL also ends one that is stopped; it may have ended already
		ended <- <-ended
	})
	var d net.Dialer
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if c, err := d.DialContext(t.Context(), "tcp", addr); err == nil {
			_ = c.Close() // only looked
			return r
		}
		if len(ended) > 0 {
			return nil
		}
	}
	return nil
}

// client talks to the server beside the gateways; the caller closes it.
func (r *redisServer) client(t *testing.T) *redis.Client {
	t.Helper()
	o, err := redis.ParseURL(r.url)
	if err != nil {
		t.Fatal(err)
	}
	return redis.NewClient(o)
}

// connections counts those of the gateways.
func (r *redisServer) connections(t *testing.T) int {
	t.Helper()
	c := r.client(t)
	list, err := c.ClientList(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return strings.Count(list, "\n") - 1 // less our own
}

// hang stops the server in its tracks: connections stay open and nobody answers.
func (r *redisServer) hang() error   { return r.signal(syscall.SIGSTOP) }
func (r *redisServer) resume() error { return r.signal(syscall.SIGCONT) }

func (r *redisServer) signal(s syscall.Signal) error {
	if err := r.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("signal redis-server: %w", err)
	}
	return nil
}
