package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// statementRecord is the stored form of a statement of reasons; see record.go.
type statementRecord struct {
	Ground             string    `json:"decision_ground"`
	GroundText         string    `json:"ground_text,omitempty"`
	Category           string    `json:"category,omitempty"`
	ContentType        string    `json:"content_type"`
	ContentDate        time.Time `json:"content_date"`
	Applied            time.Time `json:"application_date"`
	Ends               time.Time `json:"end_date,omitzero"`
	Territory          []string  `json:"territorial_scope,omitempty"`
	Source             string    `json:"source_type"`
	AutomatedDetection bool      `json:"automated_detection"`
	AutomatedDecision  string    `json:"automated_decision"`
	Visibility         string    `json:"decision_visibility,omitempty"`
	Account            string    `json:"decision_account,omitempty"`
	Provision          string    `json:"decision_provision,omitempty"`
	Facts              string    `json:"facts,omitempty"`
}

// encodeStatements is "" for none: most decisions are passes.
func encodeStatements(list []store.Statement) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	records := make([]statementRecord, len(list))
	for i, s := range list {
		s.ContentDate, s.Applied, s.Ends = stamp(s.ContentDate), stamp(s.Applied), stamp(s.Ends)
		records[i] = statementRecord(s)
	}
	b, err := json.Marshal(records)
	return string(b), err
}

// stamp cuts a time to what is stored elsewhere: milliseconds, UTC.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

func decodeStatements(text string) ([]store.Statement, error) {
	if text == "" {
		return nil, nil
	}
	var records []statementRecord
	if err := json.Unmarshal([]byte(text), &records); err != nil {
		return nil, err
	}
	list := make([]store.Statement, len(records))
	for i, r := range records {
		list[i] = store.Statement(r)
	}
	return list, nil
}

// StatePerson notes what a person decided, with its reasons, in the statements of the
// decision on a check. store.ErrNotFound: there is none.
func (s *Store) StatePerson(ctx context.Context, app engines.AppID, request engines.RequestID, p store.PersonDecision) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return statePerson(ctx, q, app, request, &p) })
	if err != nil {
		return fmt.Errorf("state a person's decision on %s: %w", request, classify(err))
	}
	return nil
}

func statePerson(ctx context.Context, q querier, app engines.AppID, request engines.RequestID, p *store.PersonDecision) error {
	// Taken for writing first, so that of two who add at once none is lost.
	var text string
	err := q.QueryRowContext(ctx, `UPDATE decision SET statement = statement WHERE app_id = $1 AND request_id = $2 RETURNING statement`,
		string(app), string(request)).Scan(&text)
	if err != nil {
		return err
	}
	list, err := decodeStatements(text)
	if err != nil {
		return err
	}
	if text, err = encodeStatements(p.After(list)); err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE decision SET statement = $1 WHERE app_id = $2 AND request_id = $3`, text, string(app), string(request))
	return err
}
