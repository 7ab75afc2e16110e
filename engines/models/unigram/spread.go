package unigram

import (
	"encoding/binary"
	"math"
)

// Values of 4 bits lie in blocks: a scale in half precision, then sixteen bytes whose lower
// halves are the first sixteen values and whose upper ones the others, 8 standing for 0.
const (
	// Block is how many values share a scale.
	Block = 32
	// BlockBytes is what they take.
	BlockBytes = 2 + Block/2
)

// Spread appends the values of blocks of 4 bits.
func Spread(blocks []byte, out []float32) []float32 {
	for ; len(blocks) >= BlockBytes; blocks = blocks[BlockBytes:] {
		scale := half(binary.LittleEndian.Uint16(blocks))
		for _, b := range blocks[2:BlockBytes] {
			out = append(out, float32(int(b&15)-8)*scale)
		}
		for _, b := range blocks[2:BlockBytes] {
			out = append(out, float32(int(b>>4)-8)*scale)
		}
	}
	return out
}

// half is a number of IEEE 754's 16 bits.
func half(b uint16) float32 {
	sign, exponent, rest := uint32(b>>15)<<31, uint32(b>>10&31), uint32(b&0x3FF)
	switch exponent {
	case 0: // below the smallest normal one
		return math.Float32frombits(sign | math.Float32bits(float32(rest)/(1<<24)))
	case 31:
		return math.Float32frombits(sign | 0xFF<<23 | rest<<13)
	default:
		return math.Float32frombits(sign | (exponent+127-15)<<23 | rest<<13)
	}
}
