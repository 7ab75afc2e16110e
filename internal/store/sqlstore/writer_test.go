package sqlstore

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

func openTable(t *testing.T) *liteDB {
	t.Helper()
	d, err := openLiteDB(filepath.Join(t.TempDir(), "t.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.close(); err != nil {
			t.Error(err)
		}
	})
	write(t, d, `CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT)`)
	return d
}

func write(t *testing.T, d *liteDB, query string, args ...any) {
	t.Helper()
	if err := d.write(t.Context(), 1, statement(query, args...)); err != nil {
		t.Fatal(err)
	}
}

func statement(query string, args ...any) func(context.Context, querier) error {
	return func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, query, args...)
		return err
	}
}

func count(t *testing.T, d *liteDB) (n int) {
	t.Helper()
	if err := d.read().QueryRowContext(t.Context(), `SELECT count(*) FROM t`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// held keeps the writer busy until released, so that what follows forms one group.
func held(t *testing.T, d *liteDB) (release func()) {
	t.Helper()
	entered, leave, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- d.write(context.Background(), 1, func(context.Context, querier) error {
			close(entered)
			<-leave
			return nil
		})
	}()
	<-entered
	return func() {
		close(leave)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// group queues the jobs behind a held writer and returns their errors.
func group(t *testing.T, d *liteDB, jobs ...func(context.Context, querier) error) []error {
	t.Helper()
	release := held(t, d)
	queued := make([]*liteJob, len(jobs))
	for i, fn := range jobs {
		queued[i] = &liteJob{fn: fn, weight: 1, done: make(chan struct{})}
		if err := d.enqueue(t.Context(), queued[i]); err != nil {
			t.Fatal(err)
		}
	}
	release()
	errs := make([]error, len(jobs))
	for i, job := range queued {
		<-job.done
		errs[i] = job.err
	}
	return errs
}

func insert(k string) func(context.Context, querier) error {
	return statement(`INSERT INTO t (k) VALUES ($1)`, k)
}

func TestGroupSharesATransactionNotItsFailures(t *testing.T) {
	d := openTable(t)
	own := errors.New("the job's own")
	errs := group(t, d, insert("a"), insert("a"), func(ctx context.Context, q querier) error {
		return errors.Join(insert("undone")(ctx, q), own)
	}, insert("b"))
	if errs[0] != nil || !errors.Is(errs[1], store.ErrExists) || !errors.Is(errs[2], own) || errs[3] != nil {
		t.Errorf("errors of the group: %v", errs)
	}
	if got := count(t, d); got != 2 {
		t.Errorf("%d rows, want those of a and b", got)
	}
}

// TestFullDisk lets SQLite run into its page limit, which it reports as it does a
// full disk: it rolls the whole transaction back, so the group's other jobs have
// to be run again.
func TestFullDisk(t *testing.T) {
	d := openTable(t)
	big := strings.Repeat("x", 1<<20)
	errs := group(t, d, statement(`PRAGMA max_page_count = 20`), insert("a"),
		statement(`INSERT INTO t (k, v) VALUES ('big', $1)`, big), insert("b"))
	if errs[1] != nil || errs[3] != nil {
		t.Errorf("small writes beside the one that filled the disk: %v, %v", errs[1], errs[3])
	}
	if got := count(t, d); errs[2] == nil && got != 3 || errs[2] != nil && got != 2 {
		t.Errorf("%d rows are stored; the large write ended with %v", got, errs[2])
	}
	// Alone in its transaction there is nobody to blame but itself.
	err := d.write(t.Context(), 1, func(ctx context.Context, q querier) error {
		if err := statement(`PRAGMA max_page_count = 20`)(ctx, q); err != nil {
			return err
		}
		return statement(`INSERT INTO t (k, v) VALUES ('big2', $1)`, big+big)(ctx, q)
	})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("write to a full disk: %v, want ErrUnavailable", err)
	}
	before := count(t, d)
	// There is room again; nothing was restarted.
	write(t, d, `INSERT INTO t (k, v) VALUES ('later', $1)`, big)
	if got := count(t, d); got != before+1 {
		t.Errorf("%d rows after recovery, want %d", got, before+1)
	}
}

func TestAbandonedJobIsNotRun(t *testing.T) {
	d := openTable(t)
	release := held(t, d)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 10 {
		job := &liteJob{fn: insert(strconv.Itoa(i)), weight: 1, done: make(chan struct{})}
		if err := d.enqueue(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		job.leave()
	}
	if err := d.write(ctx, 1, insert("late")); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("write with an ended context: %v, want ErrUnavailable", err)
	}
	release()
	write(t, d, `INSERT INTO t (k) VALUES ('after')`)
	if got := count(t, d); got != 1 {
		t.Errorf("%d rows, want the one that somebody waited for", got)
	}
}

func TestCloseCommitsWhatIsQueued(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	d, err := openLiteDB(path, false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, d, `CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT)`)
	release := held(t, d)
	jobs := make([]*liteJob, 200)
	for i := range jobs {
		jobs[i] = &liteJob{fn: insert(strconv.Itoa(i)), weight: 100, done: make(chan struct{})}
		if err := d.enqueue(t.Context(), jobs[i]); err != nil {
			t.Fatal(err)
		}
	}
	closed := make(chan error, 1)
	go func() { closed <- d.close() }()
	release()
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	for _, job := range jobs {
		if <-job.done; job.err != nil {
			t.Errorf("queued job: %v", job.err)
		}
	}
	if err := d.write(t.Context(), 1, insert("x")); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("write after close: %v, want ErrUnavailable", err)
	}
	again, err := openLiteDB(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := count(t, again); got != len(jobs) {
		t.Errorf("%d rows after reopening, want %d", got, len(jobs))
	}
	if err := again.close(); err != nil {
		t.Error(err)
	}
}

// TestWaitsForAnotherWriter holds the file's lock from elsewhere for longer than
// one busy timeout.
func TestWaitsForAnotherWriter(t *testing.T) {
	t.Parallel() // it mostly waits
	d := openTable(t)
	other, err := d.readers.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, q := range []string{`PRAGMA query_only = 0`, `BEGIN IMMEDIATE`} {
		if _, err := other.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	const hold = 5500 * time.Millisecond
	time.AfterFunc(hold, func() { _, _ = other.ExecContext(context.Background(), `COMMIT`) })
	start := time.Now()
	write(t, d, `INSERT INTO t (k) VALUES ('a')`)
	if took := time.Since(start); took < hold {
		t.Errorf("the write took %v while the lock was held for %v", took, hold)
	}
}

func TestSweep(t *testing.T) {
	ctx := t.Context()
	s, err := Open(ctx, Config{Dir: t.TempDir(), MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	now := time.Now()
	for i := range sweepRows + 5 {
		if i < 2 {
			hash := [32]byte{byte(i)}
			expires := now.Add(time.Duration(1-2*i) * 25 * time.Hour)
			err = errors.Join(
				s.PutToken(ctx, store.Token{Hash: hash, App: "a", Expires: expires}),
				s.PutLogin(ctx, store.Login{Hash: hash, User: "u", Created: now, LastSeen: now, Expires: expires}),
				s.PutSeen(ctx, "live", nil, time.Hour),
			)
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.PutSeen(ctx, strconv.Itoa(i), nil, -time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.sweepOnce(ctx, time.Now()); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"seen": 1, "login": 1, "api_token": 1} {
		var got int
		if err := s.core.read().QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&got); err != nil || got != want {
			t.Errorf("%s has %d rows after a sweep, %v, want %d", table, got, err, want)
		}
	}
}
