package economy

import (
	"io"

	"github.com/portcullis-gg/portcullis/engines"
)

// Book is what is known of one app's economy, from its entries alone. Its methods
// may be called at the same time. It keeps nothing of an Entry it was handed.
type Book interface {
	// Apply counts entries, each of which comes once; order and lateness do not
	// matter to what it says afterwards, within rounding.
	Apply(entries []Entry)
	// Risk is the risk of a player at a time; false where no entry names the player.
	Risk(player engines.PlayerID, at int64) (Risk, bool)
	// Knows reports whether Risk would know the player, at next to no cost.
	Knows(player engines.PlayerID) bool
	// Features is what rules may ask of a player; false where Risk would not know it.
	// At is for the age of its account and of evidence; spans end at the newest event.
	Features(player engines.PlayerID, at int64) (Features, bool)
	// Around is the Web of a player, without bans, of at most so many players; false
	// where Risk would not know the player.
	Around(player engines.PlayerID, hops, most int, at int64) (Web, bool)
	// Evaluate judges a trade about to happen.
	Evaluate(p *Proposal, at int64) Evaluation
	// Ban makes known that a player is, or with a ban that was lifted or has ended no
	// longer is, banned.
	Ban(b *Ban)
	// Save writes all that was counted, but for bans.
	Save(w io.Writer) error
	// Look says what the newest snapshot shows by itself, and has a newer one made
	// where that is due. The version is that of the snapshot; where it is the one that
	// the caller has seen, nothing more is said.
	Look(seen uint64, at int64) (f Findings, version uint64)
	// Tend has a first snapshot made where there is none, looks after what the book keeps
	// elsewhere, and reports whether that can be read: where not, the book is to be made
	// again from the log. It does not wait for much.
	Tend() bool
	// Close gives up what the book keeps elsewhere. It answers on, for who still asks.
	Close()
	// Newest is the newest event time that was counted, 0 where none was.
	Newest() int64
}
