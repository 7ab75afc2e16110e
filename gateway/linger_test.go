package gateway

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that sends a body too large all the way, slowly, still reads its answer.
func TestARefusalArrives(t *testing.T) {
	d := open(t)
	bearer := bearerOf(d.token(appA, "check"))
	c, err := net.Dial("tcp", d.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const size = 512 << 10
	if _, err := fmt.Fprintf(c, "POST /api/v1/text/check HTTP/1.1\r\nHost: a\r\n%s\r\nContent-Length: %d\r\n\r\n", bearer, size); err != nil {
		t.Fatal(err)
	}
	piece := strings.Repeat("x", size/8)
	for range 8 {
		if _, err := c.Write([]byte(piece)); err != nil {
			t.Fatalf("the connection broke before the answer: %v", err)
		}
		time.Sleep(5 * time.Millisecond) // so that the refusal overtakes the body
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status = %d, want 413", r.StatusCode)
	}
}
