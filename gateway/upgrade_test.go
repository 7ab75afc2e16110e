package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/internal/session"
)

// readLimit is the most bytes of a message to the echo below.
const readLimit = 64 << 10

// echo serves streams: every message comes back. ended counts those that are over.
type echo struct {
	ended  chan error
	protos chan string
}

func (e *echo) serve(ws *websocket.Conn, _ *atomic.Int64, _ session.Identity) {
	ws.SetReadLimit(readLimit)
	defer func() { _ = ws.CloseNow() }()
	ctx := context.Background()
	for {
		kind, b, err := ws.Read(ctx)
		if err != nil {
			e.protos <- ws.Subprotocol()
			e.ended <- err
			return
		}
		switch string(b) {
		case "close me":
			err = ws.Close(4009, "heartbeat lost")
		case "drop me":
			time.AfterFunc(time.Millisecond, func() { _ = ws.CloseNow() })
		default:
			err = ws.Write(ctx, kind, b)
		}
		if err != nil {
			e.protos <- ws.Subprotocol()
			e.ended <- err
			return
		}
	}
}

// openEcho starts a door whose streams echo.
func openEcho(t *testing.T, change ...func(*Config, *Deps)) (*door, *echo) {
	t.Helper()
	e := &echo{ended: make(chan error, 1000), protos: make(chan string, 1000)}
	d := open(t, append(change, func(_ *Config, deps *Deps) { deps.Streams = &fakeStreams{serve: e.serve} })...)
	return d, e
}

// wantEnd waits for the handler of a stream to come back.
func (e *echo) wantEnd(t *testing.T) error {
	t.Helper()
	select {
	case err := <-e.ended:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the handler still runs")
		return nil
	}
}

// peer is the other end of a connection, byte by byte.
type peer struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func (d *door) dial() *peer {
	d.t.Helper()
	c, err := (&net.Dialer{}).DialContext(d.t.Context(), "tcp", d.addr)
	if err != nil {
		d.t.Fatal(err)
	}
	return newPeer(d.t, c)
}

func newPeer(t *testing.T, c net.Conn) *peer {
	t.Helper()
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &peer{c, t, bufio.NewReader(c)}
}

func (p *peer) write(b ...[]byte) {
	p.t.Helper()
	if _, err := p.Write(bytes.Join(b, nil)); err != nil {
		p.t.Fatal(err)
	}
}

// reply is an HTTP response, read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

func (p *peer) response() reply {
	p.t.Helper()
	res, err := http.ReadResponse(p.r, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusSwitchingProtocols { // what follows is no body
		return reply{res.StatusCode, res.Header, ""}
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(b)}
}

const handshake = "GET /api/v1/stream HTTP/1.1\r\nHost: example.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: portcullis.v1\r\n"

// upgraded sends the handshake with what follows it at once, and reads the 101.
func (p *peer) upgraded(behind ...[]byte) *peer {
	p.t.Helper()
	p.write([]byte(handshake+"\r\n"), bytes.Join(behind, nil))
	p.want101()
	return p
}

func (p *peer) want101() {
	p.t.Helper()
	res := p.response()
	// The key and its answer are those of RFC 6455 section 1.3.
	if res.status != http.StatusSwitchingProtocols || res.header.Get("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		p.t.Fatalf("handshake answered %d %v", res.status, res.header)
	}
}

// Bits and opcodes of frames.
const (
	fin    = 0x80
	rsv1   = 0x40
	opCont = 0
	opText = 1
	opBin  = 2
	opEnd  = 8
	opPing = 9
	opPong = 10
)

// frame is a frame as a client sends it: masked.
func frame(head byte, payload []byte) []byte {
	mask := [4]byte{1, 2, 3, 4}
	b := append(length(head, 0x80, len(payload)), mask[:]...)
	for i, c := range payload {
		b = append(b, c^mask[i%4])
	}
	return b
}

func length(head, masked byte, n int) []byte {
	switch {
	case n < 126:
		return []byte{head, masked | byte(n)}
	case n < 1<<16:
		return binary.BigEndian.AppendUint16([]byte{head, masked | 126}, uint16(n))
	}
	return binary.BigEndian.AppendUint64([]byte{head, masked | 127}, uint64(n))
}

func text(s string) []byte { return frame(fin|opText, []byte(s)) }

func closing(code uint16, reason string) []byte {
	return frame(fin|opEnd, append(binary.BigEndian.AppendUint16(nil, code), reason...))
}

// next reads one frame of the server.
func (p *peer) next() (head byte, payload []byte, err error) {
	var h [2]byte
	if _, err := io.ReadFull(p.r, h[:]); err != nil {
		return 0, nil, err
	}
	n := int(h[1])
	switch n {
	case 126:
		var l [2]byte
		if _, err := io.ReadFull(p.r, l[:]); err != nil {
			return 0, nil, err
		}
		n = int(binary.BigEndian.Uint16(l[:]))
	case 127:
		var l [8]byte
		if _, err := io.ReadFull(p.r, l[:]); err != nil {
			return 0, nil, err
		}
		n = int(binary.BigEndian.Uint64(l[:]))
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(p.r, payload)
	return h[0], payload, err
}

func (p *peer) want(head byte, payload string) {
	p.t.Helper()
	h, b, err := p.next()
	if err != nil || h != head || string(b) != payload {
		p.t.Fatalf("frame %#x %.80q, %v; want %#x %.80q", h, b, err, head, payload)
	}
}

// wantClose reads a close frame of that code.
func (p *peer) wantClose(code uint16) {
	p.t.Helper()
	h, b, err := p.next()
	if err != nil || h != fin|opEnd || len(b) < 2 || binary.BigEndian.Uint16(b) != code {
		p.t.Fatalf("frame %#x %q, %v; want a close frame of %d", h, b, err, code)
	}
}

func (p *peer) wantEOF() {
	p.t.Helper()
	if b, err := io.ReadAll(p.r); err != nil && !errors.Is(err, io.EOF) && !isReset(err) || len(b) > 0 {
		p.t.Fatalf("%q, %v; want the end", b, err)
	}
}

// isReset: the peer closed with bytes of ours unread, which TCP tells by a reset.
func isReset(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && !op.Timeout()
}

func TestEarlyFrames(t *testing.T) {
	d, e := openEcho(t)
	for _, n := range []int{5, 3 << 10, 20 << 10} {
		t.Run(fmt.Sprintf("%d bytes", n), func(t *testing.T) {
			message := strings.Repeat("x", n)
			p := d.dial().upgraded(text(message))
			p.want(fin|opText, message)
			p.write(text("after"))
			p.want(fin|opText, "after")
			p.write(closing(1000, ""))
			p.wantClose(1000)
			_ = e.wantEnd(t)
		})
	}
}

// Many frames behind the request, cut anywhere.
func TestEarlyFramesInPieces(t *testing.T) {
	d, e := openEcho(t)
	all := append([]byte(handshake+"\r\n"), bytes.Repeat(text("hello"), 300)...)
	for _, cut := range []int{len(handshake) + 2, len(handshake) + 3, len(handshake) + 9, 1500} {
		p := d.dial()
		p.write(all[:cut])
		p.write(all[cut:])
		p.want101()
		for range 300 {
			p.want(fin|opText, "hello")
		}
		_ = p.Close()
		_ = e.wantEnd(t)
	}
}

func TestUpgradeAfterOtherRequests(t *testing.T) {
	d, e := openEcho(t)
	get := "GET /api/v1/limits HTTP/1.1\r\nHost: example.test\r\n\r\n"
	kept := d.dial()
	for range 2 {
		kept.write([]byte(get))
		if res := kept.response(); res.status != 200 {
			t.Fatalf("GET answered %d", res.status)
		}
	}
	kept.upgraded().write(text("kept"))
	kept.want(fin|opText, "kept")
	_ = kept.Close()
	_ = e.wantEnd(t)

	piped := d.dial()
	piped.write([]byte(get), []byte(handshake+"\r\n"), text("piped"))
	if res := piped.response(); res.status != 200 {
		t.Fatalf("GET answered %d", res.status)
	}
	piped.want101()
	piped.want(fin|opText, "piped")
	_ = piped.Close()
	_ = e.wantEnd(t)
}

// What frames do, one connection each. The ws cases that were collected from the
// trackers of other servers are among them; those about the messages themselves
// (text that is no UTF-8, slow readers) belong to whoever reads messages.
func TestFrames(t *testing.T) {
	hexed := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	p125 := strings.Repeat("p", 125)
	tests := []struct {
		name string
		send [][]byte
		want func(p *peer)
	}{
		{"02 a code point cut by fragments", [][]byte{
			frame(opText, hexed("e4bd")), frame(opCont, hexed("a0e5")), frame(fin|opCont, hexed("a5bd")),
		}, func(p *peer) { p.want(fin|opText, "你好") }},
		{"03 a close reason that is no UTF-8", [][]byte{closing(1000, "\xff\xff")}, func(p *peer) { p.wantClose(1007); p.wantEOF() }},
		{"04 a fragmented ping", [][]byte{frame(opPing, []byte("a")), frame(fin|opCont, []byte("b"))}, func(p *peer) { p.wantClose(1002) }},
		{"05 a ping among fragments", [][]byte{
			frame(opText, []byte(`{"a":`)), frame(fin|opPing, []byte("pp")), frame(fin|opCont, []byte("1}")),
		}, func(p *peer) { p.want(fin|opPong, "pp"); p.want(fin|opText, `{"a":1}`) }},
		// Compression is not agreed on, so nothing is inflated at all.
		{"06 compressed", [][]byte{frame(fin|rsv1|opBin, []byte("\x4a\x04\x00"))}, func(p *peer) { p.wantClose(1002) }},
		{"07 a reserved opcode", [][]byte{frame(fin|3, []byte("x"))}, func(p *peer) { p.wantClose(1002) }},
		{"08 a ping of 125 bytes", [][]byte{frame(fin|opPing, []byte(p125)), text("still here")}, func(p *peer) {
			p.want(fin|opPong, p125)
			p.want(fin|opText, "still here")
		}},
		{"10 a pong that is too long", [][]byte{frame(fin|opPong, []byte(p125+p125))}, func(p *peer) { p.wantClose(1002) }},
		{"a ping that is too long", [][]byte{frame(fin|opPing, []byte(p125+"p"))}, func(p *peer) { p.wantClose(1002) }},
		{"a pong nobody asked for", [][]byte{frame(fin|opPong, []byte("x")), text("on")}, func(p *peer) { p.want(fin|opText, "on") }},
		{"a ping without payload", [][]byte{frame(fin|opPing, nil)}, func(p *peer) { p.want(fin|opPong, "") }},
		{"a continuation of nothing", [][]byte{frame(fin|opCont, []byte("x"))}, func(p *peer) { p.wantClose(1002) }},
		{"a message inside another", [][]byte{frame(opText, []byte("a")), text("b")}, func(p *peer) { p.wantClose(1002) }},
		{"close 4001 is echoed", [][]byte{closing(4001, "bye")}, func(p *peer) { p.want(fin|opEnd, "\x0f\xa1bye"); p.wantEOF() }},
		{"close without a code", [][]byte{frame(fin|opEnd, nil)}, func(p *peer) {
			if h, b, err := p.next(); err != nil || h != fin|opEnd || len(b) != 0 {
				p.t.Errorf("frame %#x %q, %v; want an empty close", h, b, err)
			}
		}},
		{"close 1005, which is never sent", [][]byte{closing(1005, "")}, func(p *peer) { p.wantClose(1002) }},
		{"close of one byte", [][]byte{frame(fin|opEnd, []byte{3})}, func(p *peer) { p.wantClose(1002) }},
		{"a message at the limit", [][]byte{frame(fin|opBin, make([]byte, readLimit))}, func(p *peer) { p.want(fin|opBin, string(make([]byte, readLimit))) }},
		{"a message over the limit", [][]byte{frame(fin|opBin, make([]byte, readLimit+1))}, func(p *peer) { p.wantClose(1009) }},
		{"fragments over the limit together", [][]byte{
			frame(opBin, make([]byte, readLimit)), frame(fin|opCont, make([]byte, 10)),
		}, func(p *peer) { p.wantClose(1009) }},
		{"a frame of 2^63 bytes", [][]byte{{fin | opBin, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0}, {1, 2, 3, 4}}, func(p *peer) { _, _, _ = p.next(); p.wantEOF() }},
		{"an unmasked frame", [][]byte{{fin | opText, 2, 'h', 'i'}}, func(p *peer) { p.wantEOF() }},
		{"no frame at all", [][]byte{[]byte("GET / HTTP/1.1\r\n\r\n")}, func(p *peer) { _, _, _ = p.next(); p.wantEOF() }},
		{"the server closes", [][]byte{text("close me")}, func(p *peer) {
			p.wantClose(4009)
			p.write(closing(4009, ""))
			p.wantEOF()
		}},
		{"CloseNow ends a blocked Read", [][]byte{text("drop me")}, func(p *peer) { p.wantEOF() }},
	}
	d, e := openEcho(t)
	bystander := d.dial().upgraded()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := d.dial().upgraded()
			p.t = t
			p.write(test.send...)
			test.want(p)
			_ = p.Close()
			_ = e.wantEnd(t)
			bystander.t = t // the others are unharmed
			bystander.write(text("ok?"))
			bystander.want(fin|opText, "ok?")
		})
	}
}

func TestClientReset(t *testing.T) {
	d, e := openEcho(t)
	p := d.dial().upgraded()
	if err := p.Conn.(*net.TCPConn).SetLinger(0); err != nil {
		t.Fatal(err)
	}
	_ = p.Close()
	if err := e.wantEnd(t); err == nil {
		t.Error("Read returned no error")
	}
}

// The timeouts of HTTP are not the stream's.
func TestIdleStreamOutlivesTimeouts(t *testing.T) {
	d, e := openEcho(t, func(cfg *Config, _ *Deps) {
		// As long as the upgrade itself may take on a busy machine.
		cfg.ReadTimeout, cfg.WriteTimeout, cfg.IdleTimeout = 3*time.Second, 3*time.Second, 3*time.Second
	})
	p := d.dial().upgraded()
	time.Sleep(5 * time.Second)
	p.write(text("still"))
	p.want(fin|opText, "still")
	_ = p.Close()
	_ = e.wantEnd(t)
}

// The subprotocol must not lie in a buffer that the server uses again.
func TestSubprotocolSurvivesTheRequest(t *testing.T) {
	d, e := openEcho(t)
	p := d.dial().upgraded()
	for range 50 {
		d.send("GET", "/api/v1/limits", "", "Sec-WebSocket-Protocol: xxxxxxxxxxxxx", "X-Padding: "+strings.Repeat("y", 500))
	}
	_ = p.Close()
	_ = e.wantEnd(t)
	if got := <-e.protos; got != subprotocol {
		t.Errorf("subprotocol = %q, want %q", got, subprotocol)
	}
}

func TestRefusedHandshakes(t *testing.T) {
	d, e := openEcho(t, func(cfg *Config, _ *Deps) { cfg.AllowedOrigins = []string{"https://play.example.com"} })
	tests := []struct {
		name, request string
		status        int
	}{
		{"no upgrade", "GET /api/v1/stream HTTP/1.1\r\nHost: example.test\r\n", 426},
		{"another protocol", strings.Replace(handshake, "websocket", "h2c", 1), 426},
		{"no Connection", strings.Replace(handshake, "Connection: Upgrade\r\n", "", 1), 426},
		{"version 8", strings.Replace(handshake, "Version: 13", "Version: 8", 1), 400},
		{"no key", strings.Replace(handshake, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", 1), 400},
		{"another origin", handshake + "Origin: https://evil.example.com\r\n", 403},
		{"no real origin", handshake + "Origin: null\r\n", 403},
		{"a token that nobody knows", handshake + "Authorization: Bearer abc\r\n", 401},
		{"an empty token", handshake + "Authorization: Bearer \r\n", 401},
		{"another scheme", handshake + "Authorization: Basic YTpi\r\n", 401},
		{"two tokens", handshake + "Authorization: Bearer abc\r\nAuthorization: Bearer def\r\n", 401},
		{"a bad ticket among the subprotocols", strings.Replace(handshake, "portcullis.v1", "portcullis.v1, bearer.abc", 1), 401},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := d.dial()
			p.write([]byte(test.request + "\r\n"))
			res := p.response()
			if res.status != test.status || !strings.Contains(res.body, `"request_id":"`+res.header.Get("X-Request-Id")) {
				t.Errorf("answered %d %s, want %d in the wire's shape", res.status, res.body, test.status)
			}
			if test.status == 426 && res.header.Get("Upgrade") != "websocket" {
				t.Errorf("426 without Upgrade: %v", res.header)
			}
			// The connection goes on.
			p.write([]byte("GET /healthz HTTP/1.1\r\nHost: example.test\r\n\r\n"))
			if res := p.response(); res.status != 200 {
				t.Errorf("the next request is answered %d", res.status)
			}
		})
	}
	for _, origin := range []string{"http://example.test", "https://play.example.com", "HTTPS://PLAY.example.com"} {
		p := d.dial()
		p.write([]byte(handshake + "Origin: " + origin + "\r\n\r\n"))
		p.want101()
		_ = p.Close()
		_ = e.wantEnd(t)
	}
}

func TestNoRoomForStreams(t *testing.T) {
	d := open(t)
	d.stream.full.Store(true)
	p := d.dial()
	p.write([]byte(handshake + "\r\n"))
	if res := p.response(); res.status != 503 || res.header.Get("Retry-After") != "1" {
		t.Errorf("answered %d %v, want 503 with Retry-After", res.status, res.header)
	}
}

// Connections that come and go leave nothing behind: TestMain looks for goroutines.
func TestChurn(t *testing.T) {
	d, e := openEcho(t)
	for i := range 200 {
		p := d.dial()
		switch i % 4 {
		case 0: // a good one
			p.upgraded(text("x")).want(fin|opText, "x")
			p.write(closing(1000, ""))
			p.wantClose(1000)
		case 1: // gone without a word
			p.upgraded()
		case 2: // gone in the middle of a frame
			p.upgraded().write(text("half")[:4])
		case 3: // gone before the answer
			p.write([]byte(handshake + "\r\n"))
		}
		_ = p.Close()
	}
	for range 150 {
		_ = e.wantEnd(t)
	}
}

// Shutdown is HTTP's alone: streams are drained by their owner.
func TestShutdownLeavesStreams(t *testing.T) {
	d, e := openEcho(t)
	p := d.dial().upgraded()
	d.stop()
	p.write(text("alive"))
	p.want(fin|opText, "alive")
	_ = p.Close()
	_ = e.wantEnd(t)
}

// A stop that comes before the start, or right with it, is a stop.
func TestShutdownBeforeServe(t *testing.T) {
	for range 20 { // open's Serve has only just been started
		open(t).stop()
	}
	d := open(t)
	d.stop()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.g.Serve(ln); err != nil {
		t.Errorf("Serve after Shutdown: %v", err)
	}
	if _, err := ln.Accept(); err == nil {
		t.Error("the listener is open")
	}
}
