package hooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// oldSecretFor is how long a secret serves on after another has replaced it.
const oldSecretFor = 24 * time.Hour

// List returns an app's endpoints, with how many deliveries wait and were given up.
func (s *Service) List(ctx context.Context, app engines.AppID) ([]store.Hook, error) {
	list, err := s.deps.Store.Hooks(ctx, app)
	if err != nil {
		return nil, err
	}
	pending, dead, err := s.deps.Store.CountDeliveries(ctx, app)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Pending, list[i].Dead = pending[list[i].ID], dead[list[i].ID]
	}
	return list, nil
}

// Put makes an app's endpoints what is wished, and returns them with the new secrets
// by id: it is the only time that a secret is told. An id that is none of the app's
// is store.ErrNotFound.
func (s *Service) Put(ctx context.Context, app engines.AppID, wishes []store.HookWish, by string) (list []store.Hook, secrets map[string]string, err error) {
	before, err := s.deps.Store.Hooks(ctx, app)
	if err != nil {
		return nil, nil, err
	}
	now := s.deps.Now()
	c := store.HookChange{App: app, By: by, At: now, Until: now.Add(oldSecretFor)}
	secrets = map[string]string{}
	for _, w := range wishes {
		i := slices.IndexFunc(before, func(h store.Hook) bool { return h.ID == w.ID || w.ID == "" && h.URL == w.URL })
		if i < 0 && w.ID != "" {
			return nil, nil, fmt.Errorf("webhook %s: %w", w.ID, store.ErrNotFound)
		}
		h := store.Hook{App: app, URL: w.URL, Events: w.Events, Enabled: w.Enabled}
		if i < 0 {
			h.ID = "whk_" + newID()
		} else {
			h.ID = before[i].ID
		}
		if i < 0 || w.Rotate {
			k := store.HookSecret{KeyID: "whs_" + newID(), Secret: newSecret()}
			h.Secrets, secrets[h.ID] = []store.HookSecret{k}, k.Secret
		}
		c.Put = append(c.Put, h)
	}
	if err := s.deps.Store.PutHooks(ctx, c); err != nil {
		return nil, nil, err
	}
	list, err = s.List(ctx, app)
	return list, secrets, err
}

// find returns an endpoint of an app.
func (s *Service) find(ctx context.Context, app engines.AppID, hook string) (store.Hook, error) {
	list, err := s.deps.Store.Hooks(ctx, app)
	if err != nil {
		return store.Hook{}, err
	}
	i := slices.IndexFunc(list, func(h store.Hook) bool { return h.ID == hook })
	if i < 0 {
		return store.Hook{}, fmt.Errorf("webhook %s: %w", hook, store.ErrNotFound)
	}
	return list[i], nil
}

// Deliveries is a page of an endpoint's deliveries, newest first; state "" is any.
func (s *Service) Deliveries(ctx context.Context, app engines.AppID, hook, state string, before economy.Mark, most int) ([]store.Delivery, error) {
	if _, err := s.find(ctx, app, hook); err != nil {
		return nil, err
	}
	return s.deps.Store.Deliveries(ctx, app, hook, state, before, most)
}

// Resend makes a delivery due again, whatever became of it. store.ErrNotFound: there
// is none such; store.ErrConflict: the endpoint is off.
func (s *Service) Resend(ctx context.Context, app engines.AppID, hook, delivery string) (store.Delivery, error) {
	d, err := s.deps.Store.Redeliver(ctx, app, hook, delivery, s.deps.Now())
	s.Wake()
	return d, err
}

// Test sends an event to an endpoint that says nothing. Errors are those of Resend.
func (s *Service) Test(ctx context.Context, app engines.AppID, hook string) (store.Delivery, error) {
	h, err := s.find(ctx, app, hook)
	if err != nil {
		return store.Delivery{}, err
	}
	if !h.Enabled {
		return store.Delivery{}, fmt.Errorf("webhook %s is off: %w", hook, store.ErrConflict)
	}
	e := store.Event{ID: newID(), App: app, Type: store.EventTest, At: s.deps.Now()}
	body, err := s.deps.Body(ctx, &e)
	if err != nil {
		return store.Delivery{}, err
	}
	d := s.delivery(&h, &e, body)
	if err := s.deps.Store.PutDelivery(ctx, d); err != nil {
		return store.Delivery{}, err
	}
	s.Wake()
	return d, nil
}
