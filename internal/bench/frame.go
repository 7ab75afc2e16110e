package bench

import (
	"encoding/binary"
	"errors"
	"strconv"
)

// The frame kinds (RFC 6455, section 5.2) that a client of the stream meets.
const (
	opText  = 0x1
	opClose = 0x8
	opPing  = 0x9
	opPong  = 0xA
)

// maxFrame is more than the gateway ever sends to a player.
const maxFrame = 1 << 20

var (
	errFragmented = errors.New("fragmented frame, which the gateway never sends")
	errOversize   = errors.New("frame over 1 MiB")
)

// appendFrame appends one final, masked frame, as a client must send it.
func appendFrame(dst []byte, op byte, payload []byte, mask uint32) []byte {
	dst = append(dst, 0x80|op)
	switch n := len(payload); {
	case n < 126:
		dst = append(dst, 0x80|byte(n))
	case n < 1<<16:
		dst = append(dst, 0x80|126)
		dst = binary.BigEndian.AppendUint16(dst, uint16(n))
	default:
		dst = append(dst, 0x80|127)
		dst = binary.BigEndian.AppendUint64(dst, uint64(n))
	}
	dst = binary.LittleEndian.AppendUint32(dst, mask)
	at := len(dst)
	dst = append(dst, payload...)
	applyMask(dst[at:], mask)
	return dst
}

func applyMask(b []byte, mask uint32) {
	for i := range b {
		b[i] ^= byte(mask >> (8 * (i & 3)))
	}
}

// readFrame takes one frame off the front of b. size is 0 when b doesn't hold a
// whole one yet. A masked payload (the echo's copy of our own frame) is
// unmasked in place; payload lies in b.
func readFrame(b []byte) (op byte, payload []byte, size int, err error) {
	if len(b) < 2 {
		return 0, nil, 0, nil
	}
	if b[0]&0x80 == 0 || b[0]&0x0F == 0 {
		return 0, nil, 0, errFragmented
	}
	n, at := uint64(b[1]&0x7F), 2
	switch {
	case n == 126 && len(b) >= 4:
		n, at = uint64(binary.BigEndian.Uint16(b[2:])), 4
	case n == 127 && len(b) >= 10:
		n, at = binary.BigEndian.Uint64(b[2:]), 10
	case n >= 126:
		return 0, nil, 0, nil
	}
	if n > maxFrame {
		return 0, nil, 0, errOversize
	}
	masked := b[1]&0x80 != 0
	if masked {
		at += 4
	}
	size = at + int(n)
	if len(b) < size {
		return 0, nil, 0, nil
	}
	payload = b[at:size]
	if masked {
		applyMask(payload, binary.LittleEndian.Uint32(b[at-4:]))
	}
	return b[0] & 0x0F, payload, size, nil
}

// closeReason names the code of a close frame.
func closeReason(payload []byte) string {
	if len(payload) < 2 {
		return "closed"
	}
	return "closed " + strconv.Itoa(int(binary.BigEndian.Uint16(payload)))
}
