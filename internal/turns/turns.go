// Package turns has long jobs done one after the other at a gateway, while a store is
// told how far they are, so that whoever asks another gateway sees them go on, or
// lost. What a job is, and how it is stored, its owner knows.
package turns

import (
	"context"
	"sync"
	"time"
)

// lastWrite is how long the end of what will not be done may take to be written.
const lastWrite = 2 * time.Second

// Job is one job. Its methods are called by one goroutine at a time.
type Job interface {
	JobID() string
	// GoesOn reports whether its end is still to come.
	GoesOn() bool
	// Cancel notes that it will not end.
	Cancel()
}

// Queue has the jobs of a gateway that wait, run, or whose end is not written yet. Add
// and Change are safe for concurrent use; Run and Beat run once, beside each other.
type Queue[J Job] struct {
	write   func(ctx context.Context, j J) error
	waiting chan J
	mu      sync.Mutex // guards what follows, and is held while a job is written
	jobs    map[string]J
}

// New makes a queue in which at most most jobs wait. write stores a job as it is, is
// never called twice at once, and what failed is written again by Beat.
func New[J Job](most int, write func(ctx context.Context, j J) error) *Queue[J] {
	return &Queue[J]{write: write, waiting: make(chan J, most), jobs: map[string]J{}}
}

// Add has a job wait for its turn once begin has stored it. begin sees the jobs that
// there are and refuses one too many: it has to leave no more waiting than most.
func (q *Queue[J]) Add(j J, begin func(have map[string]J) error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := begin(q.jobs); err != nil {
		return err
	}
	q.jobs[j.JobID()] = j
	q.waiting <- j // there is room: begin has counted what waits
	return nil
}

// Run does one job after the other until ctx ends; what is not done then is cancelled.
func (q *Queue[J]) Run(ctx context.Context, do func(ctx context.Context, j J)) {
	for {
		select {
		case <-ctx.Done():
			q.cancel(ctx)
			return
		case j := <-q.waiting:
			do(ctx, j)
		}
	}
}

// Note changes a job without writing it: Beat does.
func (q *Queue[J]) Note(change func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change()
}

// Change changes a job and writes it.
func (q *Queue[J]) Change(ctx context.Context, j J, change func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change()
	q.put(ctx, j)
}

// put writes a job, and forgets it once its end is written; q.mu is held.
func (q *Queue[J]) put(ctx context.Context, j J) {
	if err := q.write(ctx, j); err == nil && !j.GoesOn() {
		delete(q.jobs, j.JobID())
	}
}

// cancel notes of what waits or runs that it will not end.
func (q *Queue[J]) cancel(ctx context.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
	defer stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.jobs {
		if j.GoesOn() {
			j.Cancel()
		}
		q.put(ctx, j) // one that is not written will look lost
	}
}

// Beat writes every job each time that so much has passed, until ctx ends, so that none
// looks lost.
func (q *Queue[J]) Beat(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		q.mu.Lock()
		for _, j := range q.jobs {
			q.put(ctx, j)
		}
		q.mu.Unlock()
	}
}

// Len is how many jobs there are.
func (q *Queue[J]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.jobs)
}
