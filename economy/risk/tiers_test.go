package risk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Whatever is packed, every answer is the same to the last digit, in order and late,
// saved and read again, and with few stashes.
func TestTiersAnswerAlike(t *testing.T) {
	for seed := range uint64(2) {
		w := newWorld(seed, 8)
		w.villains(w.populate(150))
		entries := w.run()
		l := &log{at: entries[len(entries)/2].At}
		for i := range 6 { // what a game does once, and debts
			l.coin("casual20", economy.Purchase, 5, int64(5*i), "o1")
			l.coin("casual21", economy.Spend, 900, int64(-800*i), "")
			l.coin("casual22", economy.Chargeback, 700, int64(-800*i), "")
		}
		entries = append(entries, l.list...)
		entries = append(entries, economy.Entry{Log: economy.Advert, ID: "a", Player: "casual20", At: l.at})
		if seed > 0 { // late, by up to three days
			r := rand.New(rand.NewPCG(seed, 1))
			when := make([]int64, len(entries))
			order := make([]int, len(entries))
			for i := range entries {
				when[i], order[i] = entries[i].At+r.Int64N(3*day), i
			}
			slices.SortFunc(order, func(i, j int) int { return int(when[i] - when[j]) })
			late := make([]economy.Entry, len(entries))
			for i, k := range order {
				late[i] = entries[k]
			}
			entries = late
		}
		stashes := []int{0, 600}[seed%2]
		var books []*Book
		for _, hot := range []int{1 << 20, 1, 40} {
			books = append(books, New(Config{Fresh: -1, Measure: true, Hot: hot, Stashes: stashes}))
		}
		ban := economy.Ban{Player: "casual23", ID: "b", Type: economy.Permanent, Created: entries[0].At}
		for i, b := range books {
			b.Ban(&ban)
			for _, e := range entries {
				b.Apply([]economy.Entry{e})
			}
			if i > 0 {
				again, err := Load(Config{Fresh: -1, Measure: true, Hot: 30, Stashes: stashes}, bytes.NewReader(saved(t, b)))
				if err != nil {
					t.Fatal(err)
				}
				again.Ban(&ban)
				books = append(books, again)
			}
		}
		if b := books[1]; len(b.deals.blocks) < 4 || b.deals.open > 2 {
			t.Fatalf("%d of %d blocks of trades are unpacked", b.deals.open, len(b.deals.blocks))
		}
		if hot, few := books[0].players.used(), books[1].players.used(); hot <= few || books[1].packed.live == 0 {
			t.Fatalf("%d and %d players are unpacked", hot, few)
		}
		known := answers(books[0], w)
		for i, b := range books[1:] {
			if diff := cmp.Diff(known, answers(b, w)); diff != "" {
				t.Errorf("seed %d, book %d:\n%s", seed, i+1, diff)
			}
		}
	}
}

// answers is all that a book says of the players of a world.
func answers(b *Book, w *world) map[string]any {
	said := map[string]any{}
	var last engines.PlayerID
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for id := range w.kind {
			if !yield(id) {
				return
			}
		}
	}) {
		id, now := engines.PlayerID(name), b.Newest()
		r, known := b.Risk(id, now)
		f, _ := b.Features(id, now)
		p := economy.Proposal{Sender: id, Receiver: last, Deal: economy.Deal{Items: []economy.Stack{{Item: "sword", Count: 1}}, Money: economy.Money{Type: "gold", Amount: 5000}}, At: now}
		said[name] = []any{r, known, f, b.Evaluate(&p, now), b.Measured(id)}
		last = id
	}
	said[""], _ = b.Look(0, b.Newest())
	return said
}

// Every field of every record is the same after it was packed, whatever it holds.
func TestPackKeepsAll(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	any64, fill := filler(r)
	words := newLexicon()
	var k packer
	for round := range 3000 {
		var in, out records
		pl := in.players.at(in.players.add())
		fill(reflect.ValueOf(pl).Elem())
		pl.id, pl.idle, pl.wallet, pl.stash, pl.flow, pl.home, pl.diary = 0, false, 0, 0, 0, 0, 0
		for i := range pl.devs {
			if pl.devs[i].id = max(0, pl.devs[i].id); pl.devs[i].id == 0 {
				pl.devs[i] = device{}
			}
		}
		for range r.IntN(3) {
			n := in.wallets.add()
			w := in.wallets.at(n)
			fill(reflect.ValueOf(w).Elem())
			w.cur = max(0, w.cur)
			w.next, w.chain.far, w.pay, pl.wallet = pl.wallet, 0, 0, n+1
			for i := range w.chain.ends {
				if e := &w.chain.ends[i]; r.IntN(2) == 0 {
					*e = end{}
				} else if r.IntN(2) == 0 {
					*e = newEnd([]int64{w.after, w.before}[r.IntN(2)], w.last, 1-2*r.IntN(2))
				}
			}
			if r.IntN(2) == 0 {
				w.pay = in.paid.add() + 1
				fill(reflect.ValueOf(in.paid.at(w.pay - 1)).Elem())
			}
		}
		for range r.IntN(4) {
			n := in.stashes.add()
			s := in.stashes.at(n)
			fill(reflect.ValueOf(s).Elem())
			s.item = max(0, s.item)
			s.next, pl.stash = pl.stash, n+1
		}
		for range r.IntN(8) {
			n := in.flows.add()
			f := in.flows.at(n)
			fill(reflect.ValueOf(f).Elem())
			f.next, pl.flow = pl.flow, n+1
		}
		if r.IntN(2) == 0 {
			pl.home = in.homes.add() + 1
			fill(reflect.ValueOf(in.homes.at(pl.home - 1)).Elem())
		}
		switch r.IntN(3) {
		case 0:
			pl.diary = in.diaries.add() + 1
			fill(reflect.ValueOf(in.diaries.at(pl.diary - 1)).Elem())
		case 1:
			n := in.starts.add()
			pl.diary, pl.plays = -n-1, pl.plays%diaryFrom
			for i := range pl.plays {
				in.starts.at(n)[i] = int32(any64())
			}
		}
		was := spell(&in, pl)
		again := out.players.at(unpack(k.pack(&in, pl, &words), &out, ofAll, &words, -1<<63))
		if diff := cmp.Diff(was, spell(&out, again)); diff != "" {
			t.Fatalf("round %d (-packed +unpacked):\n%s", round, diff)
		}
	}
}

// filler makes values of all sizes, zero among them, and fills records with them.
func filler(r *rand.Rand) (any64 func() uint64, fill func(v reflect.Value)) {
	any64 = func() uint64 {
		return []func() uint64{func() uint64 { return 0 }, func() uint64 { return r.Uint64N(200) }, r.Uint64, func() uint64 { return uint64(r.Int64N(1 << 45)) }}[r.IntN(4)]()
	}
	fill = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Struct:
			for _, f := range v.Fields() {
				fill(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
			}
		case v.Kind() == reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case v.CanUint():
			v.SetUint(any64())
		case v.CanInt():
			v.SetInt(int64(any64()))
		case v.CanFloat():
			v.SetFloat([]float64{float64(any64()), r.Float64(), r.NormFloat64() * 1e30}[r.IntN(3)])
		}
	}
	return any64, fill
}

// So is every field of a deal.
func TestPackKeepsDeals(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	_, fill := filler(r)
	for round := range 300 {
		bl := &dealBlock{newest: r.Int64N(1 << 41)}
		for range 1 + r.IntN(1<<dealBits) {
			var d deal
			fill(reflect.ValueOf(&d).Elem())
			d.nItems, d.nBack, d.legs = d.nItems%3, d.nBack%3, int32(len(bl.legs))
			for i := range d.side {
				s := &d.side[i]
				if s.player, s.cur, s.inCur = max(0, s.player), max(0, s.cur), max(0, s.inCur); s.inN == 0 {
					s.in, s.inEnd, s.inAt, s.inCur = 0, 0, 0, 0
				}
			}
			for range d.nItems + d.nBack {
				var l leg
				fill(reflect.ValueOf(&l).Elem())
				l.item = max(0, l.item)
				bl.legs = append(bl.legs, l)
			}
			bl.deals = append(bl.deals, d)
		}
		packed := &dealBlock{newest: bl.newest, packed: packDeals(bl)}
		again := packed.read(&dealBlock{})
		if !slices.Equal(bl.deals, again.deals) || !slices.Equal(bl.legs, again.legs) {
			t.Fatalf("round %d: %v\n%v\nwant %v\n%v", round, again.deals, again.legs, bl.deals, bl.legs)
		}
		for i := range bl.deals {
			if packed.key(i) != bl.deals[i].key || packed.len() != len(bl.deals) {
				t.Fatalf("round %d: key %d is %x", round, i, packed.key(i))
			}
		}
	}
}

// spell writes a player's records out, without their numbers.
func spell(r *records, pl *player) (list []string) {
	one := *pl
	one.wallet, one.stash, one.flow, one.home, one.diary = 0, 0, 0, 0, 0
	list = append(list, fmt.Sprintf("%+v", one))
	for i := pl.wallet; i != 0; i = r.wallets.at(i - 1).next {
		w := *r.wallets.at(i - 1)
		if w.pay != 0 {
			list = append(list, fmt.Sprintf("%+v", *r.paid.at(w.pay - 1)))
		}
		w.next, w.pay = 0, 0
		list = append(list, fmt.Sprintf("%+v", w))
	}
	for i := pl.stash; i != 0; i = r.stashes.at(i - 1).next {
		s := *r.stashes.at(i - 1)
		s.next = 0
		list = append(list, fmt.Sprintf("%+v", s))
	}
	for i := pl.flow; i != 0; i = r.flows.at(i - 1).next {
		f := *r.flows.at(i - 1)
		f.next = 0
		list = append(list, fmt.Sprintf("%+v", f))
	}
	if pl.home != 0 {
		list = append(list, fmt.Sprintf("%+v", *r.homes.at(pl.home - 1)))
	}
	switch {
	case pl.diary > 0:
		list = append(list, fmt.Sprintf("%+v", *r.diaries.at(pl.diary - 1)))
	case pl.diary < 0:
		list = append(list, fmt.Sprintf("%+v", *r.starts.at(-pl.diary - 1)))
	}
	return list
}
