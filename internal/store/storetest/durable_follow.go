package storetest

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// follower reads what others store, from a replay on.
type follower struct {
	*sqlstore.Store
	t     *testing.T
	place economy.Place
	got   []string
}

// newFollower opens a store once more, as another gateway does. It skips the test
// where one gateway stores all.
func newFollower(t *testing.T, p Place) *follower {
	t.Helper()
	p.Config.Node = "n2"
	f := &follower{Store: p.Open(t), t: t}
	must(t, f.Replay(t.Context(), "game", 0, func(place economy.Place) { f.place = place }, f.note))
	if f.place == "" {
		next, err := f.Follow(t.Context(), "game", "", 0, f.note)
		must(t, err)
		same(t, "place where one gateway stores all", next, "")
	}
	return f
}

func (f *follower) note(list []economy.Entry) {
	for _, e := range list {
		f.got = append(f.got, e.ID)
	}
}

// reads wants these entries to be handed on next.
func (f *follower) reads(what string, want ...string) {
	f.t.Helper()
	f.got = nil
	next, err := f.Follow(f.t.Context(), "game", f.place, 0, f.note)
	must(f.t, err)
	f.place = next
	slices.Sort(f.got)
	if !slices.Equal(f.got, want) {
		f.t.Errorf("%s: %q were handed on, want %q", what, f.got, want)
	}
}

func testFollow(t *testing.T, p Place) {
	t.Helper()
	one, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	_, err := one.PutEntries(ctx, "game", []economy.Entry{movement("p", "0", at)})
	must(t, err)
	f := newFollower(t, p)
	same(t, "replayed", f.got, []string{"0"})
	if f.place == "" {
		return
	}
	f.reads("nothing new")
	_, err = one.PutEntries(ctx, "game", []economy.Entry{movement("p", "0", at), movement("p", "1", at), movement("p", "2", at-dayMS)})
	must(t, err)
	_, err = one.PutEntries(ctx, "other", []economy.Entry{movement("p", "3", at)})
	must(t, err)
	_, err = f.PutEntries(ctx, "game", []economy.Entry{movement("p", "own", at)})
	must(t, err)
	f.reads("two new ones, a repeat, another app's and its own", "1", "2")
	f.reads("nothing new after that")
	if _, err := f.Follow(ctx, "game", "nonsense", 0, f.note); err == nil {
		t.Error("Follow of a place that is none: no error")
	}
}

// testFollowLateCommit has transactions end in another order than they began.
func testFollowLateCommit(t *testing.T, p Place) {
	t.Helper()
	one, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	f := newFollower(t, p)
	if f.place == "" {
		return
	}
	db := p.Economy(t)
	defer func() { must(t, db.Close()) }()
	for made := false; !made; time.Sleep(10 * time.Millisecond) { // a transaction under way holds the making of partitions up
		must(t, db.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, fmt.Sprintf("economy_log_d%d", at/dayMS+3)).Scan(&made))
	}
	tx, err := db.BeginTx(ctx, nil)
	must(t, err)
	insert := func(id, xid string, received int64) {
		_, err := tx.ExecContext(ctx, `INSERT INTO economy_log (app_id, day, player_id, log, log_id, batch, event_ts, action, what, amount, after, source, device, ip, node, xid)
			VALUES ('game', $1, 'p', 1, $2, $3, $4, 'earn', 'gold', 1, 1, '', '', '', 7, `+xid+`)`, at/dayMS, id, received<<20, at)
		must(t, err)
	}
	insert("slow", "pg_current_xact_id()::text::bigint", at)
	// A dump of another server was restored: its numbers mean nothing here.
	insert("restored", "9000000000000000", at-time.Hour.Milliseconds())
	_, err = one.PutEntries(ctx, "game", []economy.Entry{movement("p", "quick", at)})
	must(t, err)
	f.reads("while the first transaction is under way", "quick")
	must(t, tx.Commit())
	f.reads("once it has ended", "slow")
	f.reads("nothing new after that")
}

// testFollowConcurrent has many write what another follows: each entry comes once.
func testFollowConcurrent(t *testing.T, p Place) {
	t.Helper()
	one, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	f := newFollower(t, p)
	if f.place == "" {
		return
	}
	const writers, rounds = 6, 40
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for r := range rounds { // every second entry is another writer's too
				if _, err := one.PutEntries(ctx, "game", []economy.Entry{
					movement("p", fmt.Sprintf("%d-%d", w, r), at), movement("p", strconv.Itoa(r), at),
				}); err != nil {
					t.Errorf("PutEntries: %v", err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		next, err := f.Follow(ctx, "game", f.place, 0, f.note)
		must(t, err)
		f.place = next
	}
	slices.Sort(f.got)
	if want := writers*rounds + rounds; len(f.got) != want || len(slices.Compact(f.got)) != want {
		t.Errorf("%d entries were handed on, want each of %d once", len(f.got), want)
	}
}
