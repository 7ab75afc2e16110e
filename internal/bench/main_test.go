//go:build linux

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/golang-jwt/jwt/v5"
	"go.uber.org/goleak"
)

const (
	fakeApp    = "fake"
	fakeSecret = "psk_for_tests_only"
)

// TestMain is also the binary that Main starts again: as the gateway, as keys
// and as the echo.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || strings.HasPrefix(os.Args[1], "-test.") {
		goleak.VerifyTestMain(m)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	var err error
	switch strings.Join(os.Args[1:3], " ") {
	case "serve --listen":
		err = serveFake(ctx)
	case "keys create":
		fmt.Printf("{\"app_id\":%q,\"secret\":%q}\n", fakeApp, fakeSecret)
	case "bench echo", "bench chat": // chat is for measuring by hand
		err = Main(ctx, os.Args[2:], os.Stdout, os.Stderr, os.Args[0])
	default:
		err = fmt.Errorf("unknown role %q", os.Args[1:])
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fakeStream speaks as much of the stream as the generator needs: a message
// with "kill" in it is blocked, any other goes to the scene's other members.
type fakeStream struct {
	mu     sync.Mutex
	scenes map[string][]*websocket.Conn
	n      int
	// sick answers every chat with this error code; 0: it is well.
	sick int
	// heartbeat is how often a session must be heard, in ms.
	heartbeat int
	pings     atomic.Int64
}

func serveFake(ctx context.Context) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).InfoContext(ctx, "listening", "addr", ln.Addr().String())
	srv := &http.Server{Handler: &fakeStream{scenes: make(map[string][]*websocket.Conn), heartbeat: 30_000}}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.Serve(ln); ctx.Err() == nil {
		return err
	}
	return nil
}

func (f *fakeStream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	claims := jwt.MapClaims{}
	_, err := jwt.ParseWithClaims(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), claims,
		func(*jwt.Token) (any, error) { return []byte(fakeSecret), nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience("portcullis"), jwt.WithIssuer(fakeApp), jwt.WithExpirationRequired())
	if err != nil || r.URL.Path != streamPath {
		http.Error(w, "refused", http.StatusUnauthorized)
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"portcullis.v1"}})
	if err != nil {
		return
	}
	defer func() { _ = ws.CloseNow() }()
	for {
		var in struct {
			Type    string `json:"type"`
			ID      string `json:"id"`
			Scene   string `json:"scene_id"`
			Content string `json:"content"`
		}
		if wsjson.Read(r.Context(), ws, &in) != nil {
			return
		}
		out := map[string]any{"id": in.ID}
		switch in.Type {
		case "hello":
			out["type"], out["heartbeat_ms"] = "ready", f.heartbeat
		case "join":
			out["type"] = "ok"
			f.mu.Lock()
			f.scenes[in.Scene] = append(f.scenes[in.Scene], ws)
			f.mu.Unlock()
		case "ping":
			f.pings.Add(1)
			out["type"] = "pong"
		case "chat":
			f.check(r.Context(), ws, in.Scene, in.Content, out)
		}
		if wsjson.Write(r.Context(), ws, out) != nil {
			return
		}
	}
}

// check fills the verdict in and sends the message on, half of the time before
// its verdict and half of the time after another goroutine has the verdict.
func (f *fakeStream) check(ctx context.Context, from *websocket.Conn, scene, content string, out map[string]any) {
	if f.sick != 0 {
		out["type"], out["code"] = "error", f.sick
		return
	}
	f.mu.Lock()
	f.n++
	id := "q" + strconv.Itoa(f.n)
	members := f.scenes[scene]
	f.mu.Unlock()
	out["type"], out["request_id"], out["suggestion"], out["action"] = "verdict", id, "pass", "deliver"
	if strings.Contains(content, "kill") {
		out["suggestion"], out["action"] = "block", "drop"
		return
	}
	for _, ws := range members {
		if ws != from {
			_ = wsjson.Write(ctx, ws, map[string]any{"type": "message", "message_id": id, "seq": 1, "content": content})
		}
	}
}

// TestChat runs the whole command: children, tickets, both sides, the report.
func TestChat(t *testing.T) {
	lines := filepath.Join(t.TempDir(), "lines.txt")
	if err := os.WriteFile(lines, []byte("hello \"there\"\n\nkill it with fire\n日本語\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, progress bytes.Buffer
	args := strings.Fields("chat --sessions 40 --rate 150 --duration 1s --warmup 200ms --rounds 2 --scene-size 4 --flagged 0 --json --messages " + lines)
	if err := Main(t.Context(), args, &out, &progress, os.Args[0]); err != nil {
		t.Fatalf("Main(%q) = %v\n%s", args, err, &progress)
	}
	var got Report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("output is no JSON: %v\n%s", err, &out)
	}
	const sent = 150 // 1 s of each side
	for name, side := range map[string]*Side{"echo": got.Floor, "chat": got.Chat} {
		if side.Sent < sent-2 || side.Sent > sent || side.Answered != side.Sent {
			t.Errorf("%s: sent %d, answered %d, want %d of each", name, side.Sent, side.Answered, sent)
		}
		if side.CPUPerMessage <= 0 || side.Memory == nil || side.Memory.Start <= 0 {
			t.Errorf("%s: CPU a message %v, memory %+v, want both measured", name, side.CPUPerMessage, side.Memory)
		}
	}
	clean, flagged := got.Chat.Latency.Count, got.Chat.Flagged.Count
	if clean == 0 || flagged == 0 || int(clean+flagged) != got.Chat.Sent {
		t.Errorf("%d passed and %d flagged, want some of each and %d in all", clean, flagged, got.Chat.Sent)
	}
	if want := int(clean) * 3; got.Chat.Delivered != want {
		t.Errorf("delivered = %d, want %d: 3 other members for each that passed", got.Chat.Delivered, want)
	}
	if got.Chat.CleanFlagged != int(flagged) {
		t.Errorf("clean_flagged = %d, want %d: every line of --messages counts as clean", got.Chat.CleanFlagged, flagged)
	}
}

func TestIdle(t *testing.T) {
	var out, progress bytes.Buffer
	args := strings.Fields("chat --idle 50 --settle 300ms --ramp 8 --json")
	if err := Main(t.Context(), args, &out, &progress, os.Args[0]); err != nil {
		t.Fatalf("Main(%q) = %v\n%s", args, err, &progress)
	}
	var got Report
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("output is no JSON: %v\n%s", err, &out)
	}
	for name, side := range map[string]*Side{"echo": got.Floor, "chat": got.Chat} {
		if m := side.Memory; m == nil || m.Sessions != 50 || m.Start <= 0 || m.End <= 0 || m.PerSession != (m.End-m.Start)/50 {
			t.Errorf("%s: memory = %+v, want 50 sessions measured", name, m)
		}
	}
}

// TestRunningServer drives a server that the test owns, well and sick.
func TestRunningServer(t *testing.T) {
	tests := []struct {
		name string
		fake *fakeStream
		want string // part of Main's error; "" for none
	}{
		{"well", &fakeStream{heartbeat: 100}, ""},
		{"sick", &fakeStream{heartbeat: 100, sick: 2002}, "20 × error 2002"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := drive(t, tt.fake, fakeSecret)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("Main = %v, want nil", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("Main = %v, want an error with %q", err, tt.want)
			}
			// 8 sessions that say something every 200 ms but are to be heard every 100.
			if got := tt.fake.pings.Load(); got < 8 {
				t.Errorf("%d pings, want one of each session at least", got)
			}
		})
	}
	if err := drive(t, &fakeStream{}, "another"); err == nil || !strings.Contains(err.Error(), "upgrade refused: HTTP/1.1 401") {
		t.Errorf("Main with a wrong secret = %v, want a refused upgrade", err)
	}
}

func drive(t *testing.T, fake *fakeStream, secret string) error {
	t.Helper()
	fake.scenes = make(map[string][]*websocket.Conn)
	var lc net.ListenConfig
	ln, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: fake}
	var serving sync.WaitGroup
	serving.Go(func() { _ = srv.Serve(ln) })
	t.Cleanup(func() { _ = srv.Close(); serving.Wait() })
	var out, progress bytes.Buffer
	args := append(strings.Fields("chat --sessions 8 --rate 40 --duration 500ms --warmup 0s --rounds 1 --flagged 0 --floor=false"),
		"--url", "ws://"+ln.Addr().String(), "--app", fakeApp, "--secret", secret)
	return Main(t.Context(), args, &out, &progress, os.Args[0])
}

func TestUnansweredFails(t *testing.T) {
	r := newReport(nil, nil, &Side{Unanswered: 3, Faults: map[string]int{"closed 4008": 2}})
	err := r.fault()
	for _, want := range []string{"3 messages were not answered", "2 × closed 4008"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("fault = %v, want it to say %q", err, want)
		}
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		args string
		want []string // parts of the error; none for valid ones
	}{
		{"", nil},
		{"--url ws://127.0.0.1:80 --app a --secret s", nil},
		{"--url ws://[::1]:80 --app a --secret s", nil},
		{"--url ws://192.168.1.1:80 --app a --secret s", []string{"loopback"}},
		{"--url ws://example.com:80 --app a --secret s", []string{"loopback"}},
		{"--url ws://127.0.0.1 --app a --secret s", []string{"port"}},
		{"--url http://127.0.0.1:80 --start", []string{"ws://", "exclude", "--app"}},
		{"--sessions 10 --rate 51", []string{"5 messages a second"}},
		{"--sessions 10 --rate 10 --scene-size 3", []string{"multiple"}},
		{"--rate NaN --rounds 0 --flagged 2 --duration -1s", []string{"--rate", "--rounds", "--flagged", "--duration"}},
		{"more", []string{"unexpected argument"}},
	}
	for _, tt := range tests {
		_, err := parseOptions(strings.Fields(tt.args), &bytes.Buffer{})
		if len(tt.want) == 0 && err != nil {
			t.Errorf("parseOptions(%q) = %v, want nil", tt.args, err)
		}
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("parseOptions(%q) = %v, want it to say %q", tt.args, err, want)
			}
		}
	}
}
