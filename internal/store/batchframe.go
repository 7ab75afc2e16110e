package store

import (
	"encoding/binary"
	"errors"
)

// LineKind is what a line of a BatchChunk's body is.
type LineKind byte

// The kinds of lines. What is wrong with a line but its text is known before it is
// stored.
const (
	LineText   LineKind = 0 // the number is its length
	LineEmpty  LineKind = 1
	LineHuge   LineKind = 2
	LineTwice  LineKind = 3 // the number is the line that has its id
	LineErased LineKind = 4 // was of a player whose data was erased
)

// ErrBatchBody is a chunk's body that cannot be read.
var ErrBatchBody = errors.New("store: a chunk that cannot be read")

// AppendLine appends a line to a chunk's body, which holds its lines one after the
// other: a byte that says what the line is, a number, and for LineText as many bytes.
func AppendLine(dst []byte, kind LineKind, n int, text []byte) []byte {
	dst = binary.AppendUvarint(append(dst, byte(kind)), uint64(max(n, 0))) //nolint:gosec // not negative
	return append(dst, text...)
}

// CutLine takes the first line off a chunk's body.
func CutLine(body []byte) (kind LineKind, n int, text, rest []byte, err error) {
	if len(body) == 0 {
		return 0, 0, nil, nil, ErrBatchBody
	}
	kind, body = LineKind(body[0]), body[1:]
	number, used := binary.Uvarint(body)
	if used <= 0 || number > 1<<40 {
		return 0, 0, nil, nil, ErrBatchBody
	}
	n, body = int(number), body[used:]
	if kind != LineText {
		return kind, n, nil, body, nil
	}
	if n > len(body) {
		return 0, 0, nil, nil, ErrBatchBody
	}
	return kind, n, body[:n:n], body[n:], nil
}
