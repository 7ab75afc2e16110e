package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Rates of the questions beside the steady stream: both together stay below the
// 100 a second that an app may ask.
const (
	tradesPerSecond = 75
	scoresPerSecond = 20
)

// race sends all batches as fast as the gateway takes them.
func (b *economyBench) race(ctx context.Context, batches []economyBatch, report *EconomyReport) error {
	cpu, err := cpuTime(b.server.pid())
	if err != nil {
		return err
	}
	began := time.Now()
	todo := make(chan *economyBatch, len(batches)) // holds them all: nobody waits to put one in
	for i := range batches {
		todo <- &batches[i]
	}
	close(todo)
	group, ctx := errgroup.WithContext(ctx)
	for range b.workers {
		group.Go(func() error {
			for batch := range todo {
				if err := b.caller.logs(ctx, b.caller.parcel(batch)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	took := time.Since(began)
	report.PerSecond = float64(b.entries) / took.Seconds()
	report.Ratio = report.PerSecond / report.Bare
	used, err := cpuTime(b.server.pid())
	if err != nil {
		return err
	}
	report.CPUPerEntry = float64((used - cpu).Nanoseconds()) / 1000 / float64(b.entries)
	report.Resident, err = residentBytes(b.server.pid())
	return err
}

// steadily sends entries at a rate and asks for trades and scores beside them. Each
// latency counts from the moment its request was due, how late it was sent included.
func (b *economyBench) steadily(ctx context.Context, report *EconomyReport) error {
	// Questions first: who comes in the stream may not be known yet when asked about.
	trades, scores := make([][]byte, int(tradesPerSecond*b.steady.Seconds())), make([]string, int(scoresPerSecond*b.steady.Seconds()))
	for i := range trades {
		body, err := json.Marshal(b.rows.proposal())
		if err != nil {
			return fmt.Errorf("make a trade: %w", err)
		}
		trades[i] = body
	}
	for i := range scores {
		scores[i] = "/api/v1/economy/risk-score?player_id=" + b.rows.players[b.rows.met[i%len(b.rows.met)]].name
	}
	batches := int(b.rate * b.steady.Seconds() / float64(b.batch))
	// Put together before: game servers do that on processors of their own.
	logs := make([]*parcel, 0, batches)
	for i := range batches {
		batch := b.rows.batch(i, b.batch)
		logs = append(logs, b.caller.parcel(&batch))
	}
	// Whose turn it is, the kernel decides and not a queue in here.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	if err := ahead(); err != nil {
		return err
	}
	// Its rows are many and stay; they are gone through now, and not while it counts.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	runtime.GC()
	ingest, trade, score := &paced{}, &paced{}, &paced{}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return ingest.run(ctx, b.steady, len(logs), func(i int) error { return b.caller.logs(ctx, logs[i]) })
	})
	group.Go(func() error {
		return trade.run(ctx, b.steady, len(trades), func(i int) error {
			return b.caller.call(ctx, http.MethodPost, "/api/v1/economy/evaluate-trade", trades[i], &struct{}{})
		})
	})
	group.Go(func() error {
		return score.run(ctx, b.steady, len(scores), func(i int) error {
			return b.caller.call(ctx, http.MethodGet, scores[i], nil, &struct{}{})
		})
	})
	if err := group.Wait(); err != nil {
		return err
	}
	report.Rate = b.rate
	report.Ingest, report.Trades, report.Scores = ingest.latency(), trade.latency(), score.latency()
	late := &histogram{}
	late.merge(&trade.lag)
	late.merge(&score.lag)
	report.Lag = latency(late)
	return nil
}

// paced runs n requests over a time, each when it is due, at most 32 at once. A request
// is due anywhere within its part of the time: evenly apart, every score would be asked
// for at the moment at which a submission comes, which those of a game are not.
type paced struct {
	mu         sync.Mutex
	times, lag histogram
}

func (p *paced) run(ctx context.Context, over time.Duration, n int, request func(i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(32)
	began, part := time.Now(), over/time.Duration(n)
	rng := rand.New(rand.NewPCG(uint64(n), 17)) //nolint:gosec // not for secrets: the same times every time
	for i := 0; i < n && ctx.Err() == nil; i++ {
		due := began.Add(part*time.Duration(i) + time.Duration(rng.Int64N(int64(part))))
		sleepUntil(due)
		group.Go(func() error {
			lag := time.Since(due)
			if err := request(i); err != nil {
				return err
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			p.times.add(time.Since(due))
			p.lag.add(lag)
			return nil
		})
	}
	return group.Wait()
}

func (p *paced) latency() *Latency { return latency(&p.times) }
