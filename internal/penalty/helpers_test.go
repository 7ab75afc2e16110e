package penalty

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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

// world is what gateways share: the store, and the clock.
type world struct {
	t   *testing.T
	dir string
	db  *sqlstore.Store
	now time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), now: time.Now().Truncate(time.Millisecond)}
	var err error
	w.db, err = sqlstore.Open(t.Context(), sqlstore.Config{Dir: w.dir, MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.db.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

// bans is the economy's part: it makes and lifts bans in the same store.
type bans struct {
	w    *world
	fail error // of everything, when set
}

func (b *bans) Ban(ctx context.Context, ban economy.Ban, hours int64) (economy.Ban, error) {
	if b.fail != nil {
		return economy.Ban{}, b.fail
	}
	ban.Created = b.w.now.UnixMilli()
	if hours > 0 {
		ban.Expires = ban.Created + hours*time.Hour.Milliseconds()
		ban.Ends = ban.Expires
	}
	return b.w.db.PutBan(ctx, ban)
}

func (b *bans) Lift(ctx context.Context, l economy.Lift) ([]economy.Ban, error) {
	if b.fail != nil {
		return nil, b.fail
	}
	l.At, l.Now = b.w.now.UnixMilli(), b.w.now.UnixMilli()
	return b.w.db.LiftBans(ctx, l)
}

func (b *bans) Known(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	if b.fail != nil {
		return b.fail
	}
	ok, err := b.w.db.PlayerKnown(ctx, app, player)
	if err == nil && !ok {
		err = economy.ErrUnknownPlayer
	}
	return err
}

// gate is one gateway: its service and what its sessions were told.
type gate struct {
	*Service
	w       *world
	economy *bans
	mu      sync.Mutex
	here    map[engines.PlayerID]bool
	heard   []string
	changes []string
	told    []engines.PlayerID
	layers  []string // that hold for everything
	away    error    // of LayersOf, when set
}

func (w *world) gate(cfg Config, here ...engines.PlayerID) *gate {
	w.t.Helper()
	g := &gate{w: w, economy: &bans{w: w}, here: map[engines.PlayerID]bool{}}
	for _, p := range here {
		g.here[p] = true
	}
	g.Service = New(cfg, Deps{
		Store: w.db, Economy: g.economy, Sessions: g, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now },
		Tell: func(_ engines.AppID, p engines.PlayerID) { g.told = append(g.told, p) }, TellLadders: func() {},
		Changed:  func(p *store.Penalty, state State) { g.note(&g.changes, string(p.Kind)+" "+string(state)) },
		Struck:   func(engines.AppID, engines.PlayerID) {},
		Layers:   func(*engines.Item) []string { return g.layers },
		LayersOf: func(context.Context, *store.Ruling) ([]string, error) { return g.layers, g.away },
	})
	if err := g.Load(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return g
}

func (g *gate) note(list *[]string, what string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	*list = append(*list, what)
}

func (g *gate) Here(_ engines.AppID, p engines.PlayerID) bool { return g.here[p] }
func (g *gate) Warn(_ engines.AppID, p engines.PlayerID, c engines.Category) {
	g.note(&g.heard, fmt.Sprintf("warn %s %s", p, c))
}

func (g *gate) Mute(_ engines.AppID, p engines.PlayerID, voice bool, until time.Time, c engines.Category) {
	long := "good"
	if !until.IsZero() {
		long = until.Sub(g.w.now).String()
	}
	g.note(&g.heard, fmt.Sprintf("%s %s %s %s", kindOf(voice), p, long, c))
}

func (g *gate) Unmute(_ engines.AppID, p engines.PlayerID, voice bool) {
	g.note(&g.heard, fmt.Sprintf("end of %s %s", kindOf(voice), p))
}

// wantHeard wants exactly these notices since it was last asked.
func (g *gate) wantHeard(want ...string) {
	g.w.t.Helper()
	if !slices.Equal(g.heard, want) {
		g.w.t.Errorf("sessions were told %q, want %q", g.heard, want)
	}
	g.heard = nil
}

func (g *gate) wantMuted(want bool) {
	g.w.t.Helper()
	if _, _, got := g.Muted("game", "ann"); got != want {
		g.w.t.Errorf("ann is muted: %v, want %v", got, want)
	}
}

// reject rules that a message of ann's is a violation.
func (g *gate) reject(request string, c engines.Category, severity int) {
	g.w.t.Helper()
	g.rule(store.Ruling{Player: "ann", Request: engines.RequestID(request), Category: c, Severity: severity, Decision: store.DecideReject})
}

func (g *gate) rule(r store.Ruling) {
	g.w.t.Helper()
	r.App, r.By = "game", "mod"
	if err := g.Ruled(g.w.t.Context(), r); err != nil {
		g.w.t.Fatal(err)
	}
}

// standing lists ann's penalties as "kind status", oldest first.
func (w *world) standing() (list []string) {
	w.t.Helper()
	all, err := w.db.Penalties(w.t.Context(), store.PenaltyQuery{App: "game", Player: "ann", Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	for i := len(all) - 1; i >= 0; i-- {
		list = append(list, string(all[i].Kind)+" "+all[i].Status(w.now.UnixMilli()))
	}
	slices.Sort(list)
	return list
}

func (w *world) want(want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.standing(); !slices.Equal(got, want) {
		w.t.Errorf("penalties of ann: %q, want %q", got, want)
	}
}

var errAway = errors.Join(errors.New("away"), engines.ErrUnavailable)
