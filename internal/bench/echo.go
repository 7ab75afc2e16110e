package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
)

// serveEcho is the floor: a server that sends back what it reads, one goroutine
// and 1 KiB a connection, until ctx ends. It logs the same "listening" line as
// serve.
func serveEcho(ctx context.Context, out io.Writer) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("echo: %w", err)
	}
	var conns sync.WaitGroup
	defer conns.Wait()
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() }) // ends Accept below
	defer stop()
	slog.New(slog.NewJSONHandler(out, nil)).InfoContext(ctx, "listening", "addr", ln.Addr().String())
	for {
		conn, err := ln.Accept()
		if err != nil {
			if ctx.Err() != nil && errors.Is(err, net.ErrClosed) {
				return nil
			}
			return errors.Join(fmt.Errorf("echo: %w", err), ln.Close())
		}
		conns.Go(func() { echo(ctx, conn) })
	}
}

func echo(ctx context.Context, conn net.Conn) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // ends Read below
	defer stop()
	defer func() { _ = conn.Close() }() // closed twice on a stop; nothing to flush
	buf := make([]byte, 1024)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return
		}
		if _, err := conn.Write(buf[:n]); err != nil {
			return
		}
	}
}
