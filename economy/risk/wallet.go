package risk

import (
	"math"
	"math/bits"
)

// The decaying sums of a wallet.
const (
	sumEarn = iota
	sumGrant
	sumSpend
	sums
)

// wallet is what is counted for one player and currency.
type wallet struct {
	next   int32 // of the same player, by number + 1
	cur    int32
	pay    int32 // number + 1 of its payments; 0: none
	debits uint32
	sum    [sums]float64 // weighted amounts, see weight
	last   int64         // newest entry; 0: none
	after  int64         // balance after it
	first  int64         // oldest entry
	before int64         // balance before it
	chain  chain
	size   [32]uint16 // credits by bits of their amount
}

// payments is what of a currency was bought with real money, which few do.
type payments struct {
	bought  float64 // weighted amounts
	charged float64
	buys    uint16
	charges uint16 // chargebacks
	buyAt   int64  // newest of each
	reAt    int64
	// What the game took back, by chargebacks or by hand, and since when.
	recalled int64
	since    int64
}

func sizeOf(amount int64) int { return min(31, bits.Len64(uint64(amount))) }

// below is the balance before an entry; false where the arithmetic does not fit.
func below(after, amount int64, sign int) (int64, bool) {
	if sign > 0 {
		b := after - amount
		return b, b <= after
	}
	b := after + amount
	if b < after {
		return math.MaxInt64, false
	}
	return b, true
}

const chainEnds = 5

// chain checks that a ledger adds up whatever the order of its entries. Every entry
// has a balance before and after; in a whole ledger each before is another entry's
// after, but for the first and the last. What has no counterpart is an open end:
// two of them where an entry is missing or where money appeared in silence.
type chain struct {
	ends [chainEnds]end
	far  int32 // how many more are in Book.far
}

// end is an open end of a chain: a balance, and packed a time in 48 bits of
// milliseconds and a count of 16. The count is > 0 for afters without a before, < 0
// for the reverse and 0 in a free place. The time is that of the entry, where one
// balance came more than once the mean of theirs with those of counterparts taken
// off, which is the same in any order.
type end struct{ value, packed int64 }

func newEnd(value, at int64, n int) end {
	return end{value: value, packed: at<<16 | int64(uint16(int16(n)))}
}

func (e *end) at() int64 { return e.packed >> 16 }
func (e *end) n() int    { return int(int16(e.packed)) }

// add counts n more at a time.
func (e *end) add(at int64, n int) {
	was := e.n()
	sum := max(-32000, min(32000, was+n))
	if sum == 0 {
		*e = end{}
		return
	}
	*e = newEnd(e.value, (e.at()*int64(was)+at*int64(n))/int64(was+n), sum)
}

// holes reports whether more than the two ends of a whole ledger are open.
func (c *chain) holes() bool {
	n := 0
	for i := range c.ends {
		if c.ends[i].n() != 0 {
			n++
		}
	}
	return n > 2
}

// huge reports whether a sum may be more than any balance can be.
func (w *wallet) huge() bool {
	for _, v := range w.sum {
		if v/weight(w.last) > math.MaxInt64/2 {
			return true
		}
	}
	return false
}

func bitsSet(v uint64) int { return bits.OnesCount64(v) }
