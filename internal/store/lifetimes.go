package store

import (
	"time"

	"github.com/portcullis-gg/portcullis/internal/session"
)

// Lifetimes of what Redis holds.
const (
	// TouchEvery is how often an owner renews a session's state.
	TouchEvery = time.Minute
	// RearmEvery is how often the lifetime of a stream in use is set again.
	RearmEvery = 20 * time.Second
	// StateTTL leaves the whole resume window after a death just before a renewal.
	StateTTL = session.ResumeWindow + TouchEvery + 30*time.Second
	// AnswerTTL covers the window in which a repeated id gets its stored answer.
	AnswerTTL = session.ResumeWindow + RearmEvery
	// SceneTTL is longer than any session can be away.
	SceneTTL = 10 * time.Minute
	// WorkerBeat is how often a worker says that it is there; after WorkerFresh of
	// silence nobody counts on it, after WorkerTTL it is forgotten.
	WorkerBeat  = 2 * time.Second
	WorkerFresh = 5 * time.Second
	WorkerTTL   = 10 * time.Second
	// QuarantineTTL is how long a content that ended workers is left alone.
	QuarantineTTL = 10 * time.Minute
	// RepliesTTL is longer than anybody waits for a reply.
	RepliesTTL = time.Hour
)

// Lengths of streams that are trimmed.
const (
	GraveLength   = 1000
	RepliesLength = 100_000
)
