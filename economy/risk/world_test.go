package risk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// world is a small economy for tests: who lives in it is written in people_test.go.
// It keeps true balances, so that what a villain does shows as it would in a game.
type world struct {
	r       *rand.Rand
	start   int64
	days    int
	entries []economy.Entry
	gold    map[string]int64
	bag     map[string]map[string]int64
	bad     map[string]string // kind of a villain
	kind    map[string]string // of everybody
	grey    map[string]bool   // bought from villains
	n       int
	todo    []func(d int) // what to plan on a day
	queue   []event
	plain   bool // without fields that logs may leave out
}

// event is something that will happen: balances are right only in the order of time.
type event struct {
	at int64
	do func()
}

func (w *world) plan(at int64, do func()) { w.queue = append(w.queue, event{at, do}) }

const testStart = int64(1767225600000)

func newWorld(seed uint64, days int) *world {
	return &world{
		r: rand.New(rand.NewPCG(seed, 1)), start: testStart, days: days, gold: map[string]int64{}, bag: map[string]map[string]int64{},
		bad: map[string]string{}, kind: map[string]string{}, grey: map[string]bool{},
	}
}

// prices of the items of the world, in gold.
var testPrices = map[string]float64{"ore": 20, "herb": 8, "silk": 90, "gem": 400, "blade": 6000, "crown": 25000, "junk": 3}

func (w *world) person(kind string, villain bool) string {
	id := fmt.Sprintf("%s%d", kind, len(w.kind))
	w.kind[id] = kind
	if villain {
		w.bad[id] = kind
	}
	w.bag[id] = map[string]int64{}
	w.gold[id] = int64(500 + w.r.ExpFloat64()*2000)
	return id
}

func (w *world) id() string { w.n++; return fmt.Sprintf("e%07d", w.n) }

func (w *world) emit(e economy.Entry) {
	if w.r.Float64() < .0005 {
		return // lost for ever
	}
	if w.plain {
		e.Device, e.IP, e.Created = "", "", 0
	}
	w.entries = append(w.entries, e)
}

func (w *world) coin(at int64, id string, a economy.Action, amount int64, source string, more ...func(*economy.Entry)) {
	if amount <= 0 || a.Sign(economy.Currency) < 0 && a != economy.Chargeback && w.gold[id] < amount {
		return
	}
	w.gold[id] += int64(a.Sign(economy.Currency)) * amount
	e := economy.Entry{
		Log: economy.Currency, ID: w.id(), At: at, Player: engines.PlayerID(id), Action: a, What: "gold", Amount: amount, After: w.gold[id],
		Source: source, Device: "dev-" + id,
	}
	for _, f := range more {
		f(&e)
	}
	w.emit(e)
}

func (w *world) thing(at int64, id string, a economy.Action, item string, n int64, source string, more ...func(*economy.Entry)) {
	w.bag[id][item] += int64(a.Sign(economy.Item)) * n
	e := economy.Entry{
		Log: economy.Item, ID: w.id(), At: at, Player: engines.PlayerID(id), Action: a, What: item, Amount: n, After: w.bag[id][item],
		Source: source, Device: "dev-" + id,
	}
	for _, f := range more {
		f(&e)
	}
	w.emit(e)
}

// swap is a trade: from gives gold and items, to gives gold back.
func (w *world) swap(at int64, from, to, kind string, gold int64, item string, count, back int64, more ...func(*economy.Entry)) bool {
	if from == to || w.gold[from] < gold || w.gold[to] < back || item != "" && w.bag[from][item] < count || gold <= 0 && item == "" {
		return false
	}
	trade := w.id()
	deal := economy.Deal{Money: economy.Money{Type: "gold", Amount: max(0, gold)}, Type: kind, Status: "completed"}
	if item != "" {
		deal.Items = []economy.Stack{{Item: item, Count: count}}
	}
	if back > 0 {
		deal.ReturnMoney = economy.Money{Type: "gold", Amount: back}
	}
	e := economy.Entry{
		Log: economy.Trade, ID: trade, TradeID: trade, At: at, Player: engines.PlayerID(from), Counterparty: engines.PlayerID(to),
		Device: "dev-" + from, Deal: &deal,
	}
	for _, f := range more {
		f(&e)
	}
	w.emit(e)
	leg := func(other string) func(*economy.Entry) {
		return func(e *economy.Entry) {
			e.TradeID, e.Counterparty, e.Device = trade, engines.PlayerID(other), ""
		}
	}
	if gold > 0 {
		w.coin(at, from, economy.TransferOut, gold, kind, leg(to))
		w.coin(at+1, to, economy.TransferIn, gold, kind, leg(from))
	}
	if back > 0 {
		w.coin(at, to, economy.TransferOut, back, kind, leg(from))
		w.coin(at+1, from, economy.TransferIn, back, kind, leg(to))
	}
	if item != "" {
		w.thing(at, from, economy.TransferOut, item, count, kind, leg(to))
		w.thing(at+1, to, economy.TransferIn, item, count, kind, leg(from))
	}
	return true
}

// play is a session: things done with a pause that varies by sigma.
func (w *world) play(id string, at int64, hours, pause, sigma float64, pay int64, source string) {
	end := at + int64(hours*float64(hour))
	for at < end {
		at += int64(pause * float64(second) * math.Exp(sigma*w.r.NormFloat64()))
		now := at
		w.plan(now, func() { w.step(id, now, pay, source) })
	}
}

func (w *world) step(id string, at, pay int64, source string) {
	cost := .3
	if w.bad[id] != "" {
		cost = .01 // who works for others spends little
	}
	switch v := w.r.Float64(); {
	case v < .6:
		w.coin(at, id, economy.Earn, 1+int64(float64(pay)*w.r.ExpFloat64()), source)
	case v < .8:
		w.coin(at, id, economy.Spend, int64(float64(w.gold[id])*w.r.Float64()*cost), "npc_shop")
	default:
		item := []string{"ore", "herb", "silk"}[w.r.IntN(3)]
		w.thing(at, id, economy.Acquire, item, 1+w.r.Int64N(4), "monster_drop")
	}
}

// part hands over a part of a player's gold.
func (w *world) part(at int64, from, to, kind string, share float64) {
	w.plan(at, func() { w.swap(at, from, to, kind, int64(float64(w.gold[from])*share), "", 0, 0) })
}

// at is a time on a day.
func (w *world) at(d int, hours float64) int64 {
	return w.start + int64(d)*day + int64(hours*float64(hour))
}

// run lets the days go by and returns the entries in the order of time, with some
// late by up to a day.
func (w *world) run() []economy.Entry {
	for d := range w.days {
		for _, f := range w.todo {
			f(d)
		}
		for len(w.queue) > 0 {
			slices.SortStableFunc(w.queue, func(x, y event) int { return int(x.at - y.at) })
			now := w.queue
			w.queue = nil
			for i, e := range now {
				if e.at >= w.at(d+1, 0) {
					w.queue = append(w.queue, now[i:]...)
					break
				}
				e.do()
			}
			if !slices.ContainsFunc(w.queue, func(e event) bool { return e.at < w.at(d+1, 0) }) {
				break
			}
		}
	}
	type late struct {
		e  economy.Entry
		at int64
	}
	all := make([]late, len(w.entries))
	for i, e := range w.entries {
		all[i] = late{e, e.At + int64(w.r.ExpFloat64()*2000)}
		if w.r.Float64() < .02 {
			all[i].at += w.r.Int64N(20 * hour)
		}
	}
	slices.SortStableFunc(all, func(x, y late) int { return int(x.at - y.at) })
	out := make([]economy.Entry, len(all))
	for i := range all {
		out[i] = all[i].e
	}
	return out
}
