package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const deliveryFields = `delivery_id, webhook_id, app_id, event_id, type, payload, state, attempts, since_ts, next_ts, last_ts, last_status, last_error, created_ts`

func scanDelivery(row scanner) (d store.Delivery, err error) {
	var since, next, last, created int64
	err = row.Scan(&d.ID, &d.Hook, &d.App, &d.Event, &d.Type, &d.Payload, &d.State, &d.Attempts, &since, &next, &last, &d.Status, &d.Error, &created)
	d.Since, d.Next, d.Last, d.Created = fromMillis(since), fromMillis(next), someMillis(last), fromMillis(created)
	return d, err
}

// someMillis is the zero time for 0.
func someMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return fromMillis(ms)
}

// zeroMillis is 0 for the zero time.
func zeroMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return millis(t)
}

func insertDelivery(ctx context.Context, q querier, d *store.Delivery) error {
	_, err := q.ExecContext(ctx, `INSERT INTO webhook_delivery (`+deliveryFields+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (webhook_id, event_id) DO NOTHING`,
		d.ID, d.Hook, string(d.App), d.Event, d.Type, d.Payload, d.State, d.Attempts, millis(d.Since), millis(d.Next), zeroMillis(d.Last),
		d.Status, d.Error, millis(d.Created))
	return err
}

// PutDelivery stores one delivery beside the outbox.
func (s *Store) PutDelivery(ctx context.Context, d store.Delivery) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return insertDelivery(ctx, q, &d) })
	if err != nil {
		return fmt.Errorf("store delivery: %w", classify(err))
	}
	return nil
}

// ClaimDeliveries takes up to most deliveries of an endpoint that are due and keeps
// them from others until a time; each counts as an attempt.
func (s *Store) ClaimDeliveries(ctx context.Context, hook string, now, until time.Time, most int) (list []store.Delivery, err error) {
	lock := ""
	if s.driver == "postgres" { // who claims beside us does not wait
		lock = ` FOR UPDATE SKIP LOCKED`
	}
	query := `UPDATE webhook_delivery SET attempts = attempts + 1, next_ts = $1 WHERE delivery_id IN (
		SELECT delivery_id FROM webhook_delivery WHERE webhook_id = $2 AND state = 'pending' AND next_ts <= $3 ORDER BY next_ts LIMIT $4` + lock + `)
		RETURNING ` + deliveryFields
	err = s.core.write(ctx, most, func(ctx context.Context, q querier) error {
		var err error
		list, err = collect(ctx, q, scanDelivery, query, millis(until), hook, millis(now), most)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim deliveries: %w", classify(err))
	}
	return list, nil
}

// FinishDelivery notes how an attempt ended, and what that says of its endpoint.
// A failure of a claim that another has taken over since changes nothing.
func (s *Store) FinishDelivery(ctx context.Context, a store.Attempt) error {
	d := &a.Delivery
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if a.OK {
			_, err := q.ExecContext(ctx, `UPDATE webhook_delivery SET state = 'delivered', last_ts = $1, last_status = $2, last_error = '' WHERE delivery_id = $3`,
				millis(a.At), a.Status, d.ID)
			if err == nil {
				_, err = q.ExecContext(ctx, `UPDATE webhook SET failing_ts = 0 WHERE webhook_id = $1 AND failing_ts <> 0`, d.Hook)
			}
			return err
		}
		state := store.DeliveryPending
		if a.Next.IsZero() {
			state = store.DeliveryDead
		}
		n, err := exec(ctx, q, `UPDATE webhook_delivery SET state = $1, next_ts = $2, last_ts = $3, last_status = $4, last_error = $5
			WHERE delivery_id = $6 AND attempts = $7 AND state = 'pending'`,
			state, zeroMillis(a.Next), millis(a.At), a.Status, a.Error, d.ID, d.Attempts)
		if err == nil && n == 1 {
			_, err = q.ExecContext(ctx, `UPDATE webhook SET failing_ts = $1 WHERE webhook_id = $2 AND failing_ts = 0`, millis(a.At), d.Hook)
		}
		if err != nil || a.Off == "" {
			return err
		}
		return switchOff(ctx, q, d.Hook, a.Off, a.At)
	})
	if err != nil {
		return fmt.Errorf("finish delivery %s: %w", d.ID, classify(err))
	}
	return nil
}

// switchOff ends an endpoint and all that waits for it.
func switchOff(ctx context.Context, q querier, hook, reason string, at time.Time) error {
	n, err := exec(ctx, q, `UPDATE webhook SET enabled = 0, off_reason = $1, updated_ts = $2 WHERE webhook_id = $3 AND enabled = 1`, reason, millis(at), hook)
	if err != nil || n == 0 {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE webhook_delivery SET state = 'dead', last_ts = $1, last_error = 'the endpoint was switched off'
		WHERE webhook_id = $2 AND state = 'pending'`, millis(at), hook)
	return err
}

// Deliveries lists those of an endpoint, newest first; state "" is any.
func (s *Store) Deliveries(ctx context.Context, app engines.AppID, hook, state string, before economy.Mark, most int) ([]store.Delivery, error) {
	query := `SELECT ` + deliveryFields + ` FROM webhook_delivery WHERE webhook_id = $1 AND app_id = $2 AND ($3 = '' OR state = $3)`
	args := []any{hook, string(app), state}
	if before != (economy.Mark{}) {
		query += ` AND (created_ts < $4 OR created_ts = $4 AND delivery_id < $5)`
		args = append(args, before.At, before.ID)
	}
	query += fmt.Sprintf(` ORDER BY created_ts DESC, delivery_id DESC LIMIT $%d`, len(args)+1)
	list, err := collect(ctx, s.core.read(), scanDelivery, query, append(args, most)...)
	if err != nil {
		return nil, fmt.Errorf("deliveries: %w", classify(err))
	}
	return list, nil
}

// Redeliver makes a delivery due again, whatever became of it, with all its
// attempts before it. store.ErrNotFound: the endpoint of this app has none such;
// store.ErrConflict: the endpoint is off.
func (s *Store) Redeliver(ctx context.Context, app engines.AppID, hook, delivery string, now time.Time) (d store.Delivery, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var enabled int
		err := q.QueryRowContext(ctx, `SELECT enabled FROM webhook WHERE webhook_id = $1 AND app_id = $2`, hook, string(app)).Scan(&enabled)
		if err == nil && enabled == 0 {
			return fmt.Errorf("%w: the endpoint is off", store.ErrConflict)
		}
		if err != nil {
			return err
		}
		list, err := collect(ctx, q, scanDelivery, `UPDATE webhook_delivery SET state = 'pending', attempts = 0, since_ts = $1, next_ts = $1
			WHERE delivery_id = $2 AND webhook_id = $3 RETURNING `+deliveryFields, millis(now), delivery, hook)
		if err == nil && len(list) == 0 {
			err = store.ErrNotFound
		}
		if err == nil {
			d = list[0]
		}
		return err
	})
	if err != nil {
		return d, fmt.Errorf("send delivery %s again: %w", delivery, classify(err))
	}
	return d, nil
}
