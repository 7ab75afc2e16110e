package history

import (
	"errors"
	"fmt"
	"time"
)

// Config says what is kept. It stands in portcullis.yaml under history.
type Config struct {
	// Days is how many days messages are kept; 0 keeps none.
	Days int `yaml:"days"`
	// Apps has other days for some apps.
	Apps map[string]int `yaml:"apps"`
	// Queue is how many messages may wait to be written. Full-rule: dropped and counted.
	Queue int `yaml:"queue"`
	// Batch and Interval bound one write.
	Batch    int           `yaml:"batch"`
	Interval time.Duration `yaml:"interval"`
}

// Default returns the settings that serve starts with.
func Default() Config {
	return Config{Days: 7, Queue: 8192, Batch: 128, Interval: 100 * time.Millisecond}
}

const maxDays = 3650

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
	for _, f := range []struct {
		key   string
		value int64
	}{{"queue", int64(c.Queue)}, {"batch", int64(c.Batch)}, {"interval", int64(c.Interval)}} {
		if f.value <= 0 {
			faults = append(faults, fmt.Errorf("history.%s: must be positive", f.key))
		}
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
