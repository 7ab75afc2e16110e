package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// State is how the workers of a kind are.
type State struct {
	Workers []store.Worker
	Queues  []store.JobQueue
	// Running says where the next item would be looked at: Local or Workers.
	Running Run
}

// State asks how the workers are. An error means that Redis does not answer.
func (e *Engine) State(ctx context.Context) (State, error) {
	s := State{Running: Workers}
	if e.cfg.Run == Both && !e.present.Load() {
		s.Running = Local
	}
	var err1, err2 error
	s.Workers, err1 = e.deps.Roster.Workers(ctx, e.deps.Kind)
	s.Queues, err2 = e.deps.Roster.JobQueues(ctx, e.deps.Kind)
	return s, errors.Join(err1, err2)
}

// Able reports whether anybody can look at an item.
func (s *State) Able() bool { return s.Running == Local || fresh(s.Workers) > 0 }

// String is the state in one line, for people.
func (s *State) String() string {
	slots, busy, waiting, buried := 0, 0, int64(0), int64(0)
	for i := range s.Workers {
		if w := &s.Workers[i]; w.Fresh() {
			slots, busy = slots+w.Slots, busy+w.InFlight
		}
	}
	oldest := time.Duration(0)
	for _, q := range s.Queues {
		waiting, buried, oldest = waiting+q.Waiting, q.Buried, max(oldest, q.Oldest)
	}
	text := fmt.Sprintf("%d workers, %d of %d slots busy, %d jobs wait, the oldest unfinished for %d ms, %d put away",
		fresh(s.Workers), busy, slots, waiting, oldest.Milliseconds(), buried)
	if s.Running == Local {
		text += "; no worker is there, so this gateway looks itself"
	}
	return text
}
