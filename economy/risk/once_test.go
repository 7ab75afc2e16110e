package risk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// log writes the entries of a test, a minute after each other where it says nothing
// else.
type log struct {
	list []economy.Entry
	at   int64
	bare bool // without the item log
}

func (l *log) add(e economy.Entry) *economy.Entry {
	if l.at == 0 {
		l.at = testStart + 5*day
	}
	if e.At == 0 {
		e.At = l.at
		l.at += minute
	}
	e.ID = strconv.Itoa(len(l.list))
	l.list = append(l.list, e)
	return &l.list[len(l.list)-1]
}

// coin is a line of the currency log, with a word for what it names: an order, or
// source=word.
func (l *log) coin(p engines.PlayerID, a economy.Action, amount, after int64, order string) *economy.Entry {
	return l.add(economy.Entry{Log: economy.Currency, Player: p, Action: a, What: "gold", Amount: amount, After: after, OrderID: order})
}

func (l *log) thing(p engines.PlayerID, a economy.Action, item, uid string, after int64) *economy.Entry {
	return l.add(economy.Entry{Log: economy.Item, Player: p, Action: a, What: item, Amount: 1, After: after, ItemUID: uid})
}

// sale is a line of the trade log: goods for money.
func (l *log) sale(trade string, from, to engines.PlayerID, item, uid string, count, money int64) *economy.Entry {
	return l.add(economy.Entry{Log: economy.Trade, TradeID: trade, Player: from, Counterparty: to, Deal: &economy.Deal{
		Items: []economy.Stack{{Item: item, Count: count, UID: uid}}, ReturnMoney: economy.Money{Type: "gold", Amount: money}, Status: "completed",
	}})
}

// onceCase is a log and who of it is a villain, or looks like one.
type onceCase struct {
	name   string
	write  func(l *log)
	factor string         // that a villain has
	bad    map[string]int // least score
	honest []string       // below 30 each
}

// checkOnce writes all cases' logs between those of an ordinary world, in order and
// shuffled, and looks at the scores of each.
func checkOnce(t *testing.T, cases []onceCase) {
	t.Helper()
	w := newWorld(2, 6)
	w.populate(60)
	world := w.run()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, lonely := range []bool{false, true} {
				l := &log{}
				c.write(l)
				if !lonely {
					l.list = append(l.list, world...)
				}
				b := replay(l.list)
				mixed := slices.Clone(l.list)
				rand.New(rand.NewPCG(1, 9)).Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
				other := replay(mixed)
				ask := func(id string) economy.Risk {
					r, _ := b.Risk(engines.PlayerID(id), b.Newest())
					o, _ := other.Risk(engines.PlayerID(id), b.Newest())
					if d := r.Score - o.Score; d < -1 || d > 1 {
						t.Errorf("lonely %v, %s: %d in order, %d shuffled: %v, %v", lonely, id, r.Score, o.Score, r.Factors, o.Factors)
					}
					return r
				}
				for id, least := range c.bad {
					r := ask(id)
					found := false
					for _, f := range r.Factors {
						found = found || f.Code == c.factor
					}
					if r.Score < least || !found {
						t.Errorf("lonely %v, %s: %d for %v, want %d at least for %s", lonely, id, r.Score, r.Factors, least, c.factor)
					}
				}
				for _, id := range c.honest {
					if r := ask(id); r.Score >= 30 {
						t.Errorf("lonely %v, an honest %s has %d for %v", lonely, id, r.Score, r.Factors)
					}
				}
			}
		})
	}
}

// once of each kind says what a game credits once and what only looks so.
func TestCreditedTwice(t *testing.T) {
	const E, P, G, C, R, S = economy.Earn, economy.Purchase, economy.Grant, economy.Chargeback, economy.Revoke, economy.Spend
	checkOnce(t, []onceCase{
		{name: "an order", factor: "double_credit", bad: map[string]int{"v": 55}, honest: []string{"other"}, write: func(l *log) {
			l.coin("v", P, 500, 500, "o1")
			l.coin("v", P, 500, 1000, "o1")
			l.coin("other", P, 500, 500, "o2")
			l.coin("other", P, 500, 1000, "o3")
		}},
		{name: "a grant at once", factor: "double_credit", bad: map[string]int{"v": 55}, write: func(l *log) {
			l.coin("v", G, 100, 100, "gift7")
			l.coin("v", G, 100, 200, "gift7").At = l.at - minute
		}},
		{name: "a promotion code", factor: "double_credit", bad: map[string]int{"v": 55}, honest: []string{"a", "b", "c"}, write: func(l *log) {
			for i, id := range []engines.PlayerID{"v", "a", "v", "b", "c"} {
				l.coin(id, G, 100, int64(100+100*(i/2)), "").Source = "promo:WINTER"
			}
		}},
		{name: "a code for an item", factor: "double_credit", bad: map[string]int{"v": 55}, honest: []string{"a"}, write: func(l *log) {
			for i, id := range []engines.PlayerID{"v", "a", "v"} {
				l.thing(id, G, "crown", "", int64(1+i/2)).Source = "code:K1"
			}
		}},
		{name: "a refund", factor: "double_credit", bad: map[string]int{"v": 55}, honest: []string{"h"}, write: func(l *log) {
			l.coin("v", S, 300, 700, "shop1")
			l.coin("v", G, 300, 1000, "shop1")
			l.coin("v", G, 300, 1300, "shop1")
			l.coin("h", S, 300, 700, "shop2")
			l.coin("h", G, 300, 1000, "shop2")
		}},
		{name: "one line under two ids", honest: []string{"h"}, write: func(l *log) {
			l.coin("h", P, 500, 500, "o1")
			l.coin("h", P, 500, 500, "o1")
		}},
		{name: "a bundle", honest: []string{"h"}, write: func(l *log) {
			l.coin("h", P, 500, 500, "o1")
			l.coin("h", P, 20, 20, "o1").What = "gem"
			l.thing("h", G, "crown", "", 1).OrderID = "o1"
			l.thing("h", G, "blade", "", 1).OrderID = "o1"
		}},
		{name: "taken back and bought again", honest: []string{"h", "r"}, write: func(l *log) {
			l.coin("h", P, 500, 500, "o1")
			l.coin("h", R, 500, 0, "o1")
			l.coin("h", P, 500, 500, "o1")
			l.coin("r", P, 500, 1500, "o2")
			l.coin("r", P, 500, 2000, "o2") // and put right
			l.coin("r", R, 500, 1500, "o2")
		}},
		{name: "two legs of one trade", honest: []string{"h", "g"}, write: func(l *log) {
			for i, a := range []economy.Action{economy.TransferOut, economy.TransferIn} {
				e := l.coin([]engines.PlayerID{"h", "g"}[i], a, 50, 50, "o1")
				e.TradeID, e.Counterparty = "o1", []engines.PlayerID{"g", "h"}[i]
			}
		}},
		{name: "what is no code", honest: []string{"h"}, write: func(l *log) {
			for i := range int64(9) {
				l.coin("h", E, 50, 50+50*i, "").Source = "quest:daily"
			}
		}},
		{name: "an order id that is the product's", honest: []string{"p0", "p1", "p8"}, write: func(l *log) {
			for i := range 60 {
				id := engines.PlayerID(fmt.Sprintf("p%d", i%40))
				l.coin(id, P, 500, int64(500+500*(i/40)), "starter_pack")
			}
		}},
		{name: "a code that all may use daily", honest: []string{"p0", "p3", "p9"}, write: func(l *log) {
			for i := range 60 {
				l.coin(engines.PlayerID(fmt.Sprintf("p%d", i%20)), G, 5, int64(5+5*(i/20)), "").Source = "code:DAILY"
			}
		}},
		{name: "one item of a trade", factor: "double_credit", bad: map[string]int{"v": 75}, honest: []string{"s", "h"}, write: func(l *log) {
			for _, to := range []engines.PlayerID{"v", "h"} {
				trade, uid := "t-"+string(to), "c-"+string(to)
				l.sale(trade, "s", to, "crown", uid, 1, 100)
				for i := range int64(2) {
					after := 1 + i
					if to == "h" {
						after = 1 // one line under two ids
					}
					l.thing(to, economy.TransferIn, "crown", uid, after).TradeID = trade
				}
			}
		}},
		{name: "orders", honest: []string{"h"}, write: func(l *log) {
			_ = C
			for i := range int64(9) {
				l.coin("h", P, 50, 50+50*i, fmt.Sprintf("o%d", i))
			}
		}},
	})
}

func TestBelowZero(t *testing.T) {
	const P, C, R, S = economy.Purchase, economy.Chargeback, economy.Revoke, economy.Spend
	checkOnce(t, []onceCase{
		{name: "a balance that wrapped", factor: "balance_mismatch", bad: map[string]int{"v": 75}, write: func(l *log) {
			l.coin("v", S, 2_400_000_000, -1_894_967_296, "")
		}},
		{name: "spent twice at once", factor: "balance_mismatch", bad: map[string]int{"v": 55}, write: func(l *log) {
			l.coin("v", economy.Earn, 900, 900, "")
			l.coin("v", S, 800, 100, "")
			l.coin("v", S, 800, -700, "")
		}},
		{name: "given away", factor: "balance_mismatch", bad: map[string]int{"v": 55}, honest: []string{"g"}, write: func(l *log) {
			l.coin("v", economy.TransferOut, 800, -700, "").Counterparty = "g"
			l.coin("g", economy.TransferIn, 800, 900, "").Counterparty = "v"
		}},
		{name: "a chargeback of little explains little", factor: "balance_mismatch", bad: map[string]int{"v": 55}, write: func(l *log) {
			l.coin("v", P, 10, 20, "")
			l.coin("v", C, 10, 10, "")
			l.coin("v", S, 5000, -4990, "")
		}},
		{name: "before the chargeback", factor: "balance_mismatch", bad: map[string]int{"v": 55}, write: func(l *log) {
			l.coin("v", P, 900, 900, "")
			l.coin("v", S, 1700, -800, "")
			l.coin("v", C, 900, -1700, "")
		}},
		{name: "charged back when it was spent", honest: []string{"h"}, write: func(l *log) {
			l.coin("h", P, 900, 900, "")
			l.coin("h", S, 800, 100, "")
			l.coin("h", C, 900, -800, "")
			l.coin("h", S, 20, -820, "") // a fee
		}},
		{name: "taken back by hand", honest: []string{"h"}, write: func(l *log) {
			l.coin("h", R, 500, -500, "")
			l.coin("h", economy.Earn, 100, -400, "")
		}},
		{name: "nothing left", honest: []string{"h"}, write: func(l *log) {
			l.coin("h", S, 500, 0, "")
			l.coin("h", S, 0, 0, "")
		}},
		{name: "a currency for debts", honest: []string{"p1", "p7"}, write: func(l *log) {
			for i := range 40 {
				id := engines.PlayerID(fmt.Sprintf("p%d", i))
				l.coin(id, S, 50, 50-int64(i%3)*40, "").What = "credit"
			}
		}},
	})
}

func TestToldTwice(t *testing.T) {
	checkOnce(t, []onceCase{
		{name: "to two buyers", factor: "item_duplication", bad: map[string]int{"seller": 75, "u1": 50, "u2": 50}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "crown", "", 1, 100)
			l.sale("s9", "seller", "u2", "crown", "", 1, 100)
		}},
		{name: "to two buyers at once", factor: "item_duplication", bad: map[string]int{"seller": 75, "u1": 50, "u2": 50}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "crown", "c1", 1, 100)
			l.sale("s9", "seller", "u2", "crown", "c1", 1, 120).At = l.at - minute
		}},
		{name: "money to two", factor: "double_credit", bad: map[string]int{"bank": 75, "u1": 50}, write: func(l *log) {
			for _, to := range []engines.PlayerID{"u1", "u2"} {
				l.add(economy.Entry{Log: economy.Trade, TradeID: "w1", Player: "bank", Counterparty: to, Deal: &economy.Deal{Money: economy.Money{Type: "gold", Amount: 1000}}})
			}
		}},
		{name: "other goods", factor: "item_duplication", bad: map[string]int{"seller": 55, "u1": 55}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "ore", "", 10, 100)
			l.sale("s9", "seller", "u1", "ore", "", 1000, 100)
		}},
		{name: "another thing for the money", factor: "item_duplication", bad: map[string]int{"seller": 55, "u1": 55}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "junk", "", 1, 100)
			l.sale("s9", "seller", "u1", "crown", "", 1, 100)
		}},
		{name: "the same again", honest: []string{"seller", "u1"}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "crown", "c1", 1, 100)
			l.sale("s9", "seller", "u1", "crown", "c1", 1, 100)
		}},
		{name: "from either side", honest: []string{"seller", "u1"}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "crown", "c1", 1, 100)
			e := l.sale("s9", "u1", "seller", "", "", 1, 0)
			e.Deal = &economy.Deal{Money: economy.Money{Type: "gold", Amount: 100}, ReturnItems: []economy.Stack{{Item: "crown", Count: 1, UID: "c1"}}}
		}},
		{name: "cancelled and sold to another", honest: []string{"seller", "u1", "u2"}, write: func(l *log) {
			l.sale("s9", "seller", "u1", "crown", "", 1, 100)
			l.sale("s9", "seller", "u1", "crown", "", 1, 100).Deal.Status = "reversed"
			l.sale("s9", "seller", "u2", "crown", "", 1, 100)
		}},
		{name: "a mail in parts", honest: []string{"a", "b"}, write: func(l *log) {
			for i, item := range []string{"ore", "silk", "herb"} {
				e := l.sale("m1", "a", "b", item, "", 5, 0)
				e.At = testStart + 5*day + int64(i)
			}
		}},
		{name: "ids that are of listings", honest: []string{"shop", "p3", "p11"}, write: func(l *log) {
			for i := range 40 {
				l.sale(fmt.Sprintf("listing%d", i/4), "shop", engines.PlayerID(fmt.Sprintf("p%d", i)), "ore", "", int64(1+i%3), 30)
			}
		}},
	})
}

func TestSoldTwice(t *testing.T) {
	legs := func(l *log, trade string, from, to engines.PlayerID, uid string) {
		at := l.sale(trade, from, to, "crown", uid, 1, 100).At
		for i, a := range []economy.Action{economy.TransferOut, economy.TransferIn} {
			e := l.thing([]engines.PlayerID{from, to}[i], a, "crown", uid, int64(i))
			e.TradeID, e.At = trade, at+int64(i)
		}
	}
	checkOnce(t, []onceCase{
		{name: "by the trade log", factor: "item_duplication", bad: map[string]int{"seller": 50}, honest: []string{"u1"}, write: func(l *log) {
			l.sale("t1", "seller", "u1", "crown", "c1", 1, 100)
			l.sale("t2", "seller", "u2", "crown", "c1", 1, 100)
		}},
		{name: "by all logs", factor: "item_duplication", bad: map[string]int{"seller": 75}, honest: []string{"u1"}, write: func(l *log) {
			legs(l, "t1", "seller", "u1", "c1")
			legs(l, "t2", "seller", "u2", "c1")
		}},
		{name: "found twice", factor: "item_duplication", bad: map[string]int{"v": 50}, write: func(l *log) {
			l.thing("v", economy.Grant, "crown", "k1", 1)
			l.thing("v", economy.Grant, "crown", "k1", 2)
		}},
		{name: "one key, two rewards", factor: "item_duplication", bad: map[string]int{"v": 50}, write: func(l *log) {
			l.thing("v", economy.Acquire, "crown", "k1", 1)
			l.thing("v", economy.Acquire, "blade", "k1", 1).At = l.at - minute + 3000
		}},
		{name: "bought by two at once", factor: "item_duplication", bad: map[string]int{"u1": 50, "u2": 50}, write: func(l *log) {
			l.thing("u1", economy.Acquire, "crown", "s9", 1)
			l.thing("u2", economy.Acquire, "crown", "s9", 1).At = l.at - minute
		}},
		{name: "dropped and found by another", honest: []string{"h", "g", "i"}, write: func(l *log) {
			l.thing("h", economy.Acquire, "crown", "c1", 1)
			l.thing("h", economy.Destroy, "crown", "c1", 0)
			l.thing("g", economy.Acquire, "crown", "c1", 1).At = l.at - 90*second
			l.thing("h", economy.Acquire, "crown", "c2", 1)
			l.at += hour // and the drop is not logged
			l.thing("i", economy.Acquire, "crown", "c2", 1)
		}},
		{name: "a uid that is the kind's", honest: []string{"p0", "p9"}, write: func(l *log) {
			for i := range 30 {
				l.thing(engines.PlayerID(fmt.Sprintf("p%d", i)), economy.Acquire, "cake", "cake-1", 1).At = l.at - minute
			}
		}},
		{name: "bought back", honest: []string{"seller", "u1", "u2"}, write: func(l *log) {
			l.sale("t1", "seller", "u1", "crown", "c1", 1, 100)
			l.sale("t2", "u1", "seller", "crown", "c1", 1, 90)
			l.sale("t3", "seller", "u2", "crown", "c1", 1, 100)
		}},
		{name: "bought back in the item log alone", honest: []string{"seller", "u1", "u2"}, write: func(l *log) {
			l.sale("t1", "seller", "u1", "crown", "c1", 1, 100)
			l.thing("seller", economy.TransferIn, "crown", "c1", 1)
			l.sale("t3", "seller", "u2", "crown", "c1", 1, 100)
		}},
		{name: "by way of a market that has it meanwhile", honest: []string{"seller", "u1", "u2"}, write: func(l *log) {
			l.thing("seller", economy.Acquire, "crown", "c1", 1)
			l.thing("seller", economy.TransferOut, "crown", "c1", 0)
			l.thing("seller", economy.TransferIn, "crown", "c1", 1) // nobody wanted it
			l.thing("seller", economy.TransferOut, "crown", "c1", 0)
			l.sale("t1", "seller", "u1", "crown", "c1", 1, 100)
			l.thing("u1", economy.TransferIn, "crown", "c1", 1)
			l.sale("t2", "u1", "u2", "crown", "c1", 1, 100)
		}},
		{name: "reversed", honest: []string{"seller", "u1", "u2"}, write: func(l *log) {
			l.sale("t1", "seller", "u1", "crown", "c1", 1, 100).Deal.Status = "reversed"
			l.sale("t2", "seller", "u2", "crown", "c1", 1, 100)
		}},
		{name: "one sale under two ids", honest: []string{"seller", "u1"}, write: func(l *log) {
			l.sale("t1", "seller", "u1", "crown", "c1", 1, 100)
			l.sale("t2", "seller", "u1", "crown", "c1", 1, 100).At = l.at - 2*minute
		}},
		{name: "dropped and found again", honest: []string{"h"}, write: func(l *log) {
			l.thing("h", economy.Acquire, "crown", "c1", 1)
			l.thing("h", economy.Destroy, "crown", "c1", 0)
			l.thing("h", economy.Acquire, "crown", "c1", 1)
			l.thing("h", economy.TransferOut, "crown", "c1", 0)
			l.thing("h", economy.Acquire, "crown", "c1", 1)
		}},
		{name: "told again at each login", honest: []string{"h"}, write: func(l *log) {
			for range 5 {
				l.thing("h", economy.Acquire, "crown", "c1", 1)
			}
		}},
	})
}

func TestSpentTwice(t *testing.T) {
	out := func(l *log, p, to engines.PlayerID, amount, after int64) *economy.Entry {
		e := l.coin(p, economy.TransferOut, amount, after, "")
		e.Counterparty = to
		return e
	}
	checkOnce(t, []onceCase{
		{name: "two empty a chest at once", factor: "double_credit", bad: map[string]int{"guild": 75, "u1": 50, "u2": 50}, write: func(l *log) {
			out(l, "guild", "u1", 1000, 0)
			out(l, "guild", "u2", 1000, 0).At = l.at - minute
		}},
		{name: "within seconds, by trades, and life goes on", factor: "double_credit", bad: map[string]int{"guild": 75, "u1": 50, "u2": 50}, write: func(l *log) {
			l.coin("guild", economy.Earn, 1000, 5000, "")
			at := out(l, "guild", "u1", 4000, 1000).At
			e := out(l, "guild", "u2", 4000, 1000)
			e.At, e.TradeID = at+2000, "w2"
			l.coin("guild", economy.Earn, 300, 1300, "")
			out(l, "guild", "u3", 200, 1100)
		}},
		{name: "one line under two ids", honest: []string{"guild", "u1"}, write: func(l *log) {
			out(l, "guild", "u1", 1000, 0)
			out(l, "guild", "u1", 1000, 0).At = l.at - minute
		}},
		{name: "filled again in between", honest: []string{"guild", "u1", "u2"}, write: func(l *log) {
			out(l, "guild", "u1", 1000, 0).At = l.at
			e := l.coin("guild", economy.TransferIn, 1000, 1000, "")
			e.Counterparty, e.At = "u3", l.at-30*second
			out(l, "guild", "u2", 1000, 0).At = l.at - 20*second
		}},
		{name: "wages", honest: []string{"guild", "u1", "u2", "u3"}, write: func(l *log) {
			for i, to := range []engines.PlayerID{"u1", "u2", "u3"} {
				out(l, "guild", to, 1000, int64(9000-1000*i)).At = l.at + int64(i)
			}
		}},
	})
}
