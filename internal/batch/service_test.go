package batch

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// words finds "bad", and counts what it was asked about.
type words struct {
	mu    sync.Mutex
	asked map[string]int
	busy  int                                 // so many calls find no slot
	look  func(ctx context.Context, n uint64) // runs in each call, when set
	calls uint64
	saw   func(item *engines.Item) // runs in each call under the lock, when set
}

func (w *words) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
	text := item.Text
	if item.Media != nil { // which is told of as if it had been read
		text = string(item.Media.Bytes)
	}
	w.mu.Lock()
	w.asked[text]++
	if w.saw != nil {
		w.saw(item)
	}
	w.calls++
	n, look, busy := w.calls, w.look, w.busy > 0
	if busy {
		w.busy--
	}
	w.mu.Unlock()
	if look != nil {
		look(ctx, n)
	}
	if busy {
		return out, &engines.Fault{Engine: "words", Reason: engines.ReasonOverloaded}
	}
	if text == "late" {
		return out, &engines.Fault{Engine: "words", Reason: engines.ReasonLate}
	}
	if text == "cut" {
		return out, &engines.Fault{Engine: "words", Reason: engines.ReasonRefused, Refusal: &engines.Refusal{Kind: engines.RefusedDamage, Reason: "cut off"}}
	}
	if at := strings.Index(text, "bad"); at >= 0 {
		out = append(out, engines.Signal{
			Category: engines.Hate, Severity: 3, Confidence: 0.99, Source: engines.SourceLexicon, Span: engines.Span{Start: at, End: at + 3},
		})
	}
	return out, nil
}

// onePolicy is the same for every app.
type onePolicy struct{ set *policy.Set }

func (p onePolicy) Resolve(item *engines.Item) (*policy.Resolved, review.Trial) {
	return p.set.Resolve(item, item.ReceivedAt), nil
}

// house is a store with services that work on it.
type house struct {
	t     testing.TB
	db    *sqlstore.Store
	words *words
}

func furnish(t *testing.T) *house {
	t.Helper()
	var key [32]byte
	_, _ = rand.Read(key[:])
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: t.TempDir(), MasterKey: key, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &house{t: t, db: db, words: &words{asked: map[string]int{}}}
}

// service is one of a node; alone is not set, as several share the store.
func (h *house) service(node string, change ...func(*Config, *Deps)) *Service {
	h.t.Helper()
	set, err := policy.Compile(policy.Config{}, nil, policy.Words{})
	if err != nil {
		h.t.Fatal(err)
	}
	desk, err := review.New(review.Default(), review.Deps{
		Inspectors: map[engines.Kind][]review.Inspector{engines.KindText: {h.words}, engines.KindName: {h.words}, engines.KindImage: {h.words}, engines.KindAudio: {h.words}},
		Policies:   onePolicy{set}, Store: h.db, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	cfg := Default()
	deps := Deps{
		Store: h.db, Desk: desk, Node: node, Log: slog.New(slog.DiscardHandler),
		Limits: wire.Limits{TextCodePoints: 100, ImageBytes: 200, AudioBytes: 200},
		Accept: func(_ engines.Kind, file []byte, _ string) error {
			if string(file) == "nothing" {
				return &engines.Refusal{Kind: engines.RefusedFormat, Reason: "no file"}
			}
			return nil
		},
	}
	for _, c := range change {
		c(&cfg, &deps)
	}
	return New(cfg, deps)
}

// start serves until what it returns is called, or the test ends.
func (h *house) start(s *Service) (stop func()) {
	ctx, cancel := context.WithCancel(h.t.Context())
	done := make(chan struct{})
	go func() { s.Serve(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	h.t.Cleanup(stop)
	return stop
}

func (h *house) submit(s *Service, u store.BatchUpload) store.Batch {
	h.t.Helper()
	if u.App == "" {
		u.App = "game"
	}
	b, _, err := s.Submit(h.t.Context(), u)
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// done waits for a batch to end.
func (h *house) done(s *Service, b store.Batch) store.Batch {
	h.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		now, err := s.Batch(h.t.Context(), b.App, b.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		if !now.Ended.IsZero() {
			return now
		}
		if time.Now().After(end) {
			h.t.Fatalf("not done within a minute: %+v", now)
		}
	}
}

// outcome is a line of results.
type outcome struct {
	Line    int
	ID      string
	Request string `json:"request_id"`
	Result  struct {
		Suggestion string
		Flagged    []string
		Fields     map[string]struct {
			Request    engines.RequestID `json:"request_id"`
			Suggestion string
		}
	}
	Error struct {
		Code   int
		Errors []struct{ Pointer, Reason string }
	}
}

func (h *house) results(s *Service, b store.Batch, after int) (list []outcome) {
	h.t.Helper()
	var text strings.Builder
	if err := s.Results(h.t.Context(), b.ID, after, &text); err != nil {
		h.t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		var o outcome
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			h.t.Fatalf("%q: %v", line, err)
		}
		if o.Line != after+len(list)+1 {
			h.t.Fatalf("line %d follows %d", o.Line, after+len(list))
		}
		list = append(list, o)
	}
	return list
}

func body(lines ...string) io.Reader { return strings.NewReader(strings.Join(lines, "\n")) }

// many are n lines, all different, every tenth bad.
func many(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		word := "fine"
		if i%10 == 0 {
			word = "bad"
		}
		lines[i] = fmt.Sprintf(`{"kind":"text","id":"l%d","content":"%s %d","user_id":"p%d"}`, i+1, word, i, i%50)
	}
	return lines
}

// What is wrong with a line is that line's, and said as a check would say it.
func TestEachLineForItself(t *testing.T) {
	h := furnish(t)
	s := h.service("one", func(c *Config, _ *Deps) { c.LineBytes, c.FileLineBytes = 600, 900 })
	lines := []struct {
		in, suggestion, pointer string
		code                    int
	}{
		{in: `{"kind":"text","id":"a","content":"hello"}`, suggestion: "pass"},
		{in: `{"kind":"name","content":"bad name"}`, suggestion: "block"},
		{in: `{"kind":"text","content":"bad"`, code: 1001},
		{in: ``, code: 1001},
		{in: `{"kind":"text","id":"a","content":"another"}`, code: 1007, pointer: "/id"},
		{in: `{"kind":"text","content":"` + strings.Repeat("x", 700) + `"}`, code: 1005},
		{in: `{"kind":"text","content":"` + strings.Repeat("y", 101) + `"}`, code: 1005, pointer: "/content"},
		{in: `{"kind":"image","content_base64":"YmFk","note":"` + strings.Repeat("z", 700) + `"}`, suggestion: "block"},
		{in: `{"kind":"audio","content_base64":"Z29vZA"}`, suggestion: "pass"},
		{in: `{"kind":"audio","content_base64":"` + strings.Repeat("z", 900) + `"}`, code: 1005},
		{in: `{"kind":"audio","content_base64":"` + strings.Repeat("z", 300) + `"}`, code: 1005, pointer: "/content_base64"},
		{in: `{"kind":"image","content_base64":"bm90aGluZw=="}`, code: 1006},
		{in: `{"kind":"image","content_base64":"Y3V0"}`, code: 1001},
		{in: `{"kind":"image","content":"x"}`, code: 1001, pointer: "/content_base64"},
		{in: `{"kind":"image","url":"https://example.com/x.png","content_base64":""}`, code: 1001, pointer: "/url"},
		{in: `{"kind":"video","content":"x"}`, code: 1001, pointer: "/kind"},
		{in: `{"content":"x"}`, code: 1001, pointer: "/kind"},
		{in: `{"kind":"text"}`, code: 1001, pointer: "/content"},
		{in: `{"kind":"fields","id":"g","fields":{"name":{"content":"Friendly crew","kind":"name"},"motto":"bad","sign":null}}`, suggestion: "block"},
		{in: `{"kind":"fields","fields":{"name":"good","motto":"fine"}}`, suggestion: "pass"},
		{in: `{"kind":"fields","fields":{}}`, code: 1001, pointer: "/fields"},
		{in: `{"kind":"fields","content":"x"}`, code: 1001, pointer: "/fields"},
		{in: `{"kind":"fields","fields":{"motto":"` + strings.Repeat("y", 101) + `"}}`, code: 1005, pointer: "/fields/motto"},
		{in: `{"kind":"fields","fields":{"name":{"content":"x","kind":"image"}}}`, code: 1001, pointer: "/fields/name/kind"},
		{in: `{"kind":"name","content":"x","taken":"Kevin"}`, code: 1001, pointer: "/taken"},
		{in: `{"kind":"name","content":"x","options":{"max_length":0}}`, code: 1001, pointer: "/options/max_length"},
		{in: `["kind"]`, code: 1001},
		{in: "{\"kind\":\"text\",\"content\":\"\xff\"}", code: 1001, pointer: "/content"},
		{in: `{"kind":"text","content":"x","content":"y"}`, code: 1001, pointer: "/content"},
		{in: `{"kind":"text","id":7,"content":"x"}`, code: 1001, pointer: "/id"},
		{in: `{"kind":"text","content":"x","options":{"strict_level":9}}`, code: 1001, pointer: "/options/strict_level"},
		{in: `{"kind":"text","content":"bad\u0000","options":{"return_detail":true,"async":true}}`, suggestion: "block"},
		{in: `{"kind":"text","content":""}`, suggestion: "pass"},
		{in: strings.Repeat("[", 500), code: 1001},
		{in: `{"kind":"text","\u0069d":"a","content":"the same id, written otherwise"}`, code: 1007, pointer: "/id"},
	}
	in := make([]string, len(lines))
	for i := range lines {
		in[i] = lines[i].in
	}
	b := h.submit(s, store.BatchUpload{Body: body(in...)})
	h.start(s)
	b = h.done(s, b)
	got := h.results(s, b, 0)
	if len(got) != len(lines) {
		t.Fatalf("%d results for %d lines", len(got), len(lines))
	}
	errs := 0
	for i, want := range lines {
		o := got[i]
		if want.code != 0 {
			errs++
		}
		if o.Result.Suggestion != want.suggestion || o.Error.Code != want.code || (o.Request == "" && o.Result.Fields == nil) != (want.code != 0) {
			t.Errorf("line %d %.60s: %+v, want %q or %d", i+1, want.in, o, want.suggestion, want.code)
		}
		if want.pointer != "" && (len(o.Error.Errors) == 0 || o.Error.Errors[0].Pointer != want.pointer) {
			t.Errorf("line %d %.60s: %+v, want a fault of %s", i+1, want.in, o.Error, want.pointer)
		}
	}
	if got[0].ID != "a" || !strings.Contains(got[4].Error.Errors[0].Reason, "line 1") {
		t.Errorf("ids: %+v, %+v", got[0], got[4])
	}
	if b.State != store.BatchDone || b.Done != len(lines) || b.Errors != errs || b.Blocked != 4 || b.Passed != len(lines)-errs-4 {
		t.Errorf("counts %+v", b)
	}
	// A verdict of a batch is one as any other.
	d, err := h.db.Decision(t.Context(), "game", engines.RequestID(got[1].Request))
	if err != nil || d.Kind != engines.KindName || d.Verdict.Suggestion != engines.Block || d.Content != "bad name" {
		t.Errorf("the record of a block: %+v, %v", d, err)
	}
}

// What is no batch is refused whole, and nothing of it stays.
func TestRefusedWhole(t *testing.T) {
	h := furnish(t)
	s := h.service("one", func(c *Config, _ *Deps) { c.Lines, c.Bytes = 3, 200 })
	broken := errors.New("the client went")
	for _, test := range []struct {
		name string
		body io.Reader
		want func(error) bool
	}{
		{"nothing", body(), ofCode(wire.InvalidParameter)},
		{"lines too many", body("1", "2", "3", "4"), ofCode(wire.TooLarge)},
		{"bytes too many", body(strings.Repeat("x", 201)), ofCode(wire.TooLarge)},
		{"one that did not arrive", io.MultiReader(body("1", "2"), failing{broken}), func(err error) bool { return errors.Is(err, broken) }},
	} {
		if _, _, err := s.Submit(t.Context(), store.BatchUpload{App: "game", Body: test.body}); !test.want(err) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if n, err := h.db.SweepBatches(t.Context(), time.Now().Add(time.Hour), time.Now().Add(time.Hour), 10); n != 0 || err != nil {
		t.Errorf("%d batches stayed, %v", n, err)
	}
	b := h.submit(s, store.BatchUpload{Body: body("1", "2", "3\n")})
	if b.Lines != 3 || b.Bytes != 6 {
		t.Errorf("as much as may be: %+v", b)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func ofCode(code wire.Code) func(error) bool {
	return func(err error) bool {
		var e *wire.Error
		return errors.As(err, &e) && e.Code == code
	}
}

func TestQuotasAndKeys(t *testing.T) {
	h := furnish(t)
	s := h.service("one", func(c *Config, _ *Deps) { c.AtOnce, c.LinesADay = 2, 10 })
	up := func(app engines.AppID, key string, lines int) (store.Batch, bool, error) {
		return s.Submit(t.Context(), store.BatchUpload{App: app, Key: key, Body: body(many(lines)...)})
	}
	first, again, err := up("game", "k", 4)
	if err != nil || again {
		t.Fatalf("first: %v, %v", again, err)
	}
	if b, again, err := up("game", "k", 4); err != nil || !again || b.ID != first.ID {
		t.Errorf("repeated: %+v, %v, %v", b, again, err)
	}
	if _, _, err := up("game", "k", 5); !ofCode(wire.Conflict)(err) {
		t.Errorf("the key with another body: %v", err)
	}
	if _, _, err := up("game", "", 7); !ofCode(wire.RateLimited)(err) {
		t.Errorf("lines too many today: %v", err)
	}
	if _, _, err := up("game", "", 5); err != nil {
		t.Error(err)
	}
	var e *wire.Error
	if _, _, err := up("game", "", 1); !errors.As(err, &e) || e.Code != wire.RateLimited || e.RetryAfter <= 0 {
		t.Errorf("a third: %v", err)
	}
	if b, again, err := up("game", "k", 4); err != nil || !again || b.ID != first.ID {
		t.Errorf("repeated though no other may come: %+v, %v, %v", b, again, err)
	}
	if _, _, err := up("other", "k", 4); err != nil {
		t.Errorf("another app's: %v", err)
	}
	h.start(s)
	h.done(s, first)
	if b, again, err := up("game", "k", 4); err != nil || !again || b.State != store.BatchDone {
		t.Errorf("repeated when it was done: %+v, %v, %v", b, again, err)
	}
}

// A gateway that dies in the middle: another goes on, no line of a committed chunk is
// checked again, and none is lost.
func TestAnotherGoesOn(t *testing.T) {
	h := furnish(t)
	const lines = 20 * chunkLines
	died, die := context.WithCancel(t.Context())
	h.words.look = func(ctx context.Context, n uint64) {
		if n > lines/2 { // the process hangs, and is gone with what it had in hand
			die()
			<-ctx.Done()
		}
	}
	one := h.service("one", func(_ *Config, d *Deps) { d.Store = forgetful{h.db} })
	b := h.submit(one, store.BatchUpload{Body: body(many(lines)...)})
	stop := h.start(one)
	<-died.Done()
	before, err := one.Batch(t.Context(), "game", b.ID)
	if err != nil || before.State != store.BatchRunning || before.Done == 0 || before.Done == lines {
		t.Fatalf("when it died: %+v, %v", before, err)
	}
	part := h.results(one, b, 0)
	stop()
	h.words.mu.Lock()
	committed := map[string]bool{}
	for text := range h.words.asked {
		committed[text] = true
	}
	h.words.look = nil
	h.words.mu.Unlock()

	two := h.service("two", func(_ *Config, d *Deps) { d.Now = func() time.Time { return time.Now().Add(lease) } })
	h.start(two)
	after := h.done(two, b)
	if after.State != store.BatchDone || after.Done != lines || after.Blocked != lines/10 || after.Passed != lines-lines/10 {
		t.Errorf("at the end: %+v", after)
	}
	all := h.results(two, b, 0)
	if len(all) != lines {
		t.Fatalf("%d results for %d lines", len(all), lines)
	}
	for i := range part {
		if fmt.Sprint(all[i]) != fmt.Sprint(part[i]) {
			t.Errorf("line %d was %+v, is %+v", i+1, part[i], all[i])
		}
	}
	twice := 0
	for _, n := range h.words.asked {
		if n > 1 {
			twice++
		}
	}
	if most := one.cfg.Workers * chunkLines; twice > most {
		t.Errorf("%d lines were checked twice, want those of the chunks in hand alone, %d at most", twice, most)
	}
	if got := h.results(two, b, lines-1); len(got) != 1 || got[0].ID != fmt.Sprint("l", lines) {
		t.Errorf("after the last but one: %+v", got)
	}
	if got := h.results(two, b, lines); len(got) != 0 {
		t.Errorf("after the last: %+v", got)
	}
}

// forgetful is the store of a process that is killed: it gives nothing back.
type forgetful struct{ *sqlstore.Store }

func (forgetful) FreeChunks(context.Context, string) error { return nil }

// A batch that is cancelled ends, whoever works on it; apps take turns meanwhile.
func TestCancelAndTurns(t *testing.T) {
	h := furnish(t)
	release := make(chan struct{})
	h.words.look = func(ctx context.Context, _ uint64) {
		select {
		case <-release:
		case <-ctx.Done():
		}
	}
	s := h.service("one", func(c *Config, _ *Deps) { c.Workers = 1 })
	big := h.submit(s, store.BatchUpload{App: "big", Body: body(many(30 * chunkLines)...)})
	small := h.submit(s, store.BatchUpload{App: "small", Body: body(many(2 * chunkLines)...)})
	stop := h.start(s)
	ended, err := s.Cancel(t.Context(), "small", small.ID, "app/small")
	if err != nil || ended.State != store.BatchCancelled {
		t.Fatalf("cancelled: %+v, %v", ended, err)
	}
	if again, err := s.Cancel(t.Context(), "small", small.ID, "app/small"); err != nil || again != ended {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := s.Cancel(t.Context(), "big", small.ID, "app/big"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another app's: %v", err)
	}
	if list, err := s.Batches(t.Context(), "big", "", economy.Mark{}, 10); err != nil || len(list) != 1 || list[0].ID != big.ID {
		t.Errorf("listed %+v, %v", list, err)
	}
	small = h.submit(s, store.BatchUpload{App: "small", Body: body(many(2 * chunkLines)...)})
	close(release)
	h.done(s, small)
	b, err := s.Batch(t.Context(), "big", big.ID)
	if err != nil || b.Done > 6*chunkLines {
		t.Errorf("the big one had %d of its %d lines done before the small one's turns, %v", b.Done, b.Lines, err)
	}
	stop()
	if b, err = s.Cancel(t.Context(), "big", big.ID, "app/big"); err != nil || b.State != store.BatchCancelled || len(h.results(s, b, 0)) != b.Done {
		t.Errorf("cancelled in the middle: %+v, %v, %d results", b, err, len(h.results(s, b, 0)))
	}
}

// An engine that has no time is asked again: a batch can wait.
func TestBusyEngine(t *testing.T) {
	h := furnish(t)
	h.words.busy = 3
	s := h.service("one")
	b := h.submit(s, store.BatchUpload{Body: body(many(1)...)})
	h.start(s)
	if b = h.done(s, b); b.Blocked != 1 {
		t.Errorf("%+v, want the block that was there to be found", b)
	}
}

// A sound may be listened to for longer than a claim lasts: it is kept meanwhile, and given
// up once another has it.
func TestClaimIsKept(t *testing.T) {
	h := furnish(t)
	var ahead atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	var renewed atomic.Int64
	late := func(_ *Config, d *Deps) { d.Now, d.Store = clock, renewing{d.Store, &renewed} }
	var two *Service
	var lost atomic.Bool
	h.words.look = func(ctx context.Context, n uint64) {
		if n == 1 { // while one looks, its claim is renewed, and another finds nothing to do
			for range 3 {
				ahead.Add(int64(lease / 2))
				// One may have been under way with the time before.
				for from, end := renewed.Load(), time.Now().Add(time.Minute); renewed.Load() < from+2 && time.Now().Before(end); {
					<-time.After(time.Millisecond)
				}
				if did, err := two.one(ctx, newWorker()); did || err != nil {
					t.Errorf("a chunk in hand was taken: %t, %v", did, err)
				}
			}
			return
		}
		if _, err := h.db.ClaimChunk(ctx, "three", clock().Add(2*lease), clock().Add(9*lease)); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		lost.Store(true)
	}
	one := h.service("one", late)
	one.renewEvery = time.Millisecond
	two = h.service("two", late)
	b := h.submit(one, store.BatchUpload{Body: body(`{"kind":"audio","content_base64":"YmFk"}`)})
	if did, err := one.one(t.Context(), newWorker()); !did || err != nil {
		t.Fatalf("the chunk: %t, %v", did, err)
	}
	if b = h.done(one, b); b.Blocked != 1 {
		t.Errorf("%+v", b)
	}
	b = h.submit(one, store.BatchUpload{Body: body(`{"kind":"audio","content_base64":"YmFkLCB0b28"}`)})
	if did, err := one.one(t.Context(), newWorker()); !did || err != nil || !lost.Load() {
		t.Errorf("a claim that was lost: %t, %v, ended %t", did, err, lost.Load())
	}
	if got := h.results(one, b, 0); len(got) != 0 {
		t.Errorf("results of a chunk that is another's: %+v", got)
	}
}

func newWorker() *worker {
	return &worker{pace: pace{live: func() uint64 { return 0 }, share: 1, spent: func() time.Duration { return 0 }, pause: pause}}
}

// A file at which an engine fails is not looked at again and again.
func TestFailedFileIsNotAskedAgain(t *testing.T) {
	h := furnish(t)
	s := h.service("one")
	b := h.submit(s, store.BatchUpload{Body: body(`{"kind":"image","content_base64":"bGF0ZQ"}`)})
	h.start(s)
	h.done(s, b)
	h.words.mu.Lock()
	defer h.words.mu.Unlock()
	if n := h.words.asked["late"]; n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// A line that we fail at is that line's error.
func TestPanic(t *testing.T) {
	h := furnish(t)
	s := h.service("one", func(_ *Config, d *Deps) {
		d.Named = func(_ engines.AppID, player engines.PlayerID) {
			if player == "p1" {
				panic("of content")
			}
		}
	})
	b := h.submit(s, store.BatchUpload{Body: body(many(3)...)})
	h.start(s)
	b = h.done(s, b)
	got := h.results(s, b, 0)
	if b.Errors != 1 || b.Done != 3 || len(got) != 3 || got[1].Error.Code != 2001 || got[0].Result.Suggestion != "block" || got[2].Result.Suggestion != "pass" {
		t.Errorf("%+v: %+v", b, got)
	}
}

func TestUploadsAreBounded(t *testing.T) {
	h := furnish(t)
	s := h.service("one", func(c *Config, _ *Deps) { c.Uploads = 2 })
	in, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, _, err := s.Submit(t.Context(), store.BatchUpload{App: "game", Body: in})
		done <- err
	}()
	if _, err := io.WriteString(out, many(1)[0]); err != nil { // it is read: the upload is under way
		t.Fatal(err)
	}
	if _, _, err := s.Submit(t.Context(), store.BatchUpload{App: "game", Body: body("x")}); !ofCode(wire.Unavailable)(err) {
		t.Errorf("a second of the app at once: %v", err)
	}
	h.submit(s, store.BatchUpload{App: "other", Body: body("x")})
	if err := errors.Join(out.Close(), <-done); err != nil {
		t.Error(err)
	}
	h.submit(s, store.BatchUpload{App: "game", Body: body("x")})
}

// Somebody who waits for verdicts has the workers rest for the rest of their time.
func TestPace(t *testing.T) {
	live, rested, spent := uint64(0), time.Duration(0), time.Duration(0)
	p := &pace{live: func() uint64 { return live }, share: 0.25, spent: func() time.Duration { return spent }, pause: func(_ context.Context, d time.Duration) bool { rested = d; return true }, lane: make(lane, 1)}
	work := func() time.Duration {
		rested, p.began = 0, time.Now().Add(-20*time.Millisecond)
		p.rest(t.Context())
		return rested
	}
	if d := work(); d != 0 {
		t.Errorf("it rests for %v though nobody waits", d)
	}
	live++
	if d := work(); d < 60*time.Millisecond {
		t.Errorf("it rests for %v after 20 ms, want three times as long", d)
	}
	// The kernel had kept it back: 10 of the 20 ms were another's.
	spent = 10 * time.Millisecond
	if d := work(); d != 30*time.Millisecond {
		t.Errorf("it rests for %v after it ran for 10 ms, want three times as long", d)
	}
	spent += slice / 2
	if d := work(); d != 0 {
		t.Errorf("it rests for %v though it has hardly run", d)
	}
	spent = 0
	p.until = time.Now()
	if d := work(); d != 0 {
		t.Errorf("it rests for %v though nobody waits any more", d)
	}
}

func TestValidate(t *testing.T) {
	good := Default()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	bad := Config{Lines: maxLines + 1, LiveShare: 2}
	err := bad.Validate()
	for _, key := range []string{"lines", "bytes", "line_bytes", "at_once", "lines_a_day", "uploads", "upload_timeout", "workers", "live_share", "keep"} {
		if err == nil || !strings.Contains(err.Error(), "batches."+key+":") {
			t.Errorf("Validate() = %v, want a fault of %s", err, key)
		}
	}
}
