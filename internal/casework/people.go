package casework

import (
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
)

// Person is who works on cases. System is one that is nobody: time, or what follows
// of another decision.
type Person struct {
	Name   string
	Role   string // moderator, senior, admin
	System bool
}

var (
	deciders = []string{"moderator", "senior", "admin"}
	seniors  = []string{"senior", "admin"}
)

// Senior reports whether the person may act on what others have, and decided.
func (p Person) Senior() bool { return p.System || slices.Contains(seniors, p.Role) }

// Rights limit who may take cases of a queue and a category, beyond the roles of the
// queue.
type Rights interface {
	MayTake(ctx context.Context, p Person, queue string, category engines.Category) (bool, error)
}

// People finds who may be given a case; store.ErrNotFound for a name that is
// nobody's, or somebody's who does not work here any more.
type People interface {
	Person(ctx context.Context, name string) (Person, error)
}

// mayQueue is the rule of the configuration.
func (r *Rules) mayQueue(p Person, queue string) bool {
	if p.System {
		return true
	}
	for i := range r.cfg.Queues {
		if q := &r.cfg.Queues[i]; q.Queue == queue && len(q.Roles) > 0 {
			return slices.Contains(q.Roles, p.Role)
		}
	}
	return slices.Contains(deciders, p.Role)
}
