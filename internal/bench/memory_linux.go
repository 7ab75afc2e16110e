package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

const memoryUsage = `Usage: portcullis bench economy-memory [flags]

Counts the entries of many players in a book in this process, as a gateway does, and
prints what it takes of memory, how long a snapshot takes, and how long scores and
trades take while 20,000 entries a second come in. Of the players half play little
(eight entries on two days), a third regularly (thirty on six), a tenth much (a
hundred on ten) and the rest come once. Of a player's entries 72 of 100 are of
currencies, 24 of items and 4 trades; a kind of player holds 4, 12, 24 and 1 items
of a catalogue of 60, has one device, one in ten of them two, and trades with a
friend or, half of the time, with anybody. With --redis what is packed beyond
--packed-mb lies there, as at a gateway.

`

// memoryGC is the garbage collector's setting (GOGC) while players are counted. A gateway's
// falls from 100 to 10 as its books grow, to 15 with a gigabyte, so that it has less garbage
// beside as many players than this.
const memoryGC = 30

type memoryOptions struct {
	players       int
	steady        time.Duration
	redis         string
	packedMB      int
	asJSON, goals bool
}

func parseMemoryOptions(args []string, stderr io.Writer) (*memoryOptions, error) {
	o := &memoryOptions{}
	f := flag.NewFlagSet("bench economy-memory", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, memoryUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.IntVar(&o.players, "players", 2_000_000, "players")
	f.DurationVar(&o.steady, "steady", 15*time.Second, "how long is asked beside the stream")
	f.StringVar(&o.redis, "redis", "", "URL of a Redis for what is packed beyond --packed-mb")
	f.IntVar(&o.packedMB, "packed-mb", 1024, "MB of packed players that stay in the process")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("bench economy-memory: unexpected argument %q", f.Arg(0))
	case o.players < 100 || o.players > 20_000_000:
		return nil, errors.New("bench economy-memory: --players: must be 100 to 20000000")
	case o.packedMB < 1 || o.packedMB > 8192:
		return nil, errors.New("bench economy-memory: --packed-mb: must be 1 to 8192")
	case o.steady <= 0 || o.steady > time.Hour:
		return nil, errors.New("bench economy-memory: --steady: must be positive and at most 1h")
	}
	return o, nil
}

// MemoryReport is what one run of `bench economy-memory` found, in bytes and, the
// latencies, microseconds.
type MemoryReport struct {
	Players   int     `json:"players"`
	Entries   int     `json:"entries"`
	PerSecond float64 `json:"entries_per_s"`
	// Heap is the book's and, after the first question, its snapshot's, as the
	// collector sees it; Resident is the process's.
	Heap         int64   `json:"book_bytes"`
	HeapEach     float64 `json:"book_bytes_a_player"`
	WithSnapshot int64   `json:"book_and_snapshot_bytes"`
	Resident     int64   `json:"resident_bytes"`
	// Peak is the most that the process held, while a snapshot replaced another.
	Peak     int64   `json:"peak_resident_bytes"`
	Snapshot float64 `json:"snapshot_s"`
	// Away is how many players lie in Redis, in AwayBytes; Failures is what of them could
	// not be read or written.
	Away      int      `json:"players_in_redis,omitempty"`
	AwayBytes int64    `json:"redis_bytes,omitempty"`
	Failures  uint64   `json:"redis_failures,omitempty"`
	Scores    *Latency `json:"risk_score_latency_us"`
	Trades    *Latency `json:"evaluate_trade_latency_us"`
	Goals     []Goal   `json:"goals,omitempty"`
}

func economyMemory(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseMemoryOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	r, err := o.measure(ctx, stderr)
	if err != nil {
		return fmt.Errorf("bench economy-memory: %w", err)
	}
	if o.goals {
		g := Goal{Name: "resident memory of 2 million players", Limit: 1.5e9, Value: float64(r.Resident) / float64(r.Players) * 2e6, Verdict: "met"}
		if g.Value > g.Limit {
			g.Verdict = "missed"
		}
		g.Figure = fmt.Sprintf("%.4g GB, at most 1.5", g.Value/1e9)
		r.Goals = append(r.Goals, g)
	}
	return r.print(stdout, o.asJSON)
}

func (o *memoryOptions) measure(ctx context.Context, stderr io.Writer) (_ *MemoryReport, err error) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(stderr, format+"\n", args...) } // progress
	defer debug.SetGCPercent(debug.SetGCPercent(memoryGC))
	before := heap()
	settings := risk.Config{}
	if o.redis != "" {
		shared, err := redisstore.Open(ctx, redisstore.Config{URL: o.redis, Node: "bench"})
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		defer func() { err = errors.Join(err, shared.Close()) }()
		settings.Cold, settings.Resident = shared.Blobs(), o.packedMB<<20
	}
	book, crowd := risk.New(settings), newCrowd(o.players)
	defer book.Close()
	own := heap() - before // what the generator holds is not the book's
	r := &MemoryReport{Players: o.players}
	say("counting …")
	began := time.Now()
	for {
		list := crowd.next()
		if len(list) == 0 || ctx.Err() != nil {
			break
		}
		book.Apply(list)
		r.Entries += len(list)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.PerSecond = float64(r.Entries) / time.Since(began).Seconds()
	for range 100 { // what is to go goes
		before := book.Cold()
		if book.Tend(); before.Players == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
		if book.Cold() == before {
			break
		}
	}
	r.Heap = heap() - before - own
	r.HeapEach = float64(r.Heap) / float64(o.players)
	say("%d entries, %.0f bytes a player; a snapshot …", r.Entries, r.HeapEach)
	began = time.Now()
	book.Risk(crowd.name(1), book.Newest()) // the first question waits for it
	r.Snapshot = time.Since(began).Seconds()
	r.WithSnapshot = heap() - before - own
	debug.FreeOSMemory()
	if r.Resident, err = residentBytes(os.Getpid()); err != nil {
		return nil, err
	}
	say("asking beside 20,000 entries/s …")
	if err := o.ask(ctx, book, crowd, r); err != nil {
		return nil, err
	}
	away := book.Cold()
	r.Away, r.AwayBytes, r.Failures = away.Players, away.Bytes, away.Failures
	if !book.Tend() {
		return nil, errors.New("what lay in Redis can't be read")
	}
	r.Peak, err = peakBytes(os.Getpid())
	runtime.KeepAlive(book)
	return r, err
}

// ask asks for scores and trades, 100 a second together as an app may, beside
// 20,000 entries a second.
func (o *memoryOptions) ask(ctx context.Context, book economy.Book, crowd *crowd, r *MemoryReport) error {
	end := time.Now().Add(o.steady)
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		tick := time.NewTicker(25 * time.Millisecond)
		defer tick.Stop()
		for time.Now().Before(end) && ctx.Err() == nil {
			<-tick.C
			book.Apply(crowd.more(500))
		}
	}()
	var scores, trades histogram
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	rng := crowd.asking
	for i := 0; time.Now().Before(end) && ctx.Err() == nil; i++ {
		<-tick.C
		p, q := crowd.name(rng.IntN(o.players)), crowd.name(rng.IntN(o.players))
		began := time.Now()
		if i%5 == 0 {
			book.Risk(p, began.UnixMilli())
			scores.add(time.Since(began))
			continue
		}
		book.Evaluate(&economy.Proposal{Sender: p, Receiver: q, Deal: economy.Deal{Items: []economy.Stack{{Item: "item-07", Count: 1}}, Money: economy.Money{Type: "gold", Amount: 300}}, At: began.UnixMilli()}, began.UnixMilli())
		trades.add(time.Since(began))
	}
	<-fed
	r.Scores, r.Trades = latency(&scores), latency(&trades)
	return ctx.Err()
}

// heap is what lives on it.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // fits
}

func (r *MemoryReport) print(w io.Writer, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		enc := json.NewEncoder(&b)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("bench economy-memory: %w", err)
		}
	} else {
		fmt.Fprintf(&b, "%d players, %d entries, counted at %.0f/s\n", r.Players, r.Entries, r.PerSecond)
		fmt.Fprintf(&b, "book      %6d MB, %.0f bytes a player; with its snapshot %d MB\n", r.Heap/1_000_000, r.HeapEach, r.WithSnapshot/1_000_000)
		if r.Away > 0 {
			fmt.Fprintf(&b, "Redis     %6d MB of %d players, %.0f bytes each; %d failures\n", r.AwayBytes/1_000_000, r.Away, float64(r.AwayBytes)/float64(r.Away), r.Failures)
		}
		fmt.Fprintf(&b, "process   %6d MB resident, %d MB at most\n", r.Resident/1_000_000, r.Peak/1_000_000)
		fmt.Fprintf(&b, "snapshot  %6.1f s\n", r.Snapshot)
		t := table{tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)}
		t.row(label("µs beside 20000 entries/s"), "questions", "p50", "p99", "p99.9", "max")
		for i, l := range []*Latency{r.Scores, r.Trades} {
			t.row(label([]string{"risk-score", "evaluate-trade"}[i]), strconv.FormatUint(l.Count, 10), num(l.P50), num(l.P99), num(l.P999), num(l.Max))
		}
		_ = t.Flush() // into memory
		for _, g := range r.Goals {
			fmt.Fprintf(&b, "%-8s %s: %s\n", g.Verdict, g.Name, g.Figure)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("bench economy-memory: print: %w", err)
	}
	return nil
}
