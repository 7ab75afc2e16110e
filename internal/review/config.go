package review

import (
	"errors"
	"fmt"
	"time"
)

// Config sizes the desk's queues and bounds its waits. It stands in
// portcullis.yaml under review.
type Config struct {
	// DeferredWorkers check live messages that were delivered first, and
	// DeferredQueue is how many of those may wait. Full-rule: the message is
	// checked before it is delivered.
	DeferredWorkers int `yaml:"deferred_workers"`
	DeferredQueue   int `yaml:"deferred_queue"`
	// AsyncWorkers do submitted checks, and AsyncQueue is how many may be
	// unfinished. Full-rule: Submit refuses, and nothing was accepted.
	AsyncWorkers int `yaml:"async_workers"`
	AsyncQueue   int `yaml:"async_queue"`
	// AsyncPerApp is how many of them one app may have, so that the others find room.
	AsyncPerApp int `yaml:"async_per_app"`
	// PassQueue is how many passes may wait to be recorded. Full-rule: dropped and
	// counted, and a later record carries the weight of those that were lost.
	PassQueue int `yaml:"pass_queue"`
	// PassBatch and PassInterval bound one write of passes.
	PassBatch    int           `yaml:"pass_batch"`
	PassInterval time.Duration `yaml:"pass_interval"`
	// CommitTimeout is how long a record may take that an answer waits for.
	CommitTimeout time.Duration `yaml:"commit_timeout"`
	// CloseTimeout bounds how long Serve drains the queues at the end.
	CloseTimeout time.Duration `yaml:"close_timeout"`
	// ContextPlayers is how many players are remembered with their last lines, in
	// memory alone, and ContextWindow for how long, so that engines see a message in
	// its context. Full-rule: those who were silent longest go.
	ContextPlayers int           `yaml:"context_players"`
	ContextWindow  time.Duration `yaml:"context_window"`
}

// Default returns the settings that serve starts with.
func Default() Config {
	return Config{
		DeferredWorkers: 4, DeferredQueue: 4096,
		AsyncWorkers: 4, AsyncQueue: 4096, AsyncPerApp: 2048,
		PassQueue: 8192, PassBatch: 256, PassInterval: 50 * time.Millisecond,
		CommitTimeout: time.Second, CloseTimeout: 10 * time.Second,
		ContextPlayers: 16384, ContextWindow: time.Minute,
	}
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var faults []error
	for _, f := range []struct {
		key   string
		value int64
	}{
		{"deferred_workers", int64(c.DeferredWorkers)},
		{"deferred_queue", int64(c.DeferredQueue)},
		{"async_workers", int64(c.AsyncWorkers)},
		{"async_queue", int64(c.AsyncQueue)},
		{"async_per_app", int64(c.AsyncPerApp)},
		{"pass_queue", int64(c.PassQueue)},
		{"pass_batch", int64(c.PassBatch)},
		{"pass_interval", int64(c.PassInterval)},
		{"commit_timeout", int64(c.CommitTimeout)},
		{"close_timeout", int64(c.CloseTimeout)},
		{"context_players", int64(c.ContextPlayers)},
		{"context_window", int64(c.ContextWindow)},
	} {
		if f.value <= 0 {
			faults = append(faults, fmt.Errorf("review.%s: must be positive", f.key))
		}
	}
	return errors.Join(faults...)
}
