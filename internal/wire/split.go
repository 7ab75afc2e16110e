package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// What Parse has been through is known to be JSON, so that it is taken apart by
// looking for where each value ends, at a fraction of what reading it again takes.

// split adds the members of a JSON object.
func (o *Object) split(v jsontext.Value) error {
	if o.members == nil {
		o.members = make([]member, 0, 8)
	}
	for i := skip(v, 1); v[i] != '}'; i = next(v, i) {
		var m member
		end := i + sizeOf(v[i:])
		name := v[i:end]
		i = skip(v, skip(v, end)+1) // past the colon
		end = i + sizeOf(v[i:])
		m.value = v[i:end:end]
		var err error
		if m.name, err = unquoted(name); err != nil {
			return err
		}
		o.members = append(o.members, m)
		i = end
	}
	return nil
}

// elements calls f with each value of a JSON array until f says that it is enough.
func elements(v jsontext.Value, f func(v jsontext.Value) (more bool)) {
	for i := skip(v, 1); v[i] != ']'; i = next(v, i) {
		end := i + sizeOf(v[i:])
		if !f(v[i:end:end]) {
			return
		}
		i = end
	}
}

// next is where the value after the one that ends at i begins, or the bracket that
// closes what they are in.
func next(v []byte, i int) int {
	if i = skip(v, i); v[i] == ',' {
		i = skip(v, i+1)
	}
	return i
}

// skip is the first place from i on that is no white space.
func skip(v []byte, i int) int {
	for v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r' {
		i++
	}
	return i
}

// sizeOf is how long the value is that v begins with.
func sizeOf(v []byte) int {
	switch v[0] {
	case '"':
		return sizeOfText(v)
	case '{', '[':
		depth := 0
		for i := 0; ; i++ {
			switch v[i] {
			case '"':
				i += sizeOfText(v[i:]) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i, c := range v {
		switch c {
		case ',', '}', ']', ' ', '\n', '\t', '\r':
			return i
		}
	}
	return len(v)
}

// sizeOfText is how long the string is that v begins with.
func sizeOfText(v []byte) int {
	for i := 1; ; i++ {
		i += bytes.IndexByte(v[i:], '"')
		slashes := 0
		for v[i-1-slashes] == '\\' { // the first byte is no backslash
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}
