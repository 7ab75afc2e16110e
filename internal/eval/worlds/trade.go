package worlds

// offer is what changes hands: the one side gives items and money, the other gives
// items and money back.
type offer struct {
	items     []stack
	gold      int64
	backItems []stack
	back      int64
	gems      bool   // the money is gems
	kind      string // trade_type; direct where empty
	bad       string // the villainy that it is part of
}

// How often a trade is asked about before it happens: those of villains always.
const (
	askedAlike = .1
	asked      = .02
)

// alike are kinds whose trades look odd.
func alike(kind string) bool {
	switch kind {
	case "casual", "hardcore", "flipper", "gatherer", "idler", "cafe":
		return false
	}
	return true
}

// trade has one player deal with another, if both have what they give.
func (w *World) trade(at int64, a, b *person, o offer) bool {
	if a == b || !a.gives(o.items, o.gold, o.gems) || !b.gives(o.backItems, o.back, o.gems) || o.empty() {
		return false
	}
	if o.kind == "" {
		o.kind = "direct"
	}
	w.trades++
	id := number("t", w.trades)
	body := w.bodyOf(a, b, &o)
	w.ask(at, a, b, &o, body)
	w.emit("trade", at, &tradeEntry{Log: number("l", w.trades), At: at, Trade: id, tradeBody: body, Status: "completed", Device: a.here(true).Device})
	source := "trade"
	switch o.kind {
	case "auction", "mail", "gift":
		source = o.kind
	}
	acts := o.kind != "auction"
	w.legs(at, a, b, o.items, o.gold, note{source: source, trade: id, gems: o.gems}, acts)
	w.legs(at, b, a, o.backItems, o.back, note{source: source, trade: id, gems: o.gems}, false)
	if o.kind == "auction" && o.back > 0 {
		w.pay(at+2, a, max(1, o.back/20), note{action: "spend", source: "auction_fee", passive: true, trade: id})
	}
	if o.bad != "" {
		for _, p := range []*person{a, b} {
			if p.label == 1 {
				p.bad(at)
			}
		}
	}
	return true
}

func (o *offer) empty() bool {
	return len(o.items) == 0 && len(o.backItems) == 0 && o.gold <= 0 && o.back <= 0
}

func (p *person) gives(items []stack, amount int64, gems bool) bool {
	purse := p.gold
	if gems {
		purse = p.gems
	}
	if amount < 0 || purse < amount {
		return false
	}
	for _, s := range items {
		if !p.has(s) {
			return false
		}
	}
	return true
}

// legs books what one side gives.
func (w *World) legs(at int64, from, to *person, items []stack, amount int64, n note, acts bool) {
	out, in := n, n
	out.action, out.with, out.passive = "transfer_out", to, !acts
	in.action, in.with, in.passive = "transfer_in", from, true
	if amount > 0 {
		w.pay(at, from, amount, out)
		w.pay(at+1, to, amount, in)
	}
	for _, s := range items {
		w.move(at, from, s, out)
		w.move(at+1, to, s, in)
	}
}

func (w *World) bodyOf(a, b *person, o *offer) tradeBody {
	currency := "gold"
	if o.gems {
		currency = "gem"
	}
	list := func(of []stack) []itemStack {
		stacks := make([]itemStack, 0, len(of))
		for _, s := range of {
			stacks = append(stacks, itemStack{w.goods[s.good].id, s.count, s.uid})
		}
		return stacks
	}
	body := tradeBody{Sender: a.id, Receiver: b.id, Items: list(o.items), Money: money{currency, o.gold}, BackItems: list(o.backItems), Type: o.kind}
	if o.back > 0 {
		body.BackMoney = &money{currency, o.back}
	}
	return body
}

// ask asks about a trade just before it happens.
func (w *World) ask(at int64, a, b *person, o *offer, body tradeBody) {
	p, rate := &probe{At: at, Arch: "legit", Body: body}, asked
	switch {
	case o.bad != "":
		p.Label, p.Arch, rate = 1, o.bad, 1
	case alike(b.kind):
		p.Arch, rate = "lookalike:"+b.kind, askedAlike
	case alike(a.kind):
		p.Arch, rate = "lookalike:"+a.kind, askedAlike
	}
	if rate == 1 || w.chance(rate) {
		w.out = append(w.out, delivery{float64(at - 1), "probe", p})
	}
}

// hand gives a part of somebody's money to another, unless it is hardly anything.
func (w *World) hand(at int64, a, b *person, part float64, kind, bad string) {
	if g := int64(float64(a.gold) * part); g > 50 {
		w.trade(at, a, b, offer{gold: g, kind: kind, bad: bad})
	}
}

// handAt is hand at a later time, of what there is then, for no harm.
func (w *World) handAt(at int64, a, b *person, part float64, kind string) {
	w.at(at, func(at int64) { w.hand(at, a, b, part, kind, "") })
}

// allPieces are somebody's individual items, so many at most.
func (p *person) allPieces(most int) []stack {
	var all []stack
	for _, x := range p.pieces[:min(most, len(p.pieces))] {
		all = append(all, x.stack())
	}
	return all
}
