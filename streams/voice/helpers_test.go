package voice

import (
	"context"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// within bears a machine that is busy with other things.
const within = 30 * time.Second

// loudness is a meter for tests: it names a second of loud sound, once.
type loudness struct {
	n, loud int64
	told    bool
	found   []engines.Anomaly
}

func (l *loudness) Push(pcm []float32) {
	for _, v := range pcm {
		l.n++
		if math.Abs(float64(v)) > 0.5 {
			l.loud++
		}
	}
	if !l.told && l.loud > engines.SoundRate/4 {
		l.told = true
		l.found = append(l.found, engines.Anomaly{Kind: "loud", FromMS: max(l.n/16-1000, 0), ToMS: l.n / 16, Measure: "peak", Value: 1, Threshold: .5, Confidence: 1})
	}
}

func (l *loudness) Drain(dst []engines.Anomaly) []engines.Anomaly {
	dst = append(dst, l.found...)
	l.found = l.found[:0]
	return dst
}

// energy is an ear for speech for tests: any sound is speech, 300 ms without are its end.
type energy struct {
	told     func(Edge)
	n, quiet int64
	speaking bool
}

func (s *energy) Push(pcm []float32) error {
	for _, v := range pcm {
		s.n++
		if math.Abs(float64(v)) > 0.02 {
			s.quiet = 0
			if !s.speaking {
				s.speaking = true
				s.told(Edge{AtMS: s.n / 16, Speaking: true})
			}
		} else if s.quiet++; s.speaking && s.quiet > 4800 {
			s.speaking = false
			s.told(Edge{AtMS: s.n/16 - 300})
		}
	}
	return nil
}

// same passes sound on as it is, or every third sample of it.
type same struct{ step int }

func (s same) Push(dst, src []float32) []float32 {
	for i := 0; i < len(src); i += s.step {
		dst = append(dst, src[i])
	}
	return dst
}

// desk keeps what it is asked, and answers as find says.
type desk struct {
	mu    sync.Mutex
	items []engines.Item
	find  func(*engines.Item) []engines.Signal
	block bool
}

func (d *desk) Check(ctx context.Context, item *engines.Item) (engines.Outcome, error) {
	look := Sifting{engineFunc(func(_ context.Context, it *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
		if d.find != nil {
			out = append(out, d.find(it)...)
		}
		return out, nil
	})}
	found, err := look.Inspect(ctx, item, nil)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.items = append(d.items, *item)
	o := engines.Outcome{RequestID: "r", Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Deliver}}
	for _, s := range found {
		o.Verdict.Suggestion = engines.Review
		if d.block {
			o.Verdict.Suggestion = engines.Block
		}
		o.Verdict.Labels = append(o.Verdict.Labels, engines.Label{Category: s.Category, SubLabel: s.SubLabel, Place: s.Place})
	}
	return o, err
}

func (d *desk) seen() []engines.Item {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]engines.Item(nil), d.items...)
}

type engineFunc func(context.Context, *engines.Item, []engines.Signal) ([]engines.Signal, error)

func (f engineFunc) Inspect(ctx context.Context, it *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	return f(ctx, it, out)
}

// ears keep what sessions are told, and shelf the clips.
type ears struct {
	mu    sync.Mutex
	heard []string
}

func (e *ears) Push(_ engines.AppID, _ engines.PlayerID, _ engines.SessionID, body []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, string(body))
}

func (e *ears) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.heard...)
}

type shelf struct {
	mu    sync.Mutex
	clips [][]byte
}

func (s *shelf) AddClip(_ context.Context, _ *engines.Item, _ engines.Outcome, _ string, clip []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clips = append(s.clips, clip)
	return nil
}

type mutes struct {
	mu    sync.Mutex
	until time.Time
	on    bool
}

func (m *mutes) VoiceMuted(engines.AppID, engines.PlayerID) (time.Time, engines.Category, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.until, engines.Harassment, m.on
}

func (m *mutes) set(until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until, m.on = until, true
}

// start runs a hub until the test ends, when everything must have gone.
func start(t *testing.T, cfg Config, deps Deps) *Hub {
	t.Helper()
	if deps.Meter == nil {
		deps.Meter = func(*engines.Item) Meter { return &loudness{} }
	}
	if deps.Desk == nil {
		deps.Desk = &desk{}
	}
	deps.Resampler = func(from, to int) Resampler { return same{from / to} }
	h, err := New(cfg, "127.0.0.1:0", deps, nil, nil)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { h.Serve(ctx) })
	t.Cleanup(func() {
		h.Drain(t.Context())
		stop()
		done.Wait()
	})
	return h
}

func speaker(name string) *session.Speaker {
	return &session.Speaker{App: "app", Player: engines.PlayerID(name), Scene: "lobby", Session: engines.SessionID("s-" + name)}
}

// banned bans a player once it was asked of it so often after after was set; 0 is nobody.
type banned struct {
	who          engines.PlayerID
	after, asked atomic.Int64
}

func (b *banned) Excluded(_ engines.AppID, who engines.PlayerID) bool {
	n := b.after.Load()
	return who == b.who && n > 0 && b.asked.Add(1) > n
}

// ring makes a call and waits until it stands.
func dial(t *testing.T, h *Hub, who *session.Speaker) *caller.Client {
	t.Helper()
	return dialWith(t, h, who, caller.Options{Loopback: true})
}

// dialWith is dial with more to hear.
func dialWith(t *testing.T, h *Hub, who *session.Speaker, o caller.Options) *caller.Client {
	t.Helper()
	c, err := caller.New(o)
	if err != nil {
		t.Fatalf("caller: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	negotiate(t, h, who, c)
	connected(t, c)
	return c
}

// connected waits until a call stands.
func connected(t *testing.T, c *caller.Client) {
	t.Helper()
	select {
	case <-c.Connected():
	case <-time.After(within):
		t.Fatal("not connected")
	}
}

func negotiate(t *testing.T, h *Hub, who *session.Speaker, c *caller.Client) string {
	t.Helper()
	offer, err := c.Offer()
	if err != nil {
		t.Fatalf("offer: %v", err)
	}
	answer, _, err := h.Offer(t.Context(), who, offer)
	if err != nil {
		t.Fatalf("Offer: %v", err)
	}
	if err := c.Answer(answer); err != nil {
		t.Fatalf("answer: %v\n%s", err, answer)
	}
	return answer
}

func read(t *testing.T, name string) []caller.Packet {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	list, err := caller.ReadOgg(b)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return list
}

// eventually waits until ok, on a machine that may be slow.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(within); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			t.Fatalf("never came: %s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}

func mustRead(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
