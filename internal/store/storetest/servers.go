package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the "pgx" driver
)

const patience = 30 * time.Second

// Unique returns a name that no other test has, fit for SQL and ids.
func Unique(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// PostgresURL returns the address of an empty schema of its own, dropped when the
// test ends.
func PostgresURL(t *testing.T) string {
	t.Helper()
	address := os.Getenv("PORTCULLIS_TEST_POSTGRES")
	if address == "" {
		t.Skip("PORTCULLIS_TEST_POSTGRES is not set: run the tests through internal/store/storetest/servers.sh, as make test does")
	}
	schema := Unique("t")
	admin(t, address, "CREATE SCHEMA "+schema)
	t.Cleanup(func() { admin(t, address, "DROP SCHEMA "+schema+" CASCADE") })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("PORTCULLIS_TEST_POSTGRES: %v", err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}

func admin(t *testing.T, address, statement string) {
	t.Helper()
	// Not the test's context: cleanups run after its end.
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db := RawDB(t, "pgx", address)
	if _, err := db.ExecContext(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	if err := db.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// RawDB opens a database beside the store, to look at it or to damage it.
func RawDB(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// RedisURL returns the address of a redis-server that other tests use too: ids
// keep them apart.
func RedisURL(t *testing.T) string {
	t.Helper()
	address := os.Getenv("PORTCULLIS_TEST_REDIS")
	if address == "" {
		t.Skip("PORTCULLIS_TEST_REDIS is not set: run the tests through internal/store/storetest/servers.sh, as make test does")
	}
	return address
}
