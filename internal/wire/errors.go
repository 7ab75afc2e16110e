package wire

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/portcullis-gg/portcullis/engines"
)

// Code is the code of an answer: the service document's, and what WIRE.md adds.
type Code int

// The codes.
const (
	OK               Code = 0
	InvalidParameter Code = 1001
	Unauthenticated  Code = 1002
	RateLimited      Code = 1003
	Forbidden        Code = 1004
	TooLarge         Code = 1005
	Unsupported      Code = 1006
	Conflict         Code = 1007
	MethodNotAllowed Code = 1008
	Internal         Code = 2001
	Unavailable      Code = 2002
	Timeout          Code = 2003
	PlayerNotFound   Code = 3001
	NotFound         Code = 3002
)

// codes is the one table of what each code means to HTTP and to a reader.
var codes = map[Code]struct {
	status  int
	message string
}{
	OK:               {200, "success"},
	InvalidParameter: {400, "invalid parameter"},
	Unauthenticated:  {401, "authentication failure"},
	RateLimited:      {429, "rate limit exceeded"},
	Forbidden:        {403, "not permitted"},
	TooLarge:         {413, "too large"},
	Unsupported:      {415, "format not supported"},
	Conflict:         {409, "conflict"},
	MethodNotAllowed: {405, "method not allowed"},
	Internal:         {500, "internal error"},
	Unavailable:      {503, "not available, try again"},
	Timeout:          {504, "the check did not end in its time"},
	PlayerNotFound:   {404, "player not found"},
	NotFound:         {404, "not found"},
}

// Status is the HTTP status of the code.
func (c Code) Status() int {
	if e, ok := codes[c]; ok {
		return e.status
	}
	return 500
}

// Field is one fault of a request: an RFC 6901 pointer and what is wrong there.
type Field struct{ Pointer, Reason string }

// Error is a failure as a client sees it. It never holds a stack, a path or SQL.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	// RetryAfter is sent where it is positive.
	RetryAfter time.Duration
	// ServerTime, where not zero, lets a client repair its clock.
	ServerTime time.Time
	// Until, where not zero, is when it will be permitted.
	Until time.Time
}

// Error is the text for logs.
func (e *Error) Error() string {
	if len(e.Fields) > 0 {
		return fmt.Sprintf("%d %s (%s: %s)", e.Code, e.Message, e.Fields[0].Pointer, e.Fields[0].Reason)
	}
	return fmt.Sprintf("%d %s", e.Code, e.Message)
}

// Fail makes an error of a code; an empty message is the code's own.
func Fail(code Code, message string) *Error {
	if message == "" {
		message = codes[code].message
	}
	return &Error{Code: code, Message: message}
}

// Invalid makes a 1001 about one place of the request.
func Invalid(pointer, reason string) *Error {
	return &Error{Code: InvalidParameter, Message: codes[InvalidParameter].message, Fields: []Field{{pointer, reason}}}
}

// Refused makes the answer to content that can't be looked at.
func Refused(r *engines.Refusal) *Error {
	code := InvalidParameter
	switch r.Kind {
	case engines.RefusedFormat:
		code = Unsupported
	case engines.RefusedSize:
		code = TooLarge
	case engines.RefusedDamage:
	}
	return &Error{Code: code, Message: codes[code].message, Fields: []Field{{Reason: r.Reason}}}
}

// Muted makes the answer to a message of a player that may not write: until a time,
// zero for good.
func Muted(until, now time.Time) *Error {
	e := &Error{Code: Forbidden, Message: "muted", Until: until}
	if !until.IsZero() {
		e.RetryAfter = max(until.Sub(now), time.Millisecond)
	}
	return e
}

// From translates any error into what a client sees; a stranger's error becomes
// "internal error".
func From(err error) *Error {
	var e *Error
	var refused *engines.Refusal
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &refused):
		return Refused(refused)
	case errors.Is(err, engines.ErrUnavailable), errors.Is(err, engines.ErrClosing):
		return &Error{Code: Unavailable, Message: codes[Unavailable].message, RetryAfter: time.Second}
	case errors.Is(err, context.DeadlineExceeded):
		return Fail(Timeout, "")
	}
	return Fail(Internal, "")
}

// AppendBody appends the body of a failed answer.
func (e *Error) AppendBody(dst []byte, request engines.RequestID) []byte {
	dst = e.appendMembers(append(dst, '{'))
	dst = appendString(append(dst, `,"request_id":`...), string(request))
	return append(dst, '}')
}

// appendMembers appends code, message and what else the error has.
func (e *Error) appendMembers(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `"code":`...), int64(e.Code), 10)
	dst = appendString(append(dst, `,"message":`...), e.Message)
	for i, f := range e.Fields {
		if i == 0 {
			dst = append(dst, `,"errors":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"pointer":`...), f.Pointer)
		dst = appendString(append(dst, `,"reason":`...), f.Reason)
		dst = append(dst, '}')
	}
	if len(e.Fields) > 0 {
		dst = append(dst, ']')
	}
	if e.RetryAfter > 0 {
		dst = strconv.AppendInt(append(dst, `,"retry_after_ms":`...), e.RetryAfter.Milliseconds(), 10)
	}
	if !e.Until.IsZero() {
		dst = appendString(append(dst, `,"until":`...), FormatTime(e.Until))
	}
	if !e.ServerTime.IsZero() {
		dst = appendString(append(dst, `,"server_time":`...), FormatTime(e.ServerTime))
	}
	return dst
}

// FormatTime is ISO 8601 in UTC with milliseconds, as every answer has it.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// appendString appends s as a JSON string. The reader lets valid UTF-8 alone
// in, so quoting can't fail; what ours would break it is replaced.
func appendString(dst []byte, s string) []byte {
	out, err := jsontext.AppendQuote(dst, s)
	if err != nil { // invalid UTF-8: AppendQuote has put U+FFFD in its place
		return out
	}
	return out
}
