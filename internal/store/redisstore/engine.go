package redisstore

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
)

const (
	// engineKeys caps the embedded engine: new sessions are refused beyond it.
	engineKeys = 50_000
	// The engine's clock stands still unless it is driven, and driving it scans
	// every key under the lock: 4 ms at 10,000 keys, 40 ms at 100,000. So the next
	// tick waits for 100 times what the last one took, and all but the smallest
	// stores spend 1 % of a core on it.
	engineTick    = 250 * time.Millisecond
	engineMaxTick = 5 * time.Second
	engineShare   = 100
)

// engine is the embedded Redis: on loopback, behind a random password, since any
// process of the machine could reach it otherwise. It never forgets the names of
// keys that are gone: 180 bytes were measured for each ended session, which a
// small server does not notice and a large one should use redis-server for.
type engine struct {
	mini     *miniredis.Miniredis
	password string
	keys     atomic.Int64
}

func startEngine() (*engine, error) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails (crypto/rand)
	e := &engine{mini: miniredis.NewMiniRedis(), password: hex.EncodeToString(secret[:])}
	// Before it listens: it takes any password when none is asked for.
	e.mini.RequireAuth(e.password)
	if err := e.mini.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("start embedded redis: %w", err)
	}
	return e, nil
}

func (e *engine) addr() string { return e.mini.Addr() }

func (e *engine) close() { e.mini.Close() }

// run drives the clock by the time that really went by, which no step of the
// wall clock moves, and counts the keys.
func (e *engine) run(ctx context.Context, count func(context.Context) (int64, error)) {
	last := time.Now()
	timer := time.NewTimer(engineTick)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		start := time.Now()
		e.mini.FastForward(start.Sub(last))
		last = start
		took := time.Since(start)
		if n, err := count(ctx); err == nil {
			e.keys.Store(n)
		}
		timer.Reset(min(max(engineTick, engineShare*took), engineMaxTick))
	}
}
