package voice

import (
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"time"
)

// Off is the Config.Listen of a gateway that takes no WebRTC.
const Off = "off"

// Config holds the limits of calls. It stands in portcullis.yaml under voice.
type Config struct {
	// Listen is the UDP address of all WebRTC calls: one port. "" is the address and
	// port of http.listen, Off takes no WebRTC.
	Listen string `yaml:"listen"`
	// PublicIPs are the addresses under which clients reach Listen, where those differ
	// (a load balancer, a container, address translation).
	PublicIPs []string `yaml:"public_ips"`
	// MaxCalls is how many calls one process hears, of every kind.
	MaxCalls int `yaml:"max_calls"`
	// PerAddress is how many WebRTC calls of one client address may be setting up.
	PerAddress int `yaml:"per_address"`
	// Setup is how long a WebRTC call may take from its offer until it is connected.
	Setup time.Duration `yaml:"setup"`
	// Idle ends a call that has sent nothing for so long: one that its client has
	// forgotten. Who is silent may send nothing.
	Idle time.Duration `yaml:"idle"`
	// Bitrate is what answers ask clients to send at most, in bits a second.
	Bitrate int `yaml:"bitrate"`
	// Workers decode and measure; 0 is one for each processor.
	Workers int `yaml:"workers"`
	// Checks is how many windows are at the desk at once.
	Checks int `yaml:"checks"`
	// Looks is how many of those are of speech that goes on or has ended; 0 is half of the
	// processors. Windows of speech that has paused go first and are not counted.
	Looks int `yaml:"looks"`
	// Partial is how often speech that goes on is looked at, at most.
	Partial time.Duration `yaml:"partial"`
	// Relay are the scenes whose players hear each other through this gateway; of all
	// others, who plays hears nothing from here.
	Relay []RelayScenes `yaml:"relay"`
}

// Default returns the settings that serve starts with.
func Default() Config {
	return Config{
		MaxCalls: 1000, PerAddress: 16, Setup: 10 * time.Second, Idle: time.Hour, Bitrate: 24_000, Checks: 8,
		Partial: 400 * time.Millisecond,
	}
}

// looks is how many windows that do not press are at the desk at once.
func (c *Config) looks() int {
	if c.Looks > 0 {
		return c.Looks
	}
	return min(c.Checks, max(1, runtime.GOMAXPROCS(0)/2))
}

// pressing is how many windows that press are at the desk at once.
func (c *Config) pressing() int { return min(c.Checks, max(c.workers(), c.looks())) }

func (c *Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var faults []error
	positive := func(key string, n int64) {
		if n <= 0 {
			faults = append(faults, fmt.Errorf("voice.%s: must be positive", key))
		}
	}
	if c.Listen != "" && c.Listen != Off {
		if _, err := netip.ParseAddrPort(c.Listen); err != nil {
			faults = append(faults, fmt.Errorf("voice.listen: %q is not an IP address and port, nor off", c.Listen))
		}
	}
	for i, ip := range c.PublicIPs {
		if _, err := netip.ParseAddr(ip); err != nil {
			faults = append(faults, fmt.Errorf("voice.public_ips[%d]: %q is not an IP address", i, ip))
		}
	}
	positive("max_calls", int64(c.MaxCalls))
	positive("per_address", int64(c.PerAddress))
	positive("setup", int64(c.Setup))
	positive("idle", int64(c.Idle))
	positive("checks", int64(c.Checks))
	if c.Looks < 0 || c.Looks > c.Checks {
		faults = append(faults, errors.New("voice.looks: must be 0 to voice.checks"))
	}
	if c.Workers < 0 {
		faults = append(faults, errors.New("voice.workers: must not be negative"))
	}
	if c.Bitrate < 6000 || c.Bitrate > 510_000 { // RFC 7587, maxaveragebitrate
		faults = append(faults, errors.New("voice.bitrate: must be 6000 to 510000 bits a second"))
	}
	if c.Partial < 100*time.Millisecond || c.Partial > windowMost {
		faults = append(faults, fmt.Errorf("voice.partial: must be 100ms to %s", windowMost))
	}
	return errors.Join(append(faults, c.validateRelay()...)...)
}
