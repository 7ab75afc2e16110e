package worlds

import (
	"math"
	"slices"
)

// good is a kind of item: a stack of pieces that are alike, or gear.
type good struct {
	id   string
	gear bool
}

// listing is an offer on the auction board.
type listing struct {
	price  float64 // of one
	seller *person
	uid    string
	count  int64
	bad    string // the villainy that it is part of
}

const boardMost = 60

// open fills the market with goods and their prices, which drift.
func (w *World) open() {
	level := []float64{}
	for i := range 64 {
		switch {
		case i < 40:
			w.goods = append(w.goods, good{id: number("mat", i)})
			w.mats = append(w.mats, i)
			level = append(level, math.Exp(w.uniform(math.Log(4), math.Log(300))))
		default:
			w.goods = append(w.goods, good{number("gear", i), true})
			w.gear = append(w.gear, i)
			level = append(level, math.Exp(w.uniform(math.Log(800), math.Log(120_000))))
		}
	}
	for range w.cfg.Days + 1 {
		w.prices = append(w.prices, slices.Clone(level))
		for i := range level {
			level[i] *= w.spread(.06)
		}
	}
	w.board = make([][]listing, len(w.goods))
}

func (w *World) price(at int64, good int) float64 {
	return w.prices[min(w.cfg.Days, max(0, int((at-w.start)/day)))][good]
}

// list offers something for a multiple of its price.
func (w *World) list(at int64, p *person, s stack, times float64, bad string) {
	b := append(w.board[s.good], listing{w.price(at, s.good) * times, p, s.uid, s.count, bad})
	if len(b) > boardMost {
		b = slices.Delete(b, 0, 1)
	}
	w.board[s.good] = b
}

// buy takes the cheapest offer of a good, if it costs at most a multiple of its price.
func (w *World) buy(at int64, p *person, good int, most float64) (stack, bool) {
	b := w.board[good]
	best := -1
	for i := range b {
		if best < 0 || b[i].price < b[best].price {
			best = i
		}
	}
	if best < 0 {
		return stack{}, false
	}
	l := b[best]
	cost := int64(l.price * float64(l.count))
	if l.price > w.price(at, good)*most || p.gold < cost {
		return stack{}, false
	}
	w.board[good] = slices.Delete(b, best, best+1)
	s := stack{good, l.count, l.uid}
	return s, w.trade(at, l.seller, p, offer{items: []stack{s}, back: max(1, cost), kind: "auction", bad: l.bad})
}

// sellOff lists all individual items of somebody.
func (w *World) sellOff(at int64, p *person, lo, hi float64, bad string) {
	for _, x := range slices.Clone(p.pieces) {
		w.list(at, p, x.stack(), w.uniform(lo, hi), bad)
	}
}

func (x piece) stack() stack { return stack{x.good, 1, x.uid} }

// owned are the goods of which somebody has more than so many.
func (w *World) owned(p *person, more int64) []int {
	var list []int
	for _, g := range w.mats {
		if p.stacks[g] > more {
			list = append(list, g)
		}
	}
	return list
}
