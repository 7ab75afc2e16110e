package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const policyFields = `p.app_id, p.layer, p.name, p.version, p.body, p.removed, p.how, p.of_version, p.rollout_id, p.made_by, p.approved_by, p.note, p.changed_ts`

// newestPolicy keeps of the versions of p the newest.
const newestPolicy = `NOT EXISTS (SELECT 1 FROM policy n WHERE n.app_id = p.app_id AND n.layer = p.layer AND n.name = p.name AND n.version > p.version)`

func scanPolicy(row scanner) (p store.Policy, err error) {
	var body, note []byte
	var removed int
	err = row.Scan(&p.App, &p.Layer, &p.Name, &p.Version, &body, &removed, &p.How, &p.Of, &p.Rollout, &p.By, &p.Approved, &note, &p.Changed)
	p.Body, p.Removed, p.Comment = string(body), removed != 0, string(note)
	return p, err
}

// PutPolicy commits a version of a layer, a list or settings with its audit entry,
// and returns it as stored: with its number, was+1, and its time. store.ErrConflict:
// was is not the newest version; 0 is none. store.ErrRollout: a rollout of it runs.
func (s *Store) PutPolicy(ctx context.Context, p store.Policy, was int) (store.Policy, error) {
	p.Version, p.Changed = was+1, millis(time.Now())
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var n int
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM policy_rollout WHERE app_id = $1 AND holds = 1 AND layer = $2 AND name = $3`,
			string(p.App), p.Layer, p.Name).Scan(&n)
		if err != nil {
			return err
		}
		if n > 0 {
			return store.ErrRollout
		}
		return s.insertPolicy(ctx, q, &p)
	})
	if err != nil {
		return store.Policy{}, fmt.Errorf("store policy %s/%s: %w", p.Layer, p.Name, conflict(err))
	}
	return p, nil
}

// conflict is store.ErrConflict of two that came together: one met the other's key.
func conflict(err error) error {
	err = classify(err)
	if errors.Is(err, store.ErrExists) {
		return fmt.Errorf("%w: %w", store.ErrConflict, err)
	}
	return err
}

// insertPolicy stores a version where the one before it is the newest.
func (s *Store) insertPolicy(ctx context.Context, q querier, p *store.Policy) error {
	var newest int
	err := q.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM policy WHERE app_id = $1 AND layer = $2 AND name = $3`,
		string(p.App), p.Layer, p.Name).Scan(&newest)
	if err != nil {
		return err
	}
	if newest != p.Version-1 {
		return store.ErrConflict
	}
	_, err = q.ExecContext(ctx, `INSERT INTO policy (app_id, layer, name, version, body, removed, how, of_version, rollout_id, made_by, approved_by, note, changed_ts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		string(p.App), p.Layer, p.Name, p.Version, []byte(p.Body), flag(p.Removed), p.How, p.Of, p.Rollout, p.By, p.Approved, []byte(p.Comment), p.Changed)
	if err != nil {
		return err
	}
	return s.auditPolicy(ctx, q, "policy", p.By, &p.PolicyKey, map[string]any{
		"version": p.Version, "how": p.How, "of": p.Of, "rollout": p.Rollout, "approved_by": p.Approved, "comment": p.Comment,
	})
}

// auditPolicy adds the audit entry of a change.
func (s *Store) auditPolicy(ctx context.Context, q querier, action, by string, key *store.PolicyKey, detail map[string]any) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	return appendAudit(ctx, q, store.Audit{
		Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "policy/" + string(key.App) + "/" + key.Layer + "/" + key.Name, Detail: string(text),
	})
}

// Policies lists the newest versions of an app, removed ones too, by layer and name.
func (s *Store) Policies(ctx context.Context, app engines.AppID) ([]store.Policy, error) {
	list, err := collect(ctx, s.core.read(), scanPolicy, `SELECT `+policyFields+` FROM policy p WHERE p.app_id = $1 AND `+newestPolicy+`
		ORDER BY p.layer, p.name`, string(app))
	if err != nil {
		return nil, fmt.Errorf("policies: %w", classify(err))
	}
	return list, nil
}

// PolicyHistory lists versions below before, newest first; at 0 from the newest on.
func (s *Store) PolicyHistory(ctx context.Context, key store.PolicyKey, before, most int) ([]store.Policy, error) {
	list, err := collect(ctx, s.core.read(), scanPolicy, `SELECT `+policyFields+` FROM policy p WHERE p.app_id = $1 AND p.layer = $2 AND p.name = $3
		AND ($4 = 0 OR p.version < $4) ORDER BY p.version DESC LIMIT $5`, string(key.App), key.Layer, key.Name, before, most)
	if err != nil {
		return nil, fmt.Errorf("policy %s/%s: %w", key.Layer, key.Name, classify(err))
	}
	return list, nil
}

// PoliciesChanged lists the newest versions of all apps that were stored at or after
// since by our clock, epoch ms; 0 is all.
func (s *Store) PoliciesChanged(ctx context.Context, since int64) ([]store.Policy, error) {
	list, err := collect(ctx, s.core.read(), scanPolicy, `SELECT `+policyFields+` FROM policy p WHERE p.changed_ts >= $1 AND `+newestPolicy, since)
	if err != nil {
		return nil, fmt.Errorf("changed policies: %w", classify(err))
	}
	return list, nil
}
