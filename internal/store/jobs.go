package store

import (
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Errors of jobs. The content of a quarantined job ended several workers: nobody is
// to look at it until its quarantine is over. A full queue took nothing.
var (
	ErrQuarantined = errors.New("store: the content is in quarantine")
	ErrQueueFull   = errors.New("store: the queue of jobs is full")
)

// Lane is one of the two queues of a kind of job.
type Lane uint8

// The lanes. Somebody waits for what is in Prompt; what is in Bulk waits behind it.
const (
	Prompt Lane = iota
	Bulk
)

func (l Lane) String() string {
	if l == Bulk {
		return "batch"
	}
	return "rt"
}

// Job is one inspection on its way to a worker.
type Job struct {
	// ID is the job's own, unique for all time; replies name it.
	ID   string
	Kind engines.Kind
	Lane Lane
	// Node is the gateway that waits for the reply.
	Node string
	// Version is that of the form of Meta and of the reply.
	Version int
	// Content is the SHA-256 of Payload, which quarantine goes by.
	Content [32]byte
	Meta    []byte
	// Payload is the file. Up to InlinePayload it travels in the queue, else beside it.
	Payload []byte
	// TTL is how long anybody waits for the reply, from when the queue takes the job.
	// By the queue's own clock: those of gateways and workers may differ.
	TTL time.Duration
}

// InlinePayload is the most bytes of a payload that travel in the queue itself.
const InlinePayload = 64 << 10

// JobWork is a job in a worker's hands.
type JobWork struct {
	Job
	// Entry is its place in the queue.
	Entry string
	// Left is what is left of TTL.
	Left time.Duration
	// Deliveries is how often the job was handed out, this time included, and Deaths
	// how many workers ended with its content in hand lately.
	Deliveries, Deaths int
	// Gone is set where the payload is no longer there: who waited for it has left.
	Gone bool
}

// JobStatus says what became of a job.
type JobStatus string

// The states. Refused: the worker speaks another version. Poison: workers ended with
// the job in hand, so that it was taken away.
const (
	JobDone    JobStatus = "done"
	JobFailed  JobStatus = "failed"
	JobRefused JobStatus = "refused"
	JobPoison  JobStatus = "poison"
)

// JobReply is a worker's answer.
type JobReply struct {
	Job    string
	Status JobStatus
	// Worker is who answers.
	Worker string
	// Body is what was found, in the job's version; "" where nothing is to be said.
	Body []byte
}

// Worker is what a worker says of itself.
type Worker struct {
	ID   string
	Kind engines.Kind
	// Model names what it inspects with, Version the program.
	Model, Version  string
	Slots, InFlight int
	// Seen is how long ago it said so.
	Seen time.Duration
}

// Fresh reports whether the worker can be counted on.
func (w *Worker) Fresh() bool { return w.Seen < WorkerFresh }

// JobQueue is how long a queue is.
type JobQueue struct {
	Lane Lane
	// Waiting jobs are in nobody's hands; Running ones are in a worker's.
	Waiting, Running int64
	// Oldest is the age of the oldest unfinished one, 0 where there is none.
	Oldest time.Duration
	// Buried counts the jobs that were put away as poison, of both lanes.
	Buried int64
}
