package chat

import (
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Config holds the limits of the stream. DefaultConfig is a good one.
type Config struct {
	// Node names this process among the gateways; a restart has another name.
	Node string `yaml:"-"`
	// Heartbeat is how often a client pings; silence of two heartbeats closes.
	Heartbeat time.Duration `yaml:"heartbeat"`
	// HelloTimeout is how long a connection may stay without a session.
	HelloTimeout time.Duration `yaml:"hello_timeout"`
	// MaxSessions is how many sessions one process takes.
	MaxSessions int `yaml:"max_sessions"`
	// PlayerRate and PlayerBurst bound a player's messages (per second).
	PlayerRate  int `yaml:"player_rate"`
	PlayerBurst int `yaml:"player_burst"`
	// ServerRate bounds a game server's messages (per second).
	ServerRate int `yaml:"server_rate"`
	// QueueCount and QueueBytes bound what waits for a slow player; past them
	// the connection closes with 4008 and can resume.
	QueueCount int `yaml:"queue_count"`
	QueueBytes int `yaml:"queue_bytes"`
	// FeedCount bounds what waits for a slow moderator; past it the oldest
	// events go and the moderator is told how many.
	FeedCount int `yaml:"feed_count"`
	// Drain is how long sessions get to leave when the process goes down.
	Drain time.Duration `yaml:"drain"`
	// Limits are the request limits of all doors.
	Limits wire.Limits `yaml:"-"`
	// StoreWait bounds a wait for Redis at hello, resume and join; a chat message never
	// waits. 0 is 250 ms.
	StoreWait time.Duration `yaml:"-"`
}

// In-flight limits told to clients. The reader handles one message at a time,
// so TCP pushes back long before them.
const (
	playerInFlight = 16
	serverInFlight = 1024
)

// DefaultConfig is what serve uses when the configuration says nothing.
func DefaultConfig() Config {
	return Config{
		Heartbeat: 25 * time.Second, HelloTimeout: 5 * time.Second, MaxSessions: 50_000,
		PlayerRate: 5, PlayerBurst: 10, ServerRate: 2000,
		QueueCount: 128, QueueBytes: 64 << 10, FeedCount: 512, Drain: 5 * time.Second,
	}
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	positive := func(key string, ok bool) {
		if !ok {
			errs = append(errs, fmt.Errorf("chat.%s: must be positive", key))
		}
	}
	positive("heartbeat", c.Heartbeat > 0)
	positive("hello_timeout", c.HelloTimeout > 0)
	positive("max_sessions", c.MaxSessions > 0)
	positive("player_rate", c.PlayerRate > 0)
	positive("player_burst", c.PlayerBurst > 0)
	positive("server_rate", c.ServerRate > 0)
	positive("queue_count", c.QueueCount > 0)
	positive("queue_bytes", c.QueueBytes > 0)
	positive("feed_count", c.FeedCount > 0)
	positive("drain", c.Drain > 0)
	const most = 1_000_000
	for _, r := range []struct {
		key  string
		rate int
	}{{"player_rate", c.PlayerRate}, {"player_burst", c.PlayerBurst}, {"server_rate", c.ServerRate}} {
		if r.rate > most {
			errs = append(errs, fmt.Errorf("chat.%s: at most %d", r.key, most))
		}
	}
	return errors.Join(errs...)
}
