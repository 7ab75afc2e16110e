package unigram

import (
	"encoding/binary"
	"math"
)

// head is the numbers that a table begins with, in this order.
type head struct {
	pieces, width, tokens  int
	unknown, first, last   int
	from, to               int // characters that are written as others, and as how many
	filterBits, bucketBits int
	letters, bucket        int // of the longest piece in characters, of the longest bucket in bytes
	all                    int // bytes of all buckets
	lowest                 float32
}

// headBytes is what it takes.
const headBytes = 14 * 4

func (h *head) ints() []*int {
	return []*int{&h.pieces, &h.width, &h.tokens, &h.unknown, &h.first, &h.last, &h.from, &h.to, &h.filterBits, &h.bucketBits, &h.letters, &h.bucket, &h.all}
}

func (h *head) append(b []byte) []byte {
	for _, v := range h.ints() {
		b = binary.LittleEndian.AppendUint32(b, uint32(*v)) //nolint:gosec // all small
	}
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(h.lowest))
}

func (h *head) read(b []byte) {
	for _, v := range h.ints() {
		*v, b = whole(b), b[4:]
	}
	h.lowest = float(b)
}

// sane reports whether the numbers are such as a table may have.
func (h *head) sane() bool {
	return h.pieces >= 1 && h.pieces <= mostPieces && h.width >= Block && h.width <= mostWidth && h.width%Block == 0 &&
		h.tokens >= 3 && h.tokens <= mostTokens && max(h.unknown, h.first, h.last) < h.pieces &&
		h.from <= mostNormal && h.to <= 32*mostNormal && h.filterBits >= 3 && h.filterBits <= 26 && h.bucketBits >= 1 && h.bucketBits <= 20 &&
		h.letters >= 1 && h.letters < mostLetters && h.bucket <= 1<<16 && h.all <= mostPieces*(mostLetters+8)
}

// row is the bytes of a piece's vector.
func (h *head) row() int { return h.width / Block * BlockBytes }

// held is the bytes behind the head that are kept in memory.
func (h *head) held() int {
	return 4*(h.tokens*h.width+2*h.width+2*h.from+h.to) + 1<<h.filterBits/8 + 4<<h.bucketBits
}

func whole(b []byte) int { return int(binary.LittleEndian.Uint32(b)) }

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
