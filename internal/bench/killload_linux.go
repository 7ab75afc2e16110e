package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// killWaiting is how many submissions wait for their answer at most. Rule when
	// full: no more is sent, as a game server's queue does; the rate falls.
	killWaiting = 512
	// retryLeast and retryMost bound the time between two attempts.
	retryLeast, retryMost = 10 * time.Millisecond, 500 * time.Millisecond
	// killPatience is how long one submission may take, kills included.
	killPatience = 2 * time.Minute
)

// killing is one run of economy-kill.
type killing struct {
	*killOptions
	in       servers
	self     string
	place    place
	progress io.Writer

	caller *caller
	base   atomic.Pointer[string] // where the gateway listens now
	rows   *killRows
	book   ledger

	retries, unsure atomic.Int64
}

func (k *killing) say(format string, args ...any) {
	_, _ = fmt.Fprintf(k.progress, format+"\n", args...) // progress only
}

func (k *killing) run(ctx context.Context) (report *KillReport, err error) {
	k.say("starting a gateway …")
	server, g, err := startGateway(ctx, k.self, k.place)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	k.caller, k.rows = newCaller(g, killWaiting), newKillRows(k.players, k.seed, time.Now())
	k.moved(server)

	began := time.Now()
	load, stop := context.WithCancel(ctx)
	defer stop()
	group, held := errgroup.WithContext(ctx)
	group.Go(func() error { return k.load(held, load.Done()) })
	group.Go(func() error {
		defer stop()
		server, err = k.killAgain(ctx, held, server)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	took := time.Since(began)
	report = &KillReport{Database: "SQLite", Kills: k.kills, Seed: k.seed, Seconds: took.Seconds(), Submissions: k.rows.n, Retries: int(k.retries.Load()), Unsure: int(k.unsure.Load())}
	if k.in.database != "" {
		report.Database = "PostgreSQL"
	}
	report.PerSecond = float64(report.Submissions) / took.Seconds()
	k.say("reading back …")
	k.setBase()
	return report, k.check(ctx, report)
}

// moved tells where the gateway listens now.
func (k *killing) moved(server *child) {
	base := "http://" + server.addr
	k.base.Store(&base)
}

// setBase has the caller itself call there; nothing is under way.
func (k *killing) setBase() { k.caller.base = *k.base.Load() }

// killAgain kills the gateway and starts it again, and returns the last one, which
// lives on for as long as those before it.
func (k *killing) killAgain(ctx, held context.Context, server *child) (*child, error) {
	rng := rand.New(rand.NewPCG(k.seed, 13)) //nolint:gosec // not for secrets
	for i := range k.kills + 1 {
		select {
		case <-held.Done():
			return server, context.Cause(held)
		case <-time.After(k.least + time.Duration(rng.Int64N(int64(k.most-k.least)+1))):
		}
		if err := server.ended(); err != nil {
			return server, err
		}
		if i == k.kills {
			return server, nil
		}
		if err := server.kill(); err != nil {
			return server, err
		}
		next, err := k.place.serve(ctx, k.self)
		if err != nil {
			return server, err
		}
		server = next
		k.moved(server)
		k.say("kill %d of %d: %d entries acknowledged, %d attempts failed", i+1, k.kills, k.book.size(), k.retries.Load())
	}
	return server, nil
}

// load sends submissions at the rate until stop is closed, and waits until each has
// been acknowledged.
func (k *killing) load(ctx context.Context, stop <-chan struct{}) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(killWaiting)
	due := time.Now()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return group.Wait()
		case <-ctx.Done():
			return group.Wait()
		case <-time.After(time.Until(due)):
		}
		due = due.Add(time.Duration(float64(time.Second) / k.rate))
		if late := time.Now().Add(-time.Second); due.Before(late) {
			due = late // what a stop cost is not made up for beyond a second's worth
		}
		b := k.rows.next()
		group.Go(func() error { return k.submit(ctx, i, &b) })
	}
}

// submit sends one submission again and again until it is acknowledged.
func (k *killing) submit(ctx context.Context, i int, b *economyBatch) error {
	ctx, cancel := context.WithTimeout(ctx, killPatience)
	defer cancel()
	body := k.caller.body(b)
	head := http.Header{"Authorization": {k.caller.sign(http.MethodPost, b.path, body)}}
	if i%4 == 3 {
		head.Set("Idempotency-Key", "k-"+strconv.Itoa(i))
	}
	for wait := retryLeast; ; wait = min(2*wait, retryMost) {
		var answer taken
		c := *k.caller
		c.base = *k.base.Load()
		err := c.send(ctx, http.MethodPost, b.path, body, head, &answer)
		if err == nil {
			k.unsure.Add(int64(answer.Duplicates))
			if answer.Accepted+answer.Duplicates != len(b.logs) {
				return fmt.Errorf("%s: %d accepted and %d duplicates of %d", b.path, answer.Accepted, answer.Duplicates, len(b.logs))
			}
			return k.book.add(b)
		}
		var no *refused
		if errors.As(err, &no) && no.status < 500 && !no.again {
			return err // it will be refused the next time too
		}
		k.retries.Add(1)
		select {
		case <-ctx.Done():
			return fmt.Errorf("not acknowledged: %w", err)
		case <-time.After(wait):
		}
		if i%2 == 0 { // the others use the signature that they have
			head.Set("Authorization", k.caller.sign(http.MethodPost, b.path, body))
		}
	}
}

// ledger is what was acknowledged, in that order.
type ledger struct {
	mu   sync.Mutex
	list []sentEntry
}

func (l *ledger) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.list)
}
