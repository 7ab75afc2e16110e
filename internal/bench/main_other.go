//go:build !linux

package bench

import (
	"context"
	"errors"
	"io"
)

// Main says that the load generator needs Linux: it reads the server's CPU time
// and memory from /proc and paces itself with a timerfd.
func Main(context.Context, []string, io.Writer, io.Writer, string) error {
	return errors.New("bench: needs Linux (epoll, timerfd, /proc)")
}
