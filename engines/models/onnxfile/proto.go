package onnxfile

import "encoding/binary"

// What the format needs of https://protobuf.dev/programming-guides/encoding/.

func tag(field, wire int) []byte {
	return binary.AppendUvarint(nil, uint64(field)<<3|uint64(wire)) //nolint:gosec // both are small constants
}

// number is a varint; a negative one takes its two's complement, as int64 does.
func number(field, v int) []byte {
	return binary.AppendUvarint(tag(field, 0), uint64(int64(v))) //nolint:gosec // see above
}

func text(field int, s string) []byte { return message(field, []byte(s)) }

func message(field int, body []byte) []byte {
	return append(binary.AppendUvarint(tag(field, 2), uint64(len(body))), body...)
}

func cat(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}
