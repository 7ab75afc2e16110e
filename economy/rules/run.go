package rules

import (
	"errors"
	"fmt"
	"sync"

	"github.com/expr-lang/expr/vm"

	"github.com/portcullis-gg/portcullis/economy"
)

// memoryBudget is how much a condition may allocate, in expr's units; one that is let
// through allocates nothing that it counts.
const memoryBudget = 1000

var errNoTruth = errors.New("rules: the condition has no truth value")

// machine runs conditions, one at a time.
type machine struct {
	vm     vm.VM
	player playerEnv
	trade  tradeEnv
}

var machines = sync.Pool{New: func() any {
	m := &machine{}
	m.vm.MemoryBudget = memoryBudget
	return m
}}

// Player reports whether the rule hits a player. An error is a condition without a
// value, as where it divides a whole number by 0.
func (p *Program) Player(f *economy.Features) (bool, error) {
	m := machines.Get().(*machine) //nolint:errcheck // it holds nothing else
	defer machines.Put(m)
	m.player.Player.fill(f)
	m.player.Slots = m.player.Slots[:0]
	for i := range p.slots {
		m.player.Slots = append(m.player.Slots, p.slots[i].ofFeatures(f))
	}
	return m.run(p, &m.player)
}

// Case is a trade as a rule sees it: the deal, what the model says of it, and what is
// known of its sides.
type Case struct {
	Deal             *economy.Deal
	Model            *economy.Evaluation
	Sender, Receiver *economy.Features
}

// Trade reports whether the rule hits a trade.
func (p *Program) Trade(c *Case) (bool, error) {
	m := machines.Get().(*machine) //nolint:errcheck // it holds nothing else
	defer machines.Put(m)
	m.trade.Trade.fill(c.Deal, c.Model)
	m.trade.Sender.fill(c.Sender)
	m.trade.Receiver.fill(c.Receiver)
	m.trade.Slots = m.trade.Slots[:0]
	for i := range p.slots {
		s := &p.slots[i]
		var n float64
		switch s.of {
		case ofSender:
			n = s.ofFeatures(c.Sender)
		case ofReceiver:
			n = s.ofFeatures(c.Receiver)
		default:
			n = s.ofTrade(c.Deal, c.Model.Reasons)
		}
		m.trade.Slots = append(m.trade.Slots, n)
	}
	return m.run(p, &m.trade)
}

func (m *machine) run(p *Program, env any) (bool, error) {
	out, err := m.vm.Run(p.code, env)
	if err != nil {
		return false, fmt.Errorf("rule %s: %w", p.Rule.Name, err)
	}
	hit, ok := out.(bool)
	if !ok {
		return false, errNoTruth
	}
	return hit, nil
}

func (s *subject) fill(f *economy.Features) {
	s.Score, s.AccountAge, s.ActiveDays = f.Score, f.AccountAge, f.ActiveDays
	s.Partners, s.Givers, s.Takers, s.Shared = f.Partners, f.Givers, f.Takers, f.Shared
	s.Got, s.Gave, s.FreeGot, s.FreeGave = f.Got, f.Gave, f.FreeGot, f.FreeGave
}

func (t *trade) fill(d *economy.Deal, e *economy.Evaluation) {
	t.Type, t.Score = d.Type, e.Score
	t.Currency, t.Money = d.Money.Type, float64(d.Money.Amount)
	t.ReturnCurrency, t.ReturnMoney = d.ReturnMoney.Type, float64(d.ReturnMoney.Amount)
	t.Stacks, t.Pieces = counted(d.Items)
	t.ReturnStacks, t.ReturnPieces = counted(d.ReturnItems)
}

// counted is how many stacks there are, and how many pieces.
func counted(list []economy.Stack) (stacks int, pieces float64) {
	for i := range list {
		pieces += float64(list[i].Count)
	}
	return len(list), pieces
}
