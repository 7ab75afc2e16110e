package sqlstore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func benchStore(b *testing.B) *sqlstore.Store {
	b.Helper()
	s, err := sqlstore.Open(b.Context(), sqlstore.Config{Dir: b.TempDir(), MasterKey: [32]byte{1}, Node: "n1"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

func benchID(at time.Time, n int) engines.RequestID {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return engines.RequestID(fmt.Sprintf("%s-%s-7%03x-8000-%012x", ms[:8], ms[8:], n&0xfff, n))
}

// chunks are messages of one scene each, as history.Recorder gathers them.
func chunks(n, each int, from *int) []store.SceneChunk {
	at := time.Now()
	list := make([]store.SceneChunk, n)
	for i := range list {
		c := &list[i]
		*from++
		scene := *from * 7919 % 2000
		c.App, c.Scene = "game", engines.SceneID(fmt.Sprintf("match-%d", scene))
		for k := range each {
			id := *from*each + k
			c.Add(&store.SceneMessage{
				Message: benchID(at, id), Player: engines.PlayerID(fmt.Sprintf("player-%d", scene*10+k%10)), Session: "0198c1f3-7b1e-7000-8000-000000000000",
				Content: "see you at the gate, bring the others", Language: "en", State: "delivered", Sent: at,
			})
		}
	}
	return list
}

// BenchmarkSceneChunks is what a chunk of the history of scenes costs, of 2,000 scenes,
// 64 chunks a commit: full ones, and the small ones of scenes in which much is flagged.
// cpu-ns is of the process, gathering and checkpoints with it.
func BenchmarkSceneChunks(b *testing.B) {
	for _, each := range []int{4, 32} {
		b.Run(fmt.Sprintf("messages=%d", each), func(b *testing.B) {
			const batch = 64
			s, n, scene := benchStore(b), 0, 0
			before := cpuTime(b)
			for b.Loop() {
				if n++; n%batch == 0 {
					if err := s.PutSceneChunks(b.Context(), chunks(batch, each, &scene)); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns")
		})
	}
}

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// BenchmarkFlaggedBesideHistory is what a flagged verdict waits for while the history
// of scenes is written, 2,000 messages a second.
func BenchmarkFlaggedBesideHistory(b *testing.B) {
	for _, beside := range []bool{false, true} {
		b.Run(fmt.Sprintf("history=%v", beside), func(b *testing.B) {
			s, at := benchStore(b), time.Now()
			ctx, stop := context.WithCancel(b.Context())
			var wg sync.WaitGroup
			if beside {
				wg.Go(func() { writeHistory(ctx, b, s) })
			}
			var took []time.Duration
			n := 0
			for b.Loop() {
				n++
				start := time.Now()
				d := store.Decision{Request: benchID(at, n), App: "game", Player: "p", Kind: engines.KindText, Content: "see you", Weight: 1, Created: at}
				if err := s.PutDecision(b.Context(), d, nil, nil); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
				time.Sleep(time.Millisecond)
			}
			stop()
			wg.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
		})
	}
}

func writeHistory(ctx context.Context, b *testing.B, s *sqlstore.Store) {
	b.Helper()
	for n := 0; ctx.Err() == nil; time.Sleep(250 * time.Millisecond) {
		if err := s.PutSceneChunks(context.WithoutCancel(ctx), chunks(16, 32, &n)); err != nil {
			b.Error(err)
			return
		}
	}
}

// BenchmarkFlagged is what a flagged verdict waits for, with and without evidence.
func BenchmarkFlagged(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprintf("evidence=%v", with), func(b *testing.B) {
			s, n := benchStore(b), 0
			at := time.Now()
			b.ReportAllocs()
			before := cpuTime(b)
			for b.Loop() {
				n++
				d := store.Decision{
					Request: benchID(at, n), App: "game", Player: engines.PlayerID(fmt.Sprintf("player-%d", n*7919%20000)), Scene: "s", Kind: engines.KindText,
					Content: "see you at the gate, bring the others", Weight: 1, Created: at,
					Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Block}, Action: engines.Drop, Mode: engines.RealTimeBlock},
				}
				if with {
					d.Evidence = &store.Evidence{
						ID: string(benchID(at, n)), App: d.App, Request: d.Request, Player: d.Player, Scene: d.Scene, Kind: d.Kind, MIME: "text/plain",
						SHA256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", Content: []byte(d.Content), Bytes: int64(len(d.Content)),
						Category: engines.Hate, Suggestion: engines.Block, Created: at, Expires: at.Add(time.Hour),
					}
				}
				if err := s.PutDecision(b.Context(), d, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns")
		})
	}
}
