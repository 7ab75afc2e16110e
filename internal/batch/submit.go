package batch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"hash/maphash"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/giveway"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	// A chunk is what is checked and committed at once: so many lines, or bytes. Larger
	// ones would hold up whoever writes a verdict beside them.
	chunkLines = 128
	chunkBytes = 128 << 10
	// dropWithin is how long what did not arrive may take to go; the rest is swept.
	dropWithin = 5 * time.Second
)

// Submit takes a batch; it is on disk when it returns. again: it was sent before under
// the same key. Errors that are a *wire.Error say what is wrong with it.
func (s *Service) Submit(ctx context.Context, u store.BatchUpload) (b store.Batch, again bool, err error) {
	if !s.uploads.take(u.App) {
		return b, false, s.refuse(&wire.Error{Code: wire.Unavailable, Message: "too many batches are arriving", RetryAfter: 2 * time.Second})
	}
	defer s.uploads.leave(u.App)
	open, today, err := s.deps.Store.BatchUse(ctx, u.App, s.deps.Now())
	if err != nil {
		return b, false, err
	}
	if u.Key == "" { // else it may be a repeat, which takes nothing
		if err := s.within(open, today+1); err != nil {
			return b, false, s.refuse(err)
		}
	}
	done := make(chan struct{})
	go func() { // a thread of its own, behind the others: it is waited for below
		defer close(done)
		giveway.Now()
		b, again, err = s.receive(ctx, &u)
	}()
	<-done
	if err != nil {
		return b, false, s.refuse(err)
	}
	if !again {
		s.m.batches.WithLabelValues(store.BatchQueued).Inc()
		s.deps.Log.InfoContext(ctx, "batch queued", "batch", b.ID, "app", b.App, "lines", b.Lines, "bytes", b.Bytes)
		s.Wake()
	}
	return b, again, nil
}

// refuse names what an app may not, and counts it.
func (s *Service) refuse(err error) error {
	s.m.batches.WithLabelValues(refused).Inc()
	switch {
	case errors.Is(err, store.ErrBatchesAtOnce):
		return s.within(s.cfg.AtOnce, 0)
	case errors.Is(err, store.ErrBatchLines):
		return s.within(0, s.cfg.LinesADay+1)
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "the Idempotency-Key was used for another batch")
	}
	return err
}

// within says whether an app may have one batch more, with which it has sent so many
// lines today.
func (s *Service) within(open, lines int) error {
	now := s.deps.Now().UTC()
	switch {
	case open >= s.cfg.AtOnce:
		e := wire.Fail(wire.RateLimited, fmt.Sprintf("%d batches are unfinished, as many as an app may have", s.cfg.AtOnce))
		e.RetryAfter = 10 * time.Second
		return e
	case lines > s.cfg.LinesADay:
		e := wire.Fail(wire.RateLimited, fmt.Sprintf("more than %d lines of batches today (UTC)", s.cfg.LinesADay))
		e.RetryAfter = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
		return e
	}
	return nil
}

// intake is a batch while it arrives.
type intake struct {
	s     *Service
	batch store.Batch
	chunk store.BatchChunk
	sum   hash.Hash
	seed  maphash.Seed
	// ids are the lines by a hash of their id, 64 bits of it: two ids of a batch share
	// one in a batch of a billion.
	ids map[uint64]int32
}

// receive stores what arrives and queues it; what does not arrive whole goes.
func (s *Service) receive(ctx context.Context, u *store.BatchUpload) (b store.Batch, again bool, err error) {
	in := &intake{
		s: s, sum: sha256.New(), seed: maphash.MakeSeed(), ids: map[uint64]int32{},
		batch: store.Batch{ID: "bat_" + uuid.Must(uuid.NewV7()).String(), App: u.App, By: u.By, Created: s.deps.Now()},
	}
	if err := s.deps.Store.BeginBatch(ctx, in.batch); err != nil {
		return b, false, err
	}
	if err = in.read(ctx, u.Body); err == nil {
		order := store.BatchOrder{Batch: in.batch, Key: u.Key, AtOnce: s.cfg.AtOnce, LinesADay: s.cfg.LinesADay}
		copy(order.SHA256[:], in.sum.Sum(nil))
		b, again, err = s.deps.Store.QueueBatch(ctx, order)
	}
	if err != nil {
		gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWithin)
		defer cancel()
		if dropped := s.deps.Store.DropBatch(gone, in.batch.ID); dropped != nil {
			s.deps.Log.WarnContext(ctx, "batch that did not arrive is left to the sweep", "batch", in.batch.ID, "err", dropped)
		}
	}
	return b, again, err
}

// read takes the body apart into chunks.
func (in *intake) read(ctx context.Context, body io.Reader) error {
	lines := newLineReader(io.TeeReader(&counted{body, in}, in.sum), in.s.cfg.FileLineBytes)
	for {
		line, huge, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if in.batch.Lines == in.s.cfg.Lines {
			return wire.Fail(wire.TooLarge, fmt.Sprintf("more than %d lines", in.s.cfg.Lines))
		}
		in.batch.Lines++
		id, kind := "", engines.Kind("")
		if len(line) > 0 {
			id, kind = wire.BatchLineHead(line)
		}
		if len(line) > in.s.cfg.LineBytes && kind != engines.KindImage && kind != engines.KindAudio {
			line, huge = nil, true
		}
		if in.chunk.Lines == chunkLines || len(in.chunk.Body) > 0 && len(in.chunk.Body)+len(line) > chunkBytes {
			if err := in.flush(ctx); err != nil {
				return err
			}
		}
		in.add(line, id, huge)
	}
	if in.batch.Lines == 0 {
		return wire.Invalid("", "a batch has one line at least")
	}
	return in.flush(ctx)
}

// add puts a line into the chunk that is being filled.
func (in *intake) add(line []byte, id string, huge bool) {
	c := &in.chunk
	if c.Lines == 0 {
		c.First = in.batch.Lines
	}
	c.Lines++
	switch {
	case huge:
		c.Body = store.AppendLine(c.Body, store.LineHuge, 0, nil)
	case len(line) == 0:
		c.Body = store.AppendLine(c.Body, store.LineEmpty, 0, nil)
	default:
		if first := in.first(id); first != 0 {
			c.Body = store.AppendLine(c.Body, store.LineTwice, first, nil)
			return
		}
		c.Body = store.AppendLine(c.Body, store.LineText, len(line), line)
	}
}

// first returns the line that has the same id, 0 where none has.
func (in *intake) first(id string) int {
	if id == "" {
		return 0
	}
	key := maphash.String(in.seed, id)
	if first, ok := in.ids[key]; ok {
		return int(first)
	}
	in.ids[key] = int32(in.batch.Lines) //nolint:gosec // maxLines at most
	return 0
}

// flush stores the chunk and begins the next.
func (in *intake) flush(ctx context.Context) error {
	in.chunk.Batch, in.chunk.App = in.batch.ID, in.batch.App
	if err := in.s.deps.Store.PutBatchChunk(ctx, in.chunk); err != nil {
		return err
	}
	body := in.chunk.Body[:0]
	if cap(body) > 2*chunkBytes {
		body = nil // of a file: the next one is small, or needs as much again
	}
	in.chunk = store.BatchChunk{Seq: in.chunk.Seq + 1, Body: body}
	return nil
}

// counted counts the bytes of a body and ends it where they are too many.
type counted struct {
	io.Reader
	in *intake
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.in.batch.Bytes += int64(n); c.in.batch.Bytes > c.in.s.cfg.Bytes {
		return 0, wire.Fail(wire.TooLarge, fmt.Sprintf("more than %d bytes", c.in.s.cfg.Bytes))
	}
	return n, err //nolint:wrapcheck // a Reader's
}
