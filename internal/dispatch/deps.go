package dispatch

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Outbox is the gateway's way to the queues; redisstore.Jobs is all of these.
type Outbox interface {
	// SendJob returns the job's place in its queue. store.ErrQueueFull: that has most
	// unfinished ones; store.ErrQuarantined: nobody is to look at the content.
	SendJob(ctx context.Context, job *store.Job, most int) (entry string, err error)
	// WithdrawJob takes a job back, unless a worker has it.
	WithdrawJob(ctx context.Context, job *store.Job, entry string) error
	// Replies waits for replies to this gateway's jobs of a kind that came after one.
	Replies(ctx context.Context, kind engines.Kind, after string, wait time.Duration) (list []store.JobReply, last string, err error)
}

// Roster knows the workers.
type Roster interface {
	Workers(ctx context.Context, kind engines.Kind) ([]store.Worker, error)
	JobQueues(ctx context.Context, kind engines.Kind) ([]store.JobQueue, error)
}

// Inbox is the worker's way to the queues.
type Inbox interface {
	// TakeJobs waits up to wait for the first job; none is no error.
	TakeJobs(ctx context.Context, kind engines.Kind, prompt int, bulk bool, wait time.Duration) ([]store.JobWork, error)
	// KeepJobs says that these are still worked on.
	KeepJobs(ctx context.Context, kind engines.Kind, lane store.Lane, entries []string) error
	// ClaimJobs takes over jobs of which nobody has said anything for idle.
	ClaimJobs(ctx context.Context, kind engines.Kind, lane store.Lane, idle time.Duration, most int, mine func(entry string) bool) ([]store.JobWork, error)
}

// Answers ends jobs: BuryJob first where one is poison, then AnswerJob, then FinishJob.
type Answers interface {
	AnswerJob(ctx context.Context, w *store.JobWork, r store.JobReply) error
	FinishJob(ctx context.Context, w *store.JobWork) error
	// BuryJob puts the content of a job into quarantine; the job stays.
	BuryJob(ctx context.Context, w *store.JobWork, reason string) error
}

// Presence says that a worker is there.
type Presence interface {
	Beat(ctx context.Context, w *store.Worker) error
	Leave(ctx context.Context, kind engines.Kind, id string) error
	SweepWorkers(ctx context.Context, kind engines.Kind) error
}
