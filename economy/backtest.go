package economy

import "github.com/portcullis-gg/portcullis/engines"

// BacktestState is how far a back-test is.
type BacktestState string

// The states; lost is one whose gateway is gone.
const (
	BacktestQueued    BacktestState = "queued"
	BacktestRunning   BacktestState = "running"
	BacktestDone      BacktestState = "done"
	BacktestFailed    BacktestState = "failed"
	BacktestCancelled BacktestState = "cancelled"
	BacktestLost      BacktestState = "lost"
)

// Backtest is a rule tried on stored entries.
type Backtest struct {
	App     engines.AppID
	ID      string
	Rule    string
	On      RuleSubject
	Version int    // of the stored rule; 0: of a rule that came with the request
	Print   string // Rule.Print of what is tried
	State   BacktestState
	// From and To bound the event time that is judged, epoch ms; To is not in it.
	From, To int64
	By       string
	Created  int64 // our clock, epoch ms
	Changed  int64
	Reached  int64 // event time up to which entries were read
	Why      string
	BacktestResult
}

// BacktestResult is what a rule did. A population is of players, or of trades.
type BacktestResult struct {
	Population int64 // distinct players, or trades
	HitThings  int64 // those that were hit at least once
	RuleTally
	// Model counts evaluations by what the model alone said: a level of a player, a
	// suggestion for a trade; Both those of them that the rule hit.
	Model, Both map[string]int64
	Days        []BacktestDay
	Sample      []BacktestHit // at most 100, drawn evenly from what was hit
}

// BacktestDay is a day of event time.
type BacktestDay struct {
	Day               int64 // days since 1970
	Evaluations, Hits int64
}

// BacktestHit is one hit: of a trade with its id and both sides.
type BacktestHit struct {
	At               int64 // event time, epoch ms
	Player, Receiver engines.PlayerID
	TradeID, LogID   string
	Score            int // the model's
}
