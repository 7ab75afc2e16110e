package economy

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func said(player engines.PlayerID, id engines.RequestID) *engines.Item {
	return &engines.Item{App: "game", Player: player, RequestID: id, Kind: engines.KindText, ReceivedAt: time.UnixMilli(1790000000000)}
}

func found(c engines.Category, sub string, confidence float64) engines.Finding {
	return engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{{Category: c, SubLabel: sub, Confidence: confidence}}}
}

func TestSaw(t *testing.T) {
	for _, c := range []struct {
		name string
		item *engines.Item
		v    engines.Finding
		want int
	}{
		{"rmt", said("p", "1"), found(engines.Spam, "rmt", .55), 1},
		{"an account", said("p", "1"), found(engines.Spam, "account_sale", .9), 1},
		{"not sure enough", said("p", "1"), found(engines.Spam, "rmt", .54), 0},
		{"not a number", said("p", "1"), found(engines.Spam, "rmt", math.NaN()), 0},
		{"other spam", said("p", "1"), found(engines.Spam, "advertising", .9), 0},
		{"another category", said("p", "1"), found(engines.Illegal, "rmt", .9), 0},
		{"nobody", said("", "1"), found(engines.Spam, "rmt", .9), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := serve(t, newFakeStore())
				r.Saw(c.item, c.v)
				r.Saw(c.item, c.v) // a check that was done again
				synctest.Wait()
				if n := len(r.store.entries); n != c.want {
					t.Errorf("%d entries, want %d: %v", n, c.want, r.store.entries)
				}
			})
		})
	}
}

// Adverts wait while the store is away, and a rebuilt book has them.
func TestAdvertsOutlastTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		r.store.fail(engines.ErrUnavailable)
		for i := range 3 {
			r.Saw(said("p", engines.RequestID(strconv.Itoa(i))), found(engines.Spam, "rmt", .9))
		}
		rests(3 * retryAfter)
		r.store.fail(nil)
		rests(3 * retryAfter)
		wantRisk(t, r, "p", 3)
		again := serve(t, r.store)
		wantRisk(t, again, "p", 3)
	})
}

// An advert has the app's time: that of the newest event where old logs are played.
func TestAdvertTime(t *testing.T) {
	const now = 1790000000000
	old := now - 30*24*time.Hour.Milliseconds()
	for newest, want := range map[int64]int64{0: now, now - 1000: now, old: old} {
		synctest.Test(t, func(t *testing.T) {
			r := serve(t, newFakeStore())
			if newest != 0 {
				if _, err := r.Submit(t.Context(), "game", []Entry{earn("q", "1", newest)}); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			r.Saw(said("p", "1"), found(engines.Spam, "rmt", .9))
			synctest.Wait()
			if got := r.store.entries[fmt.Sprint("game", Advert, "p", "1")].At; got != want {
				t.Errorf("newest event at %d: advert at %d, want %d", newest, got, want)
			}
		})
	}
}

// What waits when a service ends in an orderly way is written.
func TestLastAdverts(t *testing.T) {
	s := New(Deps{Store: newFakeStore(), Book: func() Book { return newCountBook() }, Log: slog.New(slog.DiscardHandler)})
	for i := range 2 * advertBatch {
		s.Saw(said("p", engines.RequestID(strconv.Itoa(i))), found(engines.Spam, "rmt", .9))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Serve(ctx)
	fresh, err := s.deps.Store.PutEntries(t.Context(), "game", []Entry{{Log: Advert, Player: "p", ID: "0"}, {Log: Advert, Player: "p", ID: "511"}})
	if err != nil || fresh[0] || fresh[1] {
		t.Errorf("new are %v, %v: want none", fresh, err)
	}
}

// Saw never waits, whatever the queue.
func TestSawDropsWhenFull(t *testing.T) {
	s := New(Deps{Store: newFakeStore(), Book: func() Book { return newCountBook() }})
	for i := range advertQueue + 10 {
		s.Saw(said("p", engines.RequestID(strconv.Itoa(i))), found(engines.Spam, "rmt", .9))
	}
	if n := s.adverts.lost.Load(); n != 10 {
		t.Errorf("%d adverts were counted as lost, want 10", n)
	}
}
