package store

import (
	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Profile is what a game server says of a player.
type Profile struct {
	Segment  string // minor, standard, trusted; "" where it is to be derived
	Region   string
	Language string // BCP 47
	// AgeVerified is "yes", "no" or "" where nothing was said.
	AgeVerified string
	Registered  int64 // when the player's account was made, epoch ms; 0: not said
}

// Pin is a trust that a person has fixed. The zero Pin is none.
type Pin struct {
	Trust  string // "trusted", "watched" or "default"; "" is none
	Until  int64  // epoch ms; 0: until it is taken back
	By     string
	Reason string
}

// Card is all that is kept of a player for verdicts.
type Card struct {
	App     engines.AppID
	Player  engines.PlayerID
	Stored  bool // else there is nothing
	Profile Profile
	Pin     Pin
	// Clean is the credit for clean days as of CleanAt, see internal/players; Day is
	// the newest day that gave some.
	Clean   float64
	CleanAt int64 // epoch ms
	Day     int64
	Version int   // grows with each change of the credit
	Changed int64 // epoch ms of the last change of what is no credit
	Strikes []StrikeWeight
	// Earlier is what was found in the player's content of late and stands, newest first:
	// of verdicts that were not a pass, that no person has approved and whose strike was
	// not taken back. See engines.EarlierMost and EarlierWithin.
	Earlier []engines.Earlier
	Untold  int // warnings that the player has not seen
}

// StrikeWeight is what a strike that stands weighs.
type StrikeWeight struct {
	Category engines.Category
	Weight   int
	Created  int64 // epoch ms
}

// CardKey names a player whose card has changed, and when.
type CardKey struct {
	App     engines.AppID
	Player  engines.PlayerID
	Changed int64
}

// Event kinds of a player's timeline.
const (
	TimelinePenalty  = "penalty"
	TimelineStrike   = "strike"
	TimelineCase     = "case"
	TimelineDecision = "decision"
	TimelineReport   = "report"
)

// PlayerEvent is one entry of a player's timeline: the member that Kind names is set.
type PlayerEvent struct {
	At       int64 // epoch ms
	ID       string
	Kind     string
	Penalty  *Penalty
	Strike   *Strike
	Case     *Case
	Decision *Decision // without its content and its signals
	Report   *Report   // of the player by another
}

// PlayerCounts are how many of each there are of a player.
type PlayerCounts struct {
	Penalties, Strikes, Cases, Flagged int
}

// Mark is the entry's place in the timeline.
func (e *PlayerEvent) Mark() economy.Mark { return economy.Mark{At: e.At, ID: e.ID} }
