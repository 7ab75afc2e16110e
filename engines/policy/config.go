package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// Config is the policy as it is written down, in portcullis.yaml under policy.
// What it leaves out has a working default; the zero Config is valid.
type Config struct {
	// Dir is a folder of layers over this policy, for whoever starts the gateway: ""
	// are those that are built in, "none" is none.
	Dir string `yaml:"dir"`
	// Mode is the filtering mode; "" is real_time_block.
	Mode engines.Mode `yaml:"mode"`
	// Strictness is 1 (lenient) to 5 (strict); 0 is 3.
	Strictness int `yaml:"strictness"`
	// Fail decides where an engine did not answer; "" is review.
	Fail Fail `yaml:"fail"`
	// ApproveClear publishes clear passes without a moderator in pre_review.
	ApproveClear bool `yaml:"approve_clear"`
	// Record says which passes are recorded; "" is sampled, of which one in twenty.
	Record Record `yaml:"record"`
	// SampleRate is the share of passes recorded under sampled, above 0 to 1.
	SampleRate float64 `yaml:"sample_rate"`
	// Categories are the settings of single categories.
	Categories map[engines.Category]CategoryConfig `yaml:"categories"`
	// Economy is what a player's economy risk does to its chat.
	Economy EconomyConfig `yaml:"economy"`
	// Scenes are exceptions for channels. The first entry that fits decides; what
	// it leaves out is taken from above.
	Scenes []SceneConfig `yaml:"scenes"`
}

// CategoryConfig is what a policy says about one category.
type CategoryConfig struct {
	// Enabled false ignores the category, its mandatory rules aside.
	Enabled *bool `yaml:"enabled"`
	// Strictness 1 to 5 replaces the policy's; 0 keeps it.
	Strictness int `yaml:"strictness"`
	// Action replaces what the category does by its risk; "" keeps it.
	Action Action `yaml:"action"`
}

// EconomyConfig is how a player with a high economy risk is judged. It concerns
// spam alone, and only ever makes it stricter.
type EconomyConfig struct {
	// Risk is the score from which on it holds, 1 to 100, or 101 for never; 0 is 75.
	Risk int `yaml:"risk"`
	// Stricter is how many levels of strictness are added, 1 to 4; 0 is 1. It does
	// not move a level that the caller gave.
	Stricter int `yaml:"stricter"`
}

// SceneConfig is an exception for one scene, or for all with a prefix.
type SceneConfig struct {
	// Scene is a scene id, or a prefix that ends in *.
	Scene string `yaml:"scene"`
	// Mode, Strictness and ApproveClear replace the policy's where they are set.
	Mode         engines.Mode `yaml:"mode"`
	Strictness   int          `yaml:"strictness"`
	ApproveClear *bool        `yaml:"approve_clear"`
	// Categories are merged into the policy's, setting by setting.
	Categories map[engines.Category]CategoryConfig `yaml:"categories"`
}

// Action is what a category does with what was found in it.
type Action string

// The category actions.
const (
	// ActionBlock blocks above the block cut-off and asks a person above the
	// review cut-off: the default of the high-risk categories.
	ActionBlock Action = "block"
	// ActionReview asks a person and never blocks: the default of the others.
	ActionReview Action = "review"
	// ActionWarn delivers and tells the player; the suggestion stays pass.
	ActionWarn Action = "warn"
	// ActionMask delivers with the hits masked; the suggestion is review, but no
	// person is asked.
	ActionMask Action = "mask"
)

// Fail says what becomes of an item that an engine did not inspect.
type Fail string

// The fail rules.
const (
	FailReview Fail = "review" // at least review
	FailOpen   Fail = "open"   // what the other engines found
	FailClosed Fail = "closed" // block
)

// Record says which passes are recorded. What was flagged always is.
type Record string

// The record rules.
const (
	RecordFlagged Record = "flagged"
	RecordAll     Record = "all"
	RecordSampled Record = "sampled"
)

// defaultSampleRate is the share of passes that is recorded where nobody says anything:
// a back-test is true only where passes are among what it decides again.
const defaultSampleRate = 0.05

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var f configFaults
	f.mode("policy.mode", c.Mode)
	f.strictness("policy.strictness", c.Strictness)
	f.oneOf("policy.fail", string(c.Fail), string(FailReview), string(FailOpen), string(FailClosed))
	f.oneOf("policy.record", string(c.Record), string(RecordFlagged), string(RecordAll), string(RecordSampled))
	switch sampled := c.Record == RecordSampled; {
	case sampled && !(c.SampleRate > 0 && c.SampleRate <= 1): // written so that NaN fails
		f.addf("policy.sample_rate: must be above 0 and at most 1 when policy.record is sampled")
	case !sampled && c.SampleRate != 0:
		f.addf("policy.sample_rate: only has a meaning when policy.record is sampled")
	}
	f.categories("policy.categories", c.Categories)
	f.economy("policy.economy", &c.Economy)
	for i := range c.Scenes {
		f.scene(fmt.Sprintf("policy.scenes[%d]", i), &c.Scenes[i], c.Scenes[:i])
	}
	return errors.Join(f...)
}

// configFaults collects what is wrong with a Config.
type configFaults []error

func (f *configFaults) addf(format string, args ...any) {
	*f = append(*f, fmt.Errorf(format, args...))
}

func (f *configFaults) oneOf(key, got string, allowed ...string) {
	if got != "" && !slices.Contains(allowed, got) {
		f.addf("%s: %q is not one of %s", key, got, strings.Join(allowed, ", "))
	}
}

func (f *configFaults) mode(key string, m engines.Mode) {
	if m == "" || slices.Contains(engines.Modes, m) {
		return
	}
	names := make([]string, len(engines.Modes))
	for i, mode := range engines.Modes {
		names[i] = string(mode)
	}
	f.addf("%s: %q is not a filtering mode (%s)", key, m, strings.Join(names, ", "))
}

func (f *configFaults) strictness(key string, level int) {
	if level < 0 || level > MaxStrictness {
		f.addf("%s: must be 1 to %d", key, MaxStrictness)
	}
}

func (f *configFaults) economy(key string, e *EconomyConfig) {
	if e.Risk < 0 || e.Risk > neverRisk {
		f.addf("%s.risk: must be 1 to %d", key, neverRisk)
	}
	if e.Stricter < 0 || e.Stricter >= MaxStrictness {
		f.addf("%s.stricter: must be 1 to %d", key, MaxStrictness-1)
	}
}

func (f *configFaults) categories(key string, cs map[engines.Category]CategoryConfig) {
	names := make([]engines.Category, 0, len(cs))
	for name := range cs {
		names = append(names, name)
	}
	slices.Sort(names) // the same faults in the same order each time
	for _, name := range names {
		at, c := fmt.Sprintf("%s.%s", key, name), cs[name]
		if !slices.Contains(engines.TextCategories, name) && !slices.Contains(engines.MediaCategories, name) {
			f.addf("%s: is not a category", at)
		}
		f.strictness(at+".strictness", c.Strictness)
		f.oneOf(at+".action", string(c.Action), string(ActionBlock), string(ActionReview), string(ActionWarn), string(ActionMask))
	}
}

func (f *configFaults) scene(key string, s *SceneConfig, before []SceneConfig) {
	prefix, _ := strings.CutSuffix(s.Scene, "*")
	switch {
	case s.Scene == "":
		f.addf("%s.scene: is missing", key)
	case strings.Contains(prefix, "*"):
		f.addf("%s.scene: %q has a * that is not at its end", key, s.Scene)
	default:
		for i := range before {
			if before[i].covers(s.Scene) {
				f.addf("%s.scene: %q is never reached, policy.scenes[%d] %q takes it", key, s.Scene, i, before[i].Scene)
				break
			}
		}
	}
	f.mode(key+".mode", s.Mode)
	f.strictness(key+".strictness", s.Strictness)
	f.categories(key+".categories", s.Categories)
}

// covers reports whether every scene that other names is one that s names.
func (s *SceneConfig) covers(other string) bool {
	if prefix, ok := strings.CutSuffix(s.Scene, "*"); ok {
		return strings.HasPrefix(strings.TrimSuffix(other, "*"), prefix)
	}
	return s.Scene == other
}
