package penalty

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// ErrNone says that no penalty of this id holds.
var ErrNone = errors.New("penalty: no such penalty holds")

// Store keeps strikes, penalties and ladders. A nil error means that what was given
// is on disk; errors of a store that is away are engines.ErrUnavailable.
type Store interface {
	Strikes
	Penalties
	Ladders
	Sweeping
}

// Strikes keeps strikes, each with what it came to.
type Strikes interface {
	// Strike gives a strike unless it stands, with the penalties that decide makes of
	// those that stand; all or nothing. decide may be called again.
	Strike(ctx context.Context, w store.StrikeWish, decide func(now store.Strike, standing []store.Strike) []store.Penalty) (store.Struck, error)
	// UndoStrike takes one back and lifts the ladder's penalties that do not rest on the
	// others; store.ErrNotFound where it does not stand.
	UndoStrike(ctx context.Context, app engines.AppID, id, by string, at int64, rests func(*store.Penalty, []store.Strike) bool) (store.Struck, error)
}

// Penalties keeps penalties.
type Penalties interface {
	PutPenalty(ctx context.Context, p store.Penalty) (stored store.Penalty, fresh bool, err error)
	// LiftPenalty returns store.ErrNotFound where none of this id holds.
	LiftPenalty(ctx context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string, at int64) (store.Penalty, error)
	// EndPenalties notes which mutes have ended, each once over all gateways.
	EndPenalties(ctx context.Context, now int64) ([]store.Penalty, error)
	Penalties(ctx context.Context, q store.PenaltyQuery) ([]store.Penalty, error)
	// PenaltiesChanged lists what changed since a time; at 0 the mutes that hold.
	PenaltiesChanged(ctx context.Context, since, now int64) ([]store.Penalty, error)
	// OwedPenalties lists those about which the economy has something to do.
	OwedPenalties(ctx context.Context, before int64) ([]store.Penalty, error)
	SettlePenalty(ctx context.Context, app engines.AppID, id, owed string) error
	UntoldWarnings(ctx context.Context, app engines.AppID, player engines.PlayerID) ([]store.Penalty, error)
	// TellWarning is true for the one who tells a warning.
	TellWarning(ctx context.Context, app engines.AppID, id string, at int64) (bool, error)
}

// Ladders keeps the ladders of apps.
type Ladders interface {
	PutLadder(ctx context.Context, l store.Ladder, was int) (store.Ladder, error)
	LaddersChanged(ctx context.Context, since int64) ([]store.Ladder, error)
}

// Economy makes and lifts bans, and knows which players there are; economy.Service
// is the one there is.
type Economy interface {
	Ban(ctx context.Context, b economy.Ban, hours int64) (economy.Ban, error)
	Lift(ctx context.Context, l economy.Lift) ([]economy.Ban, error)
	// Known is economy.ErrUnknownPlayer for one that nothing has named.
	Known(ctx context.Context, app engines.AppID, player engines.PlayerID) error
}

// Sessions are those of this gateway. No method waits.
type Sessions interface {
	// Here reports whether the player has a connection here now.
	Here(app engines.AppID, player engines.PlayerID) bool
	Warn(app engines.AppID, player engines.PlayerID, category engines.Category)
	// Mute tells of a mute that holds until a time, zero for good; Unmute of its end.
	Mute(app engines.AppID, player engines.PlayerID, voice bool, until time.Time, category engines.Category)
	Unmute(app engines.AppID, player engines.PlayerID, voice bool)
}

// State is what became of a penalty.
type State string

// The states.
const (
	Created State = "created"
	Lifted  State = "lifted"
	Expired State = "expired" // it ended by itself
)

// Deps is what a Service stands on.
type Deps struct {
	Store    Store
	Economy  Economy
	Sessions Sessions
	// Layers lists the layers of its app's policy that hold for an item, the most general
	// one first; it does not wait. LayersOf lists those that hold for the content of a
	// ruling, or for its player where the content is not known; an error is
	// engines.ErrUnavailable. Both are asked only where a ladder has layers.
	Layers   func(item *engines.Item) []string
	LayersOf func(ctx context.Context, r *store.Ruling) ([]string, error)
	// Tell has the other gateways look at a player's penalties, TellLadders at ladders.
	// Neither waits.
	Tell        func(app engines.AppID, player engines.PlayerID)
	TellLadders func()
	// Changed is told of each change of a penalty that was made here, once over all
	// gateways. It does not wait.
	Changed func(p *store.Penalty, state State)
	// Struck is told that the strikes of a player changed here. It does not wait.
	Struck func(app engines.AppID, player engines.PlayerID)
	// Counts is how long a strike counts for a player's standing.
	Counts time.Duration
	Log    *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}
