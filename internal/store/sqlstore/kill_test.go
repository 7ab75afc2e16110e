package sqlstore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// The tests start their own binary again as a second process that writes to the
// same store; childEnv holds what it is to do.
const childEnv = "SQLSTORE_TEST_CHILD"

type childJob struct {
	Config  sqlstore.Config
	Writers int
	// Batches is how many each writer sends; 0: until killed.
	Batches int
	Name    string
}

// runChild does the child's work and ends the process; in the parent it returns.
func runChild() {
	text := os.Getenv(childEnv)
	if text == "" {
		return
	}
	var job childJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := ingest(job); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// ingest prints the name of each batch once it is acknowledged.
func ingest(job childJob) error {
	ctx := context.Background()
	s, err := sqlstore.Open(ctx, job.Config)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	failed := make(chan error, job.Writers)
	for w := range job.Writers {
		wg.Go(func() {
			for b := 0; job.Batches == 0 || b < job.Batches; b++ {
				name := fmt.Sprintf("%s-%d-%d", job.Name, w, b)
				if _, err := s.PutEntries(ctx, "game", batch(name)); err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Println(name)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := s.Close(); err != nil {
		return err
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

const batchRows = 10

var eventTS = time.Now().UnixMilli()

// batch makes the logs of a batch; the player is the batch, so that each is easily counted.
func batch(name string) []economy.Entry {
	logs := make([]economy.Entry, batchRows)
	for i := range logs {
		logs[i] = economy.Entry{
			Log: economy.Currency, ID: strconv.Itoa(i), Player: engines.PlayerID(name), At: eventTS, What: "gold", Action: economy.Earn, Source: "s",
		}
	}
	return logs
}

func child(t *testing.T, job childJob) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childEnv+"="+string(text))
	cmd.Stderr = os.Stderr
	return cmd
}

func TestKilledSQLite(t *testing.T)   { testKilled(t, lite(t)) }
func TestKilledPostgres(t *testing.T) { testKilled(t, postgres(t)) }

// testKilled kills a process in the middle of ingestion, three times: every
// acknowledged log is stored once, and no batch is stored in part.
func testKilled(t *testing.T, p storetest.Place) {
	t.Helper()
	var acked []string
	for round := range 3 {
		cmd := child(t, childJob{Config: p.Config, Writers: 8, Name: fmt.Sprint("round", round)})
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			acked = append(acked, lines.Text())
			if n == 200 {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the child ended by itself")
		}
	}
	s := p.Open(t)
	for _, name := range acked {
		logs, _, err := s.Timeline(t.Context(), "game", engines.PlayerID(name), economy.Mark{}, 2*batchRows)
		if err != nil {
			t.Fatal(err)
		}
		if len(logs) != batchRows {
			t.Errorf("acknowledged batch %s has %d logs, want %d", name, len(logs), batchRows)
		}
	}
	raw := p.Economy(t)
	defer raw.Close()
	var broken int
	err := raw.QueryRowContext(t.Context(), `SELECT count(*) FROM
		(SELECT player_id FROM economy_log GROUP BY player_id HAVING count(*) <> $1) AS parts`, batchRows).Scan(&broken)
	if err != nil || broken != 0 {
		t.Errorf("%d batches are stored in part, %v", broken, err)
	}
	t.Logf("%d acknowledged batches", len(acked))
}

func TestTwoProcessesSQLite(t *testing.T)   { testTwoProcesses(t, lite(t)) }
func TestTwoProcessesPostgres(t *testing.T) { testTwoProcesses(t, postgres(t)) }

// testTwoProcesses has two processes open one new store and write to it at the
// same time: none fails and nothing is missing.
func testTwoProcesses(t *testing.T, p storetest.Place) {
	t.Helper()
	const processes, writers, batches = 2, 4, 50
	var wg sync.WaitGroup
	for i := range processes {
		cmd := child(t, childJob{Config: p.Config, Writers: writers, Batches: batches, Name: fmt.Sprint("process", i)})
		wg.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Errorf("process %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	_ = p.Open(t)
	raw := p.Economy(t)
	defer raw.Close()
	var stored int
	err := raw.QueryRowContext(t.Context(), `SELECT count(*) FROM economy_log`).Scan(&stored)
	if want := processes * writers * batches * batchRows; err != nil || stored != want {
		t.Errorf("%d logs are stored, %v, want %d", stored, err, want)
	}
}
