package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// pastPage is how many decisions one statement reads: a page at a time, so that a
// long reading holds no view of the database.
const pastPage = 4000

// momentID is the smallest request id of a millisecond: ids are UUIDv7, which begin
// with their time, and are compared as text. It is as long as they are, so that every
// collation orders it as it does them.
func momentID(ms int64) string {
	return fmt.Sprintf("%08x-%04x-0000-0000-000000000000", ms>>16, ms&0xffff)
}

// PastDecisions hands on the decisions of an app whose checks came in from a time on
// and before another, epoch ms, in their order and some at once. each keeps nothing of
// what it gets but strings, and ends it with an error.
func (s *Store) PastDecisions(ctx context.Context, app engines.AppID, from, to int64, each func([]store.PastDecision) error) error {
	after, end := momentID(from), momentID(to)
	buf := make([]store.PastDecision, 0, pastPage)
	for {
		page, err := s.pastPage(ctx, buf[:0], app, after, end)
		if err != nil {
			return fmt.Errorf("past decisions: %w", classify(err))
		}
		if len(page) > 0 {
			after = string(page[len(page)-1].Request)
			if err := each(page); err != nil {
				return err
			}
		}
		if len(page) < pastPage {
			return nil
		}
	}
}

func (s *Store) pastPage(ctx context.Context, buf []store.PastDecision, app engines.AppID, after, end string) ([]store.PastDecision, error) {
	rows, err := s.core.read().QueryContext(ctx, `SELECT request_id, player_id, scene_id, session_id, kind, language, suggestion, mode, signals, circumstances,
		CASE WHEN signals = '[]' AND circumstances = '' THEN '' ELSE verdict END, content, sample_weight, created_ts
		FROM decision WHERE app_id = $1 AND request_id > $2 AND request_id < $3 ORDER BY request_id LIMIT $4`, string(app), after, end, pastPage)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	for rows.Next() {
		var (
			d                               store.PastDecision
			signals, circumstances, verdict string
			content                         []byte
		)
		err := rows.Scan(&d.Request, &d.Player, &d.Scene, &d.Session, &d.Kind, &d.Language, &d.Found.Suggestion, &d.Mode, &signals, &circumstances,
			&verdict, &content, &d.Weight, &d.Created)
		if err == nil {
			err = decodePast(&d, signals, circumstances, verdict)
		}
		if err != nil {
			return nil, fmt.Errorf("decision %s: %w", d.Request, err)
		}
		d.App, d.Text = app, string(content)
		buf = append(buf, d)
	}
	return buf, rows.Err()
}

// decodePast reads what most decisions have none of: those without signals are clean
// passes as they stand in the columns.
func decodePast(d *store.PastDecision, signals, circumstances, verdict string) (err error) {
	if signals != "[]" {
		if d.Signals, err = decodeSignals([]byte(signals)); err != nil {
			return err
		}
	}
	if d.Circumstances, err = decodeCircumstances(circumstances); err != nil || verdict == "" {
		return err
	}
	var found struct {
		Finding  findingRecord  `json:"finding"`
		Observed *findingRecord `json:"observed"`
	}
	if err := json.Unmarshal([]byte(verdict), &found); err != nil {
		return err
	}
	if found.Observed != nil {
		found.Finding = *found.Observed
	}
	d.Found = found.Finding.finding()
	return nil
}
