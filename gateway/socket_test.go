package gateway

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// pair is both ends of a TCP connection, the first through newSocket.
func pair(t *testing.T, within time.Duration) (net.Conn, *net.TCPConn) {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	far, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	s := newSocket(near, within)
	t.Cleanup(func() { _, _ = s.Close(), far.Close() })
	if _, ok := s.(*socket); ok != direct {
		t.Fatalf("newSocket made a %T", s)
	}
	return s, far.(*net.TCPConn)
}

func TestSocketMovesMoreThanItsBuffers(t *testing.T) {
	s, far := pair(t, time.Minute)
	want := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // 8 MiB: the writer has to wait for the reader
	for range 2 {                                           // a deadline left over would fail the second
		wrote := make(chan error, 1)
		go func() {
			_, err := s.Write(want)
			wrote <- err
		}()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(far, got); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("read what was written: %v", err)
		}
		if err := <-wrote; err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		_, _ = far.Write(want)
		_ = far.CloseWrite()
	}()
	got, err := io.ReadAll(s)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("read %d bytes of %d: %v", len(got), len(want), err)
	}
}

func TestSocketGivesUpOnAReaderThatDoesNotRead(t *testing.T) {
	s, _ := pair(t, time.Second)
	n, err := s.Write(make([]byte, 32<<20))
	if !errors.Is(err, os.ErrDeadlineExceeded) || n == 0 {
		t.Fatalf("wrote %d bytes: %v", n, err)
	}
}

func TestSocketSaysWhyItFails(t *testing.T) {
	s, _ := pair(t, time.Minute)
	done := make(chan error, 1)
	go func() {
		_, err := s.Read(make([]byte, 8))
		done <- err
	}()
	if err := s.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a read past its deadline: %v", err)
	}
	_ = s.Close()
	if _, err := s.Read(make([]byte, 8)); !errors.Is(err, net.ErrClosed) {
		t.Fatalf("a read of a closed socket: %v", err)
	}
	if _, err := s.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
		t.Fatalf("a write to a closed socket: %v", err)
	}

	s, far := pair(t, time.Minute)
	if err := errors.Join(far.SetLinger(0), far.Close()); err != nil { // a reset
		t.Fatal(err)
	}
	if _, err := s.Read(make([]byte, 8)); err == nil || errors.Is(err, io.EOF) {
		t.Fatalf("a read after a reset: %v", err)
	}
}
