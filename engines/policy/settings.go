package policy

import (
	"github.com/portcullis-gg/portcullis/engines"
)

// Settings is what a layer says. What it leaves out is taken from the layers below
// it, so the zero Settings says nothing.
type Settings struct {
	// Description says what the layer is for and why it is as it is.
	Description string `yaml:"description,omitempty"`
	// Reason is what players are told of why content is restricted, in the words of the
	// game's rules: the ground of statements of reasons and of warnings, for categories
	// that have none of their own and are not against the law. At most 300 characters.
	Reason string `yaml:"reason,omitempty"`
	// Mode is the filtering mode.
	Mode engines.Mode `yaml:"mode,omitempty"`
	// Strictness 1 to 5 is for categories that no layer gives one of their own.
	Strictness int `yaml:"strictness,omitempty"`
	// Stricter is -4 to 4 levels that are added to every strictness in the end, those
	// of the layers below included. Levels taken off are never taken off illegal.
	Stricter int `yaml:"stricter,omitempty"`
	// Categories are the settings of single categories, merged one by one.
	Categories map[engines.Category]CategorySettings `yaml:"categories,omitempty"`
	// ApproveClear publishes clear passes without a moderator in pre_review.
	ApproveClear *bool `yaml:"approve_clear,omitempty"`
	// Fail decides where an engine did not answer; FailByKind for kinds of content
	// (text, name, image, audio, video) that differ.
	Fail       Fail                  `yaml:"fail,omitempty"`
	FailByKind map[engines.Kind]Fail `yaml:"fail_by_kind,omitempty"`
	// Record says which passes are recorded, SampleRate the share under sampled.
	Record     Record  `yaml:"record,omitempty"`
	SampleRate float64 `yaml:"sample_rate,omitempty"`
	// Economy is what a player's economy risk does to its chat.
	Economy EconomySettings `yaml:"economy,omitempty"`
	// Trust is by how many levels a player's standing moves strictness.
	Trust TrustSettings `yaml:"trust,omitempty"`
	// History is what was found in a player's earlier content for what is found now.
	History HistorySettings `yaml:"history,omitempty"`
	// Acoustic are thresholds and definition times of what is heard without words, by
	// kind and key (engines.AcousticLimits), over those of the configuration; merged one
	// by one. What is done about a kind is its sub-label's, of category acoustic.
	Acoustic map[string]map[string]float64 `yaml:"acoustic,omitempty"`
	// BannedVoices is whether the voices of players whom a decision keeps out are known again.
	BannedVoices BannedVoicesSettings `yaml:"banned_voices,omitempty"`
	// Prohibited are words that are always found, Exceptions words that never are.
	Prohibited []ProhibitedWord `yaml:"prohibited,omitempty"`
	Exceptions []ExceptionWord  `yaml:"exceptions,omitempty"`
	// Lists names stored lists whose words hold besides.
	Lists []string `yaml:"lists,omitempty"`
	// TimeZone is the IANA time zone of Schedule; UTC when no layer names one.
	TimeZone string `yaml:"time_zone,omitempty"`
	// Schedule changes the layer at times of day; of windows that overlap the first
	// one holds.
	Schedule []Window `yaml:"schedule,omitempty"`

	// GameMode says which game mode the channel is of; channel layers only.
	GameMode string `yaml:"game_mode,omitempty"`
	// Countries are those (ISO 3166-1 alpha-2, small letters) whose players the region
	// layer is for besides those who name the region; region layers only.
	Countries []string `yaml:"countries,omitempty"`
	// Segments are what the region says of a segment's players, laid over the segment's
	// own layer: minors in one country; region layers only. They have no schedule, words
	// or mandatory rules.
	Segments map[string]Settings `yaml:"segments,omitempty"`
	// EscalateMandatory opens a case for every hit of a mandatory rule, also where the
	// content was dropped or is only monitored; global layer only.
	EscalateMandatory *bool `yaml:"escalate_mandatory,omitempty"`
}

// CategorySettings is what a layer says about one category.
type CategorySettings struct {
	// Enabled false ignores the category, its mandatory rules aside.
	Enabled *bool `yaml:"enabled,omitempty"`
	// Strictness is 1 to 5.
	Strictness int `yaml:"strictness,omitempty"`
	// Action is block, review, warn or mask.
	Action Action `yaml:"action,omitempty"`
	// Mandatory keeps every layer above, callers and standing from loosening what the
	// global layer says of the category; global layer only.
	Mandatory bool `yaml:"mandatory,omitempty"`
	// Reason is what players are told, see Settings.
	Reason string `yaml:"reason,omitempty"`
	// SubLabels differ from their category. What a more specific layer says of the
	// whole category stands for them too, unless it names them.
	SubLabels map[string]SubLabelSettings `yaml:"sub_labels,omitempty"`
}

// SubLabelSettings is what a layer says about one sub-label; see CategorySettings.
type SubLabelSettings struct {
	Enabled    *bool  `yaml:"enabled,omitempty"`
	Strictness int    `yaml:"strictness,omitempty"`
	Action     Action `yaml:"action,omitempty"`
	Mandatory  bool   `yaml:"mandatory,omitempty"`
	Reason     string `yaml:"reason,omitempty"`
}

// EconomySettings is EconomyConfig in a layer.
type EconomySettings struct {
	Risk     int `yaml:"risk,omitempty"`
	Stricter int `yaml:"stricter,omitempty"`
}

// TrustSettings is how a player's standing moves strictness, each 0 to 4 levels.
// None moves what is illegal, mandatory rules, or a level that the caller gave.
type TrustSettings struct {
	// Watched levels are added for players who are watched, Trusted ones taken off for
	// those who are trusted; 1 each unless given.
	Watched *int `yaml:"watched,omitempty"`
	Trusted *int `yaml:"trusted,omitempty"`
	// Recent violations of one category within the player's window, 1 to 100, add
	// RecentStricter levels to that category: 3 and 1 unless given.
	Recent         int  `yaml:"recent,omitempty"`
	RecentStricter *int `yaml:"recent_stricter,omitempty"`
}

// HistorySettings is how much what was found in a player's earlier content, and what
// the economy knows of it, adds to the confidence of what is found now; see earlier.go.
type HistorySettings struct {
	// WindowMinutes is how long something counts, up to a week (10080); a day unless given.
	WindowMinutes int `yaml:"window_minutes,omitempty"`
	// HalfLifeMinutes is after how long it counts half, 1 to 10080: six hours unless given.
	HalfLifeMinutes int `yaml:"half_life_minutes,omitempty"`
	// Weight is what share of its confidence something of this moment counts, 0 (nothing
	// earlier counts) to 1: 0.25 unless given.
	Weight *float64 `yaml:"weight,omitempty"`
	// Most is the probability that all of it together comes to at most, 0 to 0.5: 0.3
	// unless given.
	Most *float64 `yaml:"most,omitempty"`
}

// Window is a time of day at which a layer says something else.
type Window struct {
	// Days are mon, tue, wed, thu, fri, sat, sun: the days on which the window begins.
	// None means all.
	Days []string `yaml:"days,omitempty"`
	// From and To are the wall clock, HH:MM; To is not in the window and may be 24:00.
	// A To before From is on the next day.
	From string `yaml:"from"`
	To   string `yaml:"to"`
	// Stricter is -4 to 4 levels, as in Settings.
	Stricter int `yaml:"stricter,omitempty"`
	// Settings are laid over the layer's own while the window lasts. They have no
	// schedule, words or mandatory rules.
	Settings *Settings `yaml:"settings,omitempty"`
}
