package store

import (
	"errors"
	"io"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Batch states. While its lines arrive a batch is none: nobody sees it.
const (
	BatchQueued    = "queued"
	BatchRunning   = "running"
	BatchDone      = "done"
	BatchCancelled = "cancelled"
)

// What an app may not exceed with its batches. Drivers wrap them.
var (
	ErrBatchesAtOnce = errors.New("store: as many batches are unfinished as an app may have")
	ErrBatchLines    = errors.New("store: as many lines of batches today as an app may send")
)

// Batch is many checks that an app sent at once.
type Batch struct {
	ID    string
	App   engines.AppID
	State string
	Lines int // all of them, those with a fault too
	Bytes int64
	// Done counts the lines that have a result: the three suggestions, or an error.
	Done, Passed, Reviewed, Blocked, Errors int
	By                                      string
	Created, Started, Ended                 time.Time // zero: not yet
}

// BatchUpload is a batch on its way in.
type BatchUpload struct {
	App engines.AppID
	Key string // the Idempotency-Key, "" for none
	By  string
	// Body is NDJSON; an error of it is the caller's answer.
	Body io.Reader
}

// BatchOrder is a batch whose lines are all stored, as it is to be queued.
type BatchOrder struct {
	Batch  Batch
	Key    string // the Idempotency-Key, "" for none
	SHA256 [32]byte
	// AtOnce and LinesADay are what the app may have unfinished, and send from
	// midnight (UTC) on, this batch included.
	AtOnce, LinesADay int
}

// BatchChunk is some lines of a batch, claimed by a worker.
type BatchChunk struct {
	Batch string
	App   engines.AppID
	Seq   int
	First int // number of the first line; lines count from 1
	Lines int
	Body  []byte // its lines, see AppendLine
	Owner string
}

// BatchResult is what came of a chunk: its results, a line of NDJSON for each of its
// lines, and the decisions and cases that are committed with them.
type BatchResult struct {
	Chunk     BatchChunk
	Results   []byte
	Counts    Batch // Done and what follows it, of this chunk
	Decisions []Decision
	Cases     []Case
}

// BatchPart is the results of a chunk, in the order of lines.
type BatchPart struct {
	First, Lines int
	Results      []byte
}
