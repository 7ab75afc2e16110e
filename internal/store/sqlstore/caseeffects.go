package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// caseEffectRecord is the stored form of an effect beyond its columns; see record.go.
type caseEffectRecord struct {
	Player   engines.PlayerID  `json:"player,omitempty"`
	Scene    engines.SceneID   `json:"scene,omitempty"`
	Message  engines.RequestID `json:"message,omitempty"`
	Target   string            `json:"target,omitempty"`
	Category engines.Category  `json:"category,omitempty"`
	SubLabel string            `json:"sub_label,omitempty"`
	Severity int               `json:"severity,omitempty"`
	Decision string            `json:"decision,omitempty"`
	Undone   bool              `json:"undone,omitempty"`
	By       string            `json:"by,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	At       int64             `json:"at"`
}

func putEffects(ctx context.Context, q querier, x *store.CaseChange) error {
	for i := range x.Effects {
		e := &x.Effects[i]
		body, err := json.Marshal(caseEffectRecord{
			e.Player, e.Scene, e.Message, e.Target, e.Category, e.SubLabel, e.Severity, e.Decision, e.Undone, e.By, e.Reason, millis(e.At),
		})
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `INSERT INTO case_effect (case_id, version, n, kind, app_id, body, next_ts) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			string(e.Case), e.Version, e.N, string(e.Kind), string(e.App), body, millis(e.Next))
		if err != nil {
			return err
		}
	}
	return nil
}

const effectFields = `case_id, version, n, kind, app_id, body, next_ts`

func scanEffect(row scanner) (e store.Effect, err error) {
	var body []byte
	var next int64
	if err = row.Scan(&e.Case, &e.Version, &e.N, &e.Kind, &e.App, &body, &next); err != nil {
		return e, err
	}
	var r caseEffectRecord
	if err = json.Unmarshal(body, &r); err != nil {
		return e, err
	}
	e.Player, e.Scene, e.Message, e.Target, e.Category, e.SubLabel, e.Severity = r.Player, r.Scene, r.Message, r.Target, r.Category, r.SubLabel, r.Severity
	e.Decision, e.Undone, e.By, e.Reason, e.At, e.Next = r.Decision, r.Undone, r.By, r.Reason, fromMillis(r.At), fromMillis(next)
	return e, nil
}

// ClaimEffects takes up to most effects that are due, of one case or, with "", of all,
// and of each the earliest alone, and keeps them from others until a time. While an
// effect is somebody's, those after it are nobody's: they are done in their order. An
// approved message is not due while an earlier one of its player in its scene (ids of
// messages have the order of time) waits for a decision that is not overdue, or for its
// own publication: a scene gets them in the order in which they were said.
func (s *Store) ClaimEffects(ctx context.Context, id engines.CaseID, now, until time.Time, most int) (list []store.Effect, err error) {
	const first = `next_ts <= $1 AND ($2 = '' OR case_id = $2) AND NOT EXISTS (SELECT 1 FROM case_effect b WHERE b.case_id = a.case_id
		AND (b.version < a.version OR b.version = a.version AND b.n < a.n))
		AND NOT (a.kind = 'publish' AND EXISTS (SELECT 1 FROM review_case m JOIN review_case k ON k.app_id = m.app_id AND k.player_id = m.player_id
			AND k.scene_id = m.scene_id AND k.held = 1 AND k.kind = '' AND k.second = 0
			AND k.request_id < CASE m.subject_id WHEN '' THEN m.request_id ELSE m.subject_id END
			WHERE m.case_id = a.case_id AND m.decision = 'approve' AND (k.state <> 'closed' AND k.due_ts > $1
				OR EXISTS (SELECT 1 FROM case_effect e WHERE e.case_id = k.case_id AND e.kind = 'publish'))))`
	var due int
	err = s.core.read().QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM case_effect a WHERE `+first+` LIMIT 1) t`, millis(now), string(id)).Scan(&due)
	if err != nil {
		return nil, fmt.Errorf("effects of cases: %w", classify(err))
	}
	if due == 0 {
		return nil, nil // no write: this is asked every second
	}
	lock := ""
	if s.driver == "postgres" { // who claims beside us does not wait
		lock = ` FOR UPDATE SKIP LOCKED`
	}
	err = s.core.write(ctx, most, func(ctx context.Context, q querier) error {
		list = nil
		found, err := collect(ctx, q, scanEffect, `SELECT `+effectFields+` FROM case_effect a WHERE `+first+` ORDER BY next_ts, case_id LIMIT $3`+lock, millis(now), string(id), most)
		if err != nil {
			return err
		}
		for _, e := range found {
			n, err := exec(ctx, q, `UPDATE case_effect SET next_ts = $1 WHERE case_id = $2 AND version = $3 AND n = $4 AND next_ts = $5`,
				millis(until), string(e.Case), e.Version, e.N, millis(e.Next))
			if err != nil {
				return err
			}
			if n == 1 {
				list = append(list, e)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim effects of cases: %w", classify(err))
	}
	return list, nil
}

// FinishEffect forgets an effect that was done; safe to repeat.
func (s *Store) FinishEffect(ctx context.Context, e store.Effect) error {
	_, err := s.execCore(ctx, `DELETE FROM case_effect WHERE case_id = $1 AND version = $2 AND n = $3`, string(e.Case), e.Version, e.N)
	if err != nil {
		return fmt.Errorf("finish effect of case %s: %w", e.Case, classify(err))
	}
	return nil
}
