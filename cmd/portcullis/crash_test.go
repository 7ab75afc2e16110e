package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// answered collects what a gateway promised until it was killed.
type answered struct {
	mu   sync.Mutex
	ids  []string
	want int
	full chan struct{} // closed when there are enough to kill the gateway under way
}

func newAnswered(want int) *answered { return &answered{want: want, full: make(chan struct{})} }

func (a *answered) add(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = append(a.ids, id)
	if len(a.ids) == a.want {
		close(a.full)
	}
}

// workload sends requests from several workers until the gateway is gone.
func workload(ctx context.Context, a *answered, one func(ctx context.Context, worker, i int) (string, error)) *sync.WaitGroup {
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				id, err := one(ctx, w, i)
				if err != nil {
					return
				}
				a.add(id)
			}
		})
	}
	return &wg
}

// TestWhatWasAnsweredOutlivesAKill kills a gateway under load and looks at what
// it had promised: flagged verdicts, accepted checks, acknowledged logs.
func TestWhatWasAnsweredOutlivesAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serveProcess(t, nil, "--data", dir)
	game := newCaller(t, p, nil, dir)
	checks, later, logs := newAnswered(40), newAnswered(40), newAnswered(40)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()

	post := func(ctx context.Context, target, body string, status int, member string) (string, error) {
		a, err := game.call(ctx, "POST", target, body)
		if err != nil {
			return "", err
		}
		var o map[string]any
		if err := json.Unmarshal(a.body, &o); err != nil || a.status != status {
			t.Errorf("POST %s = %d %s, want %d", target, a.status, a.body, status)
			return "", fmt.Errorf("status %d: %w", a.status, err)
		}
		id, _ := o[member].(string)
		return id, nil
	}
	loads := []*sync.WaitGroup{
		workload(ctx, checks, func(ctx context.Context, _, _ int) (string, error) {
			return post(ctx, "text/check", `{"content":"go kill yourself you worthless faggot"}`, 200, "request_id")
		}),
		workload(ctx, later, func(ctx context.Context, _, _ int) (string, error) {
			return post(ctx, "text/check", `{"content":"go kill yourself","options":{"async":true}}`, 202, "request_id")
		}),
		workload(ctx, logs, func(ctx context.Context, w, i int) (string, error) {
			id := fmt.Sprintf("log-%d-%d", w, i)
			body := fmt.Sprintf(`{"app_id":"game","logs":[{"log_id":%q,"timestamp":%d,"player_id":"p","currency_type":"gold","action":"earn","amount":1,"balance_after":1,"source":"quest"}]}`, id, time.Now().UnixMilli())
			_, err := post(ctx, "economy/currency-log", body, 200, "request_id")
			return id, err
		}),
	}
	for _, a := range []*answered{checks, later, logs} {
		await(t, a.full, "answers")
	}
	if err := p.kill(); err != nil {
		t.Fatal(err)
	}
	for _, wg := range loads {
		wg.Wait()
	}

	back := game.at(serveProcess(t, nil, "--data", dir))
	for _, id := range later.ids {
		eventually(t, "the result of accepted check "+id, func() bool {
			got := back.must(t, 200, "GET", "checks/"+id, "")
			return got["status"] == "done"
		})
	}
	stored := storedOnce(t, filepath.Join(dir, "core.db"), "SELECT request_id, count(*) FROM decision GROUP BY request_id")
	for _, id := range append(checks.ids, later.ids...) {
		if got := stored[id]; got != 1 {
			t.Errorf("verdict %s is in core.db %d times, want once", id, got)
		}
	}
	stored = storedOnce(t, filepath.Join(dir, "economy.db"), "SELECT log_id, count(*) FROM currency_log GROUP BY log_id")
	for _, id := range logs.ids {
		if got := stored[id]; got != 1 {
			t.Errorf("log %s is in economy.db %d times, want once", id, got)
		}
	}
}

// storedOnce counts rows by id.
func storedOnce(t *testing.T, file, query string) map[string]int {
	t.Helper()
	db := storetest.RawDB(t, "sqlite", file)
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for rows.Next() {
		var id string
		var n int
		if err := rows.Scan(&id, &n); err != nil {
			t.Fatal(err)
		}
		count[id] = n
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return count
}

func await(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf("%s: none in %v", what, patience)
	}
}

// eventually waits for what happens behind the answers, in another process.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in %v", what, patience)
		}
	}
}
