package rules

import (
	"context"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Store keeps rules and what they did. A nil error means that what was given is on
// disk; errors of a store that is away are engines.ErrUnavailable.
type Store interface {
	// PutRule commits a version and returns it with its number, was+1, and its time.
	// economy.ErrRuleVersion: was is not the newest one; 0 is none.
	PutRule(ctx context.Context, r economy.Rule, was int) (economy.Rule, error)
	// Rules lists the newest versions of an app's rules, by name.
	Rules(ctx context.Context, app engines.AppID) ([]economy.Rule, error)
	// RuleHistory lists versions below before, newest first; at 0 from the newest on.
	// economy.ErrNoRule where there is no such rule.
	RuleHistory(ctx context.Context, app engines.AppID, name string, before, most int) ([]economy.Rule, error)
	// RulesChanged lists the newest versions of the rules of all apps that were stored
	// at or after a time of our clock, epoch ms; at 0 all.
	RulesChanged(ctx context.Context, since int64) ([]economy.Rule, error)

	PutSnooze(ctx context.Context, z economy.Snooze) error
	// SnoozesChanged is RulesChanged for snoozes; at 0 those that end after now.
	SnoozesChanged(ctx context.Context, since, now int64) ([]economy.Snooze, error)

	// AddRuleCounts adds counts to those that are stored, all of them or none.
	AddRuleCounts(ctx context.Context, counts []economy.RuleCount) error
	RuleCounts(ctx context.Context, app engines.AppID, rule string, from int64) ([]economy.RuleCount, error)

	// PutBacktest stores a back-test as it is now.
	PutBacktest(ctx context.Context, b economy.Backtest) error
	// Backtest returns one; economy.ErrNoBacktest where there is none.
	Backtest(ctx context.Context, app engines.AppID, rule, id string) (economy.Backtest, error)
	// Backtested reports whether one of a rule whose print is deed was done.
	Backtested(ctx context.Context, app engines.AppID, rule, deed string) (bool, error)

	// DayOf hands on the entries of one day of event time, in its order, some at once.
	// each keeps nothing of what it gets, and ends it with an error.
	DayOf(ctx context.Context, app engines.AppID, day int64, each func([]economy.Entry) error) error
}

// Asker knows an app's economy as it is now; economy.Service does.
type Asker interface {
	Facts(ctx context.Context, app engines.AppID, player engines.PlayerID) (economy.Features, economy.Risk, error)
	Weigh(ctx context.Context, app engines.AppID, p *economy.Proposal) (e economy.Evaluation, sender, receiver economy.Features, err error)
	Newest(ctx context.Context, app engines.AppID) (int64, error)
}

// Deps is what a Keeper stands on.
type Deps struct {
	Store Store
	// Known are the codes of the model's factors and reasons.
	Known Catalogue
	// Asker is asked by Try and Backtest; it may be made after the Keeper.
	Asker func() Asker
	// Book makes an empty book for a back-test, one that says the same of the same
	// entries each time.
	Book func() economy.Book
	// Tell has the other gateways look for changed rules. It does not wait.
	Tell func()
	Log  *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}
