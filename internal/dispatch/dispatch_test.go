package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// looks is the engine of the tests: what it does is what the content asks for. What it
// finds names the content, so that a reply to another job shows.
type looks struct {
	begun chan string // hears of content that waits for the end; nil for nobody
}

func (l looks) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	content := string(item.Media.Bytes)
	item.Media.Learn(&engines.MediaFacts{Format: content[:min(8, len(content))], Width: len(content)})
	out = append(out, engines.Signal{Category: engines.Nudity, Rule: content[:min(64, len(content))], Confidence: 0.5, Place: &engines.Place{AtMS: 3}})
	word, _, _ := strings.Cut(content, " ")
	switch word {
	case "refuse":
		return out, &engines.Refusal{Kind: engines.RefusedFormat, Reason: "no picture"}
	case "fail":
		return out, errors.New("quotes the content: " + content)
	case "panic":
		panic("quotes the content: " + content)
	case "wait":
		if l.begun != nil {
			l.begun <- content
		}
		<-ctx.Done()
		return out, ctx.Err()
	case "take":
		time.Sleep(20 * time.Millisecond)
	case "die":
		die()
	}
	return out, nil
}

func picture(content string) *engines.Item {
	return &engines.Item{RequestID: "r", App: "a", Kind: engines.KindImage, Media: &engines.Media{Bytes: []byte(content)}}
}

// mini is a server that several nodes reach.
func mini(t *testing.T) string {
	t.Helper()
	return "redis://" + miniredis.RunT(t).Addr()
}

// newEngine makes an engine for pictures that hears replies until the test ends.
func newEngine(t *testing.T, cfg dispatch.Config, j *redisstore.Jobs, node string, local engines.Engine) *dispatch.Engine {
	t.Helper()
	return engineOf(t, engines.KindImage, cfg, j, node, local)
}

// engineOf makes one whose jobs are of a kind.
func engineOf(t *testing.T, kind engines.Kind, cfg dispatch.Config, j *redisstore.Jobs, node string, local engines.Engine) *dispatch.Engine {
	t.Helper()
	e, err := dispatch.New(cfg, dispatch.Deps{Kind: kind, Outbox: j, Roster: j, Node: node, Local: local, Registry: prometheus.NewRegistry()})
	if err != nil {
		t.Fatal(err)
	}
	during(t, e.Serve)
	return e
}

// during runs serve until the test ends; stop ends it before.
func during(t *testing.T, serve func(context.Context)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { serve(ctx) })
	stop = func() { cancel(); wg.Wait() }
	t.Cleanup(stop)
	return stop
}

func newWorker(t *testing.T, url string, engine engines.Engine, slots int) *dispatch.Worker {
	t.Helper()
	return workerOf(t, engines.KindImage, url, engine, slots)
}

func workerOf(t *testing.T, kind engines.Kind, url string, engine engines.Engine, slots int) *dispatch.Worker {
	t.Helper()
	id := storetest.Unique("w")
	j := storetest.OpenJobs(t, url, id)
	w, err := dispatch.NewWorker(dispatch.WorkerConfig{
		Kind: kind, Engine: engine, ID: id, Model: "test", Version: "v", Slots: slots, Inbox: j, Answers: j, Presence: j,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func setting(run dispatch.Run) dispatch.Config {
	cfg := dispatch.Default()
	cfg.Run = run
	return cfg
}

func TestInspect(t *testing.T) {
	for _, server := range []struct {
		name string
		url  func(*testing.T) string
	}{{"mini", mini}, {"redis", storetest.RedisURL}} {
		t.Run(server.name, func(t *testing.T) {
			url, node := server.url(t), storetest.Unique("g")
			kind := engines.Kind(storetest.Unique("image")) // a server has more than one run's workers
			e := engineOf(t, kind, setting(dispatch.Workers), storetest.OpenJobs(t, url, node), node, nil)
			during(t, workerOf(t, kind, url, looks{}, 4).Serve)
			for _, test := range []struct {
				content string
				want    func(error) bool
			}{
				{"plain", func(err error) bool { return err == nil }},
				{strings.Repeat("large", 1<<20), func(err error) bool { return err == nil }},
				{"refuse this", func(err error) bool {
					r, ok := errors.AsType[*engines.Refusal](err)
					return ok && r.Kind == engines.RefusedFormat && r.Reason == "no picture"
				}},
				{"fail here", func(err error) bool { return err != nil && !strings.Contains(err.Error(), "here") }},
				{"panic here", func(err error) bool { return err != nil && !strings.Contains(err.Error(), "here") }},
				{"wait for it", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
			} {
				item := picture(test.content)
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				if strings.HasPrefix(test.content, "wait") {
					ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
				}
				before := []engines.Signal{{Rule: "before"}}
				out, err := e.Inspect(ctx, item, before)
				cancel()
				name := test.content[:min(12, len(test.content))]
				if !test.want(err) {
					t.Errorf("%s: %v", name, err)
				}
				if out[0].Rule != "before" {
					t.Errorf("%s: what was found before is lost", name)
				}
				if err != nil && !strings.HasPrefix(test.content, "refuse") {
					continue
				}
				if len(out) != 2 || out[1].Rule != test.content[:min(64, len(test.content))] || out[1].Place == nil || out[1].Place.AtMS != 3 {
					t.Errorf("%s: found %+v", name, out)
				}
				if f := item.Media.Facts(); f == nil || f.Width != len(test.content) {
					t.Errorf("%s: learned %+v", name, f)
				}
			}
			// Nothing is left behind.
			state, err := e.State(t.Context())
			if err != nil || len(state.Workers) != 1 || state.Workers[0].Slots != 4 || state.Workers[0].Model != "test" {
				t.Errorf("State = %+v, %v; want one worker", state, err)
			}
			within(t, "the queue to be empty", func() bool {
				state, err := e.State(t.Context())
				return err == nil && state.Queues[0].Running+state.Queues[0].Waiting == 0
			})
		})
	}
}

// next is what comes next, which has to come.
func next[T any](t *testing.T, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(60 * time.Second):
		t.Fatal("nothing came")
	}
	return v
}

func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(60 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("waited in vain for ", what)
		}
	}
}

// TestNeverSilent: whatever stands between a picture and its verdict is an error that
// the policy hears of.
func TestNeverSilent(t *testing.T) {
	server := miniredis.RunT(t)
	url, node := "redis://"+server.Addr(), storetest.Unique("g")
	cfg := setting(dispatch.Workers)
	cfg.Queue, cfg.PayloadBytes = 2, 1000
	e := newEngine(t, cfg, storetest.OpenJobs(t, url, node), node, nil)

	short := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	if _, err := e.Inspect(short(), picture("no worker"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without workers: %v, want the deadline", err)
	}
	state, err := e.State(t.Context())
	if err != nil || state.Able() || state.Queues[0].Waiting != 0 {
		t.Errorf("State = %+v, %v; want it unable, and the job withdrawn", state, err)
	}

	begun := make(chan string, 2)
	stop := during(t, newWorker(t, url, looks{begun}, 2).Serve)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // for what is tried while they wait, on a busy machine too
	defer cancel()
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { _, _ = e.Inspect(ctx, picture(fmt.Sprint("wait ", i)), nil) })
	}
	next(t, begun)
	next(t, begun)
	if _, err := e.Inspect(ctx, picture("third"), nil); !errors.Is(err, engines.ErrOverloaded) {
		t.Errorf("into a full queue: %v, want ErrOverloaded", err)
	}
	behind := picture("fourth")
	behind.Behind = true
	if _, err := e.Inspect(short(), behind, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("into the other lane: %v, want it taken, and to wait", err)
	}
	if _, err := e.Inspect(ctx, picture(strings.Repeat("x", 995)), nil); !errors.Is(err, engines.ErrOverloaded) {
		t.Errorf("more content than may be out: %v, want ErrOverloaded", err)
	}
	wg.Wait() // the worker's deadline is theirs
	within(t, "room", func() bool {
		state, err := e.State(t.Context())
		return err == nil && state.Queues[0].Running == 0
	})
	if _, err := e.Inspect(t.Context(), picture(strings.Repeat("y", 2000)), nil); err != nil {
		t.Errorf("content above the bound, alone: %v", err)
	}
	stop()

	server.Close()
	began := time.Now()
	if _, err := e.Inspect(t.Context(), picture("redis is gone"), nil); !errors.Is(err, engines.ErrUnavailable) {
		t.Errorf("without Redis: %v, want ErrUnavailable", err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("without Redis it took %v", took)
	}
}

// lagging is a context whose timer is late: its deadline has passed and it does not say so.
type lagging struct {
	context.Context //nolint:containedctx // it is one
	end             time.Time
}

func (l lagging) Deadline() (time.Time, bool) { return l.end, true }

// silent is a queue that does not answer until the deadline.
type silent struct{ *redisstore.Jobs }

func (silent) SendJob(ctx context.Context, _ *store.Job, _ int) (string, error) {
	end, _ := ctx.Deadline()
	time.Sleep(time.Until(end))
	return "", store.ErrUnavailable
}

// TestDeadlineWhileSent: a deadline that the connection comes to before the context does
// is a deadline, not a queue that is away, which the gateway itself would stand in for.
func TestDeadlineWhileSent(t *testing.T) {
	j := storetest.OpenJobs(t, mini(t), storetest.Unique("g"))
	e, err := dispatch.New(setting(dispatch.Workers), dispatch.Deps{Kind: engines.KindImage, Outbox: silent{j}, Roster: j, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := lagging{t.Context(), time.Now().Add(100 * time.Millisecond)}
	if _, err := e.Inspect(ctx, picture("late"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the deadline", err)
	}
}

// TestBoth: the gateway looks itself while nobody else can, but never at what workers
// ended with.
func TestBoth(t *testing.T) {
	url, node := mini(t), storetest.Unique("g")
	j := storetest.OpenJobs(t, url, node)
	here := make(chan string, 8)
	e := newEngine(t, setting(dispatch.Both), j, node, named{here})
	if _, err := e.Inspect(t.Context(), picture("alone"), nil); err != nil || <-here != "alone" {
		t.Errorf("without workers: %v, want the gateway to look", err)
	}
	during(t, newWorker(t, url, looks{}, 2).Serve)
	within(t, "the worker to be seen", func() bool {
		s, err := e.State(t.Context())
		return err == nil && s.Running == dispatch.Workers
	})
	out, err := e.Inspect(t.Context(), picture("remote"), nil)
	if err != nil || len(out) != 1 || out[0].Rule != "remote" || len(here) != 0 {
		t.Errorf("with a worker: %+v, %v; want the worker's", out, err)
	}
	other := storetest.OpenJobs(t, url, "")
	bad := picture("bad")
	w := store.JobWork{Job: store.Job{Kind: engines.KindImage, Content: dispatch.ContentOf(bad)}, Entry: "1-1"}
	if err := other.BuryJob(t.Context(), &w, "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Inspect(t.Context(), bad, nil); !errors.Is(err, engines.ErrUnavailable) || len(here) != 0 {
		t.Errorf("a content in quarantine: %v, want ErrUnavailable and nobody to look", err)
	}
}

// named is an engine that tells what it saw.
type named struct{ saw chan string }

func (n named) Inspect(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	n.saw <- string(item.Media.Bytes)
	return out, nil
}

// TestDrain: what a worker has in hand when it is to end gets its reply.
func TestDrain(t *testing.T) {
	url, node := mini(t), storetest.Unique("g")
	e := newEngine(t, setting(dispatch.Workers), storetest.OpenJobs(t, url, node), node, nil)
	stop := during(t, newWorker(t, url, looks{}, 8).Serve)
	errs := make(chan error, 24) // fewer than a client has connections to wait with
	for i := range cap(errs) {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			_, err := e.Inspect(ctx, picture(fmt.Sprint("take ", i)), nil)
			errs <- err
		}()
	}
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
	stop()
	during(t, newWorker(t, url, looks{}, 8).Serve)
	for range cap(errs) - 1 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// TestVersion: a worker says so when it can't read a job.
func TestVersion(t *testing.T) {
	url, node := mini(t), storetest.Unique("g")
	j := storetest.OpenJobs(t, url, node)
	during(t, newWorker(t, url, looks{}, 1).Serve)
	job := &store.Job{ID: "j", Kind: engines.KindImage, Node: node, Version: 99, Meta: []byte("{}"), TTL: time.Minute}
	if _, err := j.SendJob(t.Context(), job, 10); err != nil {
		t.Fatal(err)
	}
	within(t, "its answer", func() bool {
		list, _, err := j.Replies(t.Context(), engines.KindImage, "", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return len(list) == 1 && list[0].Status == store.JobRefused && strings.Contains(string(list[0].Body), "form 99")
	})
}
