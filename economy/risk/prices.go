package risk

import (
	"cmp"
	"math"
	"slices"
)

// price is what an item goes for in trades of it against money.
type price struct {
	mid    float64 // days of income a piece; 0: not known
	spread float64 // of its logarithm: median absolute deviation
	n      int
}

// priceSamples is how many of an item's newest sales count.
const priceSamples = 61

// sale is the sale of pieces of one item for money.
type sale struct {
	item int32
	at   int64
	log  float64 // of the price of a piece
	pair uint64

	seller, buyer int32
	value         float64
}

// prices finds what items are worth: the median of the newest sales, of which one
// pair of players gives at most three, so that two accounts that sell to each other
// cannot make a price.
func (s *snapshot) prices(b *Book, items int) {
	var sales gather[sale]
	var single []float64
	s.eachDeal(b, func(d *deal, legs []leg) {
		give, back := legs[:d.nItems], legs[d.nItems:]
		seller, buyer := &d.side[0], &d.side[1]
		paid := s.coins(buyer)
		if len(give) == 0 {
			give, back = back, give
			seller, buyer = buyer, seller
			paid = s.coins(buyer)
		} else if s.coins(&d.side[0]) > 0 {
			return
		}
		if len(give) != 1 || len(back) != 0 || paid <= 0 || give[0].count <= 0 || int(give[0].item) >= items {
			return
		}
		if give[0].uid != 0 {
			single = append(single, paid/float64(give[0].count))
		}
		from, to := s.of(seller.player), s.of(buyer.player)
		lo, hi := min(from, to), max(from, to)
		sales.add(sale{
			item: give[0].item, at: d.at, log: math.Log(paid / float64(give[0].count)), pair: uint64(lo)<<32 | uint64(hi),
			seller: from, buyer: to, value: paid,
		})
	})
	s.rare = median(single)
	all := sales.list()
	s.washes(all)
	slices.SortFunc(all, func(x, y sale) int {
		return cmp.Or(cmp.Compare(x.item, y.item), cmp.Compare(y.at, x.at), cmp.Compare(x.log, y.log))
	})
	s.price = make([]price, items)
	logs := make([]float64, 0, priceSamples)
	pairs := map[uint64]int{}
	for i := 0; i < len(all); {
		j := i
		logs = logs[:0]
		clear(pairs)
		for ; j < len(all) && all[j].item == all[i].item; j++ {
			if len(logs) == priceSamples || pairs[all[j].pair] == 3 {
				continue
			}
			pairs[all[j].pair]++
			logs = append(logs, all[j].log)
		}
		mid := median(logs)
		n := len(logs)
		for k := range logs {
			logs[k] = math.Abs(logs[k] - mid)
		}
		s.price[all[i].item] = price{mid: math.Exp(mid), spread: median(logs), n: n}
		i = j
	}
}

// coins is the money a side gives, in days of income.
func (s *snapshot) coins(d *side) float64 {
	v := d.gives
	if v == 0 {
		v = d.out
	}
	if v <= 0 || d.cur == 0 || int(d.cur) >= len(s.unit) {
		return 0
	}
	return float64(v) / s.unit[d.cur]
}

// worth is what legs are worth in days of income, and whether all have a price.
func (s *snapshot) worth(legs []leg) (value float64, known bool) {
	known = true
	for i := range legs {
		l := &legs[i]
		if int(l.item) >= len(s.price) || s.price[l.item].n < 3 {
			known = false
			continue
		}
		value += s.price[l.item].mid * float64(max(0, l.count))
	}
	return value, known
}
