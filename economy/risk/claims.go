package risk

import (
	"math"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
)

// claim is what a player was credited in one currency or item for one order or
// promotion code, which a game credits once. The lines of the log are kept as the
// least hashes of those that differ, which are the same in any order.
type claim struct {
	key    uint64    // hash of player, order or code, and currency or item
	at     int32     // minute of the newest line
	player int32     // by the book's number
	code   uint32    // hash of the order or code, whoever had it
	in     [3]uint32 // credits
	back   [2]uint32 // chargebacks and revocations
	spent  [2]uint32 // debits that a credit may give back
}

// claim counts a line that names an order or a code. What came from another player
// has the ids of its trade.
func (b *Book) claim(e *economy.Entry, p int32, sign int) {
	if e.TradeID != "" || e.Action == economy.TransferIn || e.Action == economy.TransferOut {
		return
	}
	id, kind := e.OrderID, uint64(3)
	if id == "" {
		id, kind = promotion(e.Source), 4
	}
	if id == "" || e.Amount == 0 {
		return
	}
	at := int32(floorDiv(e.At, minute))
	if at < int32(b.claimFrom) {
		return
	}
	code := hash(kind, id)
	key := mix(code ^ hash(uint64(e.Log), string(e.Player)+"\x00"+e.What))
	n, known := b.claimIndex[key]
	if !known {
		if b.claims.n >= b.maxClaims {
			b.forgetClaims()
			if at < int32(b.claimFrom) {
				return
			}
		}
		n = b.claims.add()
		b.claimIndex[key] = n
		*b.claims.at(n) = claim{key: key, at: at, player: p, code: uint32(code >> 32)}
	}
	c := b.claims.at(n)
	c.at = max(c.at, at)
	// A line that was logged twice has one balance.
	line := max(1, uint32(mix(uint64(e.After)*0x9e3779b97f4a7c15^uint64(e.Amount))>>32))
	switch {
	case sign > 0:
		note(c.in[:], line)
	case e.Action == economy.Chargeback || e.Action == economy.Revoke:
		note(c.back[:], line)
	default:
		note(c.spent[:], line)
	}
}

// note keeps the least distinct values above 0, the empty places last.
func note(list []uint32, v uint32) {
	for i := range list {
		switch {
		case list[i] == v:
			return
		case list[i] == 0:
			list[i] = v
			return
		case v < list[i]:
			list[i], v = v, list[i]
		}
	}
}

// noted is how many values are kept, all of them or more where the list is full.
func noted(list []uint32) (n int) {
	for _, v := range list {
		if v != 0 {
			n++
		}
	}
	return n
}

// again reports whether more was credited than once and once more for each time it
// was taken back. What was spent may be given back as often as it was spent.
func (c *claim) again() bool {
	back, spent := noted(c.back[:]), noted(c.spent[:])
	if back == len(c.back) || spent == len(c.spent) && noted(c.in[:]) == len(c.in) {
		return false // more than is kept
	}
	return noted(c.in[:]) > max(1+back, spent)
}

// codeWords are the words before a code in the source of a credit, as in promo:ANNIV.
var codeWords = []string{
	"promo", "promotion", "promo_code", "promocode", "code", "coupon", "voucher", "redeem", "redeem_code", "gift_code", "giftcode", "cdkey", "cd_key", "key",
	"order", "receipt",
}

// promotion is the code that a source names; "" where it names none.
func promotion(source string) string {
	i := 0
	for i < len(source) && source[i] != ':' && source[i] != '/' && source[i] != '#' && source[i] != '=' {
		i++
	}
	if i >= len(source)-1 || !slices.Contains(codeWords, strings.ToLower(source[:i])) {
		return ""
	}
	return source[i+1:]
}

// forgetClaims makes room where there are maxClaims, about 70 bytes each with their
// places in the index: it drops a quarter of them, those with the oldest last line;
// lines from before are not counted any more, in whatever order they come.
func (b *Book) forgetClaims() {
	when := make([]int32, b.claims.n)
	for i := range when {
		when[i] = b.claims.at(int32(i)).at
	}
	slices.Sort(when)
	b.claimFrom = int64(when[len(when)/4]) + 1
	clear(b.claimIndex)
	kept := int32(0)
	for i := range when {
		if c := b.claims.at(int32(i)); c.at >= int32(b.claimFrom) {
			*b.claims.at(kept) = *c
			b.claimIndex[c.key] = kept
			kept++
		}
	}
	b.claims.cut(kept)
}

// eachClaim calls f for every claim, under the lock in pieces.
func (b *Book) eachClaim(f func(c *claim)) {
	for lo, n := 0, 1; lo < n; lo += readChunk {
		b.mu.RLock()
		n = b.claims.n
		for i := lo; i < min(lo+readChunk, n); i++ {
			f(b.claims.at(int32(i)))
		}
		b.mu.RUnlock()
	}
}

// share is how many claims there are, and how many of them were credited twice.
type share struct{ all, twice float64 }

// habit is from how many of what a game does once on it may be the game's way.
const habit = 10

// usual is how far what was credited twice is nothing rare, from low to high.
func (n share) usual(low, high float64) float64 {
	if n.twice < habit {
		return 0
	}
	return ramp(n.twice/n.all, low, high)
}

// counted is what all claims say.
type counted struct {
	list     []claim // those credited twice
	app      share
	codes    map[uint32]share // of those in list
	reversed map[int32]float64
	returns  float64
}

func (b *Book) countClaims() (n counted) {
	n.codes, n.reversed = map[uint32]share{}, map[int32]float64{}
	b.eachClaim(func(c *claim) {
		n.app.all++
		if c.back[0] != 0 {
			n.reversed[c.player]++
			n.returns++
		}
		if c.again() {
			n.app.twice++
			n.list = append(n.list, *c)
			code := n.codes[c.code]
			code.twice++
			n.codes[c.code] = code
		}
	})
	if len(n.list) == 0 {
		return n
	}
	b.eachClaim(func(c *claim) {
		if code, ok := n.codes[c.code]; ok {
			code.all++
			n.codes[c.code] = code
		}
	})
	return n
}

// claimed notes whom one order or code was credited twice. Where that is nothing
// rare, the app's orders or that code are meant to be. What may explain it besides is
// that it was taken back in between, by a line that was lost.
func (s *snapshot) claimed(b *Book) {
	n := b.countClaims()
	many, last := map[int32]float64{}, map[int32]int64{}
	for i := range n.list {
		c := &n.list[i]
		many[c.player] += (1 - n.app.usual(.02, .1)) * (1 - n.codes[c.code].usual(.1, .3))
		last[c.player] = max(last[c.player], int64(c.at)*minute)
	}
	lost := 1 - min(1, s.loss.old*(n.returns+.3)/float64(max(1, len(n.list))))
	for who, k := range many {
		p := s.of(who)
		if p == 0 || k <= 0 {
			continue
		}
		lambda := s.loss.old * (n.reversed[who] + .3)
		v := lost * min(1, k) * ramp(-tail(math.Ceil(k), lambda), 1.5, 3.5) * (.8 + .2*ramp(k, 1, 3))
		s.nodes[p].double = max(s.nodes[p].double, float32(v*fade(last[who], s.at, 90*day)))
	}
}
