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
	"github.com/portcullis-gg/portcullis/internal/store"
)

// earlier makes a file of a folder as it was at a version.
func earlier(t *testing.T, dir, name string, version int64) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", liteDSN(filepath.Join(dir, name+".db")))
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(migrations, "migrations/"+name)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	return db
}

// upgraded opens a folder as it is today.
func upgraded(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: dir, MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestUpgradeKeepsCurrencyLogs opens a folder of the first release: its currency
// logs are entries, and a repeat of one is known.
func TestUpgradeKeepsCurrencyLogs(t *testing.T) {
	dir := t.TempDir()
	db := earlier(t, dir, "economy", 1)
	const at = 1700000000000
	_, err := db.ExecContext(t.Context(), `INSERT INTO currency_log VALUES ('game', $1, 'p', 'L1', $2, 'gold', 'earn', 5, 7, 'quest', $2)`, day(at), at)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s := upgraded(t, dir)
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

// TestUpgradeSumsLabelsUp opens a folder of before days were kept by fewer dims: what
// asks for those alone finds the days that were there.
func TestUpgradeSumsLabelsUp(t *testing.T) {
	dir := t.TempDir()
	db := earlier(t, dir, "core", 23)
	const today = 1700006400000 // the beginning of a day
	_, err := db.ExecContext(t.Context(), `INSERT INTO stat_label VALUES
		('game', 0, $1, 'hate', 'slur', 'lexicon', 'text', 'm', 'ja', 'jp', 'minor', 'block', 'drop', 100, 100),
		('game', 1, $1, 'hate', 'slur', 'lexicon', 'text', 'm', 'ja', 'jp', 'minor', 'block', 'drop', 3, 2),
		('game', 1, $1, 'hate', 'other', 'lexicon', 'text', 'm', 'en', 'jp', 'minor', 'block', 'hold', 5, 4),
		('game', 1, $1, 'spam', '', 'model', 'text', 'm', 'en', 'jp', 'minor', 'review', 'hold', 7, 6)`, today)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s := upgraded(t, dir)
	for by, want := range map[string][]store.StatSum{
		"source":   {{At: today, Dims: []string{"lexicon"}, Counts: []int64{8, 6}}, {At: today, Dims: []string{"model"}, Counts: []int64{7, 6}}},
		"language": {{At: today, Dims: []string{"en"}, Counts: []int64{12, 10}}, {At: today, Dims: []string{"ja"}, Counts: []int64{3, 2}}},
		"action":   {{At: today, Dims: []string{"drop"}, Counts: []int64{3, 2}}, {At: today, Dims: []string{"hold"}, Counts: []int64{12, 10}}},
	} {
		got, err := s.Stats(t.Context(), store.StatQuery{Cube: store.StatLabels, App: "game", From: today, To: today + store.StatDay.Milliseconds(), Step: store.StatDay, By: []string{by}})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("by %s: %v (-want +got):\n%s", by, err, diff)
		}
	}
}
