package economy

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// fakeStore keeps what it is given, in memory.
type fakeStore struct {
	mu      sync.Mutex
	entries map[string]Entry
	others  []Entry // that other gateways stored
	replays int
	head    SavedBook
	saved   []byte
	bans    []Ban
	said    []Override
	players map[PlayerKey]bool
	alerts  []Alert
	moves   []AlertMove
	err     error         // of everything, when set
	slow    time.Duration // how long entries take to be stored
	pause   chan struct{} // a replay waits for it between two entries
}

func newFakeStore() *fakeStore {
	return &fakeStore{entries: map[string]Entry{}, players: map[PlayerKey]bool{}}
}

func (f *fakeStore) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *fakeStore) PutEntries(_ context.Context, app engines.AppID, entries []Entry) ([]bool, error) {
	time.Sleep(f.slow)
	f.mu.Lock()
	defer f.mu.Unlock()
	fresh := make([]bool, len(entries))
	for i, e := range entries {
		key := fmt.Sprint(app, e.Log, e.Player, e.ID)
		if _, ok := f.entries[key]; !ok {
			f.entries[key], fresh[i] = e, true
		}
	}
	return fresh, f.err
}

func (f *fakeStore) Newest(context.Context, engines.AppID) (newest int64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.entries {
		newest = max(newest, e.At)
	}
	return newest, f.err
}

func (f *fakeStore) Replay(_ context.Context, _ engines.AppID, from int64, began func(Place), each func([]Entry)) error {
	f.mu.Lock()
	f.replays++
	list, pause, err, place := slices.Collect(maps.Values(f.entries)), f.pause, f.err, Place(strconv.Itoa(len(f.others)))
	f.mu.Unlock()
	if err != nil {
		return err
	}
	began(place)
	for _, e := range list {
		if pause != nil {
			<-pause
		}
		if e.At >= from {
			each([]Entry{e})
		}
	}
	return nil
}

// Follow's places are how many of the others' entries were handed on.
func (f *fakeStore) Follow(_ context.Context, _ engines.AppID, since Place, _ int64, each func([]Entry)) (Place, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := strconv.Atoi(string(since))
	if err != nil {
		return since, err
	}
	if n < len(f.others) {
		each(f.others[n:])
	}
	if f.err != nil {
		return since, f.err
	}
	return Place(strconv.Itoa(len(f.others))), nil
}

// elsewhere stores an entry as another gateway does.
func (f *fakeStore) elsewhere(e Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries[fmt.Sprint("game", e.Log, e.Player, e.ID)] = e
	f.others = append(f.others, e)
}

func (f *fakeStore) SaveBook(_ context.Context, _ engines.AppID, b SavedBook, write func(io.Writer) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var buf bytes.Buffer
	err := write(&buf)
	f.head, f.saved = b, buf.Bytes()
	return err
}

func (f *fakeStore) LoadBook(_ context.Context, _ engines.AppID, read func(SavedBook, io.Reader) error) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.saved == nil {
		return false, nil
	}
	return true, read(f.head, bytes.NewReader(f.saved))
}

func (f *fakeStore) Timeline(context.Context, engines.AppID, engines.PlayerID, Mark, int) ([]Entry, Mark, error) {
	return nil, Mark{}, f.err
}

func (f *fakeStore) EconomyApps(context.Context) (apps []engines.AppID, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.saved != nil {
		apps = append(apps, "game")
	}
	return apps, f.err
}

func (f *fakeStore) PutBan(_ context.Context, b Ban) (Ban, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, have := range f.bans {
		if have.ID == b.ID {
			return have, f.err
		}
	}
	f.bans = append(f.bans, b)
	return b, f.err
}

func (f *fakeStore) LiftBans(_ context.Context, l Lift) (lifted []Ban, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.bans {
		if b := &f.bans[i]; b.Player == l.Player && b.Lifted == 0 && (l.Type == "" || l.Type == b.Type) && b.Ended == 0 {
			b.Lifted = l.At
			lifted = append(lifted, *b)
		}
	}
	return lifted, f.err
}

func (f *fakeStore) Bans(_ context.Context, q BanQuery) (list []Ban, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.bans {
		if q.Player == "" || b.Player == q.Player {
			list = append(list, b)
		}
	}
	return list, f.err
}

func (f *fakeStore) BansChanged(context.Context, int64, int64) ([]Ban, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.bans), f.err
}

func (f *fakeStore) PutOverride(_ context.Context, o Override) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.said = append(f.said, o)
	}
	return f.err
}

func (f *fakeStore) OverridesChanged(_ context.Context, since, _ int64) ([]Override, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.said), func(o Override) bool { return o.Changed < since }), f.err
}

func (f *fakeStore) EndBans(_ context.Context, now int64, named []BanKey) (ended []Ban, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.bans {
		b := &f.bans[i]
		due := b.Ends != 0 && b.Ends <= now || slices.Contains(named, BanKey{b.App, b.ID})
		if due && b.Lifted == 0 && b.Ended == 0 && f.err == nil {
			b.Ended = now
			ended = append(ended, *b)
		}
	}
	return ended, f.err
}

func (f *fakeStore) OpenAlert(_ context.Context, a Alert) (AlertCase, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return AlertCase{}, false, f.err
	}
	f.alerts = append(f.alerts, a)
	return AlertCase{State: "open", Alert: a}, true, nil
}

// OpenRisks lists the alerts that were not closed.
func (f *fakeStore) OpenRisks(_ context.Context, _ engines.AppID, after engines.PlayerID, most int) (list []OpenRisk, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.alerts {
		if a.Kind == HighRisk && a.Player > after && len(list) < most {
			list = append(list, OpenRisk{Player: a.Player, Fallen: a.Now != nil && a.Now.Fallen})
		}
	}
	return list, f.err
}

func (f *fakeStore) MoveAlert(_ context.Context, m AlertMove) (AlertCase, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moves = append(f.moves, m)
	for i := range f.alerts {
		if a := &f.alerts[i]; a.Kind == HighRisk && a.Player == m.Player {
			a.Now = &m.Now
			return AlertCase{State: "open", Alert: *a}, true, f.err
		}
	}
	return AlertCase{}, false, f.err
}

func (f *fakeStore) PutPlayers(_ context.Context, players []PlayerKey) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range players {
		f.players[p] = true
	}
	return f.err
}

func (f *fakeStore) PlayerKnown(_ context.Context, app engines.AppID, player engines.PlayerID) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.players[PlayerKey{app, player}], f.err
}

// countBook counts how often each entry was applied; the risk of a player is how
// many entries it has.
type countBook struct {
	lost   atomic.Bool // Tend
	closed atomic.Bool

	mu     sync.Mutex
	times  map[string]int
	of     map[engines.PlayerID]int
	banned map[engines.PlayerID]bool
	newest int64

	findings Findings // of Look, by version
	version  uint64
}

func (b *countBook) Look(seen uint64, _ int64) (Findings, uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if seen == b.version {
		return Findings{}, seen
	}
	return b.findings, b.version
}

func newCountBook() *countBook {
	return &countBook{times: map[string]int{}, of: map[engines.PlayerID]int{}, banned: map[engines.PlayerID]bool{}}
}

func (b *countBook) Apply(entries []Entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range entries {
		b.times[fmt.Sprint(e.Log, e.Player, e.ID)]++
		b.of[e.Player]++
		b.newest = max(b.newest, e.At)
	}
}

func (b *countBook) Risk(p engines.PlayerID, _ int64) (Risk, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Risk{Score: b.of[p], Level: LevelOf(b.of[p])}, b.of[p] > 0
}

func (b *countBook) Features(p engines.PlayerID, at int64) (Features, bool) {
	r, ok := b.Risk(p, at)
	return Features{Score: r.Score, Factors: r.Factors, AccountAge: -1}, ok
}

func (b *countBook) Around(p engines.PlayerID, _, _ int, at int64) (Web, bool) {
	r, ok := b.Risk(p, at)
	return Web{At: at, Players: []WebPlayer{{Player: p, Risk: r}, {Player: "friend", Hops: 1}}, Gifts: []WebGift{{From: p, To: "friend", Gave: 2, Times: 1}}, Shares: []WebShare{{Player: "p", By: ByDevice, Seats: 2}}}, ok
}

func (b *countBook) Knows(p engines.PlayerID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[p] > 0
}

func (b *countBook) Evaluate(p *Proposal, _ int64) Evaluation {
	if p.SenderRisk != nil {
		return Evaluation{Suggestion: engines.Pass, Score: *p.SenderRisk}
	}
	return Evaluation{Suggestion: engines.Pass, Score: 10, Reasons: []string{"price_deviation"}}
}

func (b *countBook) Ban(ban *Ban) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.banned[ban.Player] = ban.Stands(1 << 50)
}

func (b *countBook) Save(w io.Writer) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return gob.NewEncoder(w).Encode(savedCounts{b.times, b.of, b.newest})
}

type savedCounts struct {
	Times  map[string]int
	Of     map[engines.PlayerID]int
	Newest int64
}

func loadCounts(r io.Reader) (Book, error) {
	var s savedCounts
	err := gob.NewDecoder(r).Decode(&s)
	return &countBook{times: s.Times, of: s.Of, newest: s.Newest, banned: map[engines.PlayerID]bool{}}, err
}

func (b *countBook) Tend() bool { return !b.lost.Load() }

func (b *countBook) Close() { b.closed.Store(true) }

func (b *countBook) Newest() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.newest
}

// rig is a service that runs, with what it stands on.
type rig struct {
	*Service
	store    *fakeStore
	clock    time.Time // set it before the service is asked
	mu       sync.Mutex
	expelled []engines.PlayerID
	told     []engines.PlayerID
	end      func()
	news     []string // of bans
	cases    []string // what became of them
}

// serve starts a service over a store; the test ends it.
func serve(t *testing.T, store *fakeStore) *rig {
	t.Helper()
	r := &rig{store: store, clock: time.UnixMilli(1790000000000)}
	r.Service = New(Deps{
		Store: store, Book: func() Book { return newCountBook() }, Saved: loadCounts, Log: slog.New(slog.DiscardHandler),
		Expel: func(_ engines.AppID, p engines.PlayerID) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.expelled = append(r.expelled, p)
		},
		Tell: func(_ engines.AppID, p engines.PlayerID) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.told = append(r.told, p)
		},
		Changed: func(b *Ban, state BanState) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.news = append(r.news, b.ID+" "+string(state))
		},
		Cased: func(c *AlertCase) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.cases = append(r.cases, string(c.Alert.Player)+" "+c.Alert.Change())
		},
		Now: func() time.Time {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.clock
		},
	})
	if err := r.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.end = runs(t, r.Service)
	return r
}

// runs serves until end is called, or the test ends.
func runs(t *testing.T, s *Service) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { s.Serve(ctx) })
	end = func() { cancel(); wg.Wait() }
	t.Cleanup(end)
	return end
}

// rests lets the time go by, and whoever it wakes come to rest: a tick at that very moment
// is over by then.
func rests(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock = r.clock.Add(d)
}

func (r *rig) at() int64 { return r.clock.UnixMilli() }

func earn(player engines.PlayerID, id string, at int64) Entry {
	return Entry{Log: Currency, ID: id, Player: player, At: at, What: "gold", Action: Earn, Amount: 1, After: 1}
}
