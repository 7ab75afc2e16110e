package sqlstore_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

func TestMain(m *testing.M) {
	runChild()
	goleak.VerifyTestMain(m)
}

func lite(t *testing.T) storetest.Place {
	t.Helper()
	dir := t.TempDir()
	file := func(name string) func(*testing.T) *sql.DB {
		return func(t *testing.T) *sql.DB {
			t.Helper()
			return storetest.RawDB(t, "sqlite", "file:"+filepath.Join(dir, name)+"?_pragma=busy_timeout(5000)")
		}
	}
	return storetest.Place{
		Config: sqlstore.Config{Dir: dir, MasterKey: [32]byte{1}, Node: "n1"},
		Core:   file("core.db"), Economy: file("economy.db"), History: file("history.db"),
	}
}

func postgres(t *testing.T) storetest.Place {
	t.Helper()
	address := storetest.PostgresURL(t)
	raw := func(t *testing.T) *sql.DB {
		t.Helper()
		return storetest.RawDB(t, "pgx", address)
	}
	return storetest.Place{
		Config: sqlstore.Config{URL: address, MasterKey: [32]byte{1}, Node: "n1"},
		Core:   raw, Economy: raw, History: raw,
	}
}

func TestSQLite(t *testing.T) { storetest.Durable(t, lite) }

func TestPostgres(t *testing.T) { storetest.Durable(t, postgres) }

func TestDriver(t *testing.T) {
	if got := lite(t).Open(t).Driver(); got != "sqlite" {
		t.Errorf("Driver() = %q, want sqlite", got)
	}
}

func TestValidateNamesEveryKey(t *testing.T) {
	for _, test := range []struct {
		cfg  sqlstore.Config
		keys []string
	}{
		{sqlstore.Config{}, []string{"database.dir", "master key", "node"}},
		{sqlstore.Config{URL: "mysql://x", Node: "n", MasterKey: [32]byte{1}}, []string{"database.url"}},
	} {
		err := test.cfg.Validate()
		for _, key := range test.keys {
			if err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("Validate() = %v, want it to name %q", err, key)
			}
		}
	}
}

// TestFilesAreTheirOwners looks at every file that a store in use has; the name of
// the directory holds what an address must escape.
func TestFilesAreTheirOwners(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b?c#d%41")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := storetest.Place{Config: sqlstore.Config{Dir: dir, MasterKey: [32]byte{1}, Node: "n1"}}
	if err := p.Open(t).Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, f := range files {
		seen[f.Name()] = true
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode of %s is %v, %v, want 0600", f.Name(), info.Mode(), err)
		}
	}
	for _, name := range []string{"core.db", "core.db-wal", "economy.db", "history.db"} {
		if !seen[name] {
			t.Errorf("no %s among %v", name, seen)
		}
	}
}
