package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestEveryCode(t *testing.T) {
	want := map[Code]int{
		OK: 200, InvalidParameter: 400, Unauthenticated: 401, RateLimited: 429, Forbidden: 403, TooLarge: 413, Unsupported: 415,
		Conflict: 409, MethodNotAllowed: 405, Internal: 500, Unavailable: 503, Timeout: 504, PlayerNotFound: 404, NotFound: 404,
	}
	numbers := []Code{0, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 2001, 2002, 2003, 3001, 3002}
	if len(want) != len(numbers) || len(codes) != len(numbers) {
		t.Errorf("the table has %d codes, the contract %d", len(codes), len(numbers))
	}
	for _, c := range numbers {
		if got := c.Status(); got != want[c] {
			t.Errorf("%d has status %d, want %d", c, got, want[c])
		}
		if Fail(c, "").Message == "" {
			t.Errorf("%d has no message", c)
		}
	}
	if got := Code(9999).Status(); got != 500 {
		t.Errorf("an unknown code has status %d, want 500", got)
	}
}

func TestFrom(t *testing.T) {
	own := Invalid("/a", "must be b")
	tests := []struct {
		err  error
		want Code
	}{
		{own, InvalidParameter},
		{fmt.Errorf("read: %w", own), InvalidParameter},
		{fmt.Errorf("store: %w", engines.ErrUnavailable), Unavailable},
		{engines.ErrClosing, Unavailable},
		{fmt.Errorf("check: %w", context.DeadlineExceeded), Timeout},
		{errors.New("open /var/lib/secret: SQL logic error"), Internal},
	}
	for _, test := range tests {
		e := From(test.err)
		if e.Code != test.want {
			t.Errorf("From(%v) = %d, want %d", test.err, e.Code, test.want)
		}
		if test.want == Unavailable && e.RetryAfter <= 0 {
			t.Errorf("From(%v) says nothing of when to try again", test.err)
		}
		if body := string(e.AppendBody(nil, "r")); strings.Contains(body, "SQL") || strings.Contains(body, "/var") {
			t.Errorf("From(%v) tells a client %s", test.err, body)
		}
	}
}

func TestErrorBody(t *testing.T) {
	e := Fail(RateLimited, "")
	e.RetryAfter = 1500 * time.Millisecond
	sameJSON(t, e.AppendBody(nil, "req-1"), []byte(`{"code":1003,"message":"rate limit exceeded","retry_after_ms":1500,"request_id":"req-1"}`))

	e = Fail(Unauthenticated, "")
	e.ServerTime = time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.FixedZone("JST", 9*3600))
	sameJSON(t, e.AppendBody(nil, "req-2"), []byte(`{"code":1002,"message":"authentication failure","server_time":"2026-01-01T18:04:05.006Z","request_id":"req-2"}`))

	e = &Error{Code: InvalidParameter, Message: "invalid parameter", Fields: []Field{{"/a~1b", `must be "x"`}, {"/c", "is required"}}}
	sameJSON(t, e.AppendBody(nil, "req-3"), []byte(`{"code":1001,"message":"invalid parameter","request_id":"req-3",
		"errors":[{"pointer":"/a~1b","reason":"must be \"x\""},{"pointer":"/c","reason":"is required"}]}`))
}

// Our own text is quoted whatever it holds, so that an answer is always JSON.
func TestQuoting(t *testing.T) {
	for _, s := range []string{"\"\\\n\x00", "\u2028", "</script>", "a\xffb", "👾", ""} {
		got := decode(t, appendString(nil, s))
		if want := strings.ToValidUTF8(s, "\ufffd"); got != want {
			t.Errorf("%q is quoted as %q, want %q", s, got, want)
		}
	}
}

func TestMembers(t *testing.T) {
	body := AppendSuccess(nil, "r", func(dst []byte) []byte {
		dst = Flag(Num(Str(dst, "s", `"`), "n", -5), "yes", true)
		dst = List(dst, "none", 0, nil)
		dst = List(dst, "some", 2, func(dst []byte, i int) []byte {
			if i == 1 {
				return dst
			}
			return Flag(Num(dst, "i", int64(i)), "no", false)
		})
		return When(dst, "at", time.Unix(1790000000, 0))
	})
	sameJSON(t, body, []byte(`{"code":0,"request_id":"r","s":"\"","n":-5,"yes":true,"none":[],"some":[{"i":0,"no":false},{}],"at":"2026-09-21T14:13:20.000Z"}`))
	sameJSON(t, AppendSuccess(nil, "r", nil), []byte(`{"code":0,"request_id":"r"}`))
	if got := RequestOf([]byte("{")); got != "" {
		t.Errorf("RequestOf half an answer = %q", got)
	}
}
