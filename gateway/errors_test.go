package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Whatever goes wrong is answered in one shape, the server's own refusals included.
func TestErrorShape(t *testing.T) {
	d := open(t)
	bearer := bearerOf(d.token(appA, "check"))
	check := func(body string, head ...string) answer {
		return d.send("POST", "/api/v1/text/check", body, append(head, bearer)...)
	}
	tests := []struct {
		name string
		got  answer
		want wire.Code
	}{
		{"no such route", d.send("GET", "/api/v1/nothing", ""), wire.NotFound},
		{"no such page", d.send("GET", "/nothing", ""), wire.NotFound},
		{"another method", d.send("DELETE", "/api/v1/text/check", ""), wire.MethodNotAllowed},
		{"a method that HTTP does not know", d.send("BREW", "/api/v1/limits", ""), wire.MethodNotAllowed},
		{"and a route that there is not", d.send("BREW", "/api/v1/nothing", ""), wire.NotFound},
		{"a body too large", check(`{"content":"` + strings.Repeat("x", 64<<10) + `"}`), wire.TooLarge},
		{"a text too long", check(`{"content":"` + strings.Repeat("x", 10001) + `"}`), wire.TooLarge},
		{"a head too large", d.send("GET", "/api/v1/limits", "", "X-Big: "+strings.Repeat("x", 20<<10)), wire.TooLarge},
		{"gzip", check("\x1f\x8b", "Content-Encoding: gzip"), wire.Unsupported},
		{"no JSON", check("content=hi"), wire.InvalidParameter},
		{"no body", check(""), wire.InvalidParameter},
		{"a name twice", check(`{"content":"a","content":"b"}`), wire.InvalidParameter},
		{"a lone surrogate", check(`{"content":"\ud800"}`), wire.InvalidParameter},
		{"no UTF-8", check("{\"content\":\"\xff\"}"), wire.InvalidParameter},
		{"5,000 levels", check(strings.Repeat(`{"a":`, 5000)), wire.InvalidParameter},
		{"a second document", check(`{"content":"a"}{}`), wire.InvalidParameter},
		{"two keys", check(`{"content":"a"}`, "Idempotency-Key: a", "Idempotency-Key: b"), wire.InvalidParameter},
		{"nobody", d.send("POST", "/api/v1/text/check", `{"content":"a"}`), wire.Unauthenticated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantError(t, test.got, test.want) })
	}
	if a := check(`{"content":"fine"}`, "Content-Encoding: identity"); a.status != 200 {
		t.Errorf("after all of it a good request is answered %d %s", a.status, a.body)
	}
}

func TestFaultsHavePointers(t *testing.T) {
	d := open(t)
	m := wantError(t, d.send("POST", "/api/v1/text/check", `{"content":1,"options":{"strict_level":9}}`, bearerOf(d.token(appA, "check"))), wire.InvalidParameter)
	if got := fmt.Sprint(m["errors"]); !strings.Contains(got, "pointer:/content") || !strings.Contains(got, "pointer:/options/strict_level") {
		t.Errorf("errors = %s, want both faults", got)
	}
}

func TestAllow(t *testing.T) {
	d := open(t)
	for _, method := range []string{"DELETE", "PUT", "BREW", "TRACE"} {
		a := d.send(method, "/api/v1/text/check", "")
		if got := a.header.Get("Allow"); a.status != 405 || got != "POST" {
			t.Errorf("%s: %d, Allow %q; want 405 and POST", method, a.status, got)
		}
	}
}

// What is no HTTP is answered once, in our shape, and the connection ends.
func TestBadHTTP(t *testing.T) {
	d := open(t)
	for name, request := range map[string]string{
		"garbage":             "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
		"no version":          "GET /api/v1/limits\r\n\r\n",
		"a bad length":        "POST /api/v1/text/check HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
		"two lengths":         "POST /api/v1/text/check HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"a huge length":       "POST /api/v1/text/check HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
		"a bad chunk":         "POST /api/v1/text/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"chunks over the top": "POST /api/v1/text/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n" + strings.Repeat("x", 0x20000) + "\r\n0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := d.dial()
			// The server may end the connection before it has read all of it.
			if _, err := p.Write([]byte(request)); err != nil && !isReset(err) {
				t.Fatal(err)
			}
			res := p.response()
			id := res.header.Get("X-Request-Id")
			if res.status < 400 || res.status >= 500 || id == "" || !strings.Contains(res.body, `"request_id":"`+id+`"`) {
				t.Errorf("answered %d %s (X-Request-Id %q), want a 4xx in our shape", res.status, res.body, id)
			}
			p.wantEOF()
		})
	}
	if a := d.send("GET", "/api/v1/limits", ""); a.status != 200 {
		t.Errorf("then a good request is answered %d", a.status)
	}
}

func TestRequestIDs(t *testing.T) {
	d := open(t)
	a := d.send("GET", "/api/v1/limits", "", "X-Request-Id: mine-1")
	wantRequestID(t, a)
	if got := a.header.Get("X-Client-Request-Id"); got != "mine-1" {
		t.Errorf("X-Client-Request-Id = %q, want mine-1", got)
	}
	b := d.send("GET", "/api/v1/nothing", "", "X-Request-Id: "+strings.Repeat("x", 129))
	wantError(t, b, wire.NotFound)
	if got, ok := b.header["X-Client-Request-Id"]; ok {
		t.Errorf("an id that is none comes back: %q", got)
	}
	if a.header.Get("X-Request-Id") == b.header.Get("X-Request-Id") {
		t.Error("two requests have one id")
	}
}

// A broken part is told apart from a bad request, and nothing of its inside leaves.
func TestInnerErrors(t *testing.T) {
	d := open(t)
	bearer := bearerOf(d.token(appA, "check"))
	tests := []struct {
		name  string
		check func() error
		want  wire.Code
	}{
		{"a store that is away", func() error { return fmt.Errorf("pg: %w", engines.ErrUnavailable) }, wire.Unavailable},
		{"closing", func() error { return engines.ErrClosing }, wire.Unavailable},
		{"late", func() error { return context.DeadlineExceeded }, wire.Timeout},
		{"anything else", func() error { return errors.New("SQL logic error near sEcReT") }, wire.Internal},
		{"a panic", func() error { panic("sEcReT") }, wire.Internal},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d.desk.check = func(context.Context, *engines.Item) (engines.Outcome, error) { return engines.Outcome{}, test.check() }
			a := d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearer)
			wantError(t, a, test.want)
			if strings.Contains(string(a.body), "sEcReT") {
				t.Errorf("the inside leaves: %s", a.body)
			}
			if test.want == wire.Unavailable && a.header.Get("Retry-After") != "1" {
				t.Errorf("Retry-After = %q, want 1", a.header.Get("Retry-After"))
			}
		})
	}
}

// Who sends its request drop by drop is dropped, and nobody else waits for it.
func TestSlowloris(t *testing.T) {
	d := open(t, func(cfg *Config, _ *Deps) { cfg.ReadTimeout = 2 * time.Second })
	for name, start := range map[string]string{
		"head": "GET /api/v1/limits HTTP/1.1\r\nHost: x\r\nX-Slow: ",
		"body": "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			var slow []*peer
			for range 20 {
				p := d.dial()
				p.write([]byte(start))
				slow = append(slow, p)
			}
			dripped := make(chan struct{})
			go func() {
				defer close(dripped)
				for {
					time.Sleep(20 * time.Millisecond)
					gone := 0
					for _, p := range slow {
						if _, err := p.Write([]byte("x")); err != nil {
							gone++
						}
					}
					if gone == len(slow) {
						return
					}
				}
			}()
			for range 5 {
				if a := d.send("GET", "/api/v1/limits", ""); a.status != 200 {
					t.Errorf("others are answered %d", a.status)
				}
			}
			select {
			case <-dripped:
			case <-time.After(time.Minute):
				t.Error("slow connections stay open")
				for _, p := range slow {
					_ = p.Close()
				}
				<-dripped
			}
		})
	}
}

// A client that goes in the middle of its request is no fault of ours.
func TestBrokenRequestIsNoInternalError(t *testing.T) {
	d := open(t)
	for _, start := range []string{"GET /api/v1/limits HTT", "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{"} {
		p := d.dial()
		p.write([]byte(start))
		time.Sleep(50 * time.Millisecond) // the server has begun to read
		if err := p.Conn.(*net.TCPConn).SetLinger(0); err != nil {
			t.Fatal(err)
		}
		_ = p.Close()
	}
	time.Sleep(50 * time.Millisecond)
	d.stop()
	if strings.Contains(d.log.String(), "level=ERROR") {
		t.Errorf("the log has errors:\n%s", d.log)
	}
}
