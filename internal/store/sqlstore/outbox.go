package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// The stored form of what an event is about; see record.go.
type (
	eventRecord struct {
		Ban     *economy.Ban      `json:"ban,omitempty"`
		Case    *caseRecord       `json:"case,omitempty"`
		Check   engines.RequestID `json:"check,omitempty"`
		Fact    json.RawMessage   `json:"fact,omitempty"`
		Rollout *stoppedRecord    `json:"rollout,omitempty"`
	}
	// stoppedRecord is a rollout as it stopped.
	stoppedRecord struct {
		ID      string             `json:"id"`
		Layer   string             `json:"layer"`
		Name    string             `json:"name"`
		Step    store.RolloutState `json:"step"`
		Share   int                `json:"share,omitempty"`
		Why     string             `json:"why"`
		Version int                `json:"version"`
		Changed int64              `json:"changed"`
	}
	caseRecord struct {
		ID       engines.CaseID    `json:"id"`
		Request  engines.RequestID `json:"request"`
		Priority int               `json:"priority,omitempty"`
		Created  time.Time         `json:"created"`
		Alert    *economy.Alert    `json:"alert"`
	}
)

// tell puts an event into the outbox, in the transaction of what it tells of. An
// app that has no endpoint is told nothing.
func tell(ctx context.Context, q querier, e store.Event) error {
	var listens bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM webhook WHERE app_id = $1 AND enabled = 1)`, string(e.App)).Scan(&listens)
	if err != nil || !listens {
		return err
	}
	r := eventRecord{Ban: e.Ban, Check: e.Check, Fact: e.Fact}
	if c := e.Case; c != nil {
		r.Case = &caseRecord{ID: c.ID, Request: c.Request, Priority: c.Priority, Created: c.Created, Alert: c.Alert}
	}
	if p := e.Rollout; p != nil {
		r.Rollout = &stoppedRecord{p.ID, p.Layer, p.Name, p.Step, p.Share, p.Why, p.Version, p.Changed}
	}
	payload, err := json.Marshal(r)
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO outbox (event_id, app_id, type, payload, created_ts) VALUES ($1, $2, $3, $4, $5)`,
		id.String(), string(e.App), e.Type, payload, millis(time.Now()))
	return err
}

// Events lists what is in the outbox, oldest first. One that cannot be read any
// more is about nothing.
func (s *Store) Events(ctx context.Context, most int) ([]store.Event, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (e store.Event, err error) {
		var payload []byte
		var created int64
		if err = row.Scan(&e.ID, &e.App, &e.Type, &payload, &created); err != nil {
			return e, err
		}
		e.At = fromMillis(created)
		var r eventRecord
		if json.Unmarshal(payload, &r) != nil {
			return e, nil //nolint:nilerr // one bad row must not keep the rest back
		}
		e.Ban, e.Check, e.Fact = r.Ban, r.Check, r.Fact
		if p := r.Rollout; p != nil {
			e.Rollout = &store.Rollout{
				PolicyKey: store.PolicyKey{App: e.App, Layer: p.Layer, Name: p.Name}, ID: p.ID, State: store.RolloutStopped, Step: p.Step, Share: p.Share,
				Why: p.Why, Version: p.Version, Changed: p.Changed,
			}
		}
		if c := r.Case; c != nil && c.Alert != nil {
			e.Case = &store.Case{
				ID: c.ID, App: e.App, Request: c.Request, Player: c.Alert.Player, State: store.CaseOpen, Kind: string(c.Alert.Kind),
				Priority: c.Priority, Alert: c.Alert, Version: 1, Created: c.Created, Updated: c.Created,
			}
		}
		return e, nil
	}, `SELECT event_id, app_id, type, payload, created_ts FROM outbox ORDER BY event_id LIMIT $1`, most)
	if err != nil {
		return nil, fmt.Errorf("outbox: %w", classify(err))
	}
	return list, nil
}

// Deliver takes an event out of the outbox and stores its deliveries, all or
// nothing. Of two that do it at once, one changes nothing.
func (s *Store) Deliver(ctx context.Context, event string, list []store.Delivery) error {
	err := s.core.write(ctx, 1+len(list), func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `DELETE FROM outbox WHERE event_id = $1`, event)
		if err != nil || n == 0 {
			return err
		}
		for i := range list {
			if err := insertDelivery(ctx, q, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("deliver event %s: %w", event, classify(err))
	}
	return nil
}
