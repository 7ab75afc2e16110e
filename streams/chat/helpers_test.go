package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait of a test that is going to fail.
const patience = 20 * time.Second

// desk is a Desk of a function.
type desk func(it *engines.Item) (engines.Outcome, error)

func (d desk) Check(_ context.Context, it *engines.Item) (engines.Outcome, error) {
	if it.RequestID == "" {
		it.RequestID = engines.RequestID("m-" + random(9))
	}
	out, err := d(it)
	out.RequestID = it.RequestID
	return out, err
}

// verdict is an outcome of one action.
func verdict(a engines.Action) engines.Outcome {
	v := engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Action: a, Mode: engines.RealTimeBlock}
	if a != engines.Deliver {
		v.Suggestion = engines.Block
		v.Labels = []engines.Label{{Category: "harassment", Confidence: 0.9}}
	}
	return engines.Outcome{Verdict: v}
}

// words acts on what a message says: "drop …", "hold …", "mask …", "panic", else deliver.
func words(it *engines.Item) (engines.Outcome, error) {
	word, rest, _ := strings.Cut(it.Text, " ")
	switch word {
	case "panic":
		panic("as asked")
	case "fail":
		return engines.Outcome{}, fmt.Errorf("store: %w", engines.ErrUnavailable)
	case "drop":
		return verdict(engines.Drop), nil
	case "hold":
		return verdict(engines.Hold), nil
	case "mask":
		out := verdict(engines.Mask)
		out.Verdict.Masked = strings.Repeat("*", len(rest))
		return out, nil
	}
	return verdict(engines.Deliver), nil
}

// gate is a gateway that serves on a loopback port.
type gate struct {
	*node
	url     string
	bans    *bans
	mutes   *mutes
	calls   *calls
	players *players
	// filed answers reports; it is set before any comes.
	filed func(r session.Report) (engines.CaseID, error)
}

// Report files a report.
func (g *gate) Report(_ context.Context, r session.Report) (engines.CaseID, error) { return g.filed(r) }

// elsewhere gives a notice to the other gateways of the world.
func (g *gate) elsewhere(payload []byte) {
	g.mu.Lock()
	var others []*Hub
	for _, n := range g.nodes {
		if n != g.node && n.hub != nil {
			others = append(others, n.hub)
		}
	}
	g.mu.Unlock()
	for _, h := range others {
		h.Announced(payload)
	}
}

func testConfig() Config {
	cfg := DefaultConfig()
	cfg.PlayerRate, cfg.PlayerBurst = 100_000, 100_000
	cfg.Drain = 50 * time.Millisecond
	cfg.Limits = wire.Limits{TextCodePoints: 1000, FrameBytes: 128 << 10}
	return cfg
}

// serve starts a gateway in the world; the test drains it.
func serve(tb testing.TB, w *world, name string, cfg Config, d Desk) *gate {
	tb.Helper()
	g := &gate{node: w.node(name), bans: new(bans), mutes: new(mutes), calls: new(calls), players: new(players)}
	cfg.Node = name
	log := slog.New(slog.DiscardHandler)
	g.hub = New(cfg, Deps{
		Desk: d, Tickets: g.node, Sessions: g.node, Logs: g.node, Behind: g.node, Answers: g.node, Bus: g.node, Bans: g.bans,
		Reports: g, Elsewhere: g.elsewhere,
		Mutes: g.mutes, Players: g.players, Voice: g.calls,
	}, prometheus.NewRegistry(), log)
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan struct{})
	go func() { defer close(ran); g.hub.Run(ctx) }()
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		alive := new(atomic.Int64)
		ws, err := websocket.Accept(rw, req, &websocket.AcceptOptions{
			CompressionMode: websocket.CompressionDisabled,
			OnPingReceived:  func(context.Context, []byte) bool { alive.Store(time.Now().Unix()); return true },
		})
		if err != nil {
			return
		}
		id, err := g.Identify(req.Context(), req.Header.Get("Token"))
		if err != nil && req.Header.Get("Token") != "" {
			tb.Errorf("token %q: %v", req.Header.Get("Token"), err)
		}
		g.hub.Serve(ws, alive, id) //nolint:contextcheck // a session outlives its request
	}))
	g.url = srv.URL
	tb.Cleanup(func() {
		g.set(func(n *node) { n.dead = false }) // else its store never answers
		g.drain(tb)
		stop()
		<-ran
		srv.Close()
	})
	return g
}

func (g *gate) drain(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := g.hub.Drain(ctx); err != nil {
		tb.Errorf("Drain: %v", err)
	}
}

// message is a frame as a client sees it.
type message map[string]any

func (m message) str(key string) string { s, _ := m[key].(string); return s }
func (m message) num(key string) uint64 { f, _ := m[key].(float64); return uint64(f) }

// client is a game client. A test that expects a frame reads until it comes.
type client struct {
	t     testing.TB
	ws    *websocket.Conn
	seq   uint64 // of the newest push
	ready message
	token string
	said  []string // contents of the message pushes, in order
}

func tryDial(g *gate) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ws, resp, err := websocket.Dial(ctx, g.url, nil)
	if resp != nil && resp.Body != nil {
		err = errors.Join(err, resp.Body.Close())
	}
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(1 << 20)
	return ws, nil
}

func dial(tb testing.TB, g *gate) *client {
	tb.Helper()
	ws, err := tryDial(g)
	if err != nil {
		tb.Fatal(err)
	}
	c := &client{t: tb, ws: ws}
	tb.Cleanup(func() { _ = ws.CloseNow() })
	return c
}

// login opens a session, and joins the scenes that a player's token names.
func login(tb testing.TB, g *gate, token string) *client {
	tb.Helper()
	c := dial(tb, g)
	c.send(message{"type": "hello", "id": "h", "token": token})
	c.ready = c.expect("ready")
	c.token = c.ready.str("resume_token")
	if words := strings.Fields(token); len(words) > 2 {
		for _, scene := range words[2:] {
			c.join(scene)
		}
	}
	return c
}

func (c *client) send(m message) {
	c.t.Helper()
	b, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, b); err != nil {
		c.t.Fatalf("send %s: %v", b, err)
	}
}

var errOrder = errors.New("out of order")

// read reads one frame and holds pushes against their order.
func (c *client) read() (message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, b, err := c.ws.Read(ctx)
	if err != nil {
		return nil, err
	}
	var m message
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", b, err)
	}
	if seq := m.num("seq"); seq != 0 {
		if seq != c.seq+1 {
			return nil, fmt.Errorf("push %s comes after %d: %w", b, c.seq, errOrder)
		}
		c.seq = seq
		if m.str("type") == "message" {
			c.said = append(c.said, m.str("content"))
		}
	}
	return m, nil
}

func (c *client) expect(typ string) message {
	c.t.Helper()
	for {
		m, err := c.read()
		if err != nil {
			c.t.Fatalf("waiting for %s: %v", typ, err)
		}
		if m.str("type") == typ {
			return m
		}
	}
}

// next is the next frame, which must be of a type.
func (c *client) next(typ string) message {
	c.t.Helper()
	m, err := c.read()
	if err != nil {
		c.t.Fatalf("waiting for %s: %v", typ, err)
	}
	if m.str("type") != typ {
		c.t.Fatalf("got %v, want %s", m, typ)
	}
	return m
}

// closed reads until the connection closes and returns its code.
func (c *client) closed() websocket.StatusCode {
	c.t.Helper()
	for {
		if _, err := c.read(); err != nil {
			var ce websocket.CloseError
			if !errors.As(err, &ce) {
				c.t.Fatalf("waiting for the close: %v", err)
			}
			return ce.Code
		}
	}
}

func (c *client) wantClosed(want websocket.StatusCode) {
	c.t.Helper()
	if got := c.closed(); got != want {
		c.t.Errorf("closed with %d, want %d", got, want)
	}
}

func (c *client) join(scene string) {
	c.t.Helper()
	c.send(message{"type": "join", "id": "j", "scene_id": scene})
	c.expect("ok")
}

// settle waits until what was said is delivered: its verdict goes out before.
func (c *client) settle() {
	c.t.Helper()
	c.send(message{"type": "ping", "id": "settle"})
	c.expect("pong")
}

func (c *client) say(id, text string) message {
	c.t.Helper()
	c.send(message{"type": "chat", "id": id, "scene_id": "lobby", "content": text})
	return c.expect("verdict")
}

// cut drops the connection without a word.
func (c *client) cut() { _ = c.ws.CloseNow() }

// claim is the resume message of a client that has lost its connection.
func (c *client) claim() message {
	return message{
		"type": "resume", "id": "r", "session_id": c.ready.str("session_id"), "resume_token": c.token,
		"epoch": c.ready.str("epoch"), "last_seq": c.seq,
	}
}

// resume takes the session up on a gateway and returns the first answer.
func (c *client) resume(g *gate) message {
	c.t.Helper()
	c.cut()
	c.ws = dial(c.t, g).ws
	c.send(c.claim())
	m, err := c.read()
	if err != nil {
		c.t.Fatalf("resume: %v", err)
	}
	if token := m.str("resume_token"); token != "" {
		c.token = token
	}
	return m
}

func (c *client) wantResumed(g *gate, count uint64) {
	c.t.Helper()
	if m := c.resume(g); m.str("type") != "resumed" || m.num("count") != count {
		c.t.Fatalf("resume: %v, want resumed with %d", m, count)
	}
}

// eventually waits for what another goroutine brings about.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			tb.Fatalf("not within %v: %s", patience, what)
		}
	}
}

func (g *gate) session(c *client) *Session {
	return g.hub.find(engines.SessionID(c.ready.str("session_id")))
}
