package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// row is a decision encoded before it enters the writer, whose time is shared.
type decisionRow struct {
	args     []any
	evidence *evidenceRow // nil: none
}

func encodeDecision(d *store.Decision) (decisionRow, error) {
	signals, err := encodeSignals(d.Signals)
	if err != nil {
		return decisionRow{}, fmt.Errorf("signals: %w", err)
	}
	verdict, err := encodeVerdict(d.Verdict)
	if err != nil {
		return decisionRow{}, fmt.Errorf("verdict: %w", err)
	}
	circumstances, err := encodeCircumstances(&d.Circumstances)
	if err != nil {
		return decisionRow{}, fmt.Errorf("circumstances: %w", err)
	}
	statements, err := encodeStatements(d.Statements)
	if err != nil {
		return decisionRow{}, fmt.Errorf("statement: %w", err)
	}
	media, err := encodeFacts(d.Media)
	if err != nil {
		return decisionRow{}, fmt.Errorf("media: %w", err)
	}
	var content []byte // NULL when not kept
	if d.Content != "" {
		content = []byte(d.Content)
	}
	var evidence *evidenceRow
	if d.Evidence != nil {
		if evidence, err = encodeEvidence(d.Evidence); err != nil {
			return decisionRow{}, fmt.Errorf("evidence: %w", err)
		}
	}
	return decisionRow{evidence: evidence, args: []any{
		d.App, d.Request, d.Session, d.Scene, d.Player, d.Kind, d.Language, d.Verdict.Mode, d.Verdict.Suggestion, d.Verdict.Action,
		string(signals), string(verdict), content, d.ContentSHA256[:], d.Weight, d.Verdict.PolicyVersion, d.CaseID,
		d.Took.Microseconds(), millis(d.Created), statements, circumstances, media,
	}}, nil
}

// insert reports whether the decision is new.
func (r decisionRow) insert(ctx context.Context, q querier) (bool, error) {
	n, err := exec(ctx, q, `INSERT INTO decision (app_id, request_id, session_id, scene_id, player_id, kind, language, mode, suggestion, action,
		signals, verdict, content, content_sha256, sample_weight, policy_version, case_id, took_us, created_ts, statement, circumstances, media)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
		ON CONFLICT (app_id, request_id) DO NOTHING`, r.args...)
	if err == nil && n == 1 && r.evidence != nil {
		if r.evidence.file { // see FreeBlobs
			err = lockEvidence(ctx, q)
		}
		if err == nil {
			err = r.evidence.insert(ctx, q)
		}
	}
	return n == 1, err
}

// PutDecision commits a decision and, where they are given, its case and its
// message together. A decision that is stored already changes nothing.
func (s *Store) PutDecision(ctx context.Context, d store.Decision, c *store.Case, m *store.SceneMessage) error {
	row, err := encodeDecision(&d)
	if err != nil {
		return fmt.Errorf("store decision %s: %w", d.Request, err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		fresh, err := row.insert(ctx, q)
		if err != nil || !fresh {
			return err
		}
		if c != nil {
			if _, err := insertCase(ctx, q, c); err != nil {
				return err
			}
		}
		if m != nil {
			return insertSceneMessage(ctx, q, m)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store decision %s: %w", d.Request, classify(err))
	}
	return nil
}

// PutDecisions commits many decisions together; those stored already are skipped.
func (s *Store) PutDecisions(ctx context.Context, ds []store.Decision) error {
	rows := make([]decisionRow, len(ds))
	for i := range ds {
		var err error
		if rows[i], err = encodeDecision(&ds[i]); err != nil {
			return fmt.Errorf("store decision %s: %w", ds[i].Request, err)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	err := s.core.write(ctx, len(rows), func(ctx context.Context, q querier) error {
		for _, row := range rows {
			if _, err := row.insert(ctx, q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store %d decisions: %w", len(ds), classify(err))
	}
	return nil
}

// Decision returns the record of one check.
func (s *Store) Decision(ctx context.Context, app engines.AppID, request engines.RequestID) (store.Decision, error) {
	var (
		signals, verdict          string
		statements, circumstances string
		media                     string
		content, sum              []byte
		took, created             int64
	)
	d := store.Decision{App: app, Request: request}
	err := s.core.read().QueryRowContext(ctx, `SELECT session_id, scene_id, player_id, kind, language, signals, verdict, content, content_sha256,
		sample_weight, case_id, took_us, created_ts, statement, circumstances, media FROM decision WHERE app_id = $1 AND request_id = $2`, app, request).Scan(
		&d.Session, &d.Scene, &d.Player, &d.Kind, &d.Language, &signals, &verdict, &content, &sum, &d.Weight, &d.CaseID, &took, &created, &statements, &circumstances, &media)
	if err != nil {
		return store.Decision{}, fmt.Errorf("decision %s: %w", request, classify(err))
	}
	if d.Signals, err = decodeSignals([]byte(signals)); err != nil {
		return store.Decision{}, fmt.Errorf("decision %s: signals: %w", request, err)
	}
	if d.Verdict, err = decodeVerdict([]byte(verdict)); err != nil {
		return store.Decision{}, fmt.Errorf("decision %s: verdict: %w", request, err)
	}
	if d.Circumstances, err = decodeCircumstances(circumstances); err != nil {
		return store.Decision{}, fmt.Errorf("decision %s: circumstances: %w", request, err)
	}
	if d.Statements, err = decodeStatements(statements); err != nil {
		return store.Decision{}, fmt.Errorf("decision %s: statement: %w", request, err)
	}
	if d.Media, err = decodeFacts(media); err != nil {
		return store.Decision{}, fmt.Errorf("decision %s: media: %w", request, err)
	}
	copy(d.ContentSHA256[:], sum)
	d.Content, d.Took, d.Created = string(content), time.Duration(took)*time.Microsecond, fromMillis(created)
	return d, nil
}
