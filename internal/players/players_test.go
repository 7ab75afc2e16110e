package players

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test that is going to fail waits for.
const patience = 20 * time.Second

type world struct {
	t   *testing.T
	db  *sqlstore.Store
	mu  sync.Mutex
	now time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: t.TempDir(), MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &world{t: t, db: db, now: time.Now()}
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// slowStore lets nobody read while it is blocked.
type slowStore struct {
	Store
	mu      sync.Mutex
	blocked chan struct{}
	reads   int
}

func (s *slowStore) Card(ctx context.Context, app engines.AppID, player engines.PlayerID, since int64) (store.Card, error) {
	s.mu.Lock()
	s.reads++
	wait := s.blocked
	s.mu.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-ctx.Done():
			return store.Card{}, fmt.Errorf("card: %w: %w", engines.ErrUnavailable, ctx.Err())
		}
	}
	return s.Store.Card(ctx, app, player, since)
}

func (s *slowStore) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// patient is a configuration in which no test is late.
func patient() Config {
	c := Default()
	c.Wait, c.Hello = patience, patience
	return c
}

type gate struct {
	*Service
	w     *world
	store *slowStore
	told  []engines.PlayerID
}

// serve runs a gateway's players until the test ends.
func (w *world) serve(cfg Config) *gate {
	w.t.Helper()
	g := &gate{w: w, store: &slowStore{Store: w.db}}
	g.Service = New(cfg, Deps{
		Store: g.store, Log: slog.New(slog.DiscardHandler), Now: w.clock,
		Tell: func(_ engines.AppID, p engines.PlayerID) { g.told = append(g.told, p) },
		Known: func(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
			ok, err := w.db.PlayerKnown(ctx, app, player)
			if err == nil && !ok {
				err = economy.ErrUnknownPlayer
			}
			return err
		},
	})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); g.Serve(ctx) }()
	w.t.Cleanup(func() { stop(); <-done })
	return g
}

func (g *gate) profile(p engines.PlayerID, profile store.Profile) {
	g.w.t.Helper()
	if err := g.PutProfile(g.w.t.Context(), "game", p, profile, ""); err != nil {
		g.w.t.Fatal(err)
	}
}

// fill is what a check of a player becomes, as segment/region/language.
func (g *gate) fill(item engines.Item) string {
	item.App = "game"
	g.Fill(&item)
	return item.Segment + "/" + item.Region + "/" + item.Language
}

func (g *gate) wantFill(what string, item engines.Item, want string) {
	g.w.t.Helper()
	if got := g.fill(item); got != want {
		g.w.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func (w *world) strike(p engines.PlayerID, id string, weight int) {
	w.t.Helper()
	w.give(store.Strike{Player: p, ID: id, Weight: weight})
}

func (w *world) strikeFor(p engines.PlayerID, id string, c engines.Category) {
	w.t.Helper()
	w.give(store.Strike{Player: p, ID: id, Category: c, Weight: 1})
}

func (w *world) give(st store.Strike) {
	w.t.Helper()
	st.App, st.By, st.Created = "game", "mod", w.clock().UnixMilli()
	_, err := w.db.Strike(w.t.Context(), store.StrikeWish{Strike: st}, func(store.Strike, []store.Strike) []store.Penalty { return nil })
	if err != nil {
		w.t.Fatal(err)
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// What the game says of a player is filled in, and what the caller says wins.
func TestFill(t *testing.T) {
	w := newWorld(t)
	g := w.serve(patient())
	g.wantFill("nobody in particular", engines.Item{}, "//")
	g.wantFill("unknown", engines.Item{Player: "ann"}, "//")
	g.profile("ann", store.Profile{Segment: "trusted", Region: "jp", Language: "ja"})
	g.wantFill("known", engines.Item{Player: "ann"}, "trusted/jp/ja")
	g.wantFill("the caller wins", engines.Item{Player: "ann", Segment: "minor", Region: "kr", Language: "ko"}, "minor/kr/ko")
	g.profile("ann", store.Profile{Region: "west"})
	g.wantFill("replaced as a whole", engines.Item{Player: "ann"}, "/west/")

	g.profile("kim", store.Profile{Region: "KR", AgeVerified: "no"})
	g.wantFill("no proof of age where one is asked for", engines.Item{Player: "kim"}, "minor/KR/")
	g.wantFill("elsewhere", engines.Item{Player: "kim", Region: "west"}, "/west/")
	g.profile("kim", store.Profile{Region: "west", AgeVerified: "no"})
	g.wantFill("the check's region asks for it", engines.Item{Player: "kim", Region: "kr"}, "minor/kr/")
	g.profile("kim", store.Profile{Region: "kr", AgeVerified: "yes"})
	g.wantFill("with a proof", engines.Item{Player: "kim"}, "/kr/")
	g.profile("kim", store.Profile{Region: "kr"})
	g.wantFill("nothing said of its age", engines.Item{Player: "kim"}, "/kr/")
	g.profile("kim", store.Profile{Segment: "standard", Region: "kr", AgeVerified: "no"})
	g.wantFill("the game says otherwise", engines.Item{Player: "kim"}, "standard/kr/")
}

// A player of whom nothing is known is read once, and what another gateway changes is
// known here, told or not.
func TestChangesElsewhere(t *testing.T) {
	w := newWorld(t)
	a, b := w.serve(patient()), w.serve(patient())
	for range 3 {
		b.wantFill("unknown", engines.Item{Player: "ann"}, "//")
	}
	if n := b.store.count(); n != 1 {
		t.Errorf("an unknown player was read %d times, want once", n)
	}
	a.profile("ann", store.Profile{Segment: "minor"})
	if len(a.told) != 1 {
		t.Errorf("told of %v", a.told)
	}
	b.Changed("game", "ann")
	eventually(t, "what was told is known", func() bool { return b.fill(engines.Item{Player: "ann"}) == "minor//" })
	a.profile("ann", store.Profile{Segment: "trusted"})
	eventually(t, "what was not told is known", func() bool { return b.fill(engines.Item{Player: "ann"}) == "trusted//" })
	b.Changed("game", "stranger") // nobody asked for it: it is not read
	if err := b.PutPin(t.Context(), "game", "stranger", store.Pin{}); !errors.Is(err, economy.ErrUnknownPlayer) {
		t.Errorf("the trust of nobody: %v", err)
	}
}

// TestForget: what is at hand of a player whose rows went is dropped, by name, and read
// again where the name was not heard.
func TestForget(t *testing.T) {
	w := newWorld(t)
	told, untold := w.serve(patient()), w.serve(patient())
	told.profile("ann", store.Profile{Segment: "minor"})
	for _, h := range []*gate{told, untold} {
		h.wantFill("at hand", engines.Item{Player: "ann"}, "minor//")
	}
	if _, err := w.db.StartErasure(t.Context(), "x", "game", "ann", "app/game"); err != nil {
		t.Fatal(err)
	}
	e, err := w.db.LeaseErasure(t.Context(), time.Now(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.db.Erase(t.Context(), e, func(context.Context, store.Erasure) error { return nil }); err != nil {
		t.Fatal(err)
	}
	told.wantFill("nobody said so", engines.Item{Player: "ann"}, "minor//")
	told.Forget("game", "ann")
	if n := told.cache.shard(playerKey{"game", "ann"}).of[playerKey{"game", "ann"}]; n != nil {
		t.Errorf("still at hand: %+v", n.card)
	}
	told.wantFill("forgotten", engines.Item{Player: "ann"}, "//")
	untold.Outdate("elsewhere")
	untold.wantFill("another app's", engines.Item{Player: "ann"}, "minor//")
	untold.Outdate("game")
	eventually(t, "read again", func() bool { return untold.fill(engines.Item{Player: "ann"}) == "//" })
}

// A check does without what a store that hangs does not tell, and waits for it once.
func TestHungStore(t *testing.T) {
	w := newWorld(t)
	cfg := Default()
	g := w.serve(cfg)
	g.profile("ann", store.Profile{Segment: "minor"})
	g.store.mu.Lock()
	g.store.blocked = make(chan struct{})
	g.store.mu.Unlock()
	g.wantFill("who is at hand", engines.Item{Player: "ann"}, "minor//")
	g.wantFill("who is not", engines.Item{Player: "bob"}, "//")
	if g.slow.Load() == 0 {
		t.Error("the next one waits as well")
	}
	for i := range 2 * wantedQueue { // none of these waits; what does not fit is dropped
		g.fill(engines.Item{Player: engines.PlayerID(fmt.Sprint("p", i))})
	}
	if g.Arrived("game", "cid") || g.Language("game", "cid") != "" {
		t.Error("a session learns what nobody knows")
	}
	g.Changed("game", "ann")
	g.wantFill("one that changed meanwhile", engines.Item{Player: "ann"}, "minor//")
	close(g.store.blocked)
	g.store.mu.Lock()
	g.store.blocked = nil
	g.store.mu.Unlock()
	if err := w.db.PutProfile(t.Context(), "game", "bob", store.Profile{Segment: "minor"}, ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "once the store answers", func() bool { return g.fill(engines.Item{Player: "bob"}) == "minor//" })
}

// The cache is bounded, and keeps who was asked for last.
func TestCacheIsBounded(t *testing.T) {
	c := newCache(shards * 3)
	for i := range 10_000 {
		k := playerKey{"game", engines.PlayerID(strconv.Itoa(i))}
		c.keep(k, card{region: "jp"})
		c.get(playerKey{"game", "0"}, 0, false)
	}
	n := 0
	for i := range c.shards {
		n += len(c.shards[i].of)
	}
	if n != shards*3 {
		t.Errorf("%d cards are kept, want %d", n, shards*3)
	}
	if got, ok, _ := c.get(playerKey{"game", "0"}, 0, false); !ok || got.region != "jp" {
		t.Error("who was asked for all the time has gone")
	}
}

// Strikes make a player watched, and fade; clean days make it trusted, and fade.
func TestTrust(t *testing.T) {
	w := newWorld(t)
	g := w.serve(patient())
	g.profile("ann", store.Profile{})
	want := func(when string, strikes int, trust string) {
		t.Helper()
		got := g.Standing("game", "ann")
		if got.Strikes != strikes || got.Trust != trust {
			t.Errorf("%s: %+v, want %d strikes and trust %q", when, got, strikes, trust)
		}
	}
	struck := func(id string, weight int) {
		t.Helper()
		before := g.store.count()
		w.strike("ann", id, weight)
		g.Changed("game", "ann")
		eventually(t, "the strike is known", func() bool { return g.store.count() > before })
		if _, ok, _ := g.cache.get(playerKey{"game", "ann"}, patience, true); !ok {
			t.Fatal("not at hand")
		}
	}
	speak := func(days int) {
		t.Helper()
		for range days {
			w.pass(24 * time.Hour)
			for range 20 {
				g.Observed(&engines.Item{App: "game", Player: "ann"}, engines.Outcome{Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}}}, "stream")
			}
		}
		g.writeSome(t.Context())
	}
	want("at first", 0, "")
	struck("s1", 4)
	want("a strike of 4", 4, "")
	struck("s2", 2)
	want("and one of 2", 6, Watched)
	w.pass(30 * 24 * time.Hour)
	want("after a half-life", 3, "")
	w.pass(120 * 24 * time.Hour)
	speak(13)
	want("after 13 clean days", 0, "")
	speak(3)
	want("after 16", 0, Trusted)
	g.Changed("game", "ann") // the credit is stored: it comes back as it was
	eventually(t, "read again", func() bool { c, _, _ := g.cache.get(playerKey{"game", "ann"}, patience, true); return c.version == 16 })
	want("from the store", 0, Trusted)
	w.pass(30 * 24 * time.Hour)
	want("after a month away", 0, "")
	speak(12)
	want("back", 0, Trusted)
	struck("s3", 1)
	want("after the next strike", 1, "")

	pin := func(p store.Pin) {
		t.Helper()
		if err := g.PutPin(t.Context(), "game", "ann", p); err != nil {
			t.Fatal(err)
		}
	}
	pin(store.Pin{Trust: Trusted, By: "senior"})
	want("pinned", 1, Trusted)
	pin(store.Pin{Trust: Watched, Until: w.clock().Add(time.Hour).UnixMilli()})
	want("pinned for an hour", 1, Watched)
	w.pass(time.Hour)
	want("an hour later", 1, "")
	struck("s4", 9)
	want("struck", 10, Watched)
	pin(store.Pin{Trust: Unmoved})
	want("pinned to neither", 10, "")
	v, err := g.View(t.Context(), "game", "ann")
	if err != nil || v.Counts.Strikes != 4 || v.Card.Pin.Trust != Unmoved || math.Abs(v.Weight-10) > 0.1 || v.Standing.Trust != "" {
		t.Errorf("View() = %+v, %v", v, err)
	}
	pin(store.Pin{})
	want("unpinned", 10, Watched)
	if _, err := g.View(t.Context(), "game", "nobody"); !errors.Is(err, economy.ErrUnknownPlayer) {
		t.Errorf("a view of nobody: %v", err)
	}
}

// What is no clean message gives no credit, nor does a day with a strike.
func TestNoCredit(t *testing.T) {
	w := newWorld(t)
	g := w.serve(patient())
	clean := engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}}
	found := engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{{Category: engines.Hate}}}
	warned, observed, degraded, review := clean, clean, clean, clean
	warned.Labels, observed.Observed, degraded.Degraded, review.Finding = found.Labels, &found, true, found
	g.profile("ann", store.Profile{})
	g.profile("bob", store.Profile{})
	w.strike("bob", "s1", 1)
	g.Changed("game", "bob")
	eventually(t, "the strike is known", func() bool { return g.Standing("game", "bob").Strikes == 1 })
	for range 100 {
		for _, v := range []engines.Verdict{warned, observed, degraded, review} {
			g.Observed(&engines.Item{App: "game", Player: "ann"}, engines.Outcome{Verdict: v}, "stream")
		}
		g.Observed(&engines.Item{App: "game", Player: "ann"}, engines.Outcome{Verdict: clean, Pending: true}, "stream")
		g.Observed(&engines.Item{App: "game"}, engines.Outcome{Verdict: clean}, "stream")
		g.Observed(&engines.Item{App: "game", Player: "bob"}, engines.Outcome{Verdict: clean}, "stream")
	}
	if len(g.credits) != 0 {
		t.Errorf("%d credits", len(g.credits))
	}
}

// A session that opens learns the player's language and whether warnings wait, also
// when they are news.
func TestArrived(t *testing.T) {
	w := newWorld(t)
	g := w.serve(patient())
	g.profile("ann", store.Profile{Language: "ko"})
	if g.Arrived("game", "ann") || g.Language("game", "ann") != "ko" {
		t.Errorf("a warning waits, or the language is %q", g.Language("game", "ann"))
	}
	_, _, err := w.db.PutPenalty(t.Context(), store.Penalty{App: "game", ID: "w", Player: "ann", Kind: store.PenaltyWarn, Created: 1, Ended: 1})
	if err != nil {
		t.Fatal(err)
	}
	g.Changed("game", "ann")
	if !g.Arrived("game", "ann") {
		t.Error("the warning is not known")
	}
}

func TestConfigNamesEveryFault(t *testing.T) {
	c := Default()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	var none Config
	none.TrustedAt = math.NaN()
	err := none.Validate()
	for _, key := range []string{"cache", "wait", "hello", "strike_half_life", "clean_half_life", "watched_at", "clean_messages", "trusted_at"} {
		if err == nil || !strings.Contains(err.Error(), "players."+key+":") {
			t.Errorf("%v: does not name players.%s", err, key)
		}
	}
}

func BenchmarkFillAndStanding(b *testing.B) {
	s := New(Default(), Deps{Log: slog.New(slog.DiscardHandler)})
	at := s.clock()
	for i := range 50_000 {
		s.cache.keep(playerKey{"game", engines.PlayerID(fmt.Sprint("p", i))}, card{region: "jp", weight: 3, weightAt: at})
	}
	pass := engines.Outcome{Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}}}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		item := engines.Item{App: "game", Player: "p4711"}
		for pb.Next() {
			item.Region = ""
			s.Fill(&item)
			_ = s.Standing("game", "p4711")
			s.Observed(&item, pass, "stream")
		}
	})
}
