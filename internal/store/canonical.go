package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// members writes canonical JSON, to the byte what encoding/json makes of a struct
// without HTML escapes: one object, its members in the order in which they are given,
// which is to be by name, and no spaces.
type members struct {
	buf  []byte
	some bool
}

func (m *members) name(name string) {
	sep := byte('{')
	if m.some {
		sep = ','
	}
	m.some = true
	m.buf = append(append(append(m.buf, sep, '"'), name...), '"', ':')
}

func (m *members) text(name, value string) {
	m.name(name)
	m.buf = appendQuoted(m.buf, value)
}

func (m *members) number(name string, value int64) {
	m.name(name)
	m.buf = strconv.AppendInt(m.buf, value, 10)
}

func (m *members) boolean(name string, value bool) {
	m.name(name)
	m.buf = strconv.AppendBool(m.buf, value)
}

// end closes the object and returns all.
func (m *members) end() []byte {
	m.buf = append(m.buf, '}')
	return m.buf
}

// appendQuoted appends a string of JSON. What is not plain ASCII is left to
// encoding/json, whose way of writing it hashes rest on.
func appendQuoted(dst []byte, s string) []byte {
	start := len(dst)
	dst = append(dst, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c < 0x20 || c >= 0x7f:
			return append(dst[:start], quoted(s)...)
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

func quoted(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // of a string, into memory
		panic(fmt.Sprintf("store: quote: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
