package redisstore

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/redis/go-redis/v9"
)

// quiet sends what the client library says to slog, at debug level: it has one
// logger for the whole process, writes a line for each failed dial, and the
// breaker says once what matters.
var quiet = sync.OnceFunc(func() { redis.SetLogger(logger{}) })

type logger struct{}

// Printf takes a line of the client library.
func (logger) Printf(ctx context.Context, format string, v ...any) {
	if slog.Default().Enabled(ctx, slog.LevelDebug) {
		slog.DebugContext(ctx, "redis client", "line", fmt.Sprintf(format, v...))
	}
}
