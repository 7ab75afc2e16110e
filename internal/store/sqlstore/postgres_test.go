package sqlstore_test

import (
	"errors"
	"slices"
	"testing"
	"time"

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
		until := time.Now().Add(10 * time.Second)
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
	until := time.Now().Add(10 * time.Second)
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
