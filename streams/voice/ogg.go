package voice

import (
	"encoding/binary"
	"math/rand/v2"
)

// oggWriter writes Ogg/Opus (RFC 3533, RFC 7845) of packets as they are: nothing is
// encoded again.
type oggWriter struct {
	out     []byte
	serial  uint32
	page    uint32
	granule uint64 // samples at 48 kHz in the packets so far
	lacing  []byte
	body    []byte
	flags   byte
}

// Flags of a page.
const (
	oggFirst = 2
	oggLast  = 4
)

// pagePackets is how many packets share a page: half a second.
const pagePackets = 25

// newOgg begins a file of which players leave out the first skip samples.
func newOgg(channels int, skip uint16) *oggWriter {
	w := &oggWriter{serial: rand.Uint32(), flags: oggFirst} //nolint:gosec // it tells streams apart
	head := append(make([]byte, 0, 19), "OpusHead\x01"...)
	head = append(head, byte(channels))
	head = binary.LittleEndian.AppendUint16(head, skip)
	head = binary.LittleEndian.AppendUint32(head, clock)
	head = append(head, 0, 0, 0) // gain, mapping family
	w.add(head, 0)
	w.flush()
	const vendor = "portcullis"
	tags := binary.LittleEndian.AppendUint32([]byte("OpusTags"), uint32(len(vendor)))
	tags = append(tags, vendor...)
	tags = binary.LittleEndian.AppendUint32(tags, 0)
	w.add(tags, 0)
	w.flush()
	return w
}

// add puts one packet of so many samples into the file.
func (w *oggWriter) add(p []byte, samples int) {
	if len(w.lacing)+len(p)/255+1 > 255 || len(w.lacing) > 0 && samples > 0 && w.granule%(pagePackets*960) == 0 {
		w.flush()
	}
	for n := len(p); ; n -= 255 {
		w.lacing = append(w.lacing, byte(min(n, 255)))
		if n < 255 {
			break
		}
	}
	w.body = append(w.body, p...)
	w.granule += uint64(samples) //nolint:gosec // never negative
}

// flush ends a page.
func (w *oggWriter) flush() {
	if len(w.lacing) == 0 {
		return
	}
	start := len(w.out)
	w.out = append(w.out, "OggS\x00"...)
	w.out = append(w.out, w.flags)
	w.out = binary.LittleEndian.AppendUint64(w.out, w.granule)
	w.out = binary.LittleEndian.AppendUint32(w.out, w.serial)
	w.out = binary.LittleEndian.AppendUint32(w.out, w.page)
	w.out = append(w.out, 0, 0, 0, 0, byte(len(w.lacing)))
	w.out = append(append(w.out, w.lacing...), w.body...)
	binary.LittleEndian.PutUint32(w.out[start+22:], oggSum(w.out[start:]))
	w.page++
	w.flags, w.lacing, w.body = 0, w.lacing[:0], w.body[:0]
}

// close ends the file and returns it.
func (w *oggWriter) close() []byte {
	w.flags |= oggLast
	if len(w.lacing) == 0 { // a last page needs a packet
		w.add(silence, 960)
	}
	w.flush()
	return w.out
}

// oggTable is of the CRC of RFC 3533: polynomial 0x04c11db7, most significant bit first.
var oggTable = func() (t [256]uint32) {
	for i := range t {
		r := uint32(i) << 24 //nolint:gosec // 0 to 255
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

func oggSum(b []byte) (sum uint32) {
	for _, c := range b {
		sum = sum<<8 ^ oggTable[byte(sum>>24)^c]
	}
	return sum
}
