package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

type evidenceRow struct {
	args []any
	file bool // a file has the content
}

// encodeEvidence makes the row of a new item, with its first link as its head.
func encodeEvidence(e *store.Evidence) (*evidenceRow, error) {
	head, err := store.FirstLink(e)
	if err != nil {
		return nil, err
	}
	var content []byte // NULL where a file has it
	if !e.Blob {
		content = append([]byte{}, e.Content...)
	}
	hold, since := e.Hold, int64(0)
	if hold == nil {
		hold = &store.Hold{}
	} else {
		since = millis(hold.Since)
	}
	return &evidenceRow{[]any{
		e.ID, string(e.App), string(e.Request), string(e.Case), string(e.Scene), string(e.Player), string(e.Kind), e.MIME, e.SHA256, e.Bytes,
		string(e.Category), e.SubLabel, e.Severity, string(e.Suggestion), flag(e.Locked), content, flag(e.Blob),
		millis(e.Created), orZero(e.Expires), head.Seq, head.Hash,
		flag(e.Hold != nil), hold.By, []byte(hold.Reason), since,
	}, e.Blob}, nil
}

func (r *evidenceRow) insert(ctx context.Context, q querier) error {
	_, err := q.ExecContext(ctx, `INSERT INTO evidence (evidence_id, app_id, request_id, case_id, scene_id, player_id, kind, mime, sha256, bytes,
		category, sub_label, severity, suggestion, locked, content, in_file, created_ts, expires_ts, head_seq, head_hash,
		removed_ts, held, hold_by, hold_reason, hold_ts, erase_as)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, 0, $22, $23, $24, $25, '')
		ON CONFLICT (evidence_id) DO NOTHING`, r.args...)
	return err
}

// PutEvidence commits an item by itself: one whose bytes lie in a file, or that was
// found after its decision. One that is stored already changes nothing.
func (s *Store) PutEvidence(ctx context.Context, e store.Evidence) error {
	row, err := encodeEvidence(&e)
	if err == nil {
		err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
			if e.Blob { // see FreeBlobs
				if err := lockEvidence(ctx, q); err != nil {
					return err
				}
			}
			return row.insert(ctx, q)
		})
	}
	if err != nil {
		return fmt.Errorf("store evidence %s: %w", e.ID, classify(err))
	}
	return nil
}

// lockEvidence makes those who add and those who remove files take turns.
func lockEvidence(ctx context.Context, q querier) error {
	_, err := q.ExecContext(ctx, `UPDATE store_lock SET n = n + 1 WHERE name = 'evidence'`)
	return err
}

// orZero is 0 for the zero time.
func orZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return millis(t)
}

func fromZero(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return fromMillis(ms)
}

const evidenceFields = `evidence_id, app_id, request_id, case_id, scene_id, player_id, kind, mime, sha256, bytes,
	category, sub_label, severity, suggestion, locked, in_file, created_ts, expires_ts, removed_ts,
	held, hold_by, hold_reason, hold_ts, head_seq, head_hash`

func scanEvidence(row scanner) (e store.Evidence, err error) {
	var (
		locked, blob, held              int
		created, expires, removed, hold int64
		by                              string
		reason                          []byte
	)
	err = row.Scan(&e.ID, &e.App, &e.Request, &e.Case, &e.Scene, &e.Player, &e.Kind, &e.MIME, &e.SHA256, &e.Bytes,
		&e.Category, &e.SubLabel, &e.Severity, &e.Suggestion, &locked, &blob, &created, &expires, &removed,
		&held, &by, &reason, &hold, &e.HeadSeq, &e.HeadHash)
	e.Locked, e.Blob = locked != 0, blob != 0
	e.Created, e.Expires, e.Removed = fromMillis(created), fromZero(expires), fromZero(removed)
	if held != 0 {
		e.Hold = &store.Hold{By: by, Reason: string(reason), Since: fromMillis(hold)}
	}
	return e, err
}

// Evidence returns one item without its content.
func (s *Store) Evidence(ctx context.Context, id string) (store.Evidence, error) {
	e, err := scanEvidence(s.core.read().QueryRowContext(ctx, `SELECT `+evidenceFields+` FROM evidence WHERE evidence_id = $1`, id))
	if err != nil {
		return store.Evidence{}, fmt.Errorf("evidence %s: %w", id, classify(err))
	}
	return e, nil
}

// EvidenceContent returns the content that lies in the row of an item.
// store.ErrNotFound: it is gone, or in a file.
func (s *Store) EvidenceContent(ctx context.Context, id string) ([]byte, error) {
	var content []byte
	err := s.core.read().QueryRowContext(ctx, `SELECT content FROM evidence WHERE evidence_id = $1 AND content IS NOT NULL`, id).Scan(&content)
	if err != nil {
		return nil, fmt.Errorf("content of evidence %s: %w", id, classify(err))
	}
	return content, nil
}

// EvidenceList returns a part of the evidence, newest first, without content.
func (s *Store) EvidenceList(ctx context.Context, eq store.EvidenceQuery) ([]store.Evidence, error) {
	w := where{}
	w.equal("app_id", string(eq.App))
	w.equal("player_id", string(eq.Player))
	w.equal("case_id", string(eq.Case))
	w.equal("request_id", string(eq.Request))
	w.equal("category", string(eq.Category))
	w.equal("evidence_id", eq.ID, !eq.Before.IsZero())
	switch eq.State {
	case "held":
		w.add(`held = 1`)
	case "locked":
		w.add(`locked = 1`)
	case "removed":
		w.add(`removed_ts > 0`)
	case "kept":
		w.add(`removed_ts = 0`)
	}
	if !eq.Before.IsZero() {
		at, id := w.arg(millis(eq.Before)), w.arg(eq.ID)
		w.add(`(created_ts < ` + at + ` OR created_ts = ` + at + ` AND evidence_id < ` + id + `)`)
	}
	list, err := collect(ctx, s.core.read(), scanEvidence, `SELECT `+evidenceFields+` FROM evidence`+w.text()+
		` ORDER BY created_ts DESC, evidence_id DESC LIMIT `+w.arg(eq.Limit), w.args...)
	if err != nil {
		return nil, fmt.Errorf("list evidence: %w", classify(err))
	}
	return list, nil
}

// where collects the conditions of a query whose filters are optional.
type where struct {
	parts []string
	args  []any
}

// arg is the placeholder of a value.
func (w *where) arg(v any) string {
	w.args = append(w.args, v)
	return fmt.Sprintf("$%d", len(w.args))
}

func (w *where) add(condition string) { w.parts = append(w.parts, condition) }

// equal asks for a value where one is given, unless a later argument says not to.
func (w *where) equal(column, value string, not ...bool) {
	if value == "" || len(not) > 0 && not[0] {
		return
	}
	w.add(column + ` = ` + w.arg(value))
}

func (w *where) text() string {
	if len(w.parts) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(w.parts, ` AND `)
}
