package voice

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"testing"
	"time"
)

func listenUDP(t *testing.T, at string) *net.UDPConn {
	t.Helper()
	addr, err := net.ResolveUDPAddr("udp", at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.ListenUDP("udp", addr)
	if err != nil && addr.IP.To4() == nil {
		t.Skipf("no IPv6 here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Packets come whole, in order and with who sent them, be there few or many, of both
// families, and answers reach who sent them.
func TestSocket(t *testing.T) {
	for name, at := range map[string]string{"IPv4": "127.0.0.1:0", "IPv6": "[::1]:0", "both": "[::]:0"} {
		t.Run(name, func(t *testing.T) {
			s := newSocket(listenUDP(t, at))
			if err := s.SetReadBuffer(socketBuffer); err != nil {
				t.Fatal(err)
			}
			port := s.LocalAddr().(*net.UDPAddr).Port
			to := map[string]net.IP{"IPv4": net.IPv4(127, 0, 0, 1), "IPv6": net.IPv6loopback, "both": net.IPv4(127, 0, 0, 1)}[name]
			client, err := net.DialUDP("udp", nil, &net.UDPAddr{IP: to, Port: port})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = client.Close() }()
			const n = 200
			for i := range n { // more than is read at once
				if _, err := client.Write(append(binary.BigEndian.AppendUint16(nil, uint16(i)), bytes.Repeat([]byte{byte(i)}, i)...)); err != nil {
					t.Fatal(err)
				}
			}
			b := make([]byte, receiveMost)
			for i := range n {
				got, from, err := s.ReadFromAddrPort(b)
				if err != nil || int(from.Port()) != client.LocalAddr().(*net.UDPAddr).Port || !from.Addr().Unmap().IsLoopback() {
					t.Fatalf("packet %d: from %v, %v", i, from, err)
				}
				if got != i+2 || int(binary.BigEndian.Uint16(b)) != i || bytes.Count(b[2:got], []byte{byte(i)}) != i {
					t.Fatalf("packet %d has %d bytes and begins %v", i, got, b[:2])
				}
				if i == n-1 {
					if _, err := s.WriteToAddrPort([]byte("back"), from); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got, err := client.Read(b); err != nil || string(b[:got]) != "back" {
				t.Errorf("the answer is %q, %v", b[:got], err)
			}
			_ = s.Close()
			if _, _, err := s.ReadFrom(b); !errors.Is(err, net.ErrClosed) {
				t.Errorf("reading a closed one = %v", err)
			}
		})
	}
}

// Packets are gathered while many come, and only then.
func TestSocketGathers(t *testing.T) {
	s, now := &socket{}, time.Now()
	step := func(d time.Duration, packets int, want bool) {
		t.Helper()
		now = now.Add(d)
		s.counted(packets, now)
		if s.gather != want {
			t.Errorf("after %d packets in %s: gathers = %t", packets, d, s.gather)
		}
	}
	step(0, 500, false) // the first ever
	step(countFor, 10, false)
	step(countFor/2, 1000, false) // not counted for long enough
	step(countFor/2, 1, true)
	step(countFor, 5000, true)
	step(countFor, 1, false)
	step(time.Minute, 1000, false) // a burst after a pause
}
