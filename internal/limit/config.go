package limit

import (
	"errors"
	"fmt"
)

// Class is a class of endpoints that share a rate.
type Class string

// The classes. Mint and Admin fail closed, see Limiter.Allow.
const (
	Log    Class = "log"    // log submission
	Query  Class = "query"  // risk queries and other reads
	Action Class = "action" // bans and lifts
	Check  Class = "check"  // content checks
	Mint   Class = "mint"   // tokens and tickets
	Admin  Class = "admin"  // policy, keys, users
)

// Classes lists the classes.
var Classes = []Class{Log, Query, Action, Check, Mint, Admin}

func (c Class) failsClosed() bool { return c == Mint || c == Admin }

const maxRate = 1_000_000

// Config has the rates, per second and app. The burst is one second's worth.
type Config struct {
	Log    int `yaml:"log"`
	Query  int `yaml:"query"`
	Action int `yaml:"action"`
	Check  int `yaml:"check"`
	Mint   int `yaml:"mint"`
	Admin  int `yaml:"admin"`
	// FailedAuth is per address, and counts failures alone.
	FailedAuth int `yaml:"failed_auth"`
}

// DefaultConfig returns the rates of the service document and, where it is
// silent, of the wire contract.
func DefaultConfig() Config {
	return Config{Log: 1000, Query: 100, Action: 10, Check: 2000, Mint: 10, Admin: 10, FailedAuth: 50}
}

// Validate returns every fault at once, each with its key.
func (c Config) Validate() error {
	var errs []error
	check := func(key string, rate int) {
		if rate < 1 || rate > maxRate {
			errs = append(errs, fmt.Errorf("limits.%s: must be 1 to %d", key, maxRate))
		}
	}
	for _, class := range Classes {
		check(string(class), c.Rate(class))
	}
	check("failed_auth", c.FailedAuth)
	return errors.Join(errs...)
}

// Rate returns the rate of a class per second, 0 for a class that there is not.
func (c Config) Rate(class Class) int {
	switch class {
	case Log:
		return c.Log
	case Query:
		return c.Query
	case Action:
		return c.Action
	case Check:
		return c.Check
	case Mint:
		return c.Mint
	case Admin:
		return c.Admin
	}
	return 0
}
