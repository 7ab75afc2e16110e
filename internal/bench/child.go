package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	// startTime is how long a child may take to listen.
	startTime = 60 * time.Second
	// stopTime is how long it may take to end before it is killed.
	stopTime = 20 * time.Second
)

// child is a process of this same binary. Its output goes to a file, not a pipe:
// a pipe would cost the generator a wake-up for every log line.
type child struct {
	cmd  *exec.Cmd
	logs string
	addr string
	// done closes when the process has ended; how is set before.
	done chan struct{}
	how  error
}

// startChild runs the binary with args and waits for its "listening" line.
func startChild(ctx context.Context, self, logs string, args ...string) (*child, error) {
	out, err := os.Create(logs)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = out, out, environment(os.Environ())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTime
	err = cmd.Start()
	if err = errors.Join(err, out.Close()); err != nil {
		return nil, fmt.Errorf("start %s: %w", args[0], err)
	}
	c := &child{cmd: cmd, logs: logs, done: make(chan struct{})}
	go func() { // stop waits for it
		c.how = cmd.Wait()
		close(c.done)
	}()
	if err := c.awaitListening(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", args[0], err), c.stop())
	}
	return c, nil
}

// environment is what a child finds around it: ours, and the folder of models of the
// place where the benchmark runs, which its own empty data folder has not.
func environment(ours []string) []string {
	const name = "PORTCULLIS_MODELS"
	if os.Getenv(name) != "" {
		return ours
	}
	dir, err := filepath.Abs(filepath.Join("data", "models"))
	if err != nil {
		return ours
	}
	if _, err := os.Stat(dir); err != nil { // it measures without, and says what it lacks
		return ours
	}
	return append(ours, name+"="+dir)
}

func (c *child) pid() int { return c.cmd.Process.Pid }

func (c *child) awaitListening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		logs, err := os.ReadFile(c.logs)
		if err != nil {
			return fmt.Errorf("read its log: %w", err)
		}
		if addr, ok := listeningAddr(logs); ok {
			c.addr = addr
			return nil
		}
		select {
		case <-c.done:
			return fmt.Errorf("it ended before it listened (%w); its log ends: %s", errors.Join(c.how, errEnded), tail(logs))
		case <-ctx.Done():
			return fmt.Errorf("no listening line: %w; its log ends: %s", ctx.Err(), tail(logs))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

var errEnded = errors.New("process ended")

func listeningAddr(logs []byte) (string, bool) {
	for line := range bytes.Lines(logs) {
		var entry struct {
			Msg  string `json:"msg"`
			Addr string `json:"addr"`
		}
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "listening" && entry.Addr != "" {
			return entry.Addr, true
		}
	}
	return "", false
}

func tail(logs []byte) string {
	const most = 600
	return string(bytes.TrimSpace(logs[max(0, len(logs)-most):]))
}

// stop ends the process, by force if it takes too long, and waits for it.
func (c *child) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop: %w", err)
	}
	select {
	case <-c.done: // how doesn't matter: it was told to
		return nil
	case <-time.After(stopTime):
		err := c.cmd.Process.Kill()
		<-c.done
		return errors.Join(errors.New("stop: it did not end in time and was killed"), err)
	}
}

// kill ends the process as a power cut does, and waits until it has gone.
func (c *child) kill() error {
	if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("SIGKILL: %w", err)
	}
	<-c.done
	return nil
}

// ended says how a child that should run has ended, nil while it runs.
func (c *child) ended() error {
	select {
	case <-c.done:
		logs, _ := os.ReadFile(c.logs) // only adds to the message
		return fmt.Errorf("the server under test ended (%w); its log ends: %s", errors.Join(c.how, errEnded), tail(logs))
	default:
		return nil
	}
}

// place is where a gateway under test keeps its things.
type place struct {
	dir    string // its log, and its data in a folder below
	config string // a configuration file; "": none
}

func (p place) data() string { return filepath.Join(p.dir, "data") }

// serve starts a gateway there.
func (p place) serve(ctx context.Context, self string) (*child, error) {
	return startChild(ctx, self, filepath.Join(p.dir, "serve.log"), p.args("serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")...)
}

func (p place) args(args ...string) []string {
	args = append(args, "--data", p.data())
	if p.config != "" {
		args = append(args, "--config", p.config)
	}
	return args
}

// startGateway starts serve on a data folder of its own and makes an app there.
func startGateway(ctx context.Context, self string, p place) (*child, *gateway, error) {
	c, err := p.serve(ctx, self)
	if err != nil {
		return nil, nil, err
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, self, p.args("keys", "create", "--app", "bench", "--json")...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("keys create: %w: %s", err, tail(stderr.Bytes())), c.stop())
	}
	var key struct {
		App    string `json:"app_id"`
		Secret string `json:"secret"`
	}
	if err := json.Unmarshal(out, &key); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("keys create: %w", err), c.stop())
	}
	return c, &gateway{addr: c.addr, path: streamPath, app: key.App, secret: key.Secret}, nil
}
