package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutLadder commits a version of an app's ladder with its audit entry and returns it
// as stored: with its number, was+1, and its time. store.ErrConflict: was is not the
// newest version; 0 is none.
func (s *Store) PutLadder(ctx context.Context, l store.Ladder, was int) (store.Ladder, error) {
	l.Version, l.Changed = was+1, millis(time.Now())
	body, err := json.Marshal(l.Rules)
	if err != nil {
		return store.Ladder{}, fmt.Errorf("store ladder: %w", err)
	}
	detail, err := json.Marshal(map[string]any{"app_id": l.App, "version": l.Version, "ladder": json.RawMessage(body)})
	if err != nil {
		return store.Ladder{}, fmt.Errorf("store ladder: %w", err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var newest int
		err := q.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM penalty_ladder WHERE app_id = $1`, string(l.App)).Scan(&newest)
		if err != nil {
			return err
		}
		if newest != was {
			return store.ErrConflict
		}
		// Of two that come here together one meets the other's key.
		_, err = q.ExecContext(ctx, `INSERT INTO penalty_ladder (app_id, version, body, made_by, changed_ts) VALUES ($1, $2, $3, $4, $5)`,
			string(l.App), l.Version, body, l.By, l.Changed)
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, store.Audit{
			Chain: s.node, TS: time.Now(), Actor: l.By, Action: "ladder", Object: "app/" + string(l.App), Detail: string(detail),
		})
	})
	if err = classify(err); errors.Is(err, store.ErrExists) {
		err = store.ErrConflict
	}
	if err != nil {
		return store.Ladder{}, fmt.Errorf("store ladder: %w", err)
	}
	return l, nil
}

// LaddersChanged lists the newest ladders of all apps that were stored at or after
// since by our clock, epoch ms; 0 is all.
func (s *Store) LaddersChanged(ctx context.Context, since int64) ([]store.Ladder, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (l store.Ladder, err error) {
		var body []byte
		if err = row.Scan(&l.App, &l.Version, &body, &l.By, &l.Changed); err == nil {
			err = json.Unmarshal(body, &l.Rules)
		}
		return l, err
	}, `SELECT app_id, version, body, made_by, changed_ts FROM penalty_ladder l WHERE changed_ts >= $1
		AND NOT EXISTS (SELECT 1 FROM penalty_ladder n WHERE n.app_id = l.app_id AND n.version > l.version)`, since)
	if err != nil {
		return nil, fmt.Errorf("ladders: %w", classify(err))
	}
	return list, nil
}
