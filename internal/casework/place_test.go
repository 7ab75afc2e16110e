package casework_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	node = "n1"
	// effectsAgain is after which what failed is tried again.
	effectsAgain = time.Minute
)

func openStore(t *testing.T, cfg sqlstore.Config) *sqlstore.Store {
	t.Helper()
	cfg.MasterKey, cfg.Node = [32]byte{1}, node
	db, err := sqlstore.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// everywhere runs a test on each store that there is.
func everywhere(t *testing.T, test func(t *testing.T, db *sqlstore.Store)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, openStore(t, sqlstore.Config{Dir: t.TempDir()})) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, openStore(t, sqlstore.Config{URL: storetest.PostgresURL(t)})) })
}

// clock is a clock that a test can put forward.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.ahead)
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

var errOutside = errors.New("outside is down")

// outside is the scenes, the notices and who hears of rulings. Like the real ones it
// ignores repeats; unlike them it notes an order that must not be.
type outside struct {
	faults func() (before, after bool) // nil: none

	mu        sync.Mutex
	published map[engines.RequestID]int
	order     []engines.RequestID // of what was published
	retracted map[engines.RequestID]int
	rejected  map[engines.RequestID]int
	appeals   []bool
	rulings   map[engines.CaseID][]store.Ruling // without repeats
	revoked   []string
	penalties []casework.Penalty
}

func newOutside() *outside {
	return &outside{
		published: map[engines.RequestID]int{}, retracted: map[engines.RequestID]int{}, rejected: map[engines.RequestID]int{},
		rulings: map[engines.CaseID][]store.Ruling{},
	}
}

func (o *outside) do(f func()) error {
	before, after := false, false
	if o.faults != nil {
		before, after = o.faults()
	}
	if before {
		return errOutside
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	f()
	if after {
		return errOutside
	}
	return nil
}

func (o *outside) Publish(_ context.Context, it *engines.Item, _ engines.CaseID) error {
	return o.do(func() {
		o.published[it.RequestID]++
		o.order = append(o.order, it.RequestID)
	})
}

func (o *outside) Reject(_ context.Context, it *engines.Item, _ engines.CaseID) error {
	return o.do(func() { o.rejected[it.RequestID]++ })
}

func (o *outside) Retract(_ context.Context, it *engines.Item, _ engines.Category) error {
	return o.do(func() { o.retracted[it.RequestID]++ })
}

func (o *outside) AppealDecided(_ context.Context, _ engines.AppID, _ engines.PlayerID, _ engines.CaseID, upheld bool) error {
	return o.do(func() { o.appeals = append(o.appeals, upheld) })
}

func (o *outside) Ruled(_ context.Context, r store.Ruling) error {
	return o.do(func() {
		list := o.rulings[r.Case]
		if len(list) == 0 || list[len(list)-1] != r {
			o.rulings[r.Case] = append(list, r)
		}
	})
}

func (o *outside) PenaltiesOf(context.Context, engines.AppID, engines.PlayerID, int) ([]casework.Penalty, error) {
	return o.penalties, nil
}

func (o *outside) Revoke(_ context.Context, _ engines.AppID, _ engines.PlayerID, id, _, _ string) error {
	return o.do(func() { o.revoked = append(o.revoked, id) })
}

// crew are the moderators that there are.
type crew struct{}

func (crew) Person(_ context.Context, name string) (casework.Person, error) {
	for _, p := range []casework.Person{ann, bob, sue} {
		if p.Name == name {
			return p, nil
		}
	}
	return casework.Person{}, store.ErrNotFound
}

// desk is a review queue on a store, with what is outside and a clock.
type desk struct {
	*casework.Service
	db    *sqlstore.Store
	out   *outside
	clock *clock
}

func newDesk(db *sqlstore.Store, cfg casework.Config) *desk {
	d := &desk{db: db, out: newOutside(), clock: &clock{}}
	d.Service = casework.New(cfg, casework.Deps{
		Store: db, Scenes: d.out, Notices: d.out, Ruled: d.out, Penalties: d.out, People: crew{}, Now: d.clock.now, Log: slog.New(slog.DiscardHandler),
	})
	return d
}

// held stores a message that waits for a case, and what was checked of it.
func (d *desk) held(t *testing.T, id, player string, change ...func(*store.Case)) store.Case {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	request := engines.RequestID("m-" + id)
	c := store.Case{
		ID: engines.CaseID(id), App: "game", Request: request, Player: engines.PlayerID(player), Scene: "lobby", State: store.CaseOpen, Held: true,
		Queue: "abuse", Category: engines.Harassment, Severity: 2, Priority: 1, Due: now.Add(time.Hour), Version: 1, Created: now, Updated: now,
	}
	for _, f := range change {
		f(&c)
	}
	m := store.SceneMessage{App: "game", Scene: "lobby", Message: request, Player: c.Player, Content: "text of " + id, State: "held", Sent: now}
	v := engines.Verdict{Finding: engines.Finding{Suggestion: engines.Review}, Action: engines.Hold, Case: true, PolicyVersion: "v1"}
	if err := d.db.PutDecision(t.Context(), store.Decision{App: "game", Request: request, Player: c.Player, Scene: "lobby", Kind: engines.KindText, Content: m.Content, Verdict: v, CaseID: c.ID, Created: now}, &c, &m); err != nil {
		t.Fatal(err)
	}
	return c
}

func (d *desk) do(t *testing.T, id string, m casework.Move) store.Case {
	t.Helper()
	if m.Version == 0 {
		m.Version = casework.AnyVersion
	}
	c, err := d.Move(t.Context(), engines.CaseID(id), m)
	if err != nil {
		t.Fatalf("%s %s: %v", m.Action, id, err)
	}
	return c
}

func (d *desk) message(t *testing.T, id string) string {
	t.Helper()
	m, err := d.db.SceneMessage(t.Context(), "game", "lobby", engines.RequestID("m-"+id))
	if err != nil {
		t.Fatal(err)
	}
	return m.State
}

// chance is a source of faults that many may ask at once.
type chance struct {
	mu  sync.Mutex
	rng *rand.Rand
}

func newChance(seed uint64) *chance { return &chance{rng: rand.New(rand.NewPCG(seed, 1))} }

func (c *chance) hit(percent int) bool { return c.n(100) < percent }

func (c *chance) n(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rng.IntN(n)
}
