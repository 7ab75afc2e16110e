package pdq

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/bits"
)

// Hash is a PDQ hash in the order in which it is written: the first byte is the first
// two hexadecimal digits.
type Hash [32]byte

// Bits is the length of a hash.
const Bits = 256

// ErrHash is the fault of what is no hash.
var ErrHash = errors.New("pdq: a hash is 64 hexadecimal digits")

// Parse reads 64 hexadecimal digits of either case.
func Parse(s string) (h Hash, err error) {
	if len(s) != hex.EncodedLen(len(h)) {
		return h, ErrHash
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil {
		return Hash{}, ErrHash
	}
	return h, nil
}

// String is the hash as 64 hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Distance is in how many bits two hashes differ, 0 to 256. Up to 31 is what the
// paper counts as the same picture.
func (h Hash) Distance(other Hash) int {
	n := 0
	for i := 0; i < len(h); i += 8 {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(h[i:]) ^ binary.LittleEndian.Uint64(other[i:]))
	}
	return n
}
