package risk

import (
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

var benchStream = sync.OnceValue(func() []economy.Entry {
	w := newWorld(1, 8)
	w.villains(w.populate(1000))
	return w.run()
})

// BenchmarkApply counts a lived-in economy in batches of 500.
func BenchmarkApply(b *testing.B) {
	entries := benchStream()
	n := 0
	for b.Loop() {
		book := New(Config{Fresh: -1})
		for i := 0; i < len(entries); i += 500 {
			book.Apply(entries[i:min(i+500, len(entries))])
		}
		n += len(entries)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSnapshot is the work behind the scores.
func BenchmarkSnapshot(b *testing.B) {
	book := New(Config{Fresh: -1})
	book.Apply(benchStream())
	for b.Loop() {
		book.making.Lock()
		book.renew()
		book.making.Unlock()
	}
}

// BenchmarkRisk asks while 20,000 entries a second come in.
func BenchmarkRisk(b *testing.B) {
	entries := benchStream()
	book := New(Config{})
	book.Apply(entries)
	book.Risk("casual20", book.Newest())
	stop := make(chan struct{})
	var g sync.WaitGroup
	g.Go(func() {
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		batch := make([]economy.Entry, 500)
		for i := 0; ; i += 500 {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			copy(batch, entries[i%(len(entries)-500):])
			book.Apply(batch)
		}
	})
	took := make([]time.Duration, 0, 1<<20)
	for b.Loop() {
		began := time.Now()
		book.Risk("casual20", book.Newest())
		took = append(took, time.Since(began))
	}
	close(stop)
	g.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*999/1000].Nanoseconds())/1000, "p99.9-µs")
	b.ReportMetric(float64(took[len(took)-1].Microseconds()), "max-µs")
}

// TestBytes keeps what a player costs within what is stated, for players who earned
// twenty times from two sources: those that play, and those that rest.
func TestBytes(t *testing.T) {
	for name, c := range map[string]struct {
		hot  int
		most float64
	}{"that plays": {0, 700}, "that rests": {1, 230}} {
		const players = 50_000
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		book := New(Config{Fresh: -1, Hot: c.hot})
		batch := make([]economy.Entry, 0, 20)
		for p := range players {
			batch = batch[:0]
			for i := range int64(20) {
				batch = append(batch, economy.Entry{
					Log: economy.Currency, At: testStart + i*hour, Player: engines.PlayerID("player-" + strconv.Itoa(p)), What: "gold",
					Action: economy.Earn, Amount: 10, After: 10 * (i + 1), Source: []string{"quest", "arena"}[i%2],
				})
			}
			book.Apply(batch)
		}
		book.Risk("player-1", book.Newest())
		runtime.GC()
		runtime.ReadMemStats(&after)
		each := float64(after.HeapAlloc-before.HeapAlloc) / players
		t.Logf("%.0f bytes a player %s", each, name)
		if each > c.most {
			t.Errorf("%.0f bytes a player %s, want %.0f at most", each, name, c.most)
		}
		runtime.KeepAlive(book)
	}
}
