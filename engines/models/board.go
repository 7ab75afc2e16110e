package models

import (
	"errors"
	"sync"
)

// States of a model in this process.
const (
	StateLoaded  = "loaded"
	StateFailed  = "failed"
	StateMissing = "missing"
	StateUnused  = "unused" // it is there, and nothing asked for it
)

// Note is what became of a model.
type Note struct {
	State  string
	Reason string // why it is not loaded; "" when it is
}

// Board is where whoever loads a model says what became of it, for the status. It is
// safe for concurrent use; its zero value is empty.
type Board struct {
	mu    sync.RWMutex
	notes map[string]Note
}

// Loaded notes that a model runs.
func (b *Board) Loaded(id string) { b.note(id, Note{State: StateLoaded}) }

// Failed notes why a model does not run; one that was not fetched is missing.
func (b *Board) Failed(id string, err error) {
	state := StateFailed
	if errors.Is(err, ErrMissing) {
		state = StateMissing
	}
	b.note(id, Note{State: state, Reason: err.Error()})
}

func (b *Board) note(id string, n Note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.notes == nil {
		b.notes = map[string]Note{}
	}
	b.notes[id] = n
}

// Of is what became of a model; ok is false where nobody said.
func (b *Board) Of(id string) (n Note, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	n, ok = b.notes[id]
	return n, ok
}
