package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds a wait for what has to come. It costs its length only where a
// test fails anyway, so it is long enough for a busy machine.
const patience = 60 * time.Second

// process is a gateway that runs as a process of its own.
type process struct {
	cmd        *exec.Cmd
	url, admin string
	out        *shared
	log        *shared
	read       chan struct{} // closed when the log has ended
	ended      chan error    // 1: how the process ended
}

// shared is a buffer that is read while it is written.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// startProcess starts a gateway on free ports and waits until it answers.
func startProcess(env []string, dir string, args ...string) (*process, error) {
	return startRole(env, dir, append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, args...))
}

// startRole starts a role that goes on until it is told to end, and waits until it says
// that it has begun.
func startRole(env []string, dir string, args []string) (*process, error) {
	p := &process{out: new(shared), log: new(shared), read: make(chan struct{}), ended: make(chan error, 1)}
	p.cmd = exec.CommandContext(context.Background(), "portcullis", args...) // it ends with a signal or kill
	p.cmd.Env, p.cmd.Dir, p.cmd.Stdout = env, dir, p.out
	errs, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start portcullis: %w", err)
	}
	listening := make(chan struct{})
	go p.follow(errs, listening)
	go func() {
		<-p.read // before Wait, which closes the pipe
		p.ended <- p.cmd.Wait()
	}()
	select {
	case <-listening:
		return p, nil
	case <-p.read:
		return nil, fmt.Errorf("serve ended before it listened: %w\n%s", <-p.ended, p.log)
	case <-time.After(patience):
		return nil, errors.Join(fmt.Errorf("serve does not listen:\n%s", p.log), p.kill())
	}
}

// follow keeps the log, and finds the line that says where the gateway listens.
func (p *process) follow(r io.Reader, listening chan<- struct{}) {
	defer close(p.read)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Fprintf(p.log, "%s\n", lines.Bytes())
		var line struct{ Msg, URL, Admin string }
		if p.admin == "" && json.Unmarshal(lines.Bytes(), &line) == nil && (line.Msg == "listening" || line.Msg == "working") {
			p.url, p.admin = line.URL, "http://"+line.Admin
			close(listening)
		}
	}
}

// wait waits until the process has gone, and wants exit status 0.
func (p *process) wait() error {
	select {
	case err := <-p.ended:
		p.ended <- err
		if err != nil {
			return fmt.Errorf("portcullis: %w\n%s", err, p.log)
		}
		return nil
	case <-time.After(patience):
		return errors.Join(errors.New("portcullis does not end"), p.kill())
	}
}

// kill ends the gateway as a power cut does. It may have ended already.
func (p *process) kill() error {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("SIGKILL: %w", err)
	}
	p.ended <- <-p.ended
	return nil
}

// fewLists are some of the lists that are built in. With the race detector all of
// them take a gateway ten seconds to load; the scripts' explain loads them.
var fewLists = func() string {
	dir, err := filepath.Abs("testdata/lists")
	if err != nil {
		panic(err)
	}
	return dir
}()

// cleanEnvironment is ours without what would set the gateway's configuration, but
// with few lists, and with time for a machine that stands still: a text that is looked at
// for more than 18 ms is not passed unseen, a player who is read in more than 2 is not
// unknown, a store that answers late is not away, and clients that say nothing while
// something is waited for are not gone.
func cleanEnvironment() []string {
	env := []string{
		"PORTCULLIS_TEXT_LEXICONS=" + fewLists, "PORTCULLIS_TEXT_DEADLINE=5s", "PORTCULLIS_PLAYERS_WAIT=5s", "PORTCULLIS_PLAYERS_HELLO=5s",
		"PORTCULLIS_REVIEW_COMMIT_TIMEOUT=10s", "PORTCULLIS_REDIS_WAIT=5s", "PORTCULLIS_CHAT_HEARTBEAT=5m",
	}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "PORTCULLIS_") {
			env = append(env, e)
		}
	}
	return env
}

// serveProcess starts a gateway that ends with the test. A race that the gateway
// found fails the test.
func serveProcess(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p, err := startProcess(append(cleanEnvironment(), env...), "", args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.kill(); err != nil {
			t.Errorf("clean up: %v", err)
		}
		if log := p.log.String(); strings.Contains(log, "DATA RACE") || strings.Contains(log, "stream: panic") {
			t.Errorf("the gateway's log:\n%s", log)
		}
	})
	return p
}

// command runs a tool of the binary and returns what it prints.
func command(t *testing.T, env []string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "portcullis", args...)
	cmd.Env = append(cleanEnvironment(), env...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("portcullis %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// stderrOf is what a command that failed said.
func stderrOf(err error) []byte {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.Stderr
	}
	return nil
}
