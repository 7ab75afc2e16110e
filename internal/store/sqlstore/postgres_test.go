package sqlstore_test

import (
	"errors"
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
