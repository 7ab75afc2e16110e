package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const imageImportFields = `import_id, bank_id, place, state, source, format, file_lines, left_out, pdq_first, pdq_count, sha_first, sha_count, made_by, created_ts, changed_ts`

func scanImageImport(row scanner) (i store.ImageImport, err error) {
	err = row.Scan(&i.ID, &i.Bank, &i.Place, &i.State, &i.Source, &i.Format, &i.Lines, &i.LeftOut, &i.PDQFirst, &i.PDQ, &i.SHA256First, &i.SHA256,
		&i.By, &i.Created, &i.Changed)
	return i, err
}

// BeginImageImport makes an import that nobody sees until EndImageImport.
func (s *Store) BeginImageImport(ctx context.Context, i store.ImageImport) error {
	now := millis(time.Now())
	_, err := s.execCore(ctx, `INSERT INTO image_bank_import (`+imageImportFields+`) VALUES ($1, $2, 0, '`+store.ImageImportReceiving+`', $3, $4, 0, 0, 0, 0, 0, 0, $5, $6, $6)`,
		i.ID, i.Bank, i.Source, i.Format, i.By, now)
	if err != nil {
		return fmt.Errorf("begin import %s: %w", i.ID, classify(err))
	}
	return nil
}

// PutImageChunk stores hashes of an import that is being received. They are sealed:
// who has the database alone has no hashes.
func (s *Store) PutImageChunk(ctx context.Context, c store.ImageChunk) error {
	plain := make([]byte, 0, 32*len(c.Hashes))
	for i := range c.Hashes {
		plain = append(plain, c.Hashes[i][:]...)
	}
	sealed := s.hashes.seal(engines.AppID(c.Import), c.Kind+"/"+strconv.Itoa(c.Seq), string(plain))
	_, err := s.execCore(ctx, `INSERT INTO image_bank_chunk (import_id, kind, seq, hashes, body) VALUES ($1, $2, $3, $4, $5)`, c.Import, c.Kind, c.Seq, len(c.Hashes), sealed)
	if err != nil {
		return fmt.Errorf("store hashes of import %s: %w", c.Import, classify(err))
	}
	return nil
}

// EndImageImport commits an import whose hashes are all stored: i says what it came to,
// and what is returned has its place and numbers. With replace, what was imported into
// the bank before is retired in the same moment. store.ErrNotFound: it was not begun, or
// took so long that it was swept; store.ErrConflict: its bank is retired.
func (s *Store) EndImageImport(ctx context.Context, i store.ImageImport, replace bool) (store.ImageImport, error) {
	now := millis(time.Now())
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		rebuilds := 0
		if replace {
			rebuilds = 1
			if err := retireImports(ctx, q, now, `bank_id = $1 AND state = '`+store.ImageImportDone+`'`, i.Bank); err != nil {
				return err
			}
		}
		// Taking the bank's row keeps two imports from having the same numbers.
		list, err := collect(ctx, q, scanImageBank, `UPDATE image_bank SET pdq_count = pdq_count + $1, sha_count = sha_count + $2, imports = imports + 1,
			rebuilds = rebuilds + $3, changed_ts = $4 WHERE bank_id = $5 AND state <> '`+store.ImageBankRetired+`' RETURNING `+imageBankFields, i.PDQ, i.SHA256, rebuilds, now, i.Bank)
		if err == nil && len(list) == 0 {
			err = store.ErrConflict
		}
		if err != nil {
			return err
		}
		b := &list[0]
		i.State, i.Place, i.PDQFirst, i.SHA256First = store.ImageImportDone, b.Imports, b.PDQ-i.PDQ, b.SHA256-i.SHA256
		done, err := collect(ctx, q, scanImageImport, `UPDATE image_bank_import SET place = $1, state = $2, file_lines = $3, left_out = $4, pdq_first = $5, pdq_count = $6,
			sha_first = $7, sha_count = $8, changed_ts = $9 WHERE import_id = $10 AND bank_id = $11 AND state = '`+store.ImageImportReceiving+`' RETURNING `+imageImportFields,
			i.Place, i.State, i.Lines, i.LeftOut, i.PDQFirst, i.PDQ, i.SHA256First, i.SHA256, now, i.ID, i.Bank)
		if err == nil && len(done) == 0 {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		i = done[0]
		return s.auditImageBank(ctx, q, "image_bank.import", i.By, b, map[string]any{
			"import": i.ID, "source": i.Source, "format": i.Format, "lines": i.Lines, "left_out": i.LeftOut, "pdq": i.PDQ, "sha256": i.SHA256, "replace": replace,
		})
	})
	if err != nil {
		return store.ImageImport{}, fmt.Errorf("end import %s: %w", i.ID, classify(err))
	}
	return i, nil
}

// retireImports retires the imports that a condition on one argument names, and deletes
// their hashes.
func retireImports(ctx context.Context, q querier, now int64, where, arg string) error {
	_, err := q.ExecContext(ctx, `DELETE FROM image_bank_chunk WHERE import_id IN (SELECT import_id FROM image_bank_import WHERE `+where+`)`, arg)
	if err == nil {
		_, err = q.ExecContext(ctx, `UPDATE image_bank_import SET state = '`+store.ImageImportRetired+`', changed_ts = $2 WHERE `+where, arg, now)
	}
	return err
}

// DropImageImport removes an import that was not ended; another stays.
func (s *Store) DropImageImport(ctx context.Context, id string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `DELETE FROM image_bank_import WHERE import_id = $1 AND state = '`+store.ImageImportReceiving+`'`, id)
		if err == nil && n > 0 {
			_, err = q.ExecContext(ctx, `DELETE FROM image_bank_chunk WHERE import_id = $1`, id)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("drop import %s: %w", id, classify(err))
	}
	return nil
}

// SweepImageImports removes some imports that were begun before a time and not ended.
func (s *Store) SweepImageImports(ctx context.Context, begun time.Time) error {
	ids, err := collect(ctx, s.core.read(), func(row scanner) (id string, err error) { return id, row.Scan(&id) },
		`SELECT import_id FROM image_bank_import WHERE state = '`+store.ImageImportReceiving+`' AND created_ts <= $1 LIMIT 100`, millis(begun))
	for _, id := range ids {
		if err == nil {
			err = s.DropImageImport(ctx, id)
		}
	}
	if err != nil {
		return fmt.Errorf("sweep imports: %w", classify(err))
	}
	return nil
}

// RetireImageImport takes an import of a bank back: its hashes are deleted. It is
// store.ErrNotFound where the bank has no such import that is done.
func (s *Store) RetireImageImport(ctx context.Context, bank, id, by string) error {
	now := millis(time.Now())
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var n int
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM image_bank_import WHERE import_id = $1 AND bank_id = $2 AND state = '`+store.ImageImportDone+`'`, id, bank).Scan(&n)
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		if err == nil {
			err = retireImports(ctx, q, now, `import_id = $1`, id)
		}
		if err != nil {
			return err
		}
		list, err := collect(ctx, q, scanImageBank, `UPDATE image_bank SET rebuilds = rebuilds + 1, changed_ts = $1 WHERE bank_id = $2 RETURNING `+imageBankFields, now, bank)
		if err != nil {
			return err
		}
		return s.auditImageBank(ctx, q, "image_bank.retire_import", by, &list[0], map[string]any{"import": id})
	})
	if err != nil {
		return fmt.Errorf("retire import %s: %w", id, classify(err))
	}
	return nil
}

// RetireImageEntry has one entry count no more. It is store.ErrNotFound where the bank
// never had it.
func (s *Store) RetireImageEntry(ctx context.Context, e store.ImageEntry, by string) error {
	now := millis(time.Now())
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		b, err := imageBank(ctx, q, e.Bank)
		if err != nil {
			return err
		}
		if most := map[string]int64{store.ImagePDQ: b.PDQ, store.ImageSHA256: b.SHA256}[e.Kind]; e.Number < 0 || e.Number >= most {
			return store.ErrNotFound
		}
		n, err := exec(ctx, q, `INSERT INTO image_bank_gone (bank_id, kind, number, made_by, at_ts) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (bank_id, kind, number) DO NOTHING`,
			e.Bank, e.Kind, e.Number, by, now)
		if err != nil || n == 0 {
			return err // it is retired already
		}
		if _, err := q.ExecContext(ctx, `UPDATE image_bank SET changed_ts = $1 WHERE bank_id = $2`, now, e.Bank); err != nil {
			return err
		}
		return s.auditImageBank(ctx, q, "image_bank.retire_entry", by, &b, map[string]any{"entry": e.Kind + "/" + strconv.FormatInt(e.Number, 10)})
	})
	if err != nil {
		return fmt.Errorf("retire entry %s/%d: %w", e.Kind, e.Number, classify(err))
	}
	return nil
}

// ImageGone lists the entries of a bank that no longer count.
func (s *Store) ImageGone(ctx context.Context, bank string) ([]store.ImageEntry, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (e store.ImageEntry, err error) {
		return e, row.Scan(&e.Bank, &e.Kind, &e.Number)
	}, `SELECT bank_id, kind, number FROM image_bank_gone WHERE bank_id = $1 ORDER BY kind, number`, bank)
	if err != nil {
		return nil, fmt.Errorf("retired entries: %w", classify(err))
	}
	return list, nil
}

// ImageImports lists imports of a bank that ended, in their order, from behind a place.
func (s *Store) ImageImports(ctx context.Context, bank string, after int64, most int) ([]store.ImageImport, error) {
	list, err := collect(ctx, s.core.read(), scanImageImport, `SELECT `+imageImportFields+` FROM image_bank_import WHERE bank_id = $1 AND place > $2 ORDER BY place LIMIT $3`,
		bank, after, most)
	if err != nil {
		return nil, fmt.Errorf("imports: %w", classify(err))
	}
	return list, nil
}

// ImageHashes hands on the hashes of one kind of an import, in order, some at once.
func (s *Store) ImageHashes(ctx context.Context, id, kind string, each func([][32]byte) error) error {
	for seq := 0; ; seq++ {
		var sealed []byte
		err := classify(s.core.read().QueryRowContext(ctx, `SELECT body FROM image_bank_chunk WHERE import_id = $1 AND kind = $2 AND seq = $3`, id, kind, seq).Scan(&sealed))
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		var plain string
		if err == nil {
			plain, err = s.hashes.open(engines.AppID(id), kind+"/"+strconv.Itoa(seq), sealed)
		}
		if err != nil {
			return fmt.Errorf("hashes of import %s: %w", id, err)
		}
		hashes := make([][32]byte, len(plain)/32)
		for i := range hashes {
			copy(hashes[i][:], plain[32*i:])
		}
		if err := each(hashes); err != nil {
			return err
		}
	}
}
