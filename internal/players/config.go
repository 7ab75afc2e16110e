package players

import (
	"errors"
	"fmt"
	"time"
)

// Config stands in portcullis.yaml under players.
type Config struct {
	// Cache is how many players are at hand, at some 300 bytes each. Full-rule: one goes who
	// was not asked for since its turn came last.
	Cache int `yaml:"cache"`
	// Wait is how long a check may wait for a player who is not at hand, and Hello how
	// long a session's opening may.
	Wait  time.Duration `yaml:"wait"`
	Hello time.Duration `yaml:"hello"`
	// Minors are the regions in which a player who has not shown its age is a minor,
	// where the game names no segment.
	Minors []string `yaml:"minors"`
	// StrikeHalfLife is after how long a strike weighs half, CleanHalfLife a credit.
	StrikeHalfLife time.Duration `yaml:"strike_half_life"`
	CleanHalfLife  time.Duration `yaml:"clean_half_life"`
	// RecentWindow is how long a strike counts among a player's recent violations of its
	// category, which policies have cut-offs for (trust.recent).
	RecentWindow time.Duration `yaml:"recent_window"`
	// WatchedAt is the weight of strikes from which on a player is watched.
	WatchedAt float64 `yaml:"watched_at"`
	// TrustedAt is the credit from which on a player is trusted; 0 is never.
	TrustedAt float64 `yaml:"trusted_at"`
	// CleanMessages is how many messages in which nothing was found make a clean day.
	CleanMessages int `yaml:"clean_messages"`
}

// Default is what holds where nothing else is said: two weeks of clean days in a row
// make trust, and a ladder's second mute makes a player watched.
func Default() Config {
	return Config{
		Cache: 100_000, Wait: 2 * time.Millisecond, Hello: 50 * time.Millisecond,
		Minors:         []string{"kr"},
		StrikeHalfLife: 30 * 24 * time.Hour, CleanHalfLife: 30 * 24 * time.Hour,
		RecentWindow: 7 * 24 * time.Hour, WatchedAt: 5, TrustedAt: 12, CleanMessages: 5,
	}
}

// StrikesCount is for how long after it was given a strike counts for anything.
func (c *Config) StrikesCount() time.Duration {
	return max(fadedAfter*c.StrikeHalfLife, c.RecentWindow)
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	for _, f := range []struct {
		key string
		ok  bool
	}{
		{"cache", c.Cache > 0},
		{"wait", c.Wait > 0},
		{"hello", c.Hello > 0},
		{"strike_half_life", c.StrikeHalfLife > 0},
		{"clean_half_life", c.CleanHalfLife > 0},
		{"recent_window", c.RecentWindow > 0},
		{"watched_at", c.WatchedAt > 0},
		{"clean_messages", c.CleanMessages > 0},
	} {
		if !f.ok {
			errs = append(errs, fmt.Errorf("players.%s: must be positive", f.key))
		}
	}
	if !(c.TrustedAt >= 0) { // written so that NaN fails
		errs = append(errs, errors.New("players.trusted_at: must not be negative"))
	}
	return errors.Join(errs...)
}
