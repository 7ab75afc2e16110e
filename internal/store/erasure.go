package store

import (
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// States of an erasure.
const (
	ErasureRunning = "running"
	ErasureDone    = "done"
)

// Erasure is the removal of a player's data. Once it is done, nothing of it names
// the player any more.
type Erasure struct {
	ID        string
	App       engines.AppID
	Player    engines.PlayerID // "" once it is done
	Pseudonym engines.PlayerID // stands in the player's place, see Store.Pseudonym
	State     string
	Step      string // the one that is next while it runs
	By        string
	Created   time.Time
	Done      time.Time
	// Counts are the records changed by kind, "held" and "bans_kept" those that
	// had to stay.
	Counts map[string]int64
}

// PlayerRecord is one record of a player: one of its fields is set.
type PlayerRecord struct {
	Decision *Decision
	Message  *SceneMessage
	Entry    *economy.Entry
	Ban      *economy.Ban
	Voice    *VoicePrint // without the voice itself, which nobody can read
}
