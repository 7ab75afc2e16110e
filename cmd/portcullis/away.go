package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
)

// atWorkers is how many items of a kind one gateway has at workers at most.
const atWorkers = 128

// awayKinds are the kinds that workers may look at.
var awayKinds = []engines.Kind{engines.KindImage, engines.KindAudio}

// validDispatch holds how a kind goes to workers against its bounds.
func validDispatch(section string, c dispatch.Config) error {
	var errs []error
	switch c.Run {
	case dispatch.Local, dispatch.Workers, dispatch.Both:
	default:
		errs = append(errs, fmt.Errorf("%s.run: %q is not local, workers or both", section, c.Run))
	}
	if c.Queue < 2 {
		errs = append(errs, fmt.Errorf("%s.job_queue: must be at least 2", section))
	}
	if c.PayloadBytes <= 0 {
		errs = append(errs, fmt.Errorf("%s.job_bytes: must be positive", section))
	}
	return errors.Join(errs...)
}

// sendAway has workers look at a kind; local, which may be nil, where none does.
func (a *app) sendAway(kind engines.Kind, c dispatch.Config, local engines.Engine) (engines.Engine, error) {
	e, err := dispatch.New(c, dispatch.Deps{
		Kind: kind, Outbox: a.jobs, Roster: a.jobs, Node: a.node, Local: local, Registry: a.reg, Log: a.log,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // it names what is wrong
	}
	if a.away == nil {
		a.away = map[engines.Kind]*dispatch.Engine{}
	}
	a.away[kind] = e
	return e, nil
}

// bounded is an engine with slots of its own, below a pool that has more since most of
// its items are looked at elsewhere. Full-rule: the next one waits for its deadline.
type bounded struct {
	engine engines.Engine
	slots  chan struct{}
}

func (b *bounded) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	select {
	case b.slots <- struct{}{}:
	case <-ctx.Done():
		return out, ctx.Err() //nolint:wrapcheck // the pool's own
	}
	defer func() { <-b.slots }()
	return b.engine.Inspect(ctx, item, out) //nolint:wrapcheck // the pool's own
}

// workersComponents say how the workers are, of each kind that any are asked for.
func (a *app) workersComponents(ctx context.Context) (list []gateway.Component) {
	for _, kind := range awayKinds {
		away := a.away[kind]
		if away == nil {
			continue
		}
		c := gateway.Component{Name: "workers:" + string(kind), State: "ok"}
		state, err := away.State(ctx)
		switch {
		case err != nil:
			c.State, c.Detail = "degraded", "the queue of jobs does not answer"
		default:
			if !state.Able() {
				c.State = "degraded"
			}
			c.Detail = state.String()
		}
		list = append(list, c)
	}
	return list
}
