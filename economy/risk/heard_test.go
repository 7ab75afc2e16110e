package risk

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// A question for a risk is answered while entries are being counted, however long
// that takes.
func TestRiskBesideCounting(t *testing.T) {
	b := New(Config{Fresh: time.Hour})
	w := newWorld(1, 3)
	w.populate(60)
	entries := w.run()
	who := entries[0].Player
	b.Apply(entries[:len(entries)/2])
	b.Risk(who, b.Newest())
	b.Apply(entries[len(entries)/2:]) // the snapshot is older than that
	want, ok := b.Risk(who, b.Newest())
	if !ok {
		t.Fatal("the first player is not known")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	got := make(chan economy.Risk)
	go func() {
		b.Knows("nobody")
		r, _ := b.Risk(who, b.Newest())
		got <- r
	}()
	select {
	case r := <-got:
		if r.Score != want.Score || r.Updated != want.Updated {
			t.Errorf("%+v while entries are counted, want %+v", r, want)
		}
	case <-time.After(time.Minute):
		t.Fatal("a question waits for the book's lock")
	}
}

// A small book answers from what was counted last, also where a snapshot was just made
// without it.
func TestSmallBookIsExact(t *testing.T) {
	b := New(Config{Fresh: time.Hour})
	earn := func(order int64) economy.Entry {
		return economy.Entry{Log: economy.Currency, ID: "c" + strconv.FormatInt(order, 10), At: testStart + order*1000, Player: "a", What: "gold", Action: economy.Earn, Amount: 5}
	}
	for order := range int64(5) {
		b.Apply([]economy.Entry{earn(order)})
		b.Risk("a", b.Newest())
		if got := b.snap.Load().version; got != b.version {
			t.Fatalf("after entry %d a risk is told from version %d, want %d", order, got, b.version)
		}
	}
}

// When somebody was heard of last is a matter of the entries, whichever way the book
// came to them.
func TestHeard(t *testing.T) {
	b := New(Config{Fresh: -1, Hot: 2})
	pay := func(p engines.PlayerID, at int64) economy.Entry {
		return economy.Entry{Log: economy.Currency, ID: "c", At: at, Player: p, What: "gold", Action: economy.TransferOut, Amount: 1, Counterparty: "named"}
	}
	b.Apply([]economy.Entry{
		pay("a", testStart+hour), pay("b", testStart+2*hour), pay("a", testStart), pay("c", testStart+3*hour), pay("d", testStart+4*hour),
		{Log: economy.Advert, ID: "m", At: testStart + 5*hour, Player: "loud"},
		{Log: economy.Advert, ID: "m2", At: testStart + 6*hour, Player: "b"},
	})
	b.Ban(&economy.Ban{ID: "x", Player: "banned", Type: economy.Permanent, Created: testStart})
	var saved bytes.Buffer
	if err := b.Save(&saved); err != nil {
		t.Fatal(err)
	}
	read, err := Load(Config{Fresh: -1, Hot: 2}, &saved)
	if err != nil {
		t.Fatal(err)
	}
	for name, book := range map[string]*Book{"counted": b, "read": read} {
		for id, want := range map[engines.PlayerID]int64{"a": testStart + hour, "b": testStart + 6*hour, "d": testStart + 4*hour, "loud": testStart + 5*hour, "named": 0, "banned": -1, "nobody": -1} {
			r, ok := book.Risk(id, book.Newest())
			switch {
			case ok != (want >= 0):
				t.Errorf("%s: %s known: %v", name, id, ok)
			case ok && r.Updated != want:
				t.Errorf("%s: %s heard of at %d, want %d", name, id, r.Updated, want)
			}
		}
		if got := book.Newest(); got != testStart+4*hour {
			t.Errorf("%s: newest %d", name, got)
		}
	}
}

// A book that is looked after has a snapshot before anybody asks.
func TestTendBegins(t *testing.T) {
	var made func()
	b := New(Config{Behind: func(f func()) { made = f }})
	if b.Tend(); made != nil {
		t.Error("a snapshot of nothing")
	}
	b.Apply([]economy.Entry{{Log: economy.Currency, ID: "1", Player: "p", What: "gold", Action: economy.Earn, Amount: 5, At: 1790000000000}})
	if b.Tend(); made == nil || b.snap.Load().version != 0 {
		t.Fatal("none is made behind")
	}
	first := made
	made = nil
	if b.Tend(); made != nil {
		t.Error("two at once")
	}
	first()
	if b.snap.Load().version != b.version {
		t.Error("it is not there")
	}
	if b.Tend(); made != nil {
		t.Error("another, though nobody asks")
	}
}
