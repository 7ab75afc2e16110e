package economy

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

var ruleName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,47}$`)

// ValidRuleName reports whether a rule can have this name: 1 to 48 of a-z 0-9 _ -, not
// beginning with a sign.
func ValidRuleName(name string) bool { return ruleName.MatchString(name) }

// RulePrefix stands before a rule's name where it is a factor or a reason.
const RulePrefix = "rule:"

// The errors of rules.
var (
	// ErrNoRule says that the app has no rule of that name.
	ErrNoRule = errors.New("economy: no such rule")
	// ErrNoBacktest says that the app has no back-test of that id.
	ErrNoBacktest = errors.New("economy: no such back-test")
	// ErrRuleVersion says that a rule's newest version is not the one that was changed.
	ErrRuleVersion = errors.New("economy: the rule has changed since it was read")
	// ErrUntried says that a rule would act that neither ran as a shadow nor was back-tested.
	ErrUntried = errors.New("economy: goes live only from shadow with the same condition and effect, or after a back-test of them")
	// ErrRuleLimit says that an app has as many rules or snoozes as it may have.
	ErrRuleLimit = errors.New("economy: too many")
	// ErrBacktests says that as many back-tests wait as may.
	ErrBacktests = errors.New("economy: back-tests wait already")
)

// RuleState is what a rule does: a draft nothing; in shadow it is counted what it
// would do; live it acts; a retired one does nothing and is out of the way.
type RuleState string

// The states.
const (
	Draft   RuleState = "draft"
	InTrial RuleState = "shadow"
	Live    RuleState = "live"
	Retired RuleState = "retired"
)

// RuleStates lists the states.
var RuleStates = []RuleState{Draft, InTrial, Live, Retired}

// Runs reports whether a rule in this state is evaluated.
func (s RuleState) Runs() bool { return s == InTrial || s == Live }

// RuleSubject is what a rule is about.
type RuleSubject string

// The subjects.
const (
	OnPlayer RuleSubject = "player"
	OnTrade  RuleSubject = "trade"
)

// RuleEffect is what a rule does where it hits; one of its members stands.
type RuleEffect struct {
	// Factor of a rule on players: what it would give alone, 1 to 100.
	Factor int
	// Suggestion of a rule on trades: review or block.
	Suggestion engines.Suggestion
	// Score of a rule on trades: what it would give alone, 1 to 100. It is no hard
	// reason: without one a trade is not blocked.
	Score int
}

// Rule is one version of a studio's own rule.
type Rule struct {
	App     engines.AppID
	Name    string
	Version int // 1 is the first
	State   RuleState
	On      RuleSubject
	When    string // a condition; economy/rules has the language
	Then    RuleEffect
	Text    Text // what people are told; may be empty
	Comment string
	Author  string // who of the studio, as it says
	By      string // who asked: the app's key, or a moderator
	Changed int64  // our clock, epoch ms
	// MustHit and MustPass are tried whenever the rule is stored.
	MustHit, MustPass []RuleCase
	// Print tells apart what rules do: it is of On, When and Then alone.
	Print string
}

// RuleCase is what a rule is asked about: a player, or a trade with what the model
// says of it and what is known of its sides.
type RuleCase struct {
	Player           Features
	Deal             Deal
	Score            int
	Reasons          []string
	Sender, Receiver Features
}

// RuleFault is one thing wrong with a rule; Pointer is the JSON pointer in it.
type RuleFault struct{ Pointer, Reason string }

// RuleFaults is an error that has everything that is wrong with a rule.
type RuleFaults []RuleFault

// Error lists the faults.
func (f RuleFaults) Error() string {
	list := make([]string, len(f))
	for i, one := range f {
		list[i] = fmt.Sprintf("%s: %s", one.Pointer, one.Reason)
	}
	return "economy: rule: " + strings.Join(list, "; ")
}

// Snooze leaves a player out of a rule until a time of our clock, epoch ms.
type Snooze struct {
	App     engines.AppID
	Rule    string
	Player  engines.PlayerID
	Until   int64
	By      string
	Reason  string
	Changed int64
}

// RuleCount is what a version of a rule did on a day of the app's time, counted
// where it ran. What would have changed is beside what the model alone said.
type RuleCount struct {
	App     engines.AppID
	Rule    string
	Version int
	Day     int64 // days since 1970
	RuleTally
}

// RuleTally counts evaluations.
type RuleTally struct {
	Evaluations int64
	Hits        int64
	Errors      int64 // the condition has no value, as where it divides by nothing
	Snoozed     int64 // left out
	// What the rule changes: of trades the suggestion, of players the level.
	PassReview, PassBlock, ReviewBlock int64
	Raised                             int64
}

// Add adds another tally.
func (t *RuleTally) Add(o RuleTally) {
	t.Evaluations += o.Evaluations
	t.Hits += o.Hits
	t.Errors += o.Errors
	t.Snoozed += o.Snoozed
	t.PassReview += o.PassReview
	t.PassBlock += o.PassBlock
	t.ReviewBlock += o.ReviewBlock
	t.Raised += o.Raised
}

// RuleTrial is what a rule would do now: to a player's risk or to a trade's
// evaluation, as the model alone says and with the rule.
type RuleTrial struct {
	Hit bool
	Why string // the condition has no value

	Risk, RiskWith             Risk
	Evaluation, EvaluationWith Evaluation
}
