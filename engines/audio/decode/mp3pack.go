package decode

// packed is a frame of MPEG-2 made anew for the decoder, which takes a frame with a
// padding byte for one byte shorter than it is wherever the rest of its size is an even
// number of half samples: the byte that goes missing is the next frame's. The new frame
// holds all of its own data, takes none from those before, and has no padding.
type packed struct {
	before []byte // the main data of the frames before, as much as one may reach back
	frame  []byte
}

// reach is how far a frame's data may begin before it: main_data_begin has 8 bits.
const reach = 255

// make is the frame made anew; false where it can't be, since what it takes from frames
// before was lost or is more than a frame holds. It is good until the next one.
func (p *packed) make(frame []byte) ([]byte, bool) {
	h, _ := parseMPEG(frame)
	at := 4
	if frame[1]&1 == 0 { // a checksum
		at += 2
	}
	if at+h.side() > len(frame) {
		return frame, false
	}
	side, main := frame[at:at+h.side()], frame[at+h.side():]
	back := int(side[0])
	lost := back > len(p.before)
	all := append(p.before[max(0, len(p.before)-back):len(p.before):len(p.before)], main...)
	need := (h.dataBits(side) + 7) / 8
	index, size := h.roomFor(4 + len(side) + need)
	p.frame = append(p.frame[:0], make([]byte, size)...)
	copy(p.frame, frame[:4])
	p.frame[1] |= 1                                // no checksum
	p.frame[2] = byte(index)<<4 | p.frame[2]&^0xf2 // that size, no padding
	fits := need <= len(all) && 4+len(side)+need <= size && !lost
	if fits {
		copy(p.frame[5:], side[1:])
		copy(p.frame[4+len(side):], all[:need])
	} // else the side information says that there is nothing
	p.before = append(p.before, main...)
	p.before = p.before[max(0, len(p.before)-reach):]
	return p.frame, fits
}

// dataBits is how long the main data of the frame is (part2_3_length of its channels).
func (h *mpegHead) dataBits(side []byte) (n int) {
	const each = 63 // bits of one channel
	for c := range h.channels {
		n += bitsAt(side, 8+h.channels+c*each, 12)
	}
	return n
}

// bitsAt reads an unsigned number of n bits.
func bitsAt(b []byte, at, n int) (v int) {
	for i := at; i < at+n; i++ {
		v = v<<1 | int(b[i/8]>>(7-i%8)&1)
	}
	return v
}

// roomFor is the lowest bit rate whose frames have room for so many bytes, the highest
// where none has, and their size.
func (h *mpegHead) roomFor(bytes int) (index, size int) {
	for index = 1; index <= 14; index++ {
		if size = h.samples / 8 * mpegBits[h.version-1][index] * 1000 / h.rate; size >= bytes {
			return index, size
		}
	}
	return 14, size
}
