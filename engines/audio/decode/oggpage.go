package decode

import (
	"bytes"
	"encoding/binary"
)

// oggPage is one page of an Ogg file (RFC 3533 §6).
type oggPage struct {
	flags   byte
	granule int64
	serial  uint32
	lacing  []byte // the sizes of the segments
	body    []byte
	end     int // where it ends in the file
}

// The flags of a page.
const (
	oggContinued = 1
	oggBegins    = 2
	oggEnds      = 4
)

// nextPage is the next whole page from at; false at the end. Pages whose checksum is
// wrong are passed over, as players do.
func nextPage(data []byte, at int) (p oggPage, ok bool) {
	for {
		i := bytes.Index(data[at:], []byte("OggS"))
		if i < 0 {
			return oggPage{}, false
		}
		if at += i; readPage(data, at, &p) {
			return p, true
		}
		at += 4
	}
}

func readPage(data []byte, at int, p *oggPage) bool {
	b := data[at:]
	if len(b) < 27 || b[4] != 0 || len(b) < 27+int(b[26]) {
		return false
	}
	lacing := b[27 : 27+int(b[26])]
	size := 0
	for _, n := range lacing {
		size += int(n)
	}
	head := 27 + len(lacing)
	if len(b) < head+size {
		return false
	}
	le := binary.LittleEndian
	if oggSum(b[:head+size]) != le.Uint32(b[22:]) {
		return false
	}
	*p = oggPage{
		flags: b[5], granule: int64(le.Uint64(b[6:])), serial: le.Uint32(b[14:]),
		lacing: lacing, body: b[head : head+size], end: at + head + size,
	}
	return true
}

// oggTable is of the checksum's polynomial, 0x04c11db7, the highest bit first.
var oggTable = func() (t [256]uint32) {
	for i := range t {
		r := uint32(i) << 24
		for range 8 {
			if r&0x80000000 != 0 {
				r = r<<1 ^ 0x04c11db7
			} else {
				r <<= 1
			}
		}
		t[i] = r
	}
	return t
}()

// oggSum is the checksum of a page, its own place taken as 0.
func oggSum(b []byte) (sum uint32) {
	for i, v := range b {
		if i >= 22 && i < 26 {
			v = 0
		}
		sum = sum<<8 ^ oggTable[byte(sum>>24)^v]
	}
	return sum
}
