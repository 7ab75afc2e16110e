package risk

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// busyStream is entries of many players who earn, find and trade, as a live game
// sends them: 20,000 a second of event time.
func busyStream(players, n int) []economy.Entry {
	out := make([]economy.Entry, 0, n)
	gold := make([]int64, players)
	id := func(p int) engines.PlayerID { return engines.PlayerID("player-" + strconv.Itoa(p)) }
	for i := 0; len(out) < n; i++ {
		at, p := testStart+int64(len(out))/20, (i*7919+i*i%31)%players
		e := economy.Entry{Log: economy.Currency, ID: strconv.Itoa(i), At: at, Player: id(p), What: "gold", Source: "quest", Device: "dev-" + strconv.Itoa(p)}
		q, trade := (p+1+i%97)%players, "t"+strconv.Itoa(i)
		switch i % 8 {
		case 0:
			deal := economy.Deal{Items: []economy.Stack{{Item: "sword", Count: 1, UID: "u" + strconv.Itoa(i%50_000)}}, ReturnMoney: economy.Money{Type: "gold", Amount: 40}}
			e.Log, e.TradeID, e.Counterparty, e.Deal, e.What = economy.Trade, trade, id(q), &deal, ""
		case 1:
			e.Log, e.What, e.Action, e.Amount, e.After = economy.Item, "ore", economy.Acquire, 2, int64(i)
		default:
			gold[p] += 10
			e.Action, e.Amount, e.After = economy.Earn, 10, gold[p]
		}
		out = append(out, e)
	}
	return out
}

// BenchmarkEvaluate asks while 20,000 entries a second come in, of 20,000 players.
func BenchmarkEvaluate(b *testing.B) {
	const players = 20_000
	entries := busyStream(players, 1_000_000)
	warm := 600_000
	book := New(Config{})
	for i := 0; i < warm; i += 500 {
		book.Apply(entries[i : i+500])
	}
	book.Risk("player-1", book.Newest())
	stop := make(chan struct{})
	var g sync.WaitGroup
	g.Go(func() {
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		for i := warm; ; i += 500 {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			i = max(warm, i%(len(entries)-500))
			book.Apply(entries[i : i+500])
		}
	})
	var took []time.Duration
	i := 0
	pause := time.NewTicker(200 * time.Microsecond)
	defer pause.Stop()
	for b.Loop() {
		<-pause.C
		i++
		p := economy.Proposal{
			Sender: engines.PlayerID("player-" + strconv.Itoa(i*31%players)), Receiver: engines.PlayerID("player-" + strconv.Itoa(i*17%players)),
			Deal: economy.Deal{
				Items: []economy.Stack{{Item: "sword", Count: 1, UID: "u" + strconv.Itoa(i%50_000)}}, ReturnMoney: economy.Money{Type: "gold", Amount: 60},
			},
		}
		began := time.Now()
		book.Evaluate(&p, book.Newest())
		took = append(took, time.Since(began))
	}
	close(stop)
	g.Wait()
	slices.Sort(took)
	us := func(q float64) float64 {
		return float64(took[min(len(took)-1, int(q*float64(len(took))))].Nanoseconds()) / 1e3
	}
	b.ReportMetric(us(.5), "p50-µs")
	b.ReportMetric(us(.99), "p99-µs")
	b.ReportMetric(us(1), "max-µs")
	b.ReportMetric(float64(book.snap.Load().took)/1e6, "snapshot-ms")
	b.ReportMetric(0, "ns/op")
}
