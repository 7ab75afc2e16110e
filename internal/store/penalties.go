package store

import (
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// PenaltyKind is what a penalty takes from its player.
type PenaltyKind string

// The kinds, mildest first. The last three are bans of the economy, which enforces
// them; a penalty of these kinds is the record of why there is one.
const (
	PenaltyWarn      PenaltyKind = "warn"
	PenaltyMuteText  PenaltyKind = "mute_text"
	PenaltyMuteVoice PenaltyKind = "mute_voice"
	PenaltyTradeLock PenaltyKind = "trade_lock"
	PenaltySuspend   PenaltyKind = "suspend"
	PenaltyBan       PenaltyKind = "ban"
)

// PenaltyKinds lists the kinds, mildest first.
var PenaltyKinds = []PenaltyKind{PenaltyWarn, PenaltyMuteText, PenaltyMuteVoice, PenaltyTradeLock, PenaltySuspend, PenaltyBan}

// Rank is the place of a kind among PenaltyKinds, -1 for what is none.
func (k PenaltyKind) Rank() int { return slices.Index(PenaltyKinds, k) }

// BanType is the type of the ban behind a kind, "" for a kind without one.
func (k PenaltyKind) BanType() economy.BanType {
	switch k {
	case PenaltyTradeLock:
		return economy.TradeBan
	case PenaltySuspend:
		return economy.Temporary
	case PenaltyBan:
		return economy.Permanent
	}
	return ""
}

// PenaltyOf is the kind of a ban that was made without a penalty, "" where it takes
// nothing that a penalty does.
func PenaltyOf(t economy.BanType) PenaltyKind {
	for _, k := range PenaltyKinds {
		if k.BanType() == t && t != "" {
			return k
		}
	}
	return ""
}

// What the economy still has to do about a penalty.
const (
	OwedBan  = "ban"
	OwedLift = "lift"
)

// Penalty is one penalty of a player. Its times are epoch ms of our clock. It ends
// by itself at Expires; a warning takes nothing and is over at once.
type Penalty struct {
	App      engines.AppID
	ID       string // that of its ban too
	Player   engines.PlayerID
	Kind     PenaltyKind
	Category engines.Category // "" where none was named
	Reason   string           // the studio's label
	By       string           // "ladder", a moderator, or the app's name with "app/" before it
	// Strike is the strike whose ladder step this is, "" for one given by hand; Step is
	// the weight that the step asks for, and Window the time in ms that it counts.
	Strike string
	Step   int
	Window int64
	// Counted says which strikes count for the step: "" are all, "hate,spam" those of
	// these categories, "!hate,spam" all others.
	Counted string

	Created int64
	Expires int64  // 0: never
	Owed    string // OwedBan, OwedLift or ""
	Told    int64  // when its player was told of the warning; 0: not yet

	Ended      int64 // when it was noted that it had ended by itself; 0: it has not
	Lifted     int64 // 0: not lifted
	LiftedBy   string
	LiftReason string
}

// Holds reports whether the penalty takes something at a time.
func (p *Penalty) Holds(at int64) bool {
	return p.Kind != PenaltyWarn && p.Lifted == 0 && p.Ended == 0 && (p.Expires == 0 || at < p.Expires)
}

// Status is active, expired or lifted; that of a warning is given or lifted.
func (p *Penalty) Status(at int64) string {
	switch {
	case p.Lifted != 0:
		return "lifted"
	case p.Kind == PenaltyWarn:
		return "given"
	case p.Holds(at):
		return "active"
	}
	return "expired"
}

// PenaltyQuery asks for penalties of an app, newest first.
type PenaltyQuery struct {
	App     engines.AppID
	Player  engines.PlayerID // "" is any
	Kind    PenaltyKind      // "" is any
	Holding bool             // leaves out warnings, and what is lifted or ended at Now
	Now     int64
	Before  economy.Mark // where the last page ended; the zero Mark is the start
	Limit   int
}

// Strike is one violation that counts against its player, with what it was for.
type Strike struct {
	App       engines.AppID
	ID        string // the same for each ruling on the same content
	Player    engines.PlayerID
	Category  engines.Category
	SubLabel  string
	Severity  int
	Weight    int
	Case      engines.CaseID
	Request   engines.RequestID
	By        string
	Automatic bool
	Turn      int   // how often it was given: it may be undone and given again
	Created   int64 // epoch ms
	Undone    int64 // epoch ms; 0: it stands
	UndoneBy  string
}

// Struck is what came of a strike.
type Struck struct {
	Strike    Strike
	Fresh     bool // else it was given before, or is one too many (see StrikeWish)
	Penalties []Penalty
}

// StrikeWish is a strike to be given. Since is from when on the player's strikes are
// wanted for the ladder; where Pause is set and the player had an automatic strike
// since then, an automatic one is not given.
type StrikeWish struct {
	Strike Strike
	Since  int64
	Pause  int64
}
