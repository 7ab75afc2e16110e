package hooks

import (
	"errors"
	"fmt"
	"time"
)

// Config is what the operator says of webhooks.
type Config struct {
	// AllowPrivate lets endpoints be at loopback, private and link-local addresses,
	// which are refused when dialled otherwise: an app's admin could ask for what
	// stands beside the gateway.
	AllowPrivate bool `yaml:"allow_private"`
	// AllowHTTP lets endpoints go without TLS.
	AllowHTTP bool `yaml:"allow_http"`
	// ConnectTimeout is for the connection alone, Timeout for all of an attempt.
	ConnectTimeout time.Duration `yaml:"connect_timeout"`
	Timeout        time.Duration `yaml:"timeout"`
	// Lanes is how many endpoints are served at once; each has some requests under way.
	Lanes int `yaml:"lanes"`
	// GiveUp is for how long a delivery is tried, OffAfter how long an endpoint may
	// fail before it is switched off.
	GiveUp   time.Duration `yaml:"give_up"`
	OffAfter time.Duration `yaml:"off_after"`
}

// Default is what serve uses when the configuration says nothing.
func Default() Config {
	return Config{ConnectTimeout: 5 * time.Second, Timeout: 10 * time.Second, Lanes: 64, GiveUp: 24 * time.Hour, OffAfter: 72 * time.Hour}
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	for _, k := range []struct {
		key string
		d   time.Duration
	}{{"connect_timeout", c.ConnectTimeout}, {"timeout", c.Timeout}, {"give_up", c.GiveUp}, {"off_after", c.OffAfter}} {
		if k.d <= 0 {
			errs = append(errs, fmt.Errorf("webhooks.%s: must be positive", k.key))
		}
	}
	if c.Timeout > time.Minute {
		errs = append(errs, errors.New("webhooks.timeout: must be a minute at most"))
	}
	if c.Lanes <= 0 {
		errs = append(errs, errors.New("webhooks.lanes: must be positive"))
	}
	return errors.Join(errs...)
}
