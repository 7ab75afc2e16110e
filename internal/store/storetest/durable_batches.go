package storetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// received stores a batch of chunks of ten lines, all but its end.
func received(t *testing.T, s *sqlstore.Store, app engines.AppID, id string, chunks int, at time.Time) store.BatchOrder {
	t.Helper()
	b := store.Batch{ID: id, App: app, By: "app/" + string(app), Created: at}
	must(t, s.BeginBatch(t.Context(), b))
	for i := range chunks {
		must(t, s.PutBatchChunk(t.Context(), store.BatchChunk{Batch: id, Seq: i, First: 1 + 10*i, Lines: 10, Body: []byte("a\u0000b")}))
	}
	b.Lines, b.Bytes = 10*chunks, int64(100*chunks)
	return store.BatchOrder{Batch: b, SHA256: sha256.Sum256([]byte("body")), AtOnce: 100, LinesADay: 1_000_000}
}

func queued(t *testing.T, s *sqlstore.Store, app engines.AppID, id string, chunks int, at time.Time) store.Batch {
	t.Helper()
	b, again, err := s.QueueBatch(t.Context(), received(t, s, app, id, chunks, at))
	must(t, err)
	if again {
		t.Fatalf("batch %s was there before", id)
	}
	return b
}

// resultOf is what came of a chunk whose first line was a block with a case.
func resultOf(c store.BatchChunk, at time.Time) store.BatchResult {
	id := engines.RequestID(fmt.Sprintf("%s-%d", c.Batch, c.Seq))
	d := decision(id)
	d.App, d.CaseID, d.Created = c.App, engines.CaseID("case-"+id), at
	return store.BatchResult{
		Chunk: c, Results: fmt.Appendf(nil, "results of %d\n", c.Seq), Decisions: []store.Decision{d},
		Cases:  []store.Case{{ID: d.CaseID, App: c.App, Request: id, State: store.CaseOpen, Version: 1, Created: at, Updated: at}},
		Counts: store.Batch{Done: 10, Passed: 6, Reviewed: 2, Blocked: 1, Errors: 1},
	}
}

// testBatches follows one batch from its first line to its last result.
func testBatches(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	endpoint(t, s, "game", "h")
	order := received(t, s, "game", "b1", 2, at)
	_, err := s.Batch(ctx, "game", "b1")
	wantErr(t, "a batch that arrives", err, store.ErrNotFound)
	_, err = s.ClaimChunk(ctx, "one", at, at.Add(time.Minute))
	wantErr(t, "a chunk of it", err, store.ErrNotFound)
	b, _, err := s.QueueBatch(ctx, order)
	must(t, err)
	want := order.Batch
	want.State = store.BatchQueued
	same(t, "queued", b, want)
	_, err = s.Batch(ctx, "other", "b1")
	wantErr(t, "another app's", err, store.ErrNotFound)
	must(t, s.DropBatch(ctx, "b1")) // is of those that did not arrive

	first, err := s.ClaimChunk(ctx, "one", at, at.Add(time.Minute))
	must(t, err)
	same(t, "first chunk", first, store.BatchChunk{Batch: "b1", App: "game", Seq: 0, First: 1, Lines: 10, Body: []byte("a\u0000b"), Owner: "one"})
	second, err := s.ClaimChunk(ctx, "two", at, at.Add(time.Minute))
	must(t, err)
	_, err = s.ClaimChunk(ctx, "three", at, at.Add(time.Minute))
	wantErr(t, "a third chunk", err, store.ErrNotFound)
	must(t, s.RenewChunk(ctx, &first, at.Add(2*time.Minute)))
	taken, err := s.ClaimChunk(ctx, "three", at.Add(time.Minute), at.Add(3*time.Minute)) // two has died
	must(t, err)
	same(t, "taken over", taken.Seq, second.Seq)
	wantErr(t, "renewed though it was taken over", s.RenewChunk(ctx, &second, at.Add(time.Hour)), store.ErrConflict)
	_, err = s.FinishChunk(ctx, resultOf(second, at), at)
	wantErr(t, "finished though it was taken over", err, store.ErrConflict)
	_, err = s.Decision(ctx, "game", "b1-1")
	wantErr(t, "its decision", err, store.ErrNotFound)
	_, err = s.BatchPart(ctx, "b1", 11)
	wantErr(t, "its results", err, store.ErrNotFound)

	b, err = s.FinishChunk(ctx, resultOf(taken, at), at.Add(time.Second))
	must(t, err)
	if b.State != store.BatchRunning || b.Done != 10 || b.Passed != 6 || b.Reviewed != 2 || b.Blocked != 1 || b.Errors != 1 || !b.Started.Equal(at) || !b.Ended.IsZero() {
		t.Errorf("after a chunk: %+v", b)
	}
	_, err = s.FinishChunk(ctx, resultOf(taken, at), at)
	wantErr(t, "finished again", err, store.ErrConflict)
	b, err = s.FinishChunk(ctx, resultOf(first, at), at.Add(2*time.Second))
	must(t, err)
	if b.State != store.BatchDone || b.Done != 20 || !b.Ended.Equal(at.Add(2*time.Second)) {
		t.Errorf("at the end: %+v", b)
	}
	for i := range 2 {
		id := fmt.Sprintf("b1-%d", i)
		if _, err := s.Decision(ctx, "game", engines.RequestID(id)); err != nil {
			t.Error(err)
		}
		if _, err := s.Case(ctx, engines.CaseID("case-"+id)); err != nil {
			t.Error(err)
		}
	}
	part, err := s.BatchPart(ctx, "b1", 20)
	must(t, err)
	same(t, "results", part, store.BatchPart{First: 11, Lines: 10, Results: []byte("results of 1\n")})
	_, err = s.BatchPart(ctx, "b1", 21)
	wantErr(t, "past the last line", err, store.ErrNotFound)
	events, err := s.Events(ctx, 10)
	must(t, err)
	events = slices.DeleteFunc(events, func(e store.Event) bool { return e.Type == store.EventCaseOpened })
	if len(events) != 1 || events[0].Type != store.EventBatchDone {
		t.Fatalf("told of %+v", events)
	}
	told, err := store.ReadFact[store.Batch](&events[0])
	must(t, err)
	same(t, "told", told, b)
	batchesEnd(t, p, s, at)
}

// batchesEnd has the one there is swept.
func batchesEnd(t *testing.T, p Place, s *sqlstore.Store, at time.Time) {
	t.Helper()
	ctx := t.Context()
	received(t, s, "game", "half", 1, at.Add(time.Minute))
	n, err := s.SweepBatches(ctx, at, at, 10)
	must(t, err)
	same(t, "swept too early", n, 0)
	n, err = s.SweepBatches(ctx, at.Add(time.Minute), at.Add(time.Minute), 10)
	must(t, err)
	same(t, "swept", n, 2)
	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	for _, table := range []string{"batch", "batch_chunk"} {
		var n int
		must(t, raw.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&n))
		same(t, "rows left in "+table, n, 0)
	}
}

// testBatchKeys: one key is one batch, and an app stays within what it may have.
func testBatchKeys(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	must(t, s.CreateApp(ctx, "game", "k", "psk_x"))
	orders := make([]store.BatchOrder, 8)
	for i := range orders {
		orders[i] = received(t, s, "game", fmt.Sprint("b", i), 1, at)
		orders[i].Key = "key"
	}
	var mu sync.Mutex
	fresh, ids := 0, map[string]bool{}
	_, errs := race(len(orders), func(i int) error {
		b, again, err := s.QueueBatch(ctx, orders[i])
		mu.Lock()
		defer mu.Unlock()
		if err == nil && !again {
			fresh++
		}
		ids[b.ID] = true
		return err
	})
	list, err := s.Batches(ctx, "game", "", economy.Mark{}, 10)
	must(t, err)
	if errs != nil || fresh != 1 || len(ids) != 1 || len(list) != 1 || !ids[list[0].ID] {
		t.Errorf("%d new of one key, told of %v, stored %+v: %v", fresh, ids, list, errs)
	}
	other := received(t, s, "game", "other", 1, at)
	other.Key, other.SHA256 = "key", sha256.Sum256([]byte("another body"))
	_, _, err = s.QueueBatch(ctx, other)
	wantErr(t, "the key with another body", err, store.ErrConflict)
	other.Key, other.AtOnce = "", 1
	_, _, err = s.QueueBatch(ctx, other)
	wantErr(t, "one too many", err, store.ErrBatchesAtOnce)
	other.AtOnce, other.LinesADay = 2, 19
	_, _, err = s.QueueBatch(ctx, other)
	wantErr(t, "lines too many", err, store.ErrBatchLines)
	open, today, err := s.BatchUse(ctx, "game", at)
	must(t, err)
	same(t, "unfinished and lines today", [2]int{open, today}, [2]int{1, 10})
	_, today, err = s.BatchUse(ctx, "game", at.Add(24*time.Hour))
	must(t, err)
	same(t, "lines tomorrow", today, 0)
	must(t, s.DropBatch(ctx, "other"))
	_, _, err = s.QueueBatch(ctx, other)
	wantErr(t, "one that was dropped", errors.Join(err), store.ErrBatchLines) // what it may not is said first
	other.LinesADay = 100
	_, _, err = s.QueueBatch(ctx, other)
	wantErr(t, "one that was dropped", err, store.ErrNotFound)
	foreign := received(t, s, "second", "foreign", 1, at)
	foreign.Key = "key"
	if _, again, err := s.QueueBatch(ctx, foreign); again || err != nil {
		t.Errorf("the key of another app: %v, %v", again, err)
	}
}

// testBatchTurns: apps take turns, and a batch that was cancelled is left alone.
func testBatchTurns(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	queued(t, s, "big", "big1", 3, at)
	queued(t, s, "big", "big2", 3, at)
	queued(t, s, "small", "small1", 2, at.Add(time.Second))
	var order []string
	var last store.BatchChunk
	for i := range 5 {
		tick := at.Add(time.Duration(i+2) * time.Second)
		c, err := s.ClaimChunk(ctx, "one", tick, tick.Add(time.Hour))
		must(t, err)
		order, last = append(order, fmt.Sprintf("%s/%d", c.Batch, c.Seq)), c
	}
	same(t, "turns", order, []string{"big1/0", "small1/0", "big1/1", "small1/1", "big1/2"})

	done, err := s.ClaimChunk(ctx, "one", at.Add(time.Minute), at.Add(time.Hour))
	must(t, err)
	_, err = s.FinishChunk(ctx, resultOf(done, at), at)
	must(t, err)
	b, err := s.CancelBatch(ctx, "big", "big2", "app/big", at.Add(time.Minute))
	must(t, err)
	if b.State != store.BatchCancelled || b.Done != 10 || !b.Ended.Equal(at.Add(time.Minute)) {
		t.Errorf("cancelled: %+v", b)
	}
	again, err := s.CancelBatch(ctx, "big", "big2", "app/big", at.Add(time.Hour))
	must(t, err)
	same(t, "cancelled again", again, b)
	_, err = s.CancelBatch(ctx, "small", "big2", "app/small", at)
	wantErr(t, "cancelled by another app", err, store.ErrNotFound)
	part, err := s.BatchPart(ctx, "big2", 1)
	must(t, err)
	if !bytes.Equal(part.Results, []byte("results of 0\n")) {
		t.Errorf("what has a result keeps it: %+v", part)
	}
	_, err = s.ClaimChunk(ctx, "one", at.Add(time.Minute), at.Add(time.Hour))
	wantErr(t, "a chunk of a cancelled batch", err, store.ErrNotFound)

	_, err = s.CancelBatch(ctx, "big", "big1", "app/big", at)
	must(t, err)
	_, err = s.FinishChunk(ctx, resultOf(last, at), at)
	wantErr(t, "finished after it was cancelled", err, store.ErrConflict)
	_, err = s.Decision(ctx, "big", "big1-2")
	wantErr(t, "a decision of a cancelled chunk", err, store.ErrNotFound)
	must(t, s.FreeChunks(ctx, "nobody"))
	_, err = s.ClaimChunk(ctx, "one", at.Add(time.Minute), at.Add(time.Hour))
	wantErr(t, "what another has", err, store.ErrNotFound)
	must(t, s.FreeChunks(ctx, ""))
	c, err := s.ClaimChunk(ctx, "two", at, at.Add(time.Hour))
	must(t, err)
	same(t, "given back", c.Batch+"/"+c.Owner, "small1/two")

	list, err := s.Batches(ctx, "big", store.BatchCancelled, economy.Mark{}, 1)
	must(t, err)
	rest, err := s.Batches(ctx, "big", "", economy.Mark{At: list[0].Created.UnixMilli(), ID: list[0].ID}, 10)
	must(t, err)
	if list[0].ID != "big2" || len(rest) != 1 || rest[0].ID != "big1" {
		t.Errorf("listed %+v, then %+v", list, rest)
	}
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

// workOff does all chunks there are. One that the server rolled back is tried again.
func workOff(t *testing.T, s *sqlstore.Store, node string, at time.Time) error {
	t.Helper()
	for {
		c, err := s.ClaimChunk(t.Context(), node, at, at.Add(time.Minute))
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err == nil {
			_, err = s.FinishChunk(t.Context(), resultOf(c, at), at)
		}
		if err != nil && !errors.Is(err, store.ErrUnavailable) {
			return err
		}
	}
}

// testBatchConcurrent has many work on some batches at once: each chunk is finished once.
func testBatchConcurrent(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	const chunks = 20
	for i := range 3 {
		queued(t, s, engines.AppID(fmt.Sprint("app", i%2)), fmt.Sprint("b", i), chunks, at)
	}
	if _, errs := race(6, func(i int) error { return workOff(t, s, fmt.Sprint("node", i), at) }); errs != nil {
		t.Fatal(errs)
	}
	must(t, s.FreeChunks(ctx, "")) // of those whom a deadlock sent away
	must(t, workOff(t, s, "last", at))
	for i := range 3 {
		b, err := s.Batch(ctx, engines.AppID(fmt.Sprint("app", i%2)), fmt.Sprint("b", i))
		must(t, err)
		if b.State != store.BatchDone || b.Done != 10*chunks || b.Passed != 6*chunks || b.Errors != chunks {
			t.Errorf("batch %+v", b)
		}
	}
}
