package meaning

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
	// Runs is how many sentences are read at a time; 0 is half of the cores, at least one.
	Runs int
	// Slot is how long a message waits for its turn. One that has none by then goes without:
	// that is the rule when all are busy.
	Slot time.Duration
	// Answer is how long it waits in all.
	Answer time.Duration
}

// Within is for a gateway, whose text engine has 18 ms: one run takes 3 to 8.
func Within() Limits { return Limits{Slot: 3 * time.Millisecond, Answer: 12 * time.Millisecond} }

// Patient is for measurements, where every answer counts.
func Patient() Limits {
	return Limits{Runs: runtime.GOMAXPROCS(0), Slot: time.Hour, Answer: time.Hour}
}

// spare is what is left of a caller's time for what comes after.
const spare = 2 * time.Millisecond

// model reads a sentence; Model is one.
type model interface {
	Logit(text string) (float64, error)
}

// Reader reads sentences on threads of its own, so that a caller whose time is up need not
// wait for one. It is safe for concurrent use.
type Reader struct {
	model  model
	limits Limits
	jobs   chan job // none wait in it: a sentence is handed to a run that is free
	runs   sync.WaitGroup
	log    *slog.Logger

	read, full, late, failed atomic.Uint64
}

type job struct {
	text string
	done chan answer // holds one, so that nobody waits to give it
}

type answer struct {
	logit float64
	err   error
}

// Counts are what became of the sentences that somebody asked about.
type Counts struct {
	Read   uint64 // were read
	Full   uint64 // had no turn in time
	Late   uint64 // had no answer in time
	Failed uint64 // the model failed
}

// NewReader starts the runs. Whoever makes it calls Close; the model is its caller's.
func NewReader(m *Model, l Limits, log *slog.Logger) *Reader { return newReader(m, l, log) }

func newReader(m model, l Limits, log *slog.Logger) *Reader {
	if l.Runs <= 0 {
		l.Runs = max(1, runtime.GOMAXPROCS(0)/2)
	}
	r := &Reader{model: m, limits: l, jobs: make(chan job), log: log}
	for range l.Runs {
		r.runs.Go(r.run)
	}
	return r
}

func (r *Reader) run() {
	for j := range r.jobs {
		var a answer
		a.logit, a.err = r.model.Logit(j.text)
		j.done <- a
	}
}

// Close ends the runs. Nobody may ask any more.
func (r *Reader) Close() {
	close(r.jobs)
	r.runs.Wait()
}

// Read gives Model.Logit of a text; ok is false where it has no turn or no answer within the
// limits, or before ctx ends, and where the model failed. All are counted.
func (r *Reader) Read(ctx context.Context, text string) (logit float64, ok bool) {
	wait := r.limits.Answer
	if end, bounded := ctx.Deadline(); bounded {
		wait = min(wait, time.Until(end)-spare)
	}
	slot := time.NewTimer(min(wait, r.limits.Slot))
	defer slot.Stop()
	j := job{text, make(chan answer, 1)}
	begun := time.Now()
	select {
	case r.jobs <- j:
	case <-slot.C:
		r.full.Add(1)
		return 0, false
	case <-ctx.Done():
		r.full.Add(1)
		return 0, false
	}
	slot.Reset(wait - time.Since(begun))
	select {
	case a := <-j.done:
		if a.err != nil {
			if r.failed.Add(1) == 1 { // once: it fails for all, or for a text that can't be named
				r.log.ErrorContext(ctx, "the meaning of a sentence is not read", "reason", a.err)
			}
			return 0, false
		}
		r.read.Add(1)
		return a.logit, true
	case <-slot.C:
		r.late.Add(1)
		return 0, false
	case <-ctx.Done():
		r.late.Add(1)
		return 0, false
	}
}

// Counts are the sentences so far.
func (r *Reader) Counts() Counts {
	return Counts{r.read.Load(), r.full.Load(), r.late.Load(), r.failed.Load()}
}
