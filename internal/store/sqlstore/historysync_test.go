package sqlstore

import (
	"context"
	"testing"
)

// The history's commits are not synced, those that count are.
func TestWhatIsSynced(t *testing.T) {
	s, err := Open(t.Context(), Config{Dir: t.TempDir(), MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	const normal, full = 1, 2
	for _, c := range []struct {
		name string
		db   database
		want int
	}{{"core", s.core, full}, {"economy", s.economy, full}, {"history", s.history, normal}} {
		var got int
		err := c.db.write(t.Context(), 1, func(ctx context.Context, q querier) error {
			return q.QueryRowContext(ctx, `PRAGMA synchronous`).Scan(&got)
		})
		if err != nil || got != c.want {
			t.Errorf("%s: synchronous is %d, %v, want %d", c.name, got, err, c.want)
		}
	}
	// syncHistory goes by a reader, which must sync.
	var got int
	if err := s.history.read().QueryRowContext(t.Context(), `PRAGMA synchronous`).Scan(&got); err != nil || got != full {
		t.Errorf("readers of history: synchronous is %d, %v, want %d", got, err, full)
	}
	if err := s.syncHistory(t.Context()); err != nil {
		t.Error(err)
	}
}
