package hooks

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store is what webhooks need of the durable store, part by part below.
type Store interface {
	Outbox
	Queue
	Endpoints
}

// Outbox holds the events that nobody has been told of yet.
type Outbox interface {
	// Events lists the oldest.
	Events(ctx context.Context, most int) ([]store.Event, error)
	// Deliver takes an event out and stores its deliveries, all or nothing; where the
	// event is out already it changes nothing.
	Deliver(ctx context.Context, event string, list []store.Delivery) error
}

// Queue holds deliveries until they are made.
type Queue interface {
	// DueHooks lists the endpoints that have something to send, with their secrets.
	DueHooks(ctx context.Context, now time.Time) ([]store.Hook, error)
	// ClaimDeliveries takes some of an endpoint that are due, keeps them from other
	// gateways until a time, and counts an attempt for each.
	ClaimDeliveries(ctx context.Context, hook string, now, until time.Time, most int) ([]store.Delivery, error)
	FinishDelivery(ctx context.Context, a store.Attempt) error
}

// Endpoints keeps what apps want to be told, and where.
type Endpoints interface {
	// Hooks lists those of an app with their secrets.
	Hooks(ctx context.Context, app engines.AppID) ([]store.Hook, error)
	CountDeliveries(ctx context.Context, app engines.AppID) (pending, dead map[string]int, err error)
	PutHooks(ctx context.Context, c store.HookChange) error
	PutDelivery(ctx context.Context, d store.Delivery) error
	Deliveries(ctx context.Context, app engines.AppID, hook, state string, before economy.Mark, most int) ([]store.Delivery, error)
	Redeliver(ctx context.Context, app engines.AppID, hook, delivery string, now time.Time) (store.Delivery, error)
}

// Deps is what a Service stands on.
type Deps struct {
	Store Store
	// Body writes an event as endpoints get it; nil for one that there is nothing to
	// say of any more.
	Body     func(ctx context.Context, e *store.Event) ([]byte, error)
	Registry prometheus.Registerer // nil keeps the metrics to the service
	Log      *slog.Logger
	Now      func() time.Time // nil is time.Now
}
