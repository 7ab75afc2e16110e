package store

import (
	"encoding/hex"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	idBytes = 16
	idText  = 36
	// idVersion is where the version of a UUID stands in its text.
	idVersion = 14
)

// packID makes 16 bytes of a UUID as we write them: in lower case with its four dashes.
// false: it is no such thing.
func packID(id string) (raw [idBytes]byte, ok bool) {
	if len(id) != idText {
		return raw, false
	}
	for i, at := 0, 0; i < idText; {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if id[i] != '-' {
				return raw, false
			}
			i++
			continue
		}
		hi, lo := nibble(id[i]), nibble(id[i+1])
		if hi > 15 || lo > 15 {
			return raw, false
		}
		raw[at] = hi<<4 | lo
		at++
		i += 2
	}
	return raw, true
}

func nibble(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	}
	return 0xff
}

func unpackID(raw [idBytes]byte) string {
	var b strings.Builder
	b.Grow(idText)
	text := hex.EncodeToString(raw[:])
	for _, part := range [][2]int{{0, 8}, {8, 12}, {12, 16}, {16, 20}, {20, 32}} {
		if part[0] > 0 {
			b.WriteByte('-')
		}
		b.WriteString(text[part[0]:part[1]])
	}
	return b.String()
}

// MessageTime is when a message came in, by its id, to the millisecond. false: the id
// is no UUIDv7.
func MessageTime(id engines.RequestID) (time.Time, bool) {
	raw, ok := packID(string(id))
	if !ok || id[idVersion] != '7' {
		return time.Time{}, false
	}
	var ms int64
	for _, b := range raw[:6] {
		ms = ms<<8 | int64(b)
	}
	return time.UnixMilli(ms).UTC(), true
}
