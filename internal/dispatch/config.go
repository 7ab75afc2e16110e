package dispatch

import (
	"errors"
	"fmt"
	"time"
)

// Run says where an engine runs.
type Run string

// Where an engine runs.
const (
	// Local: in the gateway.
	Local Run = "local"
	// Workers: in workers alone. Without any, what is to be checked is a fault.
	Workers Run = "workers"
	// Both: in workers while any is there and has room, else in the gateway.
	Both Run = "both"
)

// Config bounds what a gateway has out at workers.
type Config struct {
	// Run says where the engine runs.
	Run Run `yaml:"run"`
	// Queue is how many jobs of the kind may be unfinished in each lane, over all
	// gateways. Full-rule: what comes then is shed (engines.ErrOverloaded), or looked
	// at by the gateway itself where Run is both. Bulk jobs are shed at half of it.
	Queue int `yaml:"queue"`
	// PayloadBytes is how much content of unfinished jobs one gateway may have in
	// Redis. Full-rule: as for Queue.
	PayloadBytes int64 `yaml:"payload_bytes"`
}

// Default runs the engine in the gateway.
func Default() Config { return Config{Run: Local, Queue: 512, PayloadBytes: 256 << 20} }

// Validate returns every fault of the configuration, each naming its key below prefix.
func (c *Config) Validate(prefix string) error {
	var errs []error
	switch c.Run {
	case Local, Workers, Both:
	default:
		errs = append(errs, fmt.Errorf("%s.run: %q is not local, workers or both", prefix, c.Run))
	}
	if c.Queue < 2 {
		errs = append(errs, fmt.Errorf("%s.queue: must be at least 2", prefix))
	}
	if c.PayloadBytes < 1 {
		errs = append(errs, fmt.Errorf("%s.payload_bytes: must be positive", prefix))
	}
	return errors.Join(errs...)
}

const (
	// replyWait is how long one look for replies waits in Redis, retry how long after
	// a failed one the next comes, look how often the workers are counted.
	replyWait = time.Second
	retry     = 100 * time.Millisecond
	look      = time.Second
	// withoutDeadline bounds a job whose caller has no deadline of its own.
	withoutDeadline = 30 * time.Second
	// withdrawWithin bounds taking back a job whose caller has left.
	withdrawWithin = 250 * time.Millisecond
)
