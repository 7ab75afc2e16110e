package hooks

import (
	"context"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// take gives an endpoint a lane; false where it has one, is left alone for now, or
// no lane is free: the next round asks again.
func (s *Service) take(hook string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[hook]
	if l == nil {
		l = &lane{}
		s.lanes[hook] = l
	}
	if l.running || s.free == 0 || s.deps.Now().Before(l.until) {
		return false
	}
	l.running = true
	s.free--
	return true
}

// leave gives the lane back. An endpoint that failed is left alone for a while.
func (s *Service) leave(hook string, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free++
	l := s.lanes[hook]
	if !failed {
		delete(s.lanes, hook)
		return
	}
	l.running = false
	l.failed++
	l.until = s.deps.Now().Add(min(coolest, time.Second<<min(l.failed, 10)))
}

// laneTurns is after how many claims a lane is given back, so that endpoints with
// much to send take turns.
const laneTurns = 32

// run sends what is due to one endpoint, some at a time, until nothing is, an attempt
// fails or its turn is over.
func (s *Service) run(ctx context.Context, h *store.Hook) {
	failed := false
	defer func() { s.leave(h.ID, failed) }()
	for turn := 0; turn < laneTurns && ctx.Err() == nil && !failed; turn++ {
		now := s.deps.Now()
		list, err := s.deps.Store.ClaimDeliveries(ctx, h.ID, now, now.Add(s.cfg.Timeout+leaseSpare), laneWidth)
		if err != nil {
			s.deps.Log.DebugContext(ctx, "webhooks: not claimed", "webhook", h.ID, "err", err)
			failed = true
			return
		}
		if len(list) == 0 {
			return
		}
		oks := make([]bool, len(list))
		var wg sync.WaitGroup
		for i := range list {
			wg.Go(func() { oks[i] = s.one(ctx, h, list[i]) })
		}
		wg.Wait()
		for _, ok := range oks {
			failed = failed || !ok
		}
	}
	s.Wake() // more may be due
}

// finishWithin is how long the end of an attempt may take to be noted; what is not
// noted is sent again once its lease has ended.
const finishWithin = 5 * time.Second

// one makes one attempt and notes how it ended.
func (s *Service) one(ctx context.Context, h *store.Hook, d store.Delivery) bool {
	a := s.attempt(ctx, h, d)
	if !a.OK && ctx.Err() != nil { // going down: that was not the endpoint's fault
		a.Next, a.Off = a.At, ""
	}
	s.m.attempt(&a)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	if err := s.deps.Store.FinishDelivery(ctx, a); err != nil {
		s.deps.Log.WarnContext(ctx, "webhooks: attempt not noted", "webhook", h.ID, "delivery", d.ID, "err", err)
	}
	switch {
	case a.Off != "":
		s.deps.Log.WarnContext(ctx, "webhooks: endpoint switched off", "app", h.App, "webhook", h.ID, "reason", a.Off)
	case !a.OK && a.Next.IsZero():
		s.deps.Log.WarnContext(ctx, "webhooks: delivery given up", "app", h.App, "webhook", h.ID, "delivery", d.ID, "attempts", d.Attempts, "cause", a.Error)
	}
	return a.OK
}
