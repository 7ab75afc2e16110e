package store

import (
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
)

// Errors of policies. Drivers wrap them.
var (
	// ErrRollout: a rollout of the same layer is under way, which ends first.
	ErrRollout = errors.New("store: a rollout of it is under way")
	// ErrRunning: the app has one already, and may have one at a time.
	ErrRunning = errors.New("store: one runs already")
)

// Kinds of PolicyKey beside the layers of a policy.
const (
	// ListLayer holds an app's own word lists, by name.
	ListLayer = "list"
	// SettingsLayer holds how an app works on its policy, as SettingsName.
	SettingsLayer = "settings"
	SettingsName  = "default"
)

// PolicyKey names a layer of an app's policy, one of its word lists or its settings.
type PolicyKey struct {
	App         engines.AppID
	Layer, Name string
}

// Policy is one version of what a PolicyKey names. Versions are only ever added.
type Policy struct {
	PolicyKey
	Version int
	// Body is JSON, "" where Removed.
	Body string
	// Removed: what is built in holds again.
	Removed bool
	// How it came about: put, delete, return or rollout. Of is the version that a
	// return took from, Rollout the id of the rollout.
	How     string
	Of      int
	Rollout string
	By      string
	// Approved is who else approved it, under the two-person rule.
	Approved string
	Comment  string
	Changed  int64 // epoch ms of our clock
}

// The ways in which a version comes about.
const (
	ByPut     = "put"
	ByDelete  = "delete"
	ByReturn  = "return"
	ByRollout = "rollout"
)
