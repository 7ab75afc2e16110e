package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	// A line that an engine was too busy for is asked again so often, after so long; one
	// with a file, at which others sit for seconds, after longer.
	askAgain    = 5
	againIn     = 50 * time.Millisecond
	fileAgainIn = 2 * time.Second
	// resultBytes is about what a result takes.
	resultBytes = 256
)

// checked is what came of a chunk, before it is stored. It is the worker's that made it,
// until its next.
type checked struct {
	store.BatchResult
	judged []review.Judged
	lines  []wire.BatchLine // whose items are judged's
	pace   *pace
	// outcomes are those of the line that is being checked.
	outcomes []engines.Outcome
	// reserved are the app's reserved names, nil until a line is a name: one reading for
	// the chunk. failed says that they could not be read: the chunk is tried again.
	reserved *[]string
	failed   error
}

// worker checks chunk after chunk, and uses the room for one again for the next: a batch
// makes little garbage beside live traffic, which a collection would hold up.
type worker struct {
	pace
	judged  []review.Judged
	lines   []wire.BatchLine
	results []byte
}

// keepResults is the most room for results that a worker keeps.
const keepResults = 256 << 10

// clear lets go of what was checked.
func (w *worker) clear(out *checked) {
	clear(out.judged)
	clear(out.lines)
	w.judged, w.lines = out.judged[:0], out.lines[:0]
	if cap(out.Results) <= keepResults {
		w.results = out.Results[:0]
	}
}

// line checks one line and appends its result.
func (s *Service) line(ctx context.Context, out *checked, number int, kind store.LineKind, n int, text []byte) {
	r := &out.BatchResult
	r.Counts.Done++
	fault := func(id string, e *wire.Error) {
		r.Counts.Errors++
		r.Results = wire.AppendBatchError(r.Results, number, id, e)
	}
	switch kind {
	case store.LineText:
	case store.LineEmpty:
		fault("", wire.Invalid("", "the line is empty"))
		return
	case store.LineHuge:
		e := wire.Fail(wire.TooLarge, "the line is too long")
		e.Fields = []wire.Field{{Reason: fmt.Sprintf("at most %d bytes, %d with a picture or a sound", s.cfg.LineBytes, s.cfg.FileLineBytes)}}
		fault("", e)
		return
	case store.LineTwice:
		e := wire.Fail(wire.Conflict, "the line stands twice")
		e.Fields = []wire.Field{{Pointer: "/id", Reason: "line " + strconv.Itoa(n) + " has this id"}}
		fault("", e)
		return
	case store.LineErased:
		fault("", wire.Fail(wire.NotFound, "the data of its player was erased"))
		return
	default: // of a newer release
		fault("", wire.Fail(wire.Internal, ""))
		return
	}
	o, err := wire.Parse(text)
	if err != nil {
		fault("", wire.From(err))
		return
	}
	read, err := wire.ReadBatchLine(o, s.deps.Limits)
	if err != nil {
		fault(read.ID, wire.From(err))
		return
	}
	out.lines = append(out.lines, read)
	l := &out.lines[len(out.lines)-1]
	if !s.prepare(ctx, out, l, fault) {
		return
	}
	if s.deps.Named != nil {
		s.deps.Named(r.Chunk.App, l.At(0).Item.Player)
	}
	first := len(out.judged)
	out.outcomes = out.outcomes[:0]
	for i := range l.Len() {
		j := s.judge(ctx, &l.At(i).Item, out.pace)
		if j.Refused != nil { // a line is decided whole or not at all
			out.judged = out.judged[:first]
			fault(l.ID, wire.Refused(j.Refused))
			return
		}
		out.judged, out.outcomes = append(out.judged, j), append(out.outcomes, j.Outcome)
	}
	r.Results = wire.AppendBatchResult(r.Results, number, l, out.outcomes)
	gravest := engines.Pass
	for _, j := range out.judged[first:] {
		if found := j.Outcome.Verdict.Found().Suggestion; found.Rank() > gravest.Rank() {
			gravest = found
		}
		if j.Decision != nil {
			r.Decisions = append(r.Decisions, *j.Decision)
		}
		if j.Case != nil {
			r.Cases = append(r.Cases, *j.Case)
		}
	}
	switch gravest {
	case engines.Block:
		r.Counts.Blocked++
	case engines.Review:
		r.Counts.Reviewed++
	case engines.Pass:
		r.Counts.Passed++
	}
}

// prepare adds to a line's items what it does not say itself: the app, of names those
// that the app keeps for itself, and looks at a file's headers. It reports whether the
// line can be checked.
func (s *Service) prepare(ctx context.Context, out *checked, l *wire.BatchLine, fault func(id string, e *wire.Error)) bool {
	for i := range l.Len() {
		item := &l.At(i).Item
		item.App = out.Chunk.App
		if item.Media != nil {
			if err := s.deps.Accept(item.Kind, item.Media.Bytes, item.Media.Type); err != nil {
				fault(l.ID, wire.From(err))
				return false
			}
		}
		if item.Kind != engines.KindName || s.deps.Reserved == nil {
			continue
		}
		if out.reserved == nil {
			words, err := s.deps.Reserved(ctx, item.App)
			if err != nil {
				out.failed = fmt.Errorf("reserved names: %w", err)
				return false
			}
			out.reserved = &words
		}
		item.Naming.Reserved = *out.reserved
	}
	return true
}

// guarded is line, whatever happens: a line that we fail at has that for its result, and
// does not end the process, which would meet it again at its next start.
func (s *Service) guarded(ctx context.Context, out *checked, number int, kind store.LineKind, n int, text []byte) {
	before := *out
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		*out = before
		out.Counts.Done++
		out.Counts.Errors++
		out.Results = wire.AppendBatchError(out.Results, number, "", wire.Fail(wire.Internal, ""))
		what := fmt.Sprintf("%T", v) // a value may quote the line
		if re, ok := v.(runtime.Error); ok {
			what = re.Error()
		}
		s.deps.Log.ErrorContext(ctx, "batch: panic", "batch", out.Chunk.Batch, "line", number, "panic", what, "stack", string(debug.Stack()))
	}()
	s.line(ctx, out, number, kind, n, text)
}

// judge has an item decided. A batch can wait: where an engine had no time for it, it
// asks again before it takes a verdict without the engine's. To look at a file again that
// an engine failed at, or was late with, would cost as much and change nothing.
// The lane is another's while a file is looked at, which others do, for seconds, and
// between two attempts.
func (s *Service) judge(ctx context.Context, item *engines.Item, p *pace) (j review.Judged) {
	for again := askAgain; ; again-- {
		var retry bool
		after := againIn
		if item.Media != nil {
			p.away(ctx, func() { j = s.deps.Desk.Judge(ctx, item) })
			after, retry = fileAgainIn, j.Busy()
		} else {
			j = s.deps.Desk.Judge(ctx, item)
			retry = j.Outcome.Verdict.Degraded
		}
		if !retry || again == 0 {
			return j
		}
		there := false
		p.away(ctx, func() { there = pause(ctx, after) })
		if !there {
			return j
		}
		item.RequestID, item.ReceivedAt = "", time.Time{} // the next attempt has its own
	}
}

// pause waits, and reports whether ctx is still there.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// check checks a chunk, and keeps its claim meanwhile: a line may be a sound that is
// listened to for minutes. The error is of ctx, of a claim that ended, or of a body that
// cannot be read.
func (s *Service) check(ctx context.Context, c store.BatchChunk, w *worker) (out *checked, err error) {
	held, release := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { s.renew(held, release, c) })
	defer func() {
		release(nil)
		renewing.Wait()
	}()
	w.begin(ctx)
	out = &checked{judged: w.judged, lines: w.lines, pace: &w.pace}
	out.Chunk, out.Results = c, slices.Grow(w.results, c.Lines*resultBytes)
	body := c.Body
	for i := range c.Lines {
		if held.Err() != nil {
			return nil, fmt.Errorf("check lines: %w", context.Cause(held))
		}
		kind, n, text, rest, err := store.CutLine(body)
		if err != nil {
			return nil, err
		}
		s.guarded(held, out, c.First+i, kind, n, text)
		if out.failed != nil {
			return nil, out.failed
		}
		body = rest
		w.rest(held)
	}
	if held.Err() != nil { // the last line was cut short
		return nil, fmt.Errorf("check lines: %w", context.Cause(held))
	}
	return out, nil
}

// renew keeps a claim until ctx ends, or ends it where the claim is another's.
func (s *Service) renew(ctx context.Context, lose context.CancelCauseFunc, c store.BatchChunk) {
	tick := time.NewTicker(s.renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := s.deps.Store.RenewChunk(ctx, &c, s.deps.Now().Add(lease))
		if errors.Is(err, store.ErrConflict) {
			lose(err)
			return
		}
		if err != nil && ctx.Err() == nil { // the claim lasts for another try or two
			s.deps.Log.WarnContext(ctx, "batch: claim not renewed", "batch", c.Batch, "err", err)
		}
	}
}
