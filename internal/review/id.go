package review

import (
	"encoding/hex"
	"math/rand/v2"
	"time"
)

// newID returns a UUIDv7 (RFC 9562, with the fraction of the millisecond in the
// twelve bits after the version) at the cost of one allocation. The random part
// comes from the runtime's ChaCha8, which the operating system seeds; it makes
// ids unique, no access rests on nobody guessing them.
func newID(now time.Time) string {
	ns := uint64(now.UnixNano())
	ms := ns / 1e6
	fraction := (ns % 1e6) << 12 / 1e6
	tail := rand.Uint64()
	var id [16]byte
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = 0x70 | byte(fraction>>8)
	id[7] = byte(fraction)
	for i := range 8 {
		id[8+i] = byte(tail >> (56 - 8*i))
	}
	id[8] = 0x80 | id[8]&0x3f

	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
