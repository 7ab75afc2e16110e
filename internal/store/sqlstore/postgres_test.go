package sqlstore_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// TestPostgresConnectionsLost cuts every connection of the store: writes fail with
// ErrUnavailable or not at all, and work again without anything being restarted.
func TestPostgresConnectionsLost(t *testing.T) {
	p := postgres(t)
	raw := p.Core(t)
	defer raw.Close()
	name := storetest.Unique("lost")
	p.Config.URL += "&application_name=" + name
	s := p.Open(t)
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		var cut int
		err := raw.QueryRowContext(t.Context(), `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE application_name = $1`, name).Scan(&cut)
		if err != nil || cut == 0 {
			t.Fatalf("cut %d connections: %v", cut, err)
		}
		until := time.Now().Add(time.Minute)
		for {
			err := s.Ping(t.Context())
			if err == nil {
				break
			}
			if !errors.Is(err, store.ErrUnavailable) {
				t.Fatalf("Ping after the loss: %v, want ErrUnavailable", err)
			}
			if time.Now().After(until) {
				t.Fatal("the store did not recover")
			}
		}
	}
}

// TestPostgresPartitions sees to it that logs of today get the partition of today.
func TestPostgresPartitions(t *testing.T) {
	p := postgres(t)
	s := p.Open(t)
	raw := p.Economy(t)
	defer raw.Close()
	until := time.Now().Add(time.Minute)
	for n := 0; n < 5; { // yesterday, today and three days ahead
		err := raw.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_inherits WHERE inhparent = 'economy_log'::regclass
			AND inhrelid <> 'economy_log_default'::regclass`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		if time.Now().After(until) {
			t.Fatalf("%d partitions, want 5", n)
		}
	}
	now := time.Now().UnixMilli()
	logs := []economy.Entry{{Log: 1, ID: "1", Player: "p", At: now}, {Log: 1, ID: "2", Player: "p", At: now + 1000*86_400_000}}
	if fresh, err := s.PutEntries(t.Context(), "game", logs); err != nil || !fresh[0] || !fresh[1] {
		t.Fatalf("PutEntries() = %v, %v, want both new", fresh, err)
	}
	var inDefault int
	if err := raw.QueryRowContext(t.Context(), `SELECT count(*) FROM economy_log_default`).Scan(&inDefault); err != nil || inDefault != 1 {
		t.Errorf("%d logs are in the default partition, %v, want the one far ahead", inDefault, err)
	}
}

// TestPostgresKnown stores a submission of which a part is stored, through a gateway
// that expects nothing of the kind: what is new is told from what is known, each is
// there once, and what was stored first stays.
func TestPostgresKnown(t *testing.T) {
	p := postgres(t)
	raw := p.Economy(t)
	defer raw.Close()
	now := time.Now().UnixMilli()
	entry := func(id string, amount int64) economy.Entry {
		return economy.Entry{Log: economy.Currency, ID: id, Player: "p", At: now, What: "gold", Action: economy.Earn, Amount: amount}
	}
	steps := []struct {
		entries []economy.Entry
		fresh   []bool
	}{
		{[]economy.Entry{entry("a", 1), entry("b", 1)}, []bool{true, true}},
		{[]economy.Entry{entry("c", 2), entry("b", 2)}, []bool{true, false}},
		{[]economy.Entry{entry("d", 3), entry("d", 4)}, []bool{true, false}},
		{[]economy.Entry{entry("a", 5), entry("c", 5)}, []bool{false, false}},
	}
	for i, step := range steps {
		fresh, err := p.Open(t).PutEntries(t.Context(), "game", step.entries)
		if err != nil || !slices.Equal(fresh, step.fresh) {
			t.Errorf("step %d: PutEntries() = %v, %v, want %v", i, fresh, err, step.fresh)
		}
	}
	var stored string
	err := raw.QueryRowContext(t.Context(), `SELECT string_agg(log_id || amount, ' ' ORDER BY log_id) FROM economy_log`).Scan(&stored)
	if err != nil || stored != "a1 b1 c2 d3" {
		t.Errorf("stored is %q, %v, want a1 b1 c2 d3", stored, err)
	}
}

// TestPostgresArrays sends arrays of all sorts as the store does and has the server
// say what it got.
func TestPostgresArrays(t *testing.T) {
	p := postgres(t)
	s := p.Open(t)
	raw := p.Economy(t)
	defer raw.Close()
	now := time.Now().UnixMilli()
	long := strings.Repeat("長", 42)
	entries := []economy.Entry{
		{Log: economy.Currency, ID: long, Player: "é", At: now, What: "gold", Action: economy.Spend, Amount: math.MaxInt64, After: math.MinInt64, Source: `a"b\{},NULL`},
		{Log: economy.Item, ID: "1", Player: "é", At: -1, What: "ore", Action: economy.Acquire, Amount: -1, After: 0, TradeID: "t", Device: "d", IP: "::1"},
		{Log: economy.Trade, ID: "NULL", Player: "é", At: now + 2, Counterparty: "q"},
	}
	if fresh, err := s.PutEntries(t.Context(), "game", entries); err != nil || slices.Contains(fresh, false) {
		t.Fatalf("PutEntries() = %v, %v", fresh, err)
	}
	var got []economy.Entry
	if err := s.Replay(t.Context(), "game", -1<<40, func(economy.Place) {}, func(list []economy.Entry) { got = append(got, list...) }); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b economy.Entry) int { return int(a.Log) - int(b.Log) })
	if diff := cmp.Diff(entries, got); diff != "" {
		t.Errorf("stored (-sent +stored):\n%s", diff)
	}
	var days, nulls int
	err := raw.QueryRowContext(t.Context(), `SELECT count(*) FILTER (WHERE day = floor(event_ts / 86400000.0)), count(*) FILTER (WHERE extra IS NULL) FROM economy_log`).Scan(&days, &nulls)
	if err != nil || days != 3 || nulls != 1 {
		t.Errorf("%d days are right and %d entries have nothing more, %v, want 3 and 1", days, nulls, err)
	}
	_, err = s.PutEntries(t.Context(), "game", []economy.Entry{{Log: economy.Item, ID: "2", Player: "p", At: math.MaxInt64}})
	if err == nil {
		t.Error("a day that no column holds was stored")
	}
}
