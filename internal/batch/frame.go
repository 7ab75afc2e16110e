package batch

import (
	"encoding/binary"
	"errors"
)

// A chunk's body holds its lines one after the other: a byte that says what the line is,
// a number, and for a line with a text as many bytes. What is wrong with a line but its
// text is known before it is stored.
const (
	frameText  = 0 // the number is its length
	frameEmpty = 1
	frameHuge  = 2
	frameTwice = 3 // the number is the line that has its id
)

var errFrame = errors.New("batch: a chunk that cannot be read")

// appendFrame appends a line of kind; text only where it is frameText.
func appendFrame(dst []byte, kind byte, n int, text []byte) []byte {
	dst = binary.AppendUvarint(append(dst, kind), uint64(max(n, 0))) //nolint:gosec // not negative
	return append(dst, text...)
}

// cutFrame takes the first line off a body.
func cutFrame(body []byte) (kind byte, n int, text, rest []byte, err error) {
	if len(body) == 0 {
		return 0, 0, nil, nil, errFrame
	}
	kind, body = body[0], body[1:]
	number, used := binary.Uvarint(body)
	if used <= 0 || number > 1<<40 {
		return 0, 0, nil, nil, errFrame
	}
	n, body = int(number), body[used:]
	if kind != frameText {
		return kind, n, nil, body, nil
	}
	if n > len(body) {
		return 0, 0, nil, nil, errFrame
	}
	return kind, n, body[:n:n], body[n:], nil
}
