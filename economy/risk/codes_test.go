package risk

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// What a player did is what its factors say: most of a kind have the factor that is named
// for it, and honest players have it rarely.
func TestFactorsAreOfTheDeed(t *testing.T) {
	w := newWorld(2, 8)
	w.villains(w.populate(300))
	b := replay(w.run())
	counts := map[string]map[string]int{}
	size := map[string]int{}
	for id, kind := range w.kind {
		if w.bad[id] == "" {
			kind = ""
		}
		size[kind]++
		if counts[kind] == nil {
			counts[kind] = map[string]int{}
		}
		codes, _ := factorsOf(b, engines.PlayerID(id))
		for _, c := range codes {
			counts[kind][c]++
		}
	}
	for _, c := range []struct{ kind, code string }{
		{"relay", "one_way_outflow"},
		{"overpay", "one_way_outflow"},
		{"overpay", "price_deviation"},
		{"minting", "balance_mismatch"},
		{"takeover", "new_device_drain"},
		{"takeover", "pass_through"},
		{"echo", "double_credit"},
		{"carousel", "market_manipulation"},
	} {
		if n := counts[c.kind][c.code]; n*3 < size[c.kind] {
			t.Errorf("%d of %d %s have %s: %v", n, size[c.kind], c.kind, c.code, counts[c.kind])
		}
		if n := counts[""][c.code]; n*10 > size[""] {
			t.Errorf("%d of %d honest players have %s", n, size[""], c.code)
		}
	}
}

// Money that goes round among three, and again, is a circle; what two give each other, what
// somebody hands on to a fourth, and a kitty that goes to another every day is none.
func TestCircles(t *testing.T) {
	who := append(everybody(), "a", "b", "c")
	play := func(each func(d int, give func(int64, string, string, int64))) *Book { return days(t, 8, who, each) }
	around := play(func(d int, give func(int64, string, string, int64)) {
		if d > 1 {
			give(10, "a", "b", 600)
			give(12, "b", "c", 580)
			give(14, "c", "a", 590)
		}
	})
	once := play(func(d int, give func(int64, string, string, int64)) {
		if d == 3 {
			give(10, "a", "b", 600)
			give(12, "b", "c", 580)
			give(14, "c", "a", 590)
		}
	})
	two := play(func(d int, give func(int64, string, string, int64)) {
		if d > 1 {
			give(10, "a", "b", 600)
			give(12, "b", "a", 590)
		}
	})
	line := play(func(d int, give func(int64, string, string, int64)) {
		if d > 1 && d < 6 {
			give(10, "a", "b", 600)
			give(12, "b", "c", 580)
			give(14, "c", fmt.Sprint("player", d), 590)
		}
	})
	kitty := play(func(d int, give func(int64, string, string, int64)) {
		if d < 2 {
			return
		}
		turn := []string{"a", "b", "c"}
		for i := range 2 {
			give(20+int64(i), turn[(d+1+i)%3], turn[d%3], 300)
		}
	})
	for _, p := range []string{"a", "b", "c"} {
		if got := factor(around, p, "circular_trading"); got < 60 {
			t.Errorf("%s has circular_trading %d", p, got)
		}
		for name, b := range map[string]*Book{"once": once, "two": two, "line": line, "kitty": kitty} {
			if got := factor(b, p, "circular_trading"); got != 0 {
				t.Errorf("%s, %s: circular_trading %d", name, p, got)
			}
		}
	}
}

// Each reason has an offer that it is given for, beside one that differs in what it is
// about and has it not.
func TestReasonsAreOfTheOffer(t *testing.T) {
	now := testStart + 10*day
	buy := economy.Entry{
		Log: economy.Currency, ID: "buy", At: now - hour, Player: "p11", What: "gold", Action: economy.Purchase, Amount: 900, After: 1900, Source: "store", OrderID: "o1",
	}
	more := []economy.Entry{buy, saleOf("now", "p20", "p13", "fresh", now-hour), saleOf("then", "p22", "p15", "stale", now-3*day)}
	for i := range 200 {
		n := strconv.Itoa(i)
		more = append(more, saleOf("f"+n, "p1", "p"+strconv.Itoa(3+i%30), "f"+n, testStart+9*day+int64(i)*minute))
	}
	b := town(more...)
	for _, c := range []struct {
		code        string
		offer, none *economy.Proposal
		later       int64
	}{
		{"pending_chargeback", offerOf("p11", "p9", "", 1700, 0), offerOf("p7", "p9", "", 900, 0), 0},
		{"rapid_resale", offerOf("p13", "p9", "fresh", 0, 300), offerOf("p15", "p9", "stale", 0, 300), 0},
		{"velocity_exceeded", offerOf("p1", "p9", "new", 0, 300), offerOf("p2", "p9", "new", 0, 300), 0},
		{"dormant_sender", offerOf("p7", "p9", "", 900, 0), nil, 16 * day},
	} {
		if got := b.Evaluate(c.offer, now+c.later).Reasons; !slices.Contains(got, c.code) {
			t.Errorf("no %s: %v", c.code, got)
		}
		none, at := c.none, now+c.later
		if none == nil {
			none, at = c.offer, now
		}
		if got := b.Evaluate(none, at).Reasons; slices.Contains(got, c.code) {
			t.Errorf("%s of another offer: %v", c.code, got)
		}
	}
}

// Who deals, and where what it gives ends, are reasons by themselves.
func TestReasonsAreOfTheParties(t *testing.T) {
	w := newWorld(2, 8)
	all := w.populate(300)
	w.villains(all)
	b := replay(w.run())
	said := map[string]int{}
	n := 0
	for id, kind := range w.bad {
		if kind != "relay" {
			continue
		}
		n++
		for _, o := range []*economy.Proposal{offerOf(id, all[n], "", w.gold[id]/2+200, 0), offerOf(all[n], id, "", w.gold[all[n]]/2+200, 0)} {
			for _, r := range b.Evaluate(o, b.Newest()).Reasons {
				said[r]++
			}
		}
	}
	for _, code := range []string{"risky_sender", "risky_recipient", "recipient_is_collector", "mule_chain"} {
		if said[code] == 0 {
			t.Errorf("none of %d offers has %s: %v", 2*n, code, said)
		}
	}
	honest := map[string]int{}
	for i, id := range all {
		for _, r := range b.Evaluate(offerOf(id, all[(i+1)%len(all)], "", w.gold[id]/20, 0), b.Newest()).Reasons {
			honest[r]++
		}
	}
	for _, code := range []string{"risky_sender", "risky_recipient", "recipient_is_collector", "mule_chain"} {
		if honest[code]*20 > len(all) {
			t.Errorf("%d of %d honest gifts have %s", honest[code], len(all), code)
		}
	}
}
