package unigram

// Hash is of a piece's letters: FNV-1a, which goes on letter by letter.
// http://www.isthe.com/chongo/tech/comp/fnv/
type Hash uint64

// Nothing is the hash of no letters.
const Nothing Hash = 0xCBF29CE484222325

// With is the hash of the letters with another one behind them.
func (h Hash) With(b byte) Hash { return (h ^ Hash(b)) * 0x100000001B3 }

// mixed spreads what a hash knows over all of its bits: FNV's lowest know little.
func (h Hash) mixed() uint64 {
	x := uint64(h)
	x ^= x >> 32
	x *= 0x9E3779B97F4A7C15
	return x ^ x>>29
}

// bucket is the one of 2^bits that a piece lies in.
func (h Hash) bucket(bits int) int { return int(h.mixed() >> (64 - bits)) } //nolint:gosec // below 2^bits

// marks is how many bits of the filter a piece sets.
const marks = 3

// marked gives bit i of a piece in a filter of 2^bits.
func (h Hash) marked(i, bits int) (at int, bit byte) {
	x := h.mixed()
	n := (x + uint64(i)*(x>>24|1)) & (1<<bits - 1) //nolint:gosec // i is small
	return int(n >> 3), 1 << (n & 7)               //nolint:gosec // below 2^bits
}
