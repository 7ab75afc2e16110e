package batch

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// unknown is the clock of a thread that nobody can read.
func unknown() time.Duration { return 0 }

// BenchmarkLine is one line of a batch, from its bytes to its result, without the
// engine's time.
func BenchmarkLine(b *testing.B) {
	h := &house{t: b, words: &words{asked: map[string]int{}}}
	s := h.service("one")
	body := appendLines(nil, many(chunkLines))
	c := store.BatchChunk{App: "game", First: 1, Lines: chunkLines, Body: body}
	w := &worker{pace: pace{live: s.deps.Desk.Live, share: 1, spent: unknown, pause: pause}}
	b.ReportAllocs()
	b.SetBytes(int64(len(strings.Join(many(1), ""))))
	for n := 0; n < b.N; n += chunkLines {
		out, err := s.check(context.Background(), c, w)
		if err != nil {
			b.Fatal(err)
		}
		w.clear(out)
	}
}

func appendLines(dst []byte, lines []string) []byte {
	for _, l := range lines {
		dst = store.AppendLine(dst, store.LineText, len(l), []byte(l))
	}
	return dst
}
