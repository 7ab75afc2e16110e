package bench

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// crowd makes the entries of many players, in the order of time, without keeping
// them: each player is visited again and again, and what it holds follows from its
// number and the visit.
type crowd struct {
	players int
	rng     *rand.Rand
	asking  *rand.Rand // for who is asked about
	start   int64
	day     int // of crowdDays
	at      int // the next player of that day
	made    int
	gold    []int32
	list    []economy.Entry
}

// habit is a kind of player: its share of a hundred, on how many of the days it
// plays, how many entries a day it makes, and how many items it knows.
type habit struct{ share, days, entries, items int }

var habits = []habit{{50, 2, 4, 4}, {33, 6, 5, 12}, {10, 10, 10, 24}, {7, 1, 3, 1}}

const (
	crowdDays  = 14
	crowdItems = 60
)

func newCrowd(players int) *crowd {
	return &crowd{
		players: players, rng: rand.New(rand.NewPCG(3, 5)), asking: rand.New(rand.NewPCG(5, 7)), //nolint:gosec // not for secrets
		start: time.Now().Add(-crowdDays * 24 * time.Hour).UnixMilli(), gold: make([]int32, players),
	}
}

func (c *crowd) name(p int) engines.PlayerID { return engines.PlayerID("player-" + strconv.Itoa(p)) }

func (c *crowd) habit(p int) *habit {
	k := p * 37 % 100
	for i := range habits {
		if k -= habits[i].share; k < 0 {
			return &habits[i]
		}
	}
	return &habits[0]
}

// next is some entries, none at the end. They are good until the next call.
func (c *crowd) next() []economy.Entry {
	c.list = c.list[:0]
	for len(c.list) < 500 && c.day < crowdDays {
		h := c.habit(c.at)
		// A player's days are spread over all of them.
		if (c.day+c.at)%crowdDays*h.days%crowdDays < h.days {
			first := c.start + int64(c.day)*86_400_000 + c.rng.Int64N(80_000_000)
			for i := range h.entries {
				c.entry(c.at, h, first+int64(i)*240_000)
			}
		}
		if c.at++; c.at == c.players {
			c.at, c.day = 0, c.day+1
		}
	}
	return c.list
}

// more is n entries of now. They are good until the next call.
func (c *crowd) more(n int) []economy.Entry {
	c.list = c.list[:0]
	for range n {
		p := c.rng.IntN(c.players)
		c.entry(p, c.habit(p), time.Now().UnixMilli())
	}
	return c.list
}

func (c *crowd) entry(p int, h *habit, at int64) {
	c.made++
	e := economy.Entry{ID: "e-" + strconv.Itoa(c.made), At: at, Player: c.name(p)}
	switch k := c.rng.IntN(88); {
	case k < 72:
		c.money(&e, p)
	case k < 84: // it is found and used up, so that what it has adds up
		e.Log, e.Action, e.Source = economy.Item, economy.Acquire, "monster_drop"
		e.What = fmt.Sprintf("item-%02d", (p+c.rng.IntN(h.items))%crowdItems)
		e.Amount = 1 + c.rng.Int64N(3)
		c.list = append(c.list, back(&e, economy.Consume, "craft"))
	default:
		to := p + 1 // a friend
		if c.rng.IntN(2) == 0 {
			to = c.rng.IntN(c.players)
		}
		e.Log, e.TradeID, e.Counterparty = economy.Trade, "t-"+e.ID, c.name((to+c.players-1)%c.players)
		if e.Counterparty == e.Player {
			e.Counterparty = c.name((p + 1) % c.players)
		}
		e.Deal = &economy.Deal{Items: []economy.Stack{{Item: fmt.Sprintf("item-%02d", c.rng.IntN(crowdItems)), Count: 1}}, ReturnMoney: economy.Money{Type: "gold", Amount: 50 + c.rng.Int64N(200)}, Type: "direct", Status: "completed"}
	}
	c.list = append(c.list, e)
}

func (c *crowd) money(e *economy.Entry, p int) {
	e.Log, e.What, e.Amount, e.Action = economy.Currency, "gold", 1+c.rng.Int64N(200), economy.Earn
	e.Source = earned[c.rng.IntN(len(earned))]
	if p%25 == 0 && c.rng.IntN(4) == 0 { // who buys has a second currency
		e.What, e.Action, e.Source = "gem", economy.Purchase, "store"
		c.list = append(c.list, back(e, economy.Spend, "npc_shop"))
		return
	}
	if int64(c.gold[p]) > e.Amount && c.rng.IntN(3) == 0 {
		e.Action, e.Source = economy.Spend, spent[c.rng.IntN(len(spent))]
		c.gold[p] -= int32(e.Amount)
	} else {
		c.gold[p] += int32(e.Amount)
	}
	e.After = int64(c.gold[p])
	device := p
	if p%10 == 0 && c.rng.IntN(2) == 0 {
		device += c.players
	}
	e.Device = "device-" + strconv.Itoa(device)
}

// back fills in what a gain leaves and is the entry, a minute later, that takes the
// same away again.
func back(e *economy.Entry, a economy.Action, source string) economy.Entry {
	e.After = e.Amount
	b := *e
	b.ID, b.At, b.Action, b.Source, b.After = e.ID+"b", e.At+60_000, a, source, 0
	return b
}
