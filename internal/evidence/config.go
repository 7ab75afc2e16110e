package evidence

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// What Keep may name.
const (
	keepBlocked = "blocked"
	keepCases   = "cases"
)

// Config says what is kept and for how long. It stands in portcullis.yaml under
// evidence.
type Config struct {
	// Keep names the flagged content of which evidence is kept: "blocked", "cases"
	// (what opened a case), both, or none.
	Keep []string `yaml:"keep"`
	// Retention is how many days the content of evidence stays, by category, "default"
	// for the others; 0 is for good. A hold beats it.
	Retention map[string]int `yaml:"retention"`
	// DecisionContent is how many days decisions keep the text they are about, 0 is
	// for good. The decision itself, what was found and why stay.
	DecisionContent int `yaml:"decision_content"`
	// Dir is the folder of files; "" is evidence in the data folder. Gateways that
	// share a database must share it.
	Dir string `yaml:"dir"`
	// Authority is who is told of what a child-safety bank knows, for the record that is
	// prepared of each: NCMEC in the United States.
	Authority string `yaml:"authority"`
	// MaxFile is how many bytes one file may have.
	MaxFile int64 `yaml:"max_file"`
}

const (
	defaultKey = "default"
	day        = 24 * time.Hour
	// maxDays is a century: what is longer is for good.
	maxDays = 36525
)

// Default returns the settings that serve starts with. What the law may ask for is
// kept longest: a year, as United States law asks of what was reported (18 U.S.C.
// 2258A(h)). The rest goes once appeals are over.
func Default() Config {
	return Config{
		Keep: []string{keepBlocked, keepCases},
		Retention: map[string]int{
			defaultKey: 90, string(engines.ChildSafety): 365, string(engines.Illegal): 365, string(engines.Extremism): 365, string(engines.Violence): 180, string(engines.Hate): 180,
			string(engines.Sexual): 180, string(engines.Spam): 30, string(engines.Political): 30,
		},
		DecisionContent: 90,
		MaxFile:         64 << 20,
	}
}

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	var faults []error
	for _, k := range c.Keep {
		if k != keepBlocked && k != keepCases {
			faults = append(faults, fmt.Errorf("evidence.keep: %q is not blocked or cases", k))
		}
	}
	for category, days := range c.Retention {
		if days < 0 || days > maxDays {
			faults = append(faults, fmt.Errorf("evidence.retention.%s: must be 0 to %d days", category, maxDays))
		}
		if category != defaultKey && !slices.Contains(categories, engines.Category(category)) {
			faults = append(faults, fmt.Errorf("evidence.retention.%s: there is no such category", category))
		}
	}
	if c.DecisionContent < 0 || c.DecisionContent > maxDays {
		faults = append(faults, fmt.Errorf("evidence.decision_content: must be 0 to %d days", maxDays))
	}
	if c.MaxFile <= 0 {
		faults = append(faults, errors.New("evidence.max_file: must be positive"))
	}
	return errors.Join(faults...)
}

// categories are those of text, and those that pictures and sound have besides.
var categories = slices.Concat(engines.TextCategories, engines.MediaCategories)

// until is when the content of a category goes; zero is never.
func (c *Config) until(category engines.Category, sub string, from time.Time) time.Time {
	names := []string{string(category), defaultKey}
	if engines.AboutChildren(category, sub) {
		names = append([]string{string(engines.ChildSafety)}, names...)
	} else if sub != "" {
		names = append([]string{sub}, names...) // illegal/extremism has extremism's
	}
	for _, name := range names {
		if days, ok := c.Retention[name]; ok {
			if days == 0 {
				return time.Time{}
			}
			return from.Add(time.Duration(days) * day)
		}
	}
	return time.Time{}
}
