package casework

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Ruling is what a person decided on content, for who acts on players.
type Ruling struct {
	// ID is the same for each repeat of a ruling and no other's.
	ID      string
	App     engines.AppID
	Case    engines.CaseID
	Player  engines.PlayerID
	Request engines.RequestID
	// Category, SubLabel and Severity (1 to 4, 0 where nobody said) are what a
	// rejection found.
	Category engines.Category
	SubLabel string
	Severity int
	By       string
	Decision string // approve or reject
	// Undone takes back what followed of this decision of the case.
	Undone bool
	At     time.Time
}

// Ruled hears of rulings, in their order for each case and at least once: a repeat
// has the ID of the first. An error has it told again later.
type Ruled interface {
	Ruled(ctx context.Context, r Ruling) error
}

// Penalty is something that holds, or held, against a player.
type Penalty struct {
	ID     string
	Kind   string // warn, mute_text, mute_voice, trade_lock, suspend, ban
	Reason string
	State  string // active, expired, lifted
	By     string
	At     time.Time
	Until  time.Time // zero: it has no end
}

// Penalties knows what was done about a player.
type Penalties interface {
	// PenaltiesOf lists the newest most first.
	PenaltiesOf(ctx context.Context, app engines.AppID, player engines.PlayerID, most int) ([]Penalty, error)
	// Revoke takes a penalty back; one that is gone already is no error.
	Revoke(ctx context.Context, app engines.AppID, player engines.PlayerID, penalty, by, reason string) error
}
