package economy

// Span is a velocity window in event time, ending at the newest event of the app.
type Span uint8

// The spans: 1 h, 24 h, 7 d and 30 d.
const (
	Hour Span = iota
	Day
	Week
	Month
	Spans
)

// OtherSources is the source of a Flow that sums those of one What and direction that
// have none of their own: a player has some of its own at most.
const OtherSources = "*"

// Flow is what moved on a player's side by one of the game's own words for where it
// came from or went, by window. Amounts are in the smallest unit. What slides between counters is an
// estimate.
type Flow struct {
	What      string // the currency's type; "" is items, counted in pieces
	Source    string
	In, Out   [Spans]float64
	Ins, Outs [Spans]int // entries
}

// Features is what a studio's rules may ask of a player.
type Features struct {
	Score      int // 0 to 100, of the model alone
	Factors    []Factor
	AccountAge float64 // days; -1: the game has not said
	ActiveDays int     // on which the player did something, of the last 64
	Partners   int     // players it traded with in 30 days
	Givers     int     // who gave it something for no fair return
	Takers     int     // whom it gave something so
	Shared     int     // others seen on its devices
	Trades     [Spans]int
	// What trades gave the player and took from it, in days of an ordinary player's
	// income, and the part of both without a fair return.
	Got, Gave         float64
	FreeGot, FreeGave float64
	Flows             []Flow
}
