package sqlstore

import (
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/portcullis-gg/portcullis/economy"
)

// TestUpgradeKeepsCurrencyLogs opens a folder of the first release: its currency
// logs are entries, and a repeat of one is known.
func TestUpgradeKeepsCurrencyLogs(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", liteDSN(filepath.Join(dir, "economy.db")))
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(migrations, "migrations/economy")
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	const at = 1700000000000
	_, err = db.ExecContext(t.Context(), `INSERT INTO currency_log VALUES ('game', $1, 'p', 'L1', $2, 'gold', 'earn', 5, 7, 'quest', $2)`, day(at), at)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), Config{Dir: dir, MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	want := []economy.Entry{{
		Log: economy.Currency, ID: "L1", At: at, Player: "p", Action: economy.Earn, What: "gold", Amount: 5, After: 7, Source: "quest",
	}}
	got, _, err := s.Timeline(t.Context(), "game", "p", economy.Mark{}, 10)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if fresh, err := s.PutEntries(t.Context(), "game", want); err != nil || fresh[0] {
		t.Errorf("a repeat is new (%v), %v", fresh, err)
	}
}
