package casework

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Ruled hears of rulings, in their order for each case and at least once. An error has
// it told again later.
type Ruled interface {
	Ruled(ctx context.Context, r store.Ruling) error
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
