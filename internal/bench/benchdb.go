package bench

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the "pgx" driver
)

// servers are those that a run may use instead of what a gateway has of its own.
type servers struct{ database, redis string }

func (s *servers) flags(f *flag.FlagSet) {
	f.StringVar(&s.database, "database", "", "PostgreSQL to store in, in a schema made for the run (default SQLite)")
	f.StringVar(&s.redis, "redis", "", "Redis, with --database")
}

func (s servers) validate() error {
	if (s.database == "") != (s.redis == "") {
		return errors.New("--database and --redis: give both or neither, as serve wants them")
	}
	return nil
}

// schema makes an empty schema in the PostgreSQL database and returns the address of
// it; drop takes it away again. Without a database both do nothing.
func (s servers) schema(ctx context.Context) (in servers, drop func() error, err error) {
	if s.database == "" {
		return s, func() error { return nil }, nil
	}
	u, err := url.Parse(s.database)
	if err != nil {
		return s, nil, errors.New("--database: no address") // url's own error quotes it, password and all
	}
	name := "portcullis_bench_" + strings.ToLower(rand.Text())
	if err := execute(ctx, s.database, "CREATE SCHEMA "+name); err != nil {
		return s, nil, fmt.Errorf("--database: %w", err)
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return servers{u.String(), s.redis}, func() error {
		return execute(context.WithoutCancel(ctx), s.database, "DROP SCHEMA "+name+" CASCADE")
	}, nil
}

// workplace makes a temporary folder and, in a database, a schema; done takes both
// away again.
func (s servers) workplace(ctx context.Context) (dir string, in servers, done func() error, err error) {
	if dir, err = os.MkdirTemp("", "portcullis-bench-"); err != nil {
		return "", s, nil, err
	}
	in, drop, err := s.schema(ctx)
	if err != nil {
		return "", s, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, in, func() error { return errors.Join(drop(), os.RemoveAll(dir)) }, nil
}

func execute(ctx context.Context, address, statement string) (err error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// configure writes a gateway's configuration into dir: the servers, and more as YAML.
func (s servers) configure(dir, more string) (file string, err error) {
	file = filepath.Join(dir, "portcullis.yaml")
	text := fmt.Sprintf("database: {url: %q}\nredis: {url: %q}\n%s", s.database, s.redis, more)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write configuration: %w", err)
	}
	return file, nil
}
