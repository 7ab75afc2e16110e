package risk

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// days plays a number of days on which everybody named earns 400; give hands gold over.
func days(t *testing.T, n int, who []string, each func(d int, give func(hour int64, from, to string, amount int64))) *Book {
	t.Helper()
	var list []economy.Entry
	gold := map[string]int64{}
	line := func(at int64, who string, a economy.Action, amount int64, trade, other string) {
		gold[who] += int64(a.Sign(economy.Currency)) * amount
		list = append(list, economy.Entry{
			Log: economy.Currency, ID: strconv.Itoa(len(list)), At: at, Player: engines.PlayerID(who), Action: a, What: "gold", Amount: amount,
			After: gold[who], Source: "quest", TradeID: trade, Counterparty: engines.PlayerID(other),
		})
	}
	for d := range n {
		start := testStart + int64(d)*day
		for i, p := range who {
			for k := range int64(4) {
				line(start+int64(i)*second+k*hour, p, economy.Earn, 100, "", "")
			}
		}
		each(d, func(h int64, from, to string, amount int64) {
			at, id := start+h*hour+int64(len(list)), fmt.Sprint("t", len(list))
			if gold[from] < amount {
				t.Fatalf("%s has %d of %d", from, gold[from], amount)
			}
			list = append(list, economy.Entry{
				Log: economy.Trade, ID: id, TradeID: id, At: at, Player: engines.PlayerID(from), Counterparty: engines.PlayerID(to),
				Deal: &economy.Deal{Money: economy.Money{Type: "gold", Amount: amount}, Type: "direct", Status: "completed"},
			})
			line(at, from, economy.TransferOut, amount, id, to)
			line(at+1, to, economy.TransferIn, amount, id, from)
		})
	}
	b := New(Config{Fresh: -1, Measure: true})
	b.Apply(list)
	return b
}

func everybody() (list []string) {
	for i := range 60 {
		list = append(list, fmt.Sprint("player", i))
	}
	return append(list, "hub", "s0", "s1", "s2", "s3")
}

func factor(b *Book, who, code string) int {
	r, _ := b.Risk(engines.PlayerID(who), b.Newest())
	i := slices.IndexFunc(r.Factors, func(f economy.Factor) bool { return f.Code == code })
	if i < 0 {
		return 0
	}
	return r.Factors[i].Score
}

// Who has money from the same few and hands it to ever others sells it, however little
// of what they earn the few bring.
func TestDealer(t *testing.T) {
	b := days(t, 10, everybody(), func(d int, give func(int64, string, string, int64)) {
		for i := range 4 {
			give(20, fmt.Sprint("s", i), "hub", 120)
		}
		for i := range 4 {
			if d > 0 {
				give(22, "hub", fmt.Sprint("player", 4*d+i), 130)
			}
		}
	})
	if got := factor(b, "hub", "fan_out"); got < 40 {
		t.Errorf("the dealer's fan_out is %d", got)
	}
	if got := factor(b, "s1", "one_way_outflow"); got < 25 {
		t.Errorf("a supplier's one_way_outflow is %d", got)
	}
}

// The same money that goes back to those who gave, or that many bring a little of, is no
// dealer's.
func TestNoDealer(t *testing.T) {
	treasurer := days(t, 10, everybody(), func(d int, give func(int64, string, string, int64)) {
		for i := range 4 {
			give(20, fmt.Sprint("s", i), "hub", 120)
		}
		for i := range 3 {
			if d > 0 {
				give(22, "hub", fmt.Sprint("s", i), 150)
			}
		}
	})
	entertainer := days(t, 10, everybody(), func(d int, give func(int64, string, string, int64)) {
		for i := range 4 {
			give(20, fmt.Sprint("player", 4*d+i), "hub", 120)
		}
		for i := range 4 {
			if d > 0 {
				give(22, "hub", fmt.Sprint("player", (20+4*d+i)%60), 100)
			}
		}
	})
	for name, b := range map[string]*Book{"treasurer": treasurer, "entertainer": entertainer} {
		for _, who := range []string{"hub", "s1"} {
			if n, w := factor(b, who, "fan_out"), factor(b, who, "one_way_outflow"); n > 12 || w > 12 {
				t.Errorf("%s, %s: fan_out %d, one_way_outflow %d", name, who, n, w)
			}
		}
	}
}

// An entry fee is the same for all and comes to a pot that is paid out; who cheats
// strangers of as much keeps it.
func TestFeesAreNoLosses(t *testing.T) {
	fees := func(paidOut bool) *Book {
		return days(t, 4, everybody(), func(d int, give func(int64, string, string, int64)) {
			if d == 0 || d == 3 {
				return
			}
			for i := range 12 {
				give(18, fmt.Sprint("player", 12*d+i), "hub", 500)
			}
			if paidOut {
				for i, prize := range []int64{3000, 1900, 900} {
					give(21, "hub", fmt.Sprint("player", 12*d+i), prize)
				}
			}
		})
	}
	if got := factor(fees(true), "hub", "unfair_trades"); got > 10 {
		t.Errorf("who holds a tournament: unfair_trades %d", got)
	}
	if got := factor(fees(false), "hub", "unfair_trades"); got < 40 {
		t.Errorf("who keeps it all: unfair_trades %d", got)
	}
}

// What suppliers bring may go through somebody who hands it all on; dues that an officer
// takes to a bank, which pays the members, are nobody's supply.
func TestDealerBehindAMiddleman(t *testing.T) {
	chain := days(t, 10, append(everybody(), "porter"), func(d int, give func(int64, string, string, int64)) {
		for i := range 4 {
			give(19, fmt.Sprint("s", i), "porter", 120)
		}
		give(20, "porter", "hub", 470)
		for i := range 4 {
			if d > 0 {
				give(22, "hub", fmt.Sprint("player", 4*d+i), 110)
			}
		}
	})
	if got := factor(chain, "hub", "fan_out"); got < 30 {
		t.Errorf("the dealer's fan_out is %d", got)
	}
	for _, who := range []string{"porter", "s1", "s3"} {
		if got := factor(chain, who, "one_way_outflow"); got < 20 {
			t.Errorf("%s: one_way_outflow %d", who, got)
		}
	}
	dues := days(t, 10, append(everybody(), "porter"), func(d int, give func(int64, string, string, int64)) {
		for i := range 4 {
			give(19, fmt.Sprint("s", i), "porter", 120)
		}
		give(20, "porter", "hub", 470)
		for i := range 3 {
			if d > 0 {
				give(22, "hub", fmt.Sprint("s", i), 140)
			}
		}
	})
	for _, who := range []string{"hub", "porter", "s1"} {
		if n, w := factor(dues, who, "fan_out"), factor(dues, who, "one_way_outflow"); n > 12 || who != "porter" && w > 12 {
			t.Errorf("dues, %s: fan_out %d, one_way_outflow %d", who, n, w)
		}
	}
}

// Who makes things for ever others, or is generous, is not cheated by each of them.
func TestGenerousAreNoVictims(t *testing.T) {
	gifts := func(toOthers int) *Book {
		return days(t, 24, everybody(), func(d int, give func(int64, string, string, int64)) {
			if d != 23 {
				return
			}
			for i, who := range []string{"s0", "s1", "s2", "s3", "hub"} {
				for k := range toOthers {
					give(18+int64(k), who, fmt.Sprint("player", 10+8*i+k), 1500)
				}
				give(24, who, "player1", 7500-1200*int64(toOthers))
			}
		})
	}
	if got := factor(gifts(5), "player1", "unfair_trades"); got > 20 {
		t.Errorf("who was given much by the generous: unfair_trades %d", got)
	}
	if got := factor(gifts(0), "player1", "unfair_trades"); got < 50 {
		t.Errorf("who cheated five: unfair_trades %d", got)
	}
}
