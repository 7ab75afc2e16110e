package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// AppendSuccess appends a successful answer: code and request_id, then what
// members appends (each with its comma in front; nil for nothing more).
func AppendSuccess(dst []byte, request engines.RequestID, members func([]byte) []byte) []byte {
	dst = appendString(append(dst, `{"code":0,"request_id":`...), string(request))
	if members != nil {
		dst = members(dst)
	}
	return append(dst, '}')
}

// Str appends a string member.
func Str(dst []byte, name, value string) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return appendString(dst, value)
}

// Num appends a number member.
func Num(dst []byte, name string, value int64) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return appendInt(dst, value)
}

// Flag appends a boolean member.
func Flag(dst []byte, name string, value bool) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	if value {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// Raw appends a member whose value is JSON already.
func Raw(dst []byte, name string, value []byte) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return append(dst, value...)
}

// List appends an array of objects: each appends the members of entry i, as
// Str, Num and Flag do.
func List(dst []byte, name string, n int, each func(dst []byte, i int) []byte) []byte {
	dst = append(append(append(dst, ',', '"'), name...), `":[`...)
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		at := len(dst)
		dst = each(append(dst, '{'), i)
		if len(dst) > at+1 && dst[at+1] == ',' { // the comma in front of the first member
			dst = append(dst[:at+1], dst[at+2:]...)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// Strs appends an array of strings.
func Strs(dst []byte, name string, values []string) []byte {
	dst = append(append(append(dst, ',', '"'), name...), `":[`...)
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, v)
	}
	return append(dst, ']')
}

// Obj appends an object, to which members appends as Str, Num and Flag do.
func Obj(dst []byte, name string, members func([]byte) []byte) []byte {
	dst = append(append(append(dst, ',', '"'), name...), `":{`...)
	at := len(dst)
	dst = members(dst)
	if len(dst) > at && dst[at] == ',' { // the comma in front of the first member
		dst = append(dst[:at], dst[at+1:]...)
	}
	return append(dst, '}')
}

// When appends a time member.
func When(dst []byte, name string, t time.Time) []byte { return Str(dst, name, FormatTime(t)) }

// AppendCheckResult appends a text check's answer beyond its request_id.
func AppendCheckResult(dst []byte, c *TextCheck, out *engines.Outcome) []byte {
	return AppendTextResult(append(dst, `,"result":`...), c, out)
}

// RequestOf is the request_id of an answer that AppendSuccess made, "" for others.
func RequestOf(body []byte) string {
	o, err := Parse(body)
	if err != nil {
		return ""
	}
	return o.ID("request_id", false)
}
