package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const imageBankFields = `bank_id, app_id, name, category, sub_label, radius, least_quality, state, note, version, pdq_count, sha_count, imports, rebuilds, made_by, created_ts, changed_ts`

func scanImageBank(row scanner) (b store.ImageBank, err error) {
	err = row.Scan(&b.ID, &b.App, &b.Name, &b.Category, &b.SubLabel, &b.Radius, &b.LeastQuality, &b.State, &b.Note, &b.Version, &b.PDQ, &b.SHA256,
		&b.Imports, &b.Rebuilds, &b.By, &b.Created, &b.Changed)
	return b, err
}

// PutImageBank commits a bank that was at a version, 0 for a new one, with its audit
// entry in the name of b.By, and returns it as stored. Its counts are left as they are,
// and so are its owner and its category. store.ErrConflict: was is not its version, or
// its owner has one of the name already.
func (s *Store) PutImageBank(ctx context.Context, b store.ImageBank, was int) (stored store.ImageBank, err error) {
	now := millis(time.Now())
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if was == 0 {
			_, err = q.ExecContext(ctx, `INSERT INTO image_bank (`+imageBankFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, 0, 0, 0, 0, $10, $11, $11)`,
				b.ID, string(b.App), b.Name, string(b.Category), b.SubLabel, b.Radius, b.LeastQuality, b.State, b.Note, b.By, now)
		} else {
			var n int64
			n, err = exec(ctx, q, `UPDATE image_bank SET sub_label = $1, radius = $2, least_quality = $3, state = $4, note = $5, version = version + 1, changed_ts = $6
				WHERE bank_id = $7 AND version = $8`, b.SubLabel, b.Radius, b.LeastQuality, b.State, b.Note, now, b.ID, was)
			if err == nil && n == 0 {
				err = store.ErrConflict
			}
		}
		if err != nil {
			return err
		}
		if stored, err = imageBank(ctx, q, b.ID); err != nil {
			return err
		}
		return s.auditImageBank(ctx, q, "image_bank", b.By, &stored, map[string]any{
			"version": stored.Version, "category": stored.Category, "sub_label": stored.SubLabel, "radius": stored.Radius,
			"least_quality": stored.LeastQuality, "state": stored.State, "note": stored.Note,
		})
	})
	if err != nil {
		return store.ImageBank{}, fmt.Errorf("store image bank %s: %w", b.Name, conflict(err))
	}
	return stored, nil
}

func imageBank(ctx context.Context, q querier, id string) (store.ImageBank, error) {
	return scanImageBank(q.QueryRowContext(ctx, `SELECT `+imageBankFields+` FROM image_bank WHERE bank_id = $1`, id))
}

// auditImageBank adds the audit entry of a change.
func (s *Store) auditImageBank(ctx context.Context, q querier, action, by string, b *store.ImageBank, detail map[string]any) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	owner := string(b.App)
	if owner == "" {
		owner = "*"
	}
	return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "image_bank/" + owner + "/" + b.Name, Detail: string(text)})
}

// ImageBank returns the bank of that name, of an app or, at "", of all apps.
func (s *Store) ImageBank(ctx context.Context, app engines.AppID, name string) (store.ImageBank, error) {
	b, err := scanImageBank(s.core.read().QueryRowContext(ctx, `SELECT `+imageBankFields+` FROM image_bank WHERE app_id = $1 AND name = $2`, string(app), name))
	if err != nil {
		return store.ImageBank{}, fmt.Errorf("image bank %s: %w", name, classify(err))
	}
	return b, nil
}

// ImageBanksChanged lists the banks that changed at or after since by our clock, epoch
// ms; 0 is all.
func (s *Store) ImageBanksChanged(ctx context.Context, since int64) ([]store.ImageBank, error) {
	list, err := collect(ctx, s.core.read(), scanImageBank, `SELECT `+imageBankFields+` FROM image_bank WHERE changed_ts >= $1 ORDER BY app_id, name`, since)
	if err != nil {
		return nil, fmt.Errorf("image banks: %w", classify(err))
	}
	return list, nil
}

// AddImageMatches adds to what banks found.
func (s *Store) AddImageMatches(ctx context.Context, list []store.ImageMatches) error {
	err := s.core.write(ctx, len(list), func(ctx context.Context, q querier) error {
		for _, m := range list {
			_, err := q.ExecContext(ctx, `INSERT INTO image_bank_match (bank_id, day_ts, state, n) VALUES ($1, $2, $3, $4)
				ON CONFLICT (bank_id, day_ts, state) DO UPDATE SET n = image_bank_match.n + excluded.n`, m.Bank, m.Day, m.State, m.N)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count matches of image banks: %w", classify(err))
	}
	return nil
}

// ImageMatches lists what a bank found, the newest day first.
func (s *Store) ImageMatches(ctx context.Context, bank string, most int) ([]store.ImageMatches, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (m store.ImageMatches, err error) {
		return m, row.Scan(&m.Bank, &m.Day, &m.State, &m.N)
	}, `SELECT bank_id, day_ts, state, n FROM image_bank_match WHERE bank_id = $1 ORDER BY day_ts DESC, state LIMIT $2`, bank, most)
	if err != nil {
		return nil, fmt.Errorf("matches of image bank: %w", classify(err))
	}
	return list, nil
}
