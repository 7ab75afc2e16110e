package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// Set is a compiled policy. It never changes, so that any number of goroutines
// may resolve at once without a lock; a new policy is a new Set.
type Set struct {
	base     *Resolved
	exact    map[engines.SceneID]*Resolved
	prefixes []prefixRule
}

type prefixRule struct {
	prefix string
	rules  *Resolved
}

// Resolved are the rules that hold for one item. It is shared: read only.
type Resolved struct {
	Mode         engines.Mode
	ApproveClear bool
	Fail         Fail
	Record       Record
	// SampleRate is the share of passes recorded: 0 to 1, whatever Record says.
	SampleRate float64
	// Version names the policy; it ends in every verdict.
	Version string

	rules   [categories]rule
	economy economyRule
}

// rule is what holds for one category.
type rule struct {
	enabled bool
	level   int // strictness unless the item overrides it
	action  Action
}

// Compile checks cfg and makes a Set of it, which keeps nothing of cfg.
func Compile(cfg Config) (*Set, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	version, err := version(cfg)
	if err != nil {
		return nil, err
	}
	s := &Set{base: resolve(cfg, version), exact: make(map[engines.SceneID]*Resolved)}
	for _, scene := range cfg.Scenes {
		rules := resolve(cfg.with(scene), version)
		// Validate refuses an entry that an earlier one hides, so every exact entry
		// stands before the prefixes that fit it and may be looked up first.
		if prefix, ok := strings.CutSuffix(scene.Scene, "*"); ok {
			s.prefixes = append(s.prefixes, prefixRule{prefix, rules})
		} else {
			s.exact[engines.SceneID(scene.Scene)] = rules
		}
	}
	return s, nil
}

// Resolve returns the rules that hold for item. It allocates nothing.
func (s *Set) Resolve(item *engines.Item) *Resolved {
	if r, ok := s.exact[item.Scene]; ok {
		return r
	}
	for i := range s.prefixes {
		if strings.HasPrefix(string(item.Scene), s.prefixes[i].prefix) {
			return s.prefixes[i].rules
		}
	}
	return s.base
}

// Version names the policy: equal configurations have equal versions.
func (s *Set) Version() string { return s.base.Version }

// version is a digest, so that it is the same on every gateway and after every
// restart, and changes with the policy.
func version(cfg Config) (string, error) {
	b, err := json.Marshal(cfg) // sorts maps
	if err != nil {
		return "", fmt.Errorf("policy version: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6]), nil
}

// with lays a scene's exception over the policy.
func (c Config) with(s SceneConfig) Config {
	if s.Mode != "" {
		c.Mode = s.Mode
	}
	if s.Strictness != 0 {
		c.Strictness = s.Strictness
	}
	if s.ApproveClear != nil {
		c.ApproveClear = *s.ApproveClear
	}
	merged := make(map[engines.Category]CategoryConfig, len(c.Categories)+len(s.Categories))
	maps.Copy(merged, c.Categories)
	for name, over := range s.Categories {
		cat := merged[name]
		if over.Enabled != nil {
			cat.Enabled = over.Enabled
		}
		if over.Strictness != 0 {
			cat.Strictness = over.Strictness
		}
		if over.Action != "" {
			cat.Action = over.Action
		}
		merged[name] = cat
	}
	c.Categories = merged
	return c
}

// resolve fills the defaults in.
func resolve(c Config, version string) *Resolved {
	r := &Resolved{
		Mode: orElse(c.Mode, engines.RealTimeBlock), ApproveClear: c.ApproveClear,
		Fail: orElse(c.Fail, FailReview), Record: orElse(c.Record, RecordFlagged), Version: version,
	}
	switch r.Record {
	case RecordAll:
		r.SampleRate = 1
	case RecordSampled:
		r.SampleRate = c.SampleRate
	}
	r.economy = c.Economy.rule()
	level := orElse(c.Strictness, defaultStrictness)
	for i := range r.rules {
		r.rules[i] = rule{enabled: true, level: level, action: ActionReview}
	}
	for i, name := range engines.TextCategories {
		have := &r.rules[i]
		if name.HighRisk() {
			have.action = ActionBlock
		}
		over := c.Categories[name]
		have.enabled = over.Enabled == nil || *over.Enabled
		have.level = orElse(over.Strictness, level)
		have.action = orElse(over.Action, have.action)
	}
	return r
}

func orElse[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
