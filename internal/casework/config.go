package casework

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Queues that have a meaning of their own.
const (
	QueueGeneral = "general" // what no other takes
	QueueAppeals = "appeals"
	QueueSenior  = "senior" // escalations and disputes
	QueueReports = "reports"
)

// Config stands in portcullis.yaml under cases.
type Config struct {
	// Lease is how long a claim holds without a heart-beat.
	Lease time.Duration `yaml:"lease"`
	// HoldWithin is how far ahead a case may be put aside.
	HoldWithin time.Duration `yaml:"hold_within"`
	// Due is how long a case of a priority may wait; Held bounds that for content
	// that waits to be published.
	Due  Due           `yaml:"due"`
	Held time.Duration `yaml:"held"`
	// PublishWithin is how old a held message may be to be published by the undo of
	// its rejection.
	PublishWithin time.Duration `yaml:"publish_within"`
	// SecondShare is the share, 0 to 1, of decided cases that a second person decides
	// without knowing of the first decision.
	SecondShare float64 `yaml:"second_share"`
	// Context is how many messages of the scene are shown before and after an item.
	Context int `yaml:"context"`
	// Queues take cases, the first that matches; the rest goes to "general".
	Queues []Queue `yaml:"queues"`
}

// Due is how long a case may wait, by its priority: 4 critical to 0.
type Due struct {
	Critical time.Duration `yaml:"critical"`
	High     time.Duration `yaml:"high"`
	Medium   time.Duration `yaml:"medium"`
	Low      time.Duration `yaml:"low"`
	Lowest   time.Duration `yaml:"lowest"`
}

func (d *Due) of(priority int) time.Duration {
	return [...]time.Duration{d.Lowest, d.Low, d.Medium, d.High, d.Critical}[min(max(priority, 0), topPriority)]
}

// Queue says which cases go to a queue: of these kinds and categories, where named.
type Queue struct {
	Queue      string   `yaml:"queue"`
	Kinds      []string `yaml:"kinds"`
	Categories []string `yaml:"categories"`
	// Roles may take its cases; none is whoever decides cases.
	Roles []string `yaml:"roles"`
}

// Default returns the settings that serve starts with.
func Default() Config {
	return Config{
		Lease: 10 * time.Minute, HoldWithin: 30 * 24 * time.Hour,
		Due:   Due{15 * time.Minute, time.Hour, 4 * time.Hour, 24 * time.Hour, 72 * time.Hour},
		Held:  30 * time.Minute, PublishWithin: 24 * time.Hour, Context: 20,
		Queues: []Queue{
			{Queue: QueueAppeals, Kinds: []string{"appeal"}, Roles: seniors},
			{Queue: QueueSenior, Kinds: []string{"dispute"}, Roles: seniors},
			{Queue: "economy", Kinds: []string{"risk", "ban_evasion"}},
			{Queue: "safety", Categories: words(engines.Illegal, engines.ChildSafety, engines.Extremism)},
			{Queue: QueueReports, Kinds: []string{"report"}},
			{Queue: "abuse", Categories: words(
				engines.Violence, engines.Sexual, engines.Hate, engines.Harassment, engines.Privacy, engines.Nudity, engines.SemiNudity, engines.Gore,
			)},
			{Queue: "spam", Categories: words(engines.Spam, engines.Advertising, engines.MaliciousLink)},
		},
	}
}

func words(list ...engines.Category) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = string(c)
	}
	return out
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf("cases."+format, args...)) }
	for _, f := range []struct {
		key   string
		value time.Duration
	}{
		{"lease", c.Lease},
		{"hold_within", c.HoldWithin},
		{"due.critical", c.Due.Critical},
		{"due.high", c.Due.High},
		{"due.medium", c.Due.Medium},
		{"due.low", c.Due.Low},
		{"due.lowest", c.Due.Lowest},
		{"held", c.Held},
		{"publish_within", c.PublishWithin},
	} {
		if f.value <= 0 {
			fault("%s: must be positive", f.key)
		}
	}
	if !(c.SecondShare >= 0 && c.SecondShare <= 1) {
		fault("second_share: must be 0 to 1")
	}
	if c.Context < 0 || c.Context > 100 {
		fault("context: must be 0 to 100")
	}
	seen := map[string]bool{}
	for i, q := range c.Queues {
		if !ValidQueue(q.Queue) {
			fault("queues.%d.queue: must be 1 to 64 of a-z 0-9 - _", i)
		}
		if seen[q.Queue] {
			fault("queues.%d.queue: %s stands twice", i, q.Queue)
		}
		seen[q.Queue] = true
		for _, role := range q.Roles {
			if !slices.Contains(deciders, role) {
				fault("queues.%d.roles: %q does not decide cases", i, role)
			}
		}
	}
	return errors.Join(faults...)
}

// ValidQueue reports whether name can be a queue's.
func ValidQueue(name string) bool {
	if len(name) < 1 || len(name) > 64 {
		return false
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return true
}
