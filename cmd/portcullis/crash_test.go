package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// answered collects what a gateway promised until it was killed.
type answered struct {
	mu   sync.Mutex
	ids  []string
	want int
	full chan struct{} // closed when there are enough to kill the gateway under way
}

func newAnswered() *answered { return &answered{want: 40, full: make(chan struct{})} }

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
// it had promised: flagged verdicts, accepted checks, acknowledged entries of each
// log. What the next one says of a player is what a replay says.
func TestWhatWasAnsweredOutlivesAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serveProcess(t, nil, "--data", dir)
	game := newCaller(t, p, nil, dir)
	checks, later := newAnswered(), newAnswered()
	logs := map[string]*answered{"currency": newAnswered(), "item": newAnswered(), "trade": newAnswered()}
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
	}
	for log, a := range logs {
		loads = append(loads, workload(ctx, a, func(ctx context.Context, w, i int) (string, error) {
			id := fmt.Sprintf("log-%d-%d", w, i)
			_, err := post(ctx, "economy/"+log+"-log", fmt.Sprintf(crashLogs[log], id, time.Now().UnixMilli(), w, i+1), 200, "request_id")
			return id, err
		}))
	}
	for _, a := range []*answered{checks, later, logs["currency"], logs["item"], logs["trade"]} {
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
	for i, log := range []string{"currency", "item", "trade"} {
		stored = storedOnce(t, filepath.Join(dir, "economy.db"), fmt.Sprintf("SELECT log_id, count(*) FROM economy_log WHERE log = %d GROUP BY log_id", i+1))
		for _, id := range logs[log].ids {
			if got := stored[id]; got != 1 {
				t.Errorf("%s log %s is in economy.db %d times, want once", log, id, got)
			}
		}
	}
	wantReplayed(t, back, dir)
}

// crashLogs are submissions of one entry: its id, time, worker and number.
var crashLogs = map[string]string{
	"currency": `{"app_id":"game","logs":[{"log_id":%q,"timestamp":%d,"player_id":"p%d","currency_type":"gold","action":"earn","amount":1,"balance_after":%d,"source":"quest"}]}`,
	"item":     `{"app_id":"game","logs":[{"log_id":%q,"timestamp":%d,"player_id":"p%d","item_id":"ore","action":"acquire","count":1,"count_after":%d}]}`,
	"trade":    `{"app_id":"game","logs":[{"log_id":%q,"timestamp":%d,"trade_id":"t","sender_id":"p%d","receiver_id":"q","currency":{"type":"gold","amount":%d}}]}`,
}

// wantReplayed compares what a gateway says of players with a replay of its store.
func wantReplayed(t *testing.T, game *caller, dir string) {
	t.Helper()
	key, err := sqlstore.LoadMasterKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: dir, MasterKey: key, Node: "test"})
	if err != nil {
		t.Fatal(err)
	}
	book := risk.New(risk.Config{})
	err = db.Replay(t.Context(), "game", 0, func(economy.Place) {}, book.Apply)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, player := range []engines.PlayerID{"p0", "p1", "p2", "p3", "q"} {
		want, known := book.Risk(player, time.Now().UnixMilli())
		got, ok := game.must(t, 200, "GET", "economy/risk-score?player_id="+string(player), "")["risk_score"].(float64)
		if diff := int(got) - want.Score; !known || !ok || diff < -1 || diff > 1 {
			t.Errorf("the risk of %s is %v, of a replay %d", player, got, want.Score)
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
