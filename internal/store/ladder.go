package store

import "github.com/portcullis-gg/portcullis/engines"

// LadderRules say what strikes weigh and what they come to.
type LadderRules struct {
	// Automatic has the gateway's own blocks strike too, not rulings alone.
	Automatic bool `json:"automatic" yaml:"automatic"`
	// WindowDays is how long a strike counts for a step, 1 to 3650.
	WindowDays int `json:"window_days" yaml:"window_days"`
	// Weights has what a strike weighs by severity, 1 first, for a category, for a
	// category/sub-label, and under "default" for the rest.
	Weights map[string][]int `json:"weights" yaml:"weights"`
	// Start names, by category, the step that a single strike reaches at least.
	Start map[string]PenaltyKind `json:"start" yaml:"start"`
	Steps []LadderStep           `json:"steps" yaml:"steps"`
	// Layers has what differs for content under layers of the app's policy, by their ids
	// ("segment/minor"). Of those that hold the most specific one decides, setting by
	// setting.
	Layers map[string]LadderLayer `json:"layers,omitempty" yaml:"layers"`
}

// LadderStep is what is given from a weight on. Steps of one weight are given together.
type LadderStep struct {
	Weight int         `json:"weight" yaml:"weight"`
	Kind   PenaltyKind `json:"kind" yaml:"kind"`
	// Hours is how long it holds; 0 is for good, and for warnings.
	Hours int `json:"hours,omitempty" yaml:"hours,omitempty"`
	// WindowDays replaces the ladder's; 0 keeps it.
	WindowDays int `json:"window_days,omitempty" yaml:"window_days,omitempty"`
	// Categories are those whose strikes alone count for the step: steps that name the
	// same ones are a ladder of their own. Steps that name none are for the others.
	Categories []engines.Category `json:"categories,omitempty" yaml:"categories,omitempty"`
}

// LadderLayer is what a ladder says of content under one layer of a policy. What it
// leaves out is taken from below: the ladder, and the layers that are more general.
type LadderLayer struct {
	Automatic  *bool `json:"automatic,omitempty" yaml:"automatic"`
	WindowDays int   `json:"window_days,omitempty" yaml:"window_days"`
	// Weights replace those below row by row; what is said of a category stands for its
	// sub-labels too, unless they are named beside it.
	Weights map[string][]int `json:"weights,omitempty" yaml:"weights"`
	// Start and Steps replace those below as a whole. A Start that is empty, and not nil,
	// has nothing start higher.
	Start map[string]PenaltyKind `json:"start,omitzero" yaml:"start"`
	Steps []LadderStep           `json:"steps,omitempty" yaml:"steps"`
}

// Ladder is one version of an app's ladder.
type Ladder struct {
	App     engines.AppID
	Version int // 0: the configuration's
	Rules   LadderRules
	By      string
	Changed int64 // epoch ms
}
