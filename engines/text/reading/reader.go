// Package reading asks a network about messages within bounds of time and of cores: how many
// texts are read at a time, how long one waits for its turn, and how long in all. What a
// network gives of a text is its own business (engines/text/meaning, engines/text/gist).
package reading

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Limits bound what reading may cost whoever asks.
type Limits struct {
	// Runs is how many texts are read at a time; 0 is half of the cores, at least one.
	Runs int
	// Slot is how long a message waits for its turn. One that has none by then goes without:
	// that is the rule when all are busy.
	Slot time.Duration
	// Answer is how long it waits in all.
	Answer time.Duration
	// Remembered is how many answers are kept for texts that come again, up to twice as many at
	// times; 0 keeps none. An answer takes some 100 bytes.
	Remembered int
}

// Within is for a gateway, whose text engine has 18 ms: one run takes 3 to 8.
func Within() Limits {
	return Limits{Slot: 3 * time.Millisecond, Answer: 12 * time.Millisecond, Remembered: 2048}
}

// Patient is for measurements, where every answer counts.
func Patient() Limits {
	return Limits{Runs: runtime.GOMAXPROCS(0), Slot: time.Hour, Answer: time.Hour}
}

// spare is what is left of a caller's time for what comes after.
const spare = 2 * time.Millisecond

// Reader reads texts on threads of its own, so that a caller whose time is up need not wait
// for one. T is what a network answers. It is safe for concurrent use.
type Reader[T any] struct {
	network func(text string) (T, error)
	limits  Limits
	jobs    chan job[T] // none wait in it: a text is handed to a run that is free
	runs    sync.WaitGroup
	known   *memory[T]
	log     *slog.Logger

	read, again, full, late, failed atomic.Uint64
}

type job[T any] struct {
	text string
	done chan answer[T] // holds one, so that nobody waits to give it
}

type answer[T any] struct {
	is    T
	again bool // it was known by then
	err   error
}

// Counts are what became of the texts that somebody asked about.
type Counts struct {
	Read   uint64 // were read
	Again  uint64 // had been read before
	Full   uint64 // had no turn in time
	Late   uint64 // had no answer in time
	Failed uint64 // the network failed
}

// New starts the runs. network is called by several at a time. Whoever makes a reader calls
// Close, and closes the network after it.
func New[T any](network func(text string) (T, error), l Limits, log *slog.Logger) *Reader[T] {
	if l.Runs <= 0 {
		l.Runs = max(1, runtime.GOMAXPROCS(0)/2)
	}
	r := &Reader[T]{network: network, limits: l, jobs: make(chan job[T]), known: newMemory[T](l.Remembered), log: log}
	for range l.Runs {
		r.runs.Go(r.run)
	}
	return r
}

func (r *Reader[T]) run() {
	for j := range r.jobs {
		var a answer[T]
		// Whoever waited for a turn may have waited for the same text.
		if a.is, a.again = r.known.find(j.text); !a.again {
			a.is, a.err = r.network(j.text)
		}
		if a.err == nil && !a.again { // one that comes too late is there for the next who asks
			r.known.add(j.text, a.is)
		}
		j.done <- a
	}
}

// Close ends the runs. Nobody may ask any more.
func (r *Reader[T]) Close() {
	close(r.jobs)
	r.runs.Wait()
}

// Read gives what the network says of a text; ok is false where it has no turn or no answer
// within the limits, or before ctx ends, and where the network failed. All are counted.
func (r *Reader[T]) Read(ctx context.Context, text string) (is T, ok bool) {
	var none T
	if is, ok = r.known.find(text); ok {
		r.again.Add(1)
		return is, true
	}
	wait := r.limits.Answer
	if end, bounded := ctx.Deadline(); bounded {
		wait = min(wait, time.Until(end)-spare)
	}
	slot := time.NewTimer(min(wait, r.limits.Slot))
	defer slot.Stop()
	j := job[T]{text, make(chan answer[T], 1)}
	begun := time.Now()
	select {
	case r.jobs <- j:
	case <-slot.C:
		r.full.Add(1)
		return none, false
	case <-ctx.Done():
		r.full.Add(1)
		return none, false
	}
	slot.Reset(wait - time.Since(begun))
	select {
	case a := <-j.done:
		if a.err != nil {
			if r.failed.Add(1) == 1 { // once: it fails for all, or for a text that can't be named
				r.log.ErrorContext(ctx, "a message is not read as a whole", "reason", a.err)
			}
			return none, false
		}
		if a.again {
			r.again.Add(1)
		} else {
			r.read.Add(1)
		}
		return a.is, true
	case <-slot.C:
		r.late.Add(1)
		return none, false
	case <-ctx.Done():
		r.late.Add(1)
		return none, false
	}
}

// Counts are the texts so far.
func (r *Reader[T]) Counts() Counts {
	return Counts{r.read.Load(), r.again.Load(), r.full.Load(), r.late.Load(), r.failed.Load()}
}
