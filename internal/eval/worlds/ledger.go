package worlds

import "slices"

// note is a movement of a player's money.
type note struct {
	action, source string
	gems           bool
	passive        bool // the player is not there
	with           *person
	trade, order   string
}

func (n *note) credits() bool {
	switch n.action {
	case "earn", "transfer_in", "purchase", "grant":
		return true
	}
	return false
}

// pay books an amount; nobody spends what it has not.
func (w *World) pay(at int64, p *person, amount int64, n note) {
	purse, currency := &p.gold, "gold"
	if n.gems {
		purse, currency = &p.gems, "gem"
	}
	switch {
	case amount <= 0:
		return
	case n.credits():
		*purse += amount
	case n.action != "chargeback" && *purse < amount:
		return
	default:
		*purse -= amount
	}
	e := &currencyEntry{
		head: w.head("c", at, p), context: p.here(!n.passive), Currency: currency, Action: n.action, Amount: amount, After: *purse,
		Source: n.source, Trade: n.trade, Order: n.order,
	}
	if n.with != nil {
		e.Counterparty = n.with.id
	}
	if n.source == "daily_login" || n.source == "new_player_gift" {
		e.Created = p.created
	}
	w.emit("currency", at, e)
}

// stack is some of a good; of gear one, by its uid.
type stack struct {
	good  int
	count int64
	uid   string
}

func (p *person) has(s stack) bool {
	if s.uid != "" {
		return slices.ContainsFunc(p.pieces, func(x piece) bool { return x.uid == s.uid })
	}
	return p.stacks[s.good] >= s.count
}

// move books pieces of an item coming or going.
func (w *World) move(at int64, p *person, s stack, n note) {
	comes := n.action == "acquire" || n.action == "transfer_in" || n.action == "grant"
	var after int64
	if w.goods[s.good].gear {
		if comes {
			p.pieces = append(p.pieces, piece{s.uid, s.good})
		} else {
			p.pieces = slices.DeleteFunc(p.pieces, func(x piece) bool { return x.uid == s.uid })
		}
		for _, x := range p.pieces {
			if x.good == s.good {
				after++
			}
		}
	} else {
		if comes {
			p.stacks[s.good] += s.count
		} else {
			p.stacks[s.good] -= s.count
		}
		after = p.stacks[s.good]
	}
	e := &itemEntry{
		head: w.head("i", at, p), context: p.here(!n.passive), Item: w.goods[s.good].id, Action: n.action, Count: s.count, After: after,
		Source: n.source, UID: s.uid, Trade: n.trade,
	}
	if n.with != nil {
		e.Counterparty = n.with.id
	}
	w.emit("item", at, e)
}

// acquire is a find from the game.
func (w *World) acquire(at int64, p *person, good int, count int64, source string) {
	s := stack{good, count, ""}
	if w.goods[good].gear {
		w.pieces++
		s.uid = number("u", w.pieces)
	}
	w.move(at, p, s, note{action: "acquire", source: source})
}
