package risk

import (
	"fmt"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// A buyer who plays, and gives away what it has had for long, has its bank ask for one
// purchase back at times. That is no sign of theft; that what was bought was handed on is.
func TestOneChargeback(t *testing.T) {
	for _, plain := range []bool{false, true} {
		w := newWorld(3, 8)
		w.plain = plain
		all := w.populate(80)
		for i := range 12 { // what a crown goes for
			from, to := all[i], all[i+20]
			w.bag[from]["crown"], w.gold[to] = 1, w.gold[to]+40000
			w.plan(w.at(1, float64(8+i)), func() { w.swap(w.at(1, float64(8+i)), from, to, "auction", 0, "crown", 1, 25000) })
		}
		order := func(n int) func(*economy.Entry) {
			return func(e *economy.Entry) { e.OrderID = fmt.Sprintf("order%d", n) }
		}
		buyer, friend := w.person("buyer", false), all[50]
		w.bag[buyer]["crown"] = 2
		charger, receiver := w.person("charger", true), w.person("receiver", true)
		for d := range 8 {
			w.play(buyer, w.at(d, 18), 3, 120, .9, 60, "quest")
			w.play(receiver, w.at(d, 17), 3, 120, .9, 60, "quest")
		}
		w.play(charger, w.at(3, 12), .3, 120, .9, 60, "quest")
		w.plan(w.at(3, 19), func() { w.coin(w.at(3, 19), buyer, economy.Purchase, 9000, "store", order(1)) })
		w.plan(w.at(4, 19), func() { w.swap(w.at(4, 19), buyer, friend, "gift", 0, "crown", 2, 0) })
		w.plan(w.at(5, 9), func() { w.coin(w.at(5, 9), buyer, economy.Chargeback, 9000, "store", order(1)) })
		w.plan(w.at(3, 13), func() { w.coin(w.at(3, 13), charger, economy.Purchase, 9000, "store", order(2)) })
		w.part(w.at(3, 13.5), charger, receiver, "mail", .97)
		w.plan(w.at(5, 10), func() { w.coin(w.at(5, 10), charger, economy.Chargeback, 9000, "store", order(2)) })
		b := replay(w.run())
		of := func(id string) int {
			r, _ := b.Risk(engines.PlayerID(id), b.Newest())
			for _, f := range r.Factors {
				if f.Code == "chargeback" {
					return f.Score
				}
			}
			return 0
		}
		if got := of(buyer); got > 10 {
			t.Errorf("plain %v: the buyer has %d", plain, got)
		}
		if got := of(charger); got < 45 {
			t.Errorf("plain %v: the charger has %d", plain, got)
		}
	}
}
