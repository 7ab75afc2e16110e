package risk

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Lines that get lost make honest doings look like what a game does once: what was
// taken back and bought again, an item that came back, a debt after a chargeback.
func TestLostLines(t *testing.T) {
	for _, lost := range []float64{.0005, .005} {
		for seed := range uint64(8) {
			l := &log{bare: seed%2 == 1}
			r := rand.New(rand.NewPCG(seed, 5))
			const players = 300
			for i := range players {
				l.honest(engines.PlayerID(fmt.Sprintf("h%d", i)), engines.PlayerID(fmt.Sprintf("h%d", (i+1)%players)), r)
			}
			var kept []economy.Entry
			for i := range l.list {
				if r.Float64() >= lost {
					kept = append(kept, l.list[i])
				}
			}
			b := replay(kept)
			raised := 0
			for i := range players {
				id := engines.PlayerID(fmt.Sprintf("h%d", i))
				if x, _ := b.Risk(id, b.Newest()); x.Score >= 55 {
					t.Errorf("lost %v, seed %d: %s has %d for %v", lost, seed, id, x.Score, x.Factors)
				} else if x.Score >= 30 {
					raised++
				}
			}
			if raised > players/100 {
				t.Errorf("lost %v, seed %d: %d of %d have 30 or more", lost, seed, raised, players)
			}
		}
	}
}

// honest is ten days of one who changes its mind a lot.
func (l *log) honest(id, friend engines.PlayerID, r *rand.Rand) {
	l.at = testStart
	gold, crowns := int64(1000), int64(0)
	coin := func(a economy.Action, amount int64, order string) {
		gold += int64(a.Sign(economy.Currency)) * amount
		l.coin(id, a, amount, gold, order)
	}
	for d := range int64(10) {
		l.at = testStart + d*day + r.Int64N(20*hour)
		for range 5 {
			coin(economy.Earn, 20+r.Int64N(80), "")
		}
		order, uid := fmt.Sprintf("%s-%d", id, d), fmt.Sprintf("%s-u%d", id, d)
		coin(economy.Purchase, 500, order)
		if d%3 == 0 {
			coin(economy.Revoke, 500, order)
			coin(economy.Purchase, 500, order)
		}
		if !l.bare {
			crowns++
			l.thing(id, economy.Acquire, "crown", uid, crowns)
		}
		if d%2 == 0 { // lent out, and lent again
			for k := range 3 {
				from, to := id, friend
				if k == 1 {
					from, to = friend, id
				}
				trade := fmt.Sprintf("%s-%d", uid, k)
				l.sale(trade, from, to, "crown", uid, 1, 0)
				switch {
				case l.bare: // no item log
				case from == id:
					crowns--
					l.thing(id, economy.TransferOut, "crown", uid, crowns).TradeID = trade
				default:
					crowns++
					l.thing(id, economy.TransferIn, "crown", uid, crowns).TradeID = trade
				}
			}
		}
		coin(economy.Spend, gold/2, "")
	}
	if r.IntN(20) == 0 {
		coin(economy.Spend, gold, "")
		coin(economy.Chargeback, 1000, "")
		coin(economy.Spend, 5, "")
	}
}
