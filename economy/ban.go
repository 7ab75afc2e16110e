package economy

import "github.com/portcullis-gg/portcullis/engines"

// BanType is what a ban takes away.
type BanType string

// The types: temporary and permanent close the player's sessions; a trade ban
// blocks trades, a withdrawal ban what leaves the player; a shadow ban is recorded
// and not enforced; a warning takes nothing.
const (
	Temporary  BanType = "temporary"
	Permanent  BanType = "permanent"
	TradeBan   BanType = "trade"
	Withdrawal BanType = "withdrawal"
	Shadow     BanType = "shadow"
	Warning    BanType = "warning"
)

// Ban is one ban of a player. It ends by itself at Expires.
type Ban struct {
	App     engines.AppID
	ID      string
	Player  engines.PlayerID
	Type    BanType
	Reason  string // the studio's label
	By      string // who asked: the app's key, or a moderator
	Created int64  // epoch ms
	Expires int64  // epoch ms; 0: never
	// Ends is Expires by our own clock, for an app whose events lag it (see
	// Service): a ban does not outlast its hours because no event comes.
	Ends int64
	// Request made the ban; the same signed request again is answered in its name.
	Request engines.RequestID

	// Ended is when it was noted, by our clock, that the ban had ended by itself; 0:
	// it has not, or nobody has noted it yet.
	Ended int64

	Lifted     int64 // epoch ms; 0: not lifted
	LiftedBy   string
	LiftReason string
	// LiftKey names the signed request that lifted the ban, LiftRequest its answer.
	LiftKey     string
	LiftRequest engines.RequestID
}

// Active reports whether the ban holds at a time.
func (b *Ban) Active(at int64) bool {
	return b.Lifted == 0 && b.Ended == 0 && (b.Expires == 0 || at < b.Expires)
}

// Stands reports whether the ban holds at a time of the app, for a Book. One that ends
// by our clock stands until it is told that it has ended: the app's time may jump, as
// where it played old logs and now plays live.
func (b *Ban) Stands(at int64) bool {
	return b.Lifted == 0 && b.Ended == 0 && (b.Ends != 0 || b.Active(at))
}

// BanTypes lists the types.
var BanTypes = []BanType{Temporary, Permanent, TradeBan, Withdrawal, Shadow, Warning}

// Excludes reports whether the ban keeps its player out of the game altogether.
func (b *Ban) Excludes() bool { return b.Type == Temporary || b.Type == Permanent }
