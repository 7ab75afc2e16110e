package risk

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// town is a game of forty who each earned for ten days, some of which sell swords.
func town(more ...economy.Entry) *Book {
	var entries []economy.Entry
	for p := range 40 {
		id, gold := "p"+strconv.Itoa(p), int64(0)
		for i := range int64(100) {
			gold += 10
			entries = append(entries, economy.Entry{
				Log: economy.Currency, ID: id + "-" + strconv.FormatInt(i, 10), At: testStart + i*10*day/100 + int64(p)*minute, Player: engines.PlayerID(id), What: "gold",
				Action: economy.Earn, Amount: 10, After: gold, Source: "quest", Device: "home-" + id, Created: testStart - 300*day,
			})
		}
		if p%2 == 0 {
			entries = append(entries, saleOf("s"+id, id, "p"+strconv.Itoa((p+1)%40), "u"+id, testStart+5*day+int64(p)*hour))
		}
	}
	b := New(Config{Fresh: -1})
	b.Apply(append(entries, more...))
	return b
}

// saleOf is the sale of a sword for a day's income.
func saleOf(id, from, to, uid string, at int64) economy.Entry {
	return economy.Entry{
		Log: economy.Trade, ID: id, TradeID: id, At: at, Player: engines.PlayerID(from), Counterparty: engines.PlayerID(to), Device: "home-" + from,
		Deal: &economy.Deal{Items: []economy.Stack{{Item: "sword", Count: 1, UID: uid}}, ReturnMoney: economy.Money{Type: "gold", Amount: 100}, Type: "auction"},
	}
}

func offerOf(from, to, uid string, gold, back int64) *economy.Proposal {
	p := economy.Proposal{Sender: engines.PlayerID(from), Receiver: engines.PlayerID(to), Deal: economy.Deal{Type: "direct"}}
	if uid != "" {
		p.Deal.Items = []economy.Stack{{Item: "sword", Count: 1, UID: uid}}
	}
	if gold > 0 {
		p.Deal.Money = economy.Money{Type: "gold", Amount: gold}
	}
	if back > 0 {
		p.Deal.ReturnMoney = economy.Money{Type: "gold", Amount: back}
	}
	return &p
}

func TestEvaluate(t *testing.T) {
	now := testStart + 10*day
	lost := economy.Entry{Log: economy.Currency, ID: "hole", At: now - hour, Player: "p7", What: "gold", Action: economy.Spend, Amount: 10, After: 500}
	stranger := economy.Entry{Log: economy.Currency, ID: "s", At: now - minute, Player: "new", What: "gold", Action: economy.Earn, Amount: 1, After: 1, Created: now - hour}
	b := town(lost, stranger)
	b.Ban(&economy.Ban{ID: "1", Player: "p30", Type: economy.Withdrawal})
	thief := offerOf("p1", "new", "", 990, 0)
	thief.Device = "elsewhere"
	for _, c := range []struct {
		name  string
		offer *economy.Proposal
		want  engines.Suggestion
		first string
		has   []string
	}{
		{"fair sale", offerOf("p2", "p9", "up2x", 0, 100), engines.Pass, "", nil},
		{"small gift", offerOf("p2", "p3", "", 10, 0), engines.Pass, "", nil},
		{"nothing", offerOf("p2", "p3", "", 0, 0), engines.Pass, "", nil},
		{"emptied from elsewhere", thief, engines.Review, "", []string{"sender_new_device", "drains_sender_balance", "new_account_recipient", "one_sided_trade", "first_trade_between_parties"}},
		{"more than it has", offerOf("p4", "p5", "", 50_000, 0), engines.Block, "insufficient_holdings", nil},
		{"more than it has, with a gap in its ledger", offerOf("p7", "p8", "", 50_000, 0), engines.Review, "", []string{"insufficient_holdings"}},
		{"sold before", offerOf("p2", "p9", "up2", 0, 100), engines.Block, "duplicated_item", nil},
		{"far over the price", offerOf("p2", "p9", "up2x", 0, 900), engines.Review, "price_deviation", nil},
		{"bought back", offerOf("p3", "p2", "up2", 0, 110), engines.Pass, "", []string{"circular_trade"}},
		{"kept from selling", offerOf("p30", "p3", "", 10, 0), engines.Block, "banned_party", nil},
		{"may buy", offerOf("p3", "p30", "", 10, 0), engines.Pass, "", nil},
		{"strangers to the book", offerOf("who", "whom", "uid", 10, 0), engines.Pass, "", nil},
	} {
		got := b.Evaluate(c.offer, now)
		if got.Suggestion != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
		if c.first != "" && (len(got.Reasons) == 0 || got.Reasons[0] != c.first) {
			t.Errorf("%s: %v, want %s first", c.name, got.Reasons, c.first)
		}
		for _, r := range c.has {
			if !slices.Contains(got.Reasons, r) {
				t.Errorf("%s: %v, want %s among them", c.name, got.Reasons, r)
			}
		}
		if want := (got.Score >= blockFrom); want != (got.Suggestion == engines.Block) || got.Score < 0 || got.Score > 100 {
			t.Errorf("%s: %d is %s", c.name, got.Score, got.Suggestion)
		}
	}
}

// A game that sends the document's fields alone names only what the sender gives.
func TestEvaluateWithoutReturn(t *testing.T) {
	b := town()
	p := offerOf("p2", "p9", "up2x", 0, 0)
	p.Deal.Type = ""
	if got := b.Evaluate(p, b.Newest()); got.Suggestion != engines.Pass || slices.Contains(got.Reasons, "one_sided_trade") {
		t.Errorf("an item for nothing that is told: %v", got)
	}
}

// What is said of a trade follows from the entries, not from their order nor from
// when snapshots were made.
func TestEvaluateOrder(t *testing.T) {
	w := newWorld(11, 6)
	all := w.populate(150)
	w.villains(all)
	entries := w.run()
	a := replay(entries)
	rand.New(rand.NewPCG(5, 5)).Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	b := replay(entries)
	for i, id := range all {
		p := offerOf(id, all[(i+7)%len(all)], "", int64(50+i*20), int64(i%3*200))
		x, y := a.Evaluate(p, a.Newest()), b.Evaluate(p, a.Newest())
		if d := x.Score - y.Score; d < -1 || d > 1 || x.Suggestion != y.Suggestion {
			t.Errorf("%s: %v in order, %v shuffled", id, x, y)
		}
	}
}

func TestEvaluateVillains(t *testing.T) {
	w := newWorld(2, 8)
	all := w.populate(300)
	w.villains(all)
	b := replay(w.run())
	caught, n := 0, 0
	for id, kind := range w.bad {
		if kind != "relay" && kind != "overpay" {
			continue
		}
		if n++; b.Evaluate(offerOf(id, all[n], "", w.gold[id]/2+200, 0), b.Newest()).Suggestion != engines.Pass {
			caught++
		}
	}
	if caught*4 < n*3 {
		t.Errorf("%d of %d gifts of villains are held", caught, n)
	}
	held := 0
	for i, id := range all {
		if b.Evaluate(offerOf(id, all[(i+1)%len(all)], "", w.gold[id]/20, 0), b.Newest()).Suggestion != engines.Pass {
			held++
		}
	}
	if held*33 > len(all) {
		t.Errorf("%d of %d honest gifts are held", held, len(all))
	}
}

func TestKnows(t *testing.T) {
	b := town(saleOf("x", "p1", "only-named", "ux", testStart+5*day))
	for id, want := range map[engines.PlayerID]bool{"p1": true, "only-named": true, "nobody": false, "": false} {
		if got := b.Knows(id); got != want {
			t.Errorf("Knows(%q) = %v", id, got)
		}
	}
}

func TestEvaluateAtTheEdges(t *testing.T) {
	b := town()
	const most = 1<<63 - 1
	for _, p := range []*economy.Proposal{
		offerOf("p1", "p2", "u", most, most), offerOf("p1", "p1", "", 5, 0), offerOf("", "", "", most, 0),
		{Sender: "p1", Receiver: "p2", Deal: economy.Deal{Items: []economy.Stack{{Item: "sword", Count: most}, {Item: "never seen", Count: -1}}}},
	} {
		for _, at := range []int64{0, testStart, most} {
			if got := b.Evaluate(p, at); got.Score < 0 || got.Score > 100 {
				t.Errorf("%+v at %d: %v", p, at, got)
			}
			if got := New(Config{}).Evaluate(p, at); got.Suggestion != engines.Pass {
				t.Errorf("an empty book: %v", got)
			}
		}
	}
}
