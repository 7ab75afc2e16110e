package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// maxRules and maxRunning bound the rules of an app. Two gateways that store at
	// once may pass them by one.
	maxRules   = 1000
	maxRunning = 100
)

// Check returns everything that is wrong with a rule, its cases included; its error
// is an economy.RuleFaults.
func (k *Keeper) Check(r *economy.Rule) (*Program, error) {
	p, err := Compile(r, k.deps.Known)
	faults, _ := errors.AsType[economy.RuleFaults](err)
	if !economy.ValidRuleName(r.Name) {
		faults = append(faults, economy.RuleFault{Pointer: "/name", Reason: "must be 1 to 48 of a-z 0-9 _ -, beginning with a letter or digit"})
	}
	if !slices.Contains(economy.RuleStates, r.State) {
		faults = append(faults, economy.RuleFault{Pointer: "/state", Reason: "must be draft, shadow, live or retired"})
	}
	if err == nil {
		faults = append(faults, p.tryCases("/must_hit", r.MustHit, true)...)
		faults = append(faults, p.tryCases("/must_pass", r.MustPass, false)...)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return p, nil
}

// Faults is Check for who needs the faults alone.
func (k *Keeper) Faults(r *economy.Rule) error {
	_, err := k.Check(r)
	return err
}

// tryCases runs cases whose outcome the rule promises.
func (p *Program) tryCases(pointer string, list []economy.RuleCase, want bool) (faults economy.RuleFaults) {
	for i := range list {
		c := &list[i]
		var hit bool
		var err error
		if p.Rule.On == economy.OnPlayer {
			hit, err = p.Player(&c.Player)
		} else {
			hit, err = p.Trade(&Case{
				Deal: &c.Deal, Model: &economy.Evaluation{Score: c.Score, Reasons: c.Reasons}, Sender: &c.Sender, Receiver: &c.Receiver,
			})
		}
		at := fmt.Sprintf("%s/%d", pointer, i)
		switch {
		case err != nil:
			faults = append(faults, economy.RuleFault{Pointer: at, Reason: "the condition has no value for it"})
		case hit != want:
			faults = append(faults, economy.RuleFault{Pointer: at, Reason: map[bool]string{true: "is hit", false: "is not hit"}[hit]})
		}
	}
	return faults
}

// Put stores a version of a rule after version was; 0 is a new rule. It is known
// here when Put returns, and at other gateways within two seconds. Errors are
// economy.RuleFaults, economy.ErrRuleVersion, economy.ErrUntried,
// economy.ErrRuleLimit, and the store's.
func (k *Keeper) Put(ctx context.Context, r economy.Rule, was int) (economy.Rule, error) {
	p, err := k.Check(&r)
	if err != nil {
		return economy.Rule{}, err
	}
	r.Print = p.Rule.Print
	list, err := k.deps.Store.Rules(ctx, r.App)
	if err != nil {
		return economy.Rule{}, fmt.Errorf("put rule: %w", err)
	}
	var last economy.Rule
	runs := 0
	for i := range list {
		switch {
		case list[i].Name == r.Name:
			last = list[i]
		case list[i].State.Runs():
			runs++
		}
	}
	switch {
	case last.Version != was:
		return economy.Rule{}, fmt.Errorf("put rule: %w", economy.ErrRuleVersion)
	case was == 0 && len(list) >= maxRules:
		return economy.Rule{}, fmt.Errorf("rules: %w, at most %d", economy.ErrRuleLimit, maxRules)
	case r.State.Runs() && runs >= maxRunning:
		return economy.Rule{}, fmt.Errorf("rules in shadow or live: %w, at most %d", economy.ErrRuleLimit, maxRunning)
	}
	if err := k.tried(ctx, &r, &last); err != nil {
		return economy.Rule{}, err
	}
	stored, err := k.deps.Store.PutRule(ctx, r, was)
	if err != nil {
		return economy.Rule{}, fmt.Errorf("put rule: %w", err)
	}
	k.learn(ctx, []economy.Rule{stored})
	k.deps.Tell()
	return stored, nil
}

// tried lets a rule go live, or stay so, that did the same in shadow or live just
// before, or was back-tested.
func (k *Keeper) tried(ctx context.Context, r, last *economy.Rule) error {
	if r.State != economy.Live || last.Print == r.Print && last.State.Runs() {
		return nil
	}
	ok, err := k.deps.Store.Backtested(ctx, r.App, r.Name, r.Print)
	if err != nil {
		return fmt.Errorf("put rule: %w", err)
	}
	if !ok {
		return economy.ErrUntried
	}
	return nil
}

// Rules lists the newest versions of an app's rules, by name.
func (k *Keeper) Rules(ctx context.Context, app engines.AppID) ([]economy.Rule, error) {
	return k.deps.Store.Rules(ctx, app)
}

// Rule is the newest version of a rule; economy.ErrNoRule where there is none.
func (k *Keeper) Rule(ctx context.Context, app engines.AppID, name string) (economy.Rule, error) {
	list, err := k.deps.Store.RuleHistory(ctx, app, name, 0, 1)
	if err != nil {
		return economy.Rule{}, err
	}
	return list[0], nil
}

// History lists versions of a rule below before, newest first; at 0 from the newest on.
func (k *Keeper) History(ctx context.Context, app engines.AppID, name string, before, most int) ([]economy.Rule, error) {
	return k.deps.Store.RuleHistory(ctx, app, name, before, most)
}

// Stats lists what a rule did, by version and day, newest first, days back from
// today or from the app's newest day; and how many players it leaves out now. The
// last seconds may be missing.
func (k *Keeper) Stats(ctx context.Context, app engines.AppID, name string, days int64) (counts []economy.RuleCount, snoozed int, err error) {
	if _, err := k.Rule(ctx, app, name); err != nil {
		return nil, 0, err
	}
	counts, err = k.deps.Store.RuleCounts(ctx, app, name, 0)
	if err != nil {
		return nil, 0, err
	}
	if len(counts) > 0 {
		from := counts[0].Day - days
		counts = slices.DeleteFunc(counts, func(c economy.RuleCount) bool { return c.Day <= from })
	}
	return counts, k.snoozes.count(app, name, k.clock()), nil
}

// Try evaluates a rule on a player, or on a trade, as they are now; nothing is
// counted. Errors are economy.RuleFaults and those of economy.Service.Risk.
func (k *Keeper) Try(ctx context.Context, r *economy.Rule, player engines.PlayerID, p *economy.Proposal) (economy.RuleTrial, error) {
	program, err := k.Check(r)
	if err != nil {
		return economy.RuleTrial{}, err
	}
	var t economy.RuleTrial
	if r.On == economy.OnPlayer {
		f, risk, err := k.deps.Asker().Facts(ctx, r.App, player)
		if err != nil {
			return economy.RuleTrial{}, err
		}
		t.Risk, t.RiskWith = risk, risk
		t.Hit, err = program.Player(&f)
		if t.Hit {
			raise(&t.RiskWith, &program.Rule)
		}
		t.Why = noValue(err)
		return t, nil
	}
	e, sender, receiver, err := k.deps.Asker().Weigh(ctx, r.App, p)
	if err != nil {
		return economy.RuleTrial{}, err
	}
	t.Evaluation, t.EvaluationWith = e, e
	t.Hit, err = program.Trade(&Case{Deal: &p.Deal, Model: &e, Sender: &sender, Receiver: &receiver})
	if t.Hit {
		t.EvaluationWith = judged(e, &program.Rule)
	}
	t.Why = noValue(err)
	return t, nil
}

// noValue says why a trial has no hit.
func noValue(err error) string {
	if err != nil {
		return "the condition has no value for this"
	}
	return ""
}
