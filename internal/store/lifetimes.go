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
)
