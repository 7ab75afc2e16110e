package risk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// handed is a gift of money with the ledger's lines of it, which name neither the trade nor
// each other; credits is how often the receiver was credited, later by how many ms.
type handed struct {
	n       int
	at      int64
	from    string
	to      string
	amount  int64
	left    int64
	credits []int64
}

func (p handed) entries(named bool) (list []economy.Entry) {
	id := fmt.Sprintf("t%d", p.n)
	list = append(list, economy.Entry{
		Log: economy.Trade, ID: id, TradeID: id, At: p.at, Player: engines.PlayerID(p.from), Counterparty: engines.PlayerID(p.to),
		Deal: &economy.Deal{Money: economy.Money{Type: "gold", Amount: p.amount}, Type: "mail", Status: "completed"},
	})
	line := func(player, other string, a economy.Action, at, after int64) {
		e := economy.Entry{
			Log: economy.Currency, ID: fmt.Sprintf("%s-%s-%d", id, player, at), At: at, Player: engines.PlayerID(player), Action: a, What: "gold",
			Amount: p.amount, After: after, Source: "mail",
		}
		if named {
			e.TradeID, e.Counterparty = id, engines.PlayerID(other)
		}
		list = append(list, e)
	}
	line(p.from, p.to, economy.TransferOut, p.at+3, p.left)
	for i, late := range p.credits {
		line(p.to, p.from, economy.TransferIn, p.at+4+late, p.amount*int64(p.n*10+i+1))
	}
	return list
}

// pairs are gifts of all kinds: some at the same time and of the same amount, some
// credited twice, some whose credit is lost.
func pairs() (list []handed) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 120 {
		p := handed{n: n, at: testStart + int64(n)*20*minute, from: fmt.Sprint("a", n%11), to: fmt.Sprint("b", n%7), amount: int64(100 + 10*(n%3)), left: int64(r.IntN(900)), credits: []int64{0}}
		switch n % 20 {
		case 7:
			p.credits = []int64{0, 40}
		case 11:
			p.credits = nil
		case 13: // at once with the one before
			p.at, p.from, p.to, p.amount = list[n-1].at+200, list[n-1].from, list[n-1].to, list[n-1].amount
		}
		list = append(list, p)
	}
	return list
}

func bookOf(named bool, order *rand.Rand) *Book {
	var entries []economy.Entry
	for _, p := range pairs() {
		entries = append(entries, p.entries(named)...)
	}
	for i := range 40 { // what is an ordinary income
		for p := range 7 {
			entries = append(entries, economy.Entry{
				Log: economy.Currency, ID: fmt.Sprint("e", i, p), At: testStart + int64(i)*hour, Player: engines.PlayerID(fmt.Sprint("b", p)),
				Action: economy.Earn, What: "gold", Amount: 50, After: 1 << 40, Source: "quest",
			})
		}
	}
	if order != nil {
		order.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	}
	b := New(Config{Fresh: -1, Measure: true})
	b.Apply(entries)
	return b
}

// sides is what a snapshot sees of every deal, but for what only counting uses.
func sides(b *Book) map[string]string {
	s := b.current()
	s.lines = s.joinLoose(b)
	all := map[string]string{}
	s.eachDeal(b, func(d *deal, _ []leg) {
		x, y := &d.side[0], &d.side[1]
		all[fmt.Sprint(d.at, x.gives, x.player)] = fmt.Sprintf("out %d of which %d left %d, in %d by %d", x.out, x.drain, x.outEnd, y.in, y.inN)
	})
	return all
}

// A ledger that names no trades tells as much of them as one that does.
func TestLooseLinesAreJoined(t *testing.T) {
	book := bookOf(false, nil)
	named, loose := sides(bookOf(true, nil)), sides(book)
	if len(named) != 120 {
		t.Fatalf("%d deals, want 120", len(named))
	}
	if diff := cmp.Diff(named, loose); diff != "" {
		t.Errorf("(-named +loose):\n%s", diff)
	}
	read, err := Load(Config{Fresh: -1, Measure: true}, bytes.NewReader(saved(t, book)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(loose, sides(read)); diff != "" {
		t.Errorf("(-as it was +read again):\n%s", diff)
	}
}

// The order in which entries come does not matter.
func TestLooseLinesInAnyOrder(t *testing.T) {
	want := bookOf(false, nil)
	for seed := range uint64(5) {
		got := bookOf(false, rand.New(rand.NewPCG(seed, 1)))
		for p := range 7 {
			id := engines.PlayerID(fmt.Sprint("b", p))
			x, _ := want.Risk(id, want.Newest())
			y, _ := got.Risk(id, got.Newest())
			if diff := cmp.Diff(x, y); diff != "" {
				t.Errorf("seed %d, %s:\n%s", seed, id, diff)
			}
		}
	}
}

// A second line of one credit, with its balance, is no second credit; and what is
// further off than clocks are is of no trade.
func TestLooseLinesThatAreNone(t *testing.T) {
	p := handed{n: 1, at: testStart, from: "a", to: "b", amount: 70, left: 5, credits: []int64{0}}
	list := p.entries(false)
	again := list[2]
	again.ID = "again"
	far := list[2]
	far.ID, far.At, far.After = "far", far.At+3*second, 7000
	b := New(Config{Fresh: -1, Measure: true})
	b.Apply(append(list, again, far))
	for _, text := range sides(b) {
		if want := fmt.Sprintf("out 70 of which %d left %d, in 70 by 1", drained(&list[1]), leftBy(&list[1])); text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
	late := New(Config{Fresh: -1, Measure: true})
	list[1].At += looseWithin + second
	late.Apply(list[:2])
	for _, text := range sides(late) {
		if want := "out 0 of which 0 left 0, in 0 by 0"; text != want {
			t.Errorf("%s, want %s", text, want)
		}
	}
}

// What is kept is bounded, and a book that is read again has it.
func TestLooseLinesAreBounded(t *testing.T) {
	b := New(Config{Fresh: -1})
	e := economy.Entry{Action: economy.TransferIn, Amount: 1}
	for i := range looseMost + 3*looseBlockSize {
		e.At = testStart + int64(i)
		b.looseLeg(&e, 1, 1)
	}
	if n := len(b.loose.blocks) * looseBlockSize; n > looseMost {
		t.Errorf("%d are kept, %d at most", n, looseMost)
	}
	if first := b.loose.blocks[0].legs[0].at; first <= testStart {
		t.Error("the oldest are kept")
	}
}
