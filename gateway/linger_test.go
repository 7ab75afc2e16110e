package gateway

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that sends a refused body all the way, slowly, still reads its answer:
// whatever refused it, and however much of it was read before.
func TestARefusalArrives(t *testing.T) {
	f := &fakeBatches{}
	d := open(t, func(cfg *Config, deps *Deps) {
		deps.Batches, cfg.UploadTimeout, cfg.Limits.BatchBytes = f, time.Minute, 2<<20
	})
	const size = 4 << 20 // far more than sockets hold by themselves
	for name, test := range map[string]struct {
		target, head string
		status       int
		chunked      bool
	}{
		"a check":                    {target: "/api/v1/text/check", head: bearerOf(d.token(appA, "check")), status: 413},
		"a check in chunks":          {target: "/api/v1/text/check", head: bearerOf(d.token(appA, "check")), status: 413, chunked: true},
		"a signed batch":             {target: batchTarget, head: signature("POST", batchTarget, "", "x"), status: 413},
		"a signed batch in chunks":   {target: batchTarget, head: signature("POST", batchTarget, "", "x"), status: 413, chunked: true},
		"a batch that is too large":  {target: batchTarget, head: bearerOf(d.token(appA, "check")), status: 413},
		"nobody's batch":             {target: batchTarget, head: "X-No: 1", status: 401},
		"nobody's batch in chunks":   {target: batchTarget, head: "X-No: 1", status: 401, chunked: true},
		"a batch of an unknown form": {target: batchTarget, head: bearerOf(d.token(appA, "check")) + "\r\nContent-Encoding: gzip", status: 415},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", d.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			length := fmt.Sprintf("Content-Length: %d", size)
			if test.chunked {
				length = "Transfer-Encoding: chunked"
			}
			if _, err := fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\n%s\r\n%s\r\n\r\n", test.target, test.head, length); err != nil {
				t.Fatal(err)
			}
			const pieces = 64
			piece := strings.Repeat("x", size/pieces)
			if test.chunked {
				piece = fmt.Sprintf("%x\r\n%s\r\n", len(piece), piece)
			}
			for i := range pieces {
				if _, err := c.Write([]byte(piece)); err != nil {
					t.Fatalf("the connection broke before the answer, in piece %d: %v", i, err)
				}
				time.Sleep(10 * time.Millisecond) // so that the refusal overtakes the body
			}
			r, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatalf("no answer: %v", err)
			}
			defer r.Body.Close()
			if r.StatusCode != test.status {
				t.Errorf("status = %d, want %d", r.StatusCode, test.status)
			}
		})
	}
}

// Those that linger do not hold up the gateway's end.
func TestLingerersEnd(t *testing.T) {
	d := open(t)
	c, err := net.Dial("tcp", d.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "POST /api/v1/text/check HTTP/1.1\r\nHost: a\r\n%s\r\nContent-Length: %d\r\n\r\n", bearerOf(d.token(appA, "check")), 1<<20); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("%v, %v", r, err)
	}
	defer r.Body.Close()
	all := &d.g.lingerers
	count := func() int {
		all.mu.Lock()
		defer all.mu.Unlock()
		return len(all.conns)
	}
	for end := time.Now().Add(lingerIdle); count() == 0; time.Sleep(time.Millisecond) { // until the answer's connection is being closed
		if time.Now().After(end) {
			t.Fatal("the connection was not seen to linger")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), lingerIdle)
	defer cancel()
	if err := d.g.Shutdown(ctx); err != nil {
		t.Errorf("shutdown waits for a client that says nothing: %v", err)
	}
	if n := count(); n != 0 {
		t.Errorf("%d linger after the end", n)
	}
}

// No more linger than may; the rest closes at once.
func TestLingerersAreBounded(t *testing.T) {
	var all lingerers
	conns := make([]lingerConn, lingerAtOnce+1)
	for i := range conns {
		if got, want := all.enter(&conns[i]), i < lingerAtOnce; got != want {
			t.Fatalf("connection %d may linger: %t, want %t", i, got, want)
		}
	}
	all.leave(&conns[0])
	if !all.enter(&conns[lingerAtOnce]) {
		t.Error("one has left, and its place is not free")
	}
}
