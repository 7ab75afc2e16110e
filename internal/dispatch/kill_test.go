package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// workerURL makes this binary a worker of the Redis that it names.
const workerURL = "PORTCULLIS_DISPATCH_TEST_WORKER"

func TestMain(m *testing.M) {
	if url := os.Getenv(workerURL); url != "" {
		if err := work(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// work is a worker until SIGTERM.
func work(url string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	id := fmt.Sprint("worker-", os.Getpid(), "-", time.Now().UnixNano())
	r, err := redisstore.Open(ctx, redisstore.Config{URL: url, Node: id, Wait: 3 * time.Second})
	if err != nil {
		return err
	}
	j := r.OpenJobs(ctx)
	w, err := dispatch.NewWorker(dispatch.WorkerConfig{
		Kind: engines.KindImage, Engine: looks{}, ID: id, Model: "test", Version: "v", Slots: 4, Inbox: j, Answers: j, Presence: j,
	})
	if err != nil {
		return err
	}
	fmt.Println(id)
	w.Serve(ctx)
	return errors.Join(j.Close(), r.Close())
}

// die is how a content ends its worker.
func die() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }

// pack keeps so many workers running, whatever they die of.
type pack struct {
	url    string
	mu     sync.Mutex
	procs  map[*exec.Cmd]chan struct{} // closed when its death is counted
	closed bool
	wg     sync.WaitGroup
	deaths atomic.Int64
}

func (p *pack) start(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), os.Args[0])
	cmd.Env = append(os.Environ(), workerURL+"="+p.url)
	cmd.Stderr = os.Stderr
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	gone := make(chan struct{})
	p.procs[cmd] = gone
	p.wg.Go(func() {
		err := cmd.Wait()
		if _, exited := errors.AsType[*exec.ExitError](err); exited && !cmd.ProcessState.Exited() { // by a signal
			p.deaths.Add(1)
		} else {
			t.Logf("a worker has ended by itself: %v", err)
		}
		p.mu.Lock()
		delete(p.procs, cmd)
		p.mu.Unlock()
		close(gone)
		p.start(t)
	})
}

// kill ends one of them, any, and returns when its death is counted.
func (p *pack) kill() {
	p.mu.Lock()
	for cmd, gone := range p.procs {
		_ = cmd.Process.Kill()
		p.mu.Unlock()
		<-gone
		return
	}
	p.mu.Unlock()
}

func (p *pack) close() {
	p.mu.Lock()
	p.closed = true
	for cmd := range p.procs {
		_ = cmd.Process.Kill()
	}
	p.mu.Unlock()
	p.wg.Wait()
}

// TestWorkersDie is fault F2: of four workers one or another is killed, twelve times,
// while two contents kill whoever looks at them. Every job has its own verdict, once;
// the two are put away after three deaths each, and nobody looks at them again.
func TestWorkersDie(t *testing.T) {
	url, node := storetest.RedisURL(t), storetest.Unique("g")
	jobs := storetest.OpenJobs(t, url, node)
	e := newEngine(t, setting(dispatch.Workers), jobs, node, nil)
	p := &pack{url: url, procs: map[*exec.Cmd]chan struct{}{}}
	for range 4 {
		p.start(t)
	}
	t.Cleanup(p.close)

	var buried int64 // by another run on this server
	if qs, err := jobs.JobQueues(t.Context(), engines.KindImage); err == nil {
		buried = qs[0].Buried
	}
	const total, kills, poisons = 400, 12, 2
	run := storetest.Unique("run")
	var done atomic.Int64
	var wg sync.WaitGroup
	room := make(chan struct{}, 16) // jobs at once
	inspect := func(content string) ([]engines.Signal, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		return e.Inspect(ctx, picture(content), nil)
	}
	for i := range poisons {
		wg.Go(func() {
			if out, err := inspect(fmt.Sprint("die ", run, i)); !errors.Is(err, engines.ErrUnavailable) || len(out) > 0 {
				t.Errorf("a content that kills: %+v, %v; want ErrUnavailable", out, err)
			}
		})
	}
	wg.Go(func() {
		for n := range kills {
			for done.Load() < int64((n+1)*total/(kills+1)) {
				time.Sleep(5 * time.Millisecond)
			}
			p.kill()
		}
	})
	for i := range total {
		room <- struct{}{}
		wg.Go(func() {
			defer func() { <-room; done.Add(1) }()
			content := fmt.Sprint("take ", run, i)
			out, err := inspect(content)
			if err != nil || len(out) != 1 || out[0].Rule != content {
				t.Errorf("job %d: %+v, %v; want its own verdict", i, out, err)
			}
		})
	}
	wg.Wait()

	if got := p.deaths.Load(); got < kills { // a kill may hit one that dies of a poison
		t.Errorf("%d workers died, want %d or more", got, kills)
	}
	before := p.deaths.Load()
	for i := range poisons {
		if _, err := inspect(fmt.Sprint("die ", run, i)); !errors.Is(err, engines.ErrUnavailable) {
			t.Errorf("a content in quarantine: %v, want ErrUnavailable", err)
		}
	}
	if got := p.deaths.Load(); got != before {
		t.Errorf("%d workers died of what is in quarantine", got-before)
	}
	state, err := e.State(t.Context())
	if err != nil || state.Queues[0].Buried-buried != poisons {
		t.Errorf("State = %v, %v; want %d put away", state, err, poisons)
	}
	if !strings.Contains(state.String(), "workers") {
		t.Errorf("State = %q", state.String())
	}
	t.Logf("%d jobs, %d deaths; %s", total, p.deaths.Load(), &state)
}

// told asks again in the moment in which a poison's reply is on its way.
type told struct {
	*redisstore.Jobs
	again func() error
	heard chan error
}

func (a told) AnswerJob(ctx context.Context, w *store.JobWork, r store.JobReply) error {
	if r.Status == store.JobPoison {
		a.heard <- a.again()
	}
	return a.Jobs.AnswerJob(ctx, w, r)
}

// TestQuarantinedBeforeTold: who learns that a content is poison and asks again at once
// finds it in quarantine, and so does another job of that content which waits already.
func TestQuarantinedBeforeTold(t *testing.T) {
	url, node := mini(t), storetest.Unique("g")
	jobs := storetest.OpenJobs(t, url, node)
	job := func(id string) *store.Job {
		return &store.Job{ID: id, Kind: engines.KindImage, Node: node, Version: 1, Content: [32]byte{7}, TTL: time.Minute}
	}
	for _, id := range []string{"first", "second"} {
		if _, err := jobs.SendJob(t.Context(), job(id), 9); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // take both, die
		dead := storetest.OpenJobs(t, url, storetest.Unique("d"))
		if _, err := dead.TakeJobs(t.Context(), engines.KindImage, 2, true, time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if _, err := dead.ClaimJobs(t.Context(), engines.KindImage, store.Prompt, 0, 2, func(string) bool { return false }); err != nil {
			t.Fatal(err)
		}
	}
	id := storetest.Unique("w")
	own := storetest.OpenJobs(t, url, id)
	heard := make(chan error, 2) // one for each job
	again := func() error { _, err := jobs.SendJob(t.Context(), job("again"), 9); return err }
	saw := make(chan string, 9)
	w, err := dispatch.NewWorker(dispatch.WorkerConfig{
		Kind: engines.KindImage, Engine: named{saw}, ID: id, Model: "test", Version: "v", Slots: 2, Redeliver: time.Millisecond,
		Inbox: own, Answers: told{own, again, heard}, Presence: own,
	})
	if err != nil {
		t.Fatal(err)
	}
	during(t, w.Serve)
	for range 2 {
		select {
		case err := <-heard:
			if !errors.Is(err, store.ErrQuarantined) {
				t.Errorf("asked again as the reply was sent: %v, want ErrQuarantined", err)
			}
		case what := <-saw:
			t.Errorf("%q is looked at, which is to be put away", what)
		case <-time.After(30 * time.Second):
			t.Fatal("nobody was told")
		}
	}
	within(t, "both to be gone", func() bool {
		qs, err := jobs.JobQueues(t.Context(), engines.KindImage)
		return err == nil && qs[0].Running+qs[0].Waiting == 0 && qs[0].Buried == 1
	})
}

// TestPoisonOfTheImpatient: a content kills workers though nobody waits as long as it
// takes to notice, and is sent again. It is put away all the same.
func TestPoisonOfTheImpatient(t *testing.T) {
	url, node := storetest.RedisURL(t), storetest.Unique("g")
	e := newEngine(t, setting(dispatch.Workers), storetest.OpenJobs(t, url, node), node, nil)
	p := &pack{url: url, procs: map[*exec.Cmd]chan struct{}{}}
	for range 2 {
		p.start(t)
	}
	t.Cleanup(p.close)
	content := "die " + storetest.Unique("run")
	within(t, "quarantine", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		defer cancel()
		_, err := e.Inspect(ctx, picture(content), nil)
		if err == nil {
			t.Fatal("a content that kills passed")
		}
		return errors.Is(err, engines.ErrUnavailable) && strings.Contains(err.Error(), "in hand") // not that Redis is slow
	})
	if got := p.deaths.Load(); got < 3 || got > 8 {
		t.Errorf("%d workers died of it, want 3 or a few more", got)
	}
}
