package hooks

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// lookEvery is how often the store is asked for what is due, beside Wake: events of
	// other gateways and of whoever does not wake us, and second attempts.
	lookEvery = 250 * time.Millisecond
	// fanAtOnce is how many events are taken out of the outbox in one round.
	fanAtOnce = 256
	// laneWidth is how many requests to one endpoint are under way at once.
	laneWidth = 4
	// leaseSpare is how much longer than an attempt may take a delivery is kept from
	// other gateways.
	leaseSpare = 5 * time.Second
	// coolest bounds how long an endpoint that fails is left alone by this gateway,
	// whatever else waits for it.
	coolest = time.Minute
)

// Service delivers events. Its methods are safe for concurrent use.
type Service struct {
	cfg    Config
	deps   Deps
	client *http.Client
	m      *metrics
	wake   chan struct{} // 1: somebody knows that there is something to do

	mu    sync.Mutex
	lanes map[string]*lane // by endpoint: those that run, and those that cool down
	free  int
}

// lane is an endpoint that is served here.
type lane struct {
	running bool
	failed  int       // attempts in a row
	until   time.Time // it is left alone so long
}

// New makes a service. Serve delivers while it runs.
func New(cfg Config, deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{
		cfg: cfg, deps: deps, client: cfg.client(), m: newMetrics(deps.Registry),
		wake: make(chan struct{}, 1), lanes: map[string]*lane{}, free: cfg.Lanes,
	}
}

// Fault says what is wrong with an endpoint's URL, "" where nothing is.
func (s *Service) Fault(address string) string { return s.cfg.Fault(address) }

// Wake has the store looked at now. It does not wait.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // a look is due as it is
	}
}

// Serve delivers until ctx ends, and returns when no attempt is under way.
func (s *Service) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	defer s.client.CloseIdleConnections()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := s.round(ctx, &wg); err != nil && ctx.Err() == nil {
			s.deps.Log.DebugContext(ctx, "webhooks: store not read", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.wake:
		}
	}
}

// round empties the outbox and starts a lane for each endpoint that has something
// to send and none yet.
func (s *Service) round(ctx context.Context, wg *sync.WaitGroup) error {
	for {
		n, err := s.fan(ctx)
		if err != nil {
			return err
		}
		if n < fanAtOnce {
			break
		}
	}
	due, err := s.deps.Store.DueHooks(ctx, s.deps.Now())
	if err != nil {
		return err
	}
	rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] }) // nobody is always last
	for i := range due {
		h := &due[i]
		if s.take(h.ID) {
			wg.Go(func() { s.run(ctx, h) })
		}
	}
	return nil
}

// fan turns events into deliveries to the endpoints that want them.
func (s *Service) fan(ctx context.Context) (int, error) {
	events, err := s.deps.Store.Events(ctx, fanAtOnce)
	if err != nil {
		return 0, err
	}
	hooks := map[engines.AppID][]store.Hook{}
	for i := range events {
		e := &events[i]
		if _, ok := hooks[e.App]; !ok {
			if hooks[e.App], err = s.deps.Store.Hooks(ctx, e.App); err != nil {
				return 0, err
			}
		}
		if err := s.deliver(ctx, e, hooks[e.App]); err != nil {
			return 0, err
		}
	}
	return len(events), nil
}

func (s *Service) deliver(ctx context.Context, e *store.Event, hooks []store.Hook) error {
	var body []byte
	var list []store.Delivery
	for i := range hooks {
		h := &hooks[i]
		if !h.Enabled || !wants(h, e.Type) {
			continue
		}
		if body == nil {
			var err error
			if body, err = s.deps.Body(ctx, e); err != nil {
				return err
			}
			if body == nil {
				s.deps.Log.WarnContext(ctx, "webhooks: nothing left to say of an event", "app", e.App, "event", e.ID, "type", e.Type)
				break
			}
		}
		list = append(list, s.delivery(h, e, body))
	}
	return s.deps.Store.Deliver(ctx, e.ID, list)
}

func wants(h *store.Hook, event string) bool {
	for _, e := range h.Events {
		if e == event || e == "*" {
			return true
		}
	}
	return false
}

func (s *Service) delivery(h *store.Hook, e *store.Event, body []byte) store.Delivery {
	now := s.deps.Now()
	return store.Delivery{
		ID: newID(), App: h.App, Hook: h.ID, Event: e.ID, Type: e.Type, Payload: body,
		State: store.DeliveryPending, Since: now, Next: now, Created: now,
	}
}

// newID is a UUIDv7.
func newID() string { return uuid.Must(uuid.NewV7()).String() } // fails only where the system has no random numbers
