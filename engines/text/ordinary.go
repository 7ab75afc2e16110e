package text

import (
	_ "embed" // the table below
	"encoding/binary"
	"sync"
)

// data/words.bin holds the words of ordinary sentences, names and places in more
// than a hundred languages (Tatoeba, CC BY 2.0 FR, game texts and lists under open
// licences) and those that clean rows of other open data have three times and more,
// folded and hashed: a Bloom filter of 2^22 bits and five probes, which no word can
// be read back from. "portcullis train words"
// makes it.
//
//go:embed data/words.bin
var wordsData []byte

// wordFilter knows ordinary words, which no guess is made at: "trial" is no
// misspelling, "emit" nothing backwards. It may take a few other words for ordinary.
type wordFilter struct{ bits []uint64 }

const filterProbes = 5

var ordinary = sync.OnceValue(func() *wordFilter {
	v := &wordFilter{bits: make([]uint64, len(wordsData)/8)}
	for i := range v.bits {
		v.bits[i] = binary.LittleEndian.Uint64(wordsData[8*i:])
	}
	return v
})

// probe is the place of probe k of a mixed hash.
func (v *wordFilter) probe(h uint64, k uint64) (word int, bit uint64) {
	at := (h + k*(h>>32|1)) & (uint64(len(v.bits))*64 - 1)
	return int(at / 64), 1 << (at % 64)
}

func (v *wordFilter) add(h uint64) {
	h = mix(h)
	for k := range uint64(filterProbes) {
		w, b := v.probe(h, k)
		v.bits[w] |= b
	}
}

// has reports whether the word whose hash is h is ordinary.
func (v *wordFilter) has(h uint64) bool {
	if len(v.bits) == 0 { // no table yet: no guesses
		return true
	}
	h = mix(h)
	for k := range uint64(filterProbes) {
		if w, b := v.probe(h, k); v.bits[w]&b == 0 {
			return false
		}
	}
	return true
}

// hashBase makes the hash of a word, a polynomial of its runes, so that the hash
// of two words joined follows from theirs.
const hashBase = 0x9E3779B97F4A7C15

func hashRune(h uint64, r rune) uint64 { return h*hashBase + uint64(r) + 1 }

func hashRunes(rs []rune) uint64 {
	h := uint64(0)
	for _, r := range rs {
		h = hashRune(h, r)
	}
	return h
}

// hashPowers are the powers of hashBase.
var hashPowers = func() (out [longestGuess + 1]uint64) {
	out[0] = 1
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1] * hashBase
	}
	return out
}()

// mix spreads a hash over all bits.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xFF51AFD7ED558CCD
	h ^= h >> 29
	h *= 0xC4CEB9FE1A85EC53
	return h ^ h>>32
}
