package penalty

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Config stands in portcullis.yaml under penalties. It has the ladder of the apps
// that have none of their own.
type Config struct {
	// Automatic has the gateway's own blocks strike, and not rulings alone.
	Automatic bool `yaml:"automatic"`
	// AutomaticEvery is how long after an automatic strike its player gets no other:
	// one outburst of ten messages is not ten violations.
	AutomaticEvery time.Duration `yaml:"automatic_every"`
	// Keep is how long strikes, and penalties that are over, stay at least; 0 is for
	// good. What an app's ladder or a player's standing looks back to stays anyway.
	Keep time.Duration `yaml:"keep"`
	// The rest is as in store.LadderRules.
	WindowDays int                `yaml:"window_days"`
	Weights    Weights            `yaml:"weights"`
	Start      Start              `yaml:"start"`
	Steps      []store.LadderStep `yaml:"steps"`
	Layers     Layers             `yaml:"layers"`
}

// Weights replaces the default as a whole where a file names it: a map would be put
// together with it, and a default could not be taken back.
type Weights map[string][]int

// Start likewise.
type Start map[string]store.PenaltyKind

// Layers likewise, by the ids of layers.
type Layers map[string]store.LadderLayer

// UnmarshalYAML reads all of the weights.
func (w *Weights) UnmarshalYAML(read func(any) error) error {
	var m map[string][]int
	err := read(&m)
	*w = m
	return err
}

// UnmarshalYAML reads all of the starts.
func (s *Start) UnmarshalYAML(read func(any) error) error {
	var m map[string]store.PenaltyKind
	err := read(&m)
	*s = m
	return err
}

// UnmarshalYAML reads all of the layers.
func (l *Layers) UnmarshalYAML(read func(any) error) error {
	var m map[string]store.LadderLayer
	err := read(&m)
	*l = m
	return err
}

// Default is what holds where nothing else is said. Nobody is muted for one mild
// word; what is illegal begins with a mute.
func Default() Config {
	return Config{
		AutomaticEvery: 10 * time.Minute,
		Keep:           365 * 24 * time.Hour,
		WindowDays:     90,
		Weights: Weights{
			"default":              {1, 2, 3, 5},
			"spam":                 {1, 1, 2, 3},
			"hate":                 {2, 3, 5, 8},
			"sexual":               {1, 2, 4, 8},
			"violence":             {1, 2, 4, 8},
			"illegal":              {3, 5, 10, 15},
			"illegal/child_safety": {15, 15, 20, 30},
		},
		Start: Start{"illegal": store.PenaltyMuteText},
		Steps: []store.LadderStep{
			{Weight: 1, Kind: store.PenaltyWarn},
			{Weight: 3, Kind: store.PenaltyMuteText, Hours: 1},
			{Weight: 5, Kind: store.PenaltyMuteText, Hours: 24},
			{Weight: 8, Kind: store.PenaltyMuteText, Hours: 72},
			{Weight: 8, Kind: store.PenaltyMuteVoice, Hours: 72},
			{Weight: 11, Kind: store.PenaltyMuteText, Hours: 168},
			{Weight: 11, Kind: store.PenaltyTradeLock, Hours: 168},
			{Weight: 15, Kind: store.PenaltySuspend, Hours: 168},
			{Weight: 30, Kind: store.PenaltyBan},
		},
	}
}

func (c *Config) rules() store.LadderRules {
	return store.LadderRules{Automatic: c.Automatic, WindowDays: c.WindowDays, Weights: c.Weights, Start: c.Start, Steps: c.Steps, Layers: c.Layers}
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	if c.AutomaticEvery < 0 {
		errs = append(errs, errors.New("penalties.automatic_every: must not be negative"))
	}
	if c.Keep < 0 {
		errs = append(errs, errors.New("penalties.keep: must not be negative"))
	}
	rules := c.rules()
	for _, f := range Faults(&rules, nil) {
		errs = append(errs, fmt.Errorf("penalties.%s: %s", strings.ReplaceAll(strings.TrimPrefix(f.Pointer, "/"), "/", "."), f.Reason))
	}
	return errors.Join(errs...)
}
