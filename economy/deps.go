package economy

import (
	"context"
	"errors"
	"io"

	"github.com/portcullis-gg/portcullis/engines"
)

// ErrUnknownPlayer says that no log, check or ticket of the app has named the player.
var ErrUnknownPlayer = errors.New("economy: player not known")

// Store keeps entries and bans. A nil error means that what was given is on disk;
// errors of a store that is away are engines.ErrUnavailable.
type Store interface {
	// PutEntries commits entries of an app and says for each whether it is new: one
	// with its log, player and id was not stored before, and not earlier in entries.
	PutEntries(ctx context.Context, app engines.AppID, entries []Entry) (fresh []bool, err error)
	// Newest is the end of the newest day that has an entry other than an Advert,
	// epoch ms; 0: none has.
	Newest(ctx context.Context, app engines.AppID) (int64, error)
	// Replay hands on the entries of an app from a time on, some at once, as they
	// stand at the place with which began is called. each keeps nothing of what it gets.
	Replay(ctx context.Context, app engines.AppID, from int64, began func(Place), each func([]Entry)) error
	// Follow hands on the entries that other gateways stored and since does not see,
	// each once, and says which place sees them. Where it fails, some may have been
	// handed on.
	Follow(ctx context.Context, app engines.AppID, since Place, from int64, each func([]Entry)) (Place, error)
	// Timeline is a page of what is stored of a player, newest first.
	Timeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before Mark, most int) (page []Entry, next Mark, err error)
	// EconomyApps lists the apps that have entries.
	EconomyApps(ctx context.Context) ([]engines.AppID, error)

	// SaveBook keeps what write writes as the book of an app, instead of an earlier one.
	SaveBook(ctx context.Context, app engines.AppID, b SavedBook, write func(io.Writer) error) error
	// LoadBook hands the saved book of an app to read, if there is one that knows all
	// that is stored, or a place from which Follow knows the rest.
	LoadBook(ctx context.Context, app engines.AppID, read func(SavedBook, io.Reader) error) (bool, error)

	// PutBan commits a ban with its audit entry and returns it as stored: an earlier
	// one of the same app and id stays as it is.
	PutBan(ctx context.Context, b Ban) (stored Ban, err error)
	// LiftBans lifts the bans of a player that match and are not lifted, with an
	// audit entry, and returns them. What the same Key lifted before comes back as it is.
	LiftBans(ctx context.Context, l Lift) ([]Ban, error)
	Bans(ctx context.Context, q BanQuery) ([]Ban, error)
	// BansChanged lists the bans of all apps that were made or lifted at or after a
	// time of our clock, epoch ms, and at 0 those not lifted that end after now.
	BansChanged(ctx context.Context, since, now int64) ([]Ban, error)
	// EndBans notes that bans have ended by themselves, each once over all gateways,
	// with an audit entry: those whose Ends has come by now, epoch ms, and those named.
	EndBans(ctx context.Context, now int64, named []BanKey) (ended []Ban, err error)
	// PutOverride commits an override in the place of an earlier one of the same player,
	// with its audit entry.
	PutOverride(ctx context.Context, o Override) error
	// OverridesChanged lists the overrides of all apps that were stored at or after a time
	// of our clock, epoch ms, and at 0 those that end after now.
	OverridesChanged(ctx context.Context, since, now int64) ([]Override, error)
	// OpenAlert opens a case for an alert unless it has one, see Alert.
	OpenAlert(ctx context.Context, a Alert) (c AlertCase, opened bool, err error)
	// OpenRisks lists open cases of players' risks, by player, those after one.
	OpenRisks(ctx context.Context, app engines.AppID, after engines.PlayerID, most int) ([]OpenRisk, error)
	// MoveAlert notes on an open case what the risk has come to, with an audit entry;
	// once over all gateways.
	MoveAlert(ctx context.Context, m AlertMove) (c AlertCase, moved bool, err error)

	// PutPlayers notes that players were named; known ones change nothing.
	PutPlayers(ctx context.Context, players []PlayerKey) error
	// PlayerKnown reports whether a player was noted or an entry is its.
	PlayerKnown(ctx context.Context, app engines.AppID, player engines.PlayerID) (bool, error)
}

// Place is how far the entries of a store were seen, in the store's own words; ""
// where no other gateway stores any.
type Place string

// SavedBook is what goes with a book that is saved: what it counts, see Store, and
// when by our clock it was made from the log.
type SavedBook struct {
	Place Place
	From  int64 // epoch ms of the app's time
	Made  int64 // epoch ms
}

// PlayerKey names a player of an app.
type PlayerKey struct {
	App    engines.AppID
	Player engines.PlayerID
}

// BanKey names a ban of an app.
type BanKey struct {
	App engines.AppID
	ID  string
}

// Lift asks for the end of a player's bans: of the one with an ID or those of a
// Type, of all where both are empty.
type Lift struct {
	App     engines.AppID
	Player  engines.PlayerID
	ID      string
	Type    BanType
	Reason  string
	By      string
	At      int64 // epoch ms of the app's time
	Ending  int64 // the app's time by which bans end; 0: our clock alone ends them
	Now     int64 // of our clock
	Key     string
	Request engines.RequestID
}

// BanQuery asks for bans of an app, newest first.
type BanQuery struct {
	App    engines.AppID
	Player engines.PlayerID // "" is any
	// Holding leaves out what is lifted or ended: by the app's time At, 0 for none, or by our clock Now.
	Holding bool
	At, Now int64
	// Before is where the last page ended; the zero Mark is the start.
	Before Mark
	Limit  int // 0: all of them
}

// Mark is a place in a list that is sorted by time, newest first: what follows is
// older, or of the same time with a smaller ID. The zero Mark is the start of a
// list and, as what comes next, its end.
type Mark struct {
	At int64
	ID string
}
