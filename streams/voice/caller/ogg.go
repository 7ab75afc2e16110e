package caller

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Packet is one Opus packet and how long it lasts, in samples at 48 kHz.
type Packet struct {
	Data    []byte
	Samples int
}

var errNotOpus = errors.New("not an Ogg/Opus file (try opusenc in.wav out.opus)")

// ReadOgg takes the packets out of an Ogg/Opus file with one stream (RFC 3533, RFC
// 7845). Checksums are not looked at.
func ReadOgg(file []byte) ([]Packet, error) {
	var all [][]byte
	var part []byte
	for page := 0; len(file) > 0; page++ {
		if len(file) < 27 || !bytes.Equal(file[:4], []byte("OggS")) {
			return nil, fmt.Errorf("page %d: %w", page, errNotOpus)
		}
		n := int(file[26])
		if len(file) < 27+n {
			return nil, fmt.Errorf("page %d ends early: %w", page, errNotOpus)
		}
		lacing, rest := file[27:27+n], file[27+n:]
		for _, l := range lacing {
			if len(rest) < int(l) {
				return nil, fmt.Errorf("page %d ends early: %w", page, errNotOpus)
			}
			part = append(part, rest[:l]...)
			rest = rest[l:]
			if l < 255 {
				all = append(all, part)
				part = nil
			}
		}
		file = rest
	}
	if len(all) < 2 || !bytes.HasPrefix(all[0], []byte("OpusHead")) || !bytes.HasPrefix(all[1], []byte("OpusTags")) {
		return nil, errNotOpus
	}
	list := make([]Packet, 0, len(all)-2)
	for _, p := range all[2:] {
		list = append(list, Packet{p, samples(p)})
	}
	return list, nil
}

// Skip is how many samples players of a file leave out at its start.
func Skip(file []byte) int {
	if i := bytes.Index(file, []byte("OpusHead")); i >= 0 && len(file) >= i+12 {
		return int(binary.LittleEndian.Uint16(file[i+10:]))
	}
	return 0
}

// samples is how long a packet lasts (RFC 6716 section 3.1 and 3.2).
func samples(p []byte) int {
	if len(p) == 0 {
		return 0
	}
	var frame int
	switch c := int(p[0] >> 3); {
	case c < 12:
		frame = []int{480, 960, 1920, 2880}[c&3]
	case c < 16:
		frame = []int{480, 960}[c&1]
	default:
		frame = 120 << (c & 3)
	}
	switch p[0] & 3 {
	case 0:
		return frame
	case 3:
		if len(p) > 1 {
			return frame * int(p[1]&63)
		}
		return 0
	}
	return 2 * frame
}
