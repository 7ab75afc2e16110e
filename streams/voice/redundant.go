package voice

// A sender that was told of loss writes each 20 ms twice: once for good, and once more
// coarsely into the packet after (in-band FEC, RFC 6716 section 4.2.4 and 4.2.5). Our
// decoder reads past the coarse one. But both are written alike: what a packet begins with
// are two bits, each of even odds, one says that somebody speaks and the other that the
// coarse frame comes first. The range coder halves its range for either, so they are the
// two highest bits of the first byte, whatever follows (section 4.1.3.2). With the second
// one taken back the coarse frame stands where the packet's own would be.

const (
	// silkWide is the configuration of SILK of 8 kHz, 20 ms, as clients are asked for it;
	// fullHybrid that of the same with another layer for what is above (section 3.1, table 2).
	silkWide, superHybrid, fullHybrid = 9, 13, 15
	// active and twice are the two bits of a packet's first frame.
	active, twice = 0x80, 0x40
)

// redundant is a packet whose sound is that of the 20 ms before p, made of what p says of
// them, in dst; nil where it says nothing. What is left of p behind it would be taken for
// a change of mode in a packet of SILK alone; in one with a second layer it is
// that layer, above what is heard at 16 kHz.
func redundant(dst, p []byte) []byte {
	if len(p) < 2 || p[0]&7 != 0 { // two channels, or frames; each has bits of its own
		return nil
	}
	switch p[0] >> 3 {
	case silkWide, superHybrid, fullHybrid:
	default:
		return nil
	}
	if p[1]&twice == 0 {
		return nil
	}
	dst = append(dst[:0], p...)
	dst[0] = fullHybrid << 3
	dst[1] = p[1]&^twice | active
	return dst
}
