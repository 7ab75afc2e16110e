package history

import (
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Config says what is kept. It stands in portcullis.yaml under history.
type Config struct {
	// Days is how many days messages are kept; 0 keeps none.
	Days int `yaml:"days"`
	// Apps has other days for some apps.
	Apps map[string]int `yaml:"apps"`
	// Memory is how many bytes of messages may wait to be written. From three quarters
	// on the oldest go early. Full-rule: dropped and counted.
	Memory int `yaml:"memory"`
	// Chunk is how many messages of a scene are written together.
	Chunk int `yaml:"chunk"`
	// Interval is how long a message waits for others of its scene; what a kill loses.
	Interval time.Duration `yaml:"interval"`
	// After is how long after a flagged message its scene is written again.
	After time.Duration `yaml:"after"`
}

// Default returns the settings that serve starts with.
func Default() Config {
	return Config{Days: 7, Memory: 32 << 20, Chunk: 32, Interval: time.Minute, After: 5 * time.Second}
}

const (
	maxDays  = 3650
	maxChunk = 1024
	// A waiting message of the largest size fits several times.
	minMemory = 1 << 20
)

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var faults []error
	days := func(key string, n int) {
		if n < 0 || n > maxDays {
			faults = append(faults, fmt.Errorf("history.%s: must be 0 to %d days", key, maxDays))
		}
	}
	days("days", c.Days)
	for app, n := range c.Apps {
		days("apps."+app, n)
	}
	if c.Memory < minMemory {
		faults = append(faults, fmt.Errorf("history.memory: must be at least %d bytes", minMemory))
	}
	if c.Chunk < 1 || c.Chunk > maxChunk {
		faults = append(faults, fmt.Errorf("history.chunk: must be 1 to %d messages", maxChunk))
	}
	if c.Interval <= 0 || c.Interval > store.ChunkSpan {
		faults = append(faults, fmt.Errorf("history.interval: must be positive and at most %v", store.ChunkSpan))
	}
	if c.After <= 0 || c.After > store.ChunkSpan {
		faults = append(faults, fmt.Errorf("history.after: must be positive and at most %v", store.ChunkSpan))
	}
	return errors.Join(faults...)
}

// days is how long an app's messages are kept.
func (c *Config) days(app string) int {
	if n, ok := c.Apps[app]; ok {
		return n
	}
	return c.Days
}
