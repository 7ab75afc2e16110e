package voice

// clock is the rate of RTP timestamps of Opus, whatever it was made from (RFC 7587).
const clock = 48_000

// opusSamples is how long an Opus packet lasts, at 48 kHz, by its first bytes (RFC 6716
// section 3.1 and 3.2); 0 where it is malformed. A packet has 120 ms at most.
func opusSamples(p []byte) int {
	if len(p) == 0 {
		return 0
	}
	config := p[0] >> 3
	var frame int
	switch {
	case config < 12: // SILK: 10, 20, 40, 60 ms
		frame = [...]int{480, 960, 1920, 2880}[config&3]
	case config < 16: // hybrid: 10, 20 ms
		frame = [...]int{480, 960}[config&1]
	default: // CELT: 2.5, 5, 10, 20 ms
		frame = [...]int{120, 240, 480, 960}[config&3]
	}
	n := 1
	switch p[0] & 3 {
	case 1, 2:
		n = 2
	case 3:
		if len(p) < 2 {
			return 0
		}
		n = int(p[1] & 0x3f)
	}
	if total := n * frame; total > 0 && total <= clock*120/1000 {
		return total
	}
	return 0
}

// opusStereo reports whether a packet holds two channels.
func opusStereo(p []byte) bool { return len(p) > 0 && p[0]&4 != 0 }

// silence is 20 ms of nothing: CELT, full band, mono.
var silence = []byte{0xf8, 0xff, 0xfe}
