package storetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func bankOf(app engines.AppID) store.ImageBank {
	const name = "logos"
	return store.ImageBank{
		ID: string(app) + "-" + name, App: app, Name: name, Category: engines.IPInfringement, SubLabel: "logo", Radius: 31, LeastQuality: 50,
		State: store.ImageBankTest, Note: "é", By: "ann",
	}
}

// testImageBanks: a version that is not after the newest is refused, names are an
// owner's, and matches add up.
func testImageBanks(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	before := time.Now().UnixMilli()
	first, err := s.PutImageBank(ctx, bankOf("game"), 0)
	must(t, err)
	if first.Version != 1 || first.Created < before || first.Changed != first.Created {
		t.Errorf("a new bank: %+v", first)
	}
	again := bankOf("game")
	again.ID = "another"
	_, err = s.PutImageBank(ctx, again, 0)
	wantErr(t, "a second of the name", err, store.ErrConflict)
	again.App = "other"
	_, err = s.PutImageBank(ctx, again, 0)
	must(t, err)
	all, err := s.PutImageBank(ctx, bankOf(""), 0)
	must(t, err)

	changed := first
	changed.State, changed.Radius, changed.Category = store.ImageBankLive, 20, engines.Gore
	_, err = s.PutImageBank(ctx, changed, 2)
	wantErr(t, "another version", err, store.ErrConflict)
	got, err := s.PutImageBank(ctx, changed, 1)
	must(t, err)
	changed.Version, changed.Changed, changed.Category = 2, got.Changed, first.Category // which does not change
	same(t, "changed bank", got, changed)
	got, err = s.ImageBank(ctx, "", "logos")
	must(t, err)
	same(t, "bank of all apps", got, all)
	_, err = s.ImageBank(ctx, "game", "none")
	wantErr(t, "no bank", err, store.ErrNotFound)
	list, err := s.ImageBanksChanged(ctx, 0)
	must(t, err)
	if len(list) != 3 || list[0] != all || list[1] != changed {
		t.Errorf("banks %+v", list)
	}
	list, err = s.ImageBanksChanged(ctx, time.Now().UnixMilli()+60_000)
	must(t, err)
	same(t, "changed later", list, nil)

	for _, n := range []int64{2, 3} {
		must(t, s.AddImageMatches(ctx, []store.ImageMatches{{Bank: first.ID, Day: 5, State: "live", N: n}, {Bank: first.ID, Day: n, State: "test", N: n}}))
	}
	matches, err := s.ImageMatches(ctx, first.ID, 2)
	must(t, err)
	same(t, "matches", matches, []store.ImageMatches{{Bank: first.ID, Day: 5, State: "live", N: 5}, {Bank: first.ID, Day: 3, State: "test", N: 3}})
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

func hashesFrom(first, n int) [][32]byte {
	list := make([][32]byte, n)
	for i := range list {
		binary.BigEndian.PutUint64(list[i][3:], uint64(first+i)+1)
	}
	return list
}

// importOf stores an import of two chunks of PDQ hashes and one of SHA-256.
func importOf(t *testing.T, s *sqlstore.Store, bank, id string, first int, replace bool) store.ImageImport {
	t.Helper()
	ctx := t.Context()
	i := store.ImageImport{ID: id, Bank: bank, Source: "a list", Format: "csv", By: "ann"}
	must(t, s.BeginImageImport(ctx, i))
	must(t, s.PutImageChunk(ctx, store.ImageChunk{Import: id, Kind: store.ImagePDQ, Seq: 0, Hashes: hashesFrom(first, 5)}))
	must(t, s.PutImageChunk(ctx, store.ImageChunk{Import: id, Kind: store.ImagePDQ, Seq: 1, Hashes: hashesFrom(first+5, 2)}))
	must(t, s.PutImageChunk(ctx, store.ImageChunk{Import: id, Kind: store.ImageSHA256, Seq: 0, Hashes: hashesFrom(first, 3)}))
	i.Lines, i.LeftOut, i.PDQ, i.SHA256 = 9, 1, 7, 3
	done, err := s.EndImageImport(ctx, i, replace)
	must(t, err)
	return done
}

// testImageImports: hashes are numbered as imports end, and are gone once retired.
func testImageImports(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	bank, err := s.PutImageBank(ctx, bankOf("game"), 0)
	must(t, err)
	must(t, s.BeginImageImport(ctx, store.ImageImport{ID: "open", Bank: bank.ID}))
	must(t, s.PutImageChunk(ctx, store.ImageChunk{Import: "open", Kind: store.ImagePDQ, Hashes: hashesFrom(90, 1)}))
	one := importOf(t, s, bank.ID, "one", 0, false)
	two := importOf(t, s, bank.ID, "two", 100, false)
	if one.Place != 1 || one.PDQFirst != 0 || two.Place != 2 || two.PDQFirst != 7 || two.SHA256First != 3 || two.State != store.ImageImportDone {
		t.Errorf("imports %+v, %+v", one, two)
	}
	imports, err := s.ImageImports(ctx, bank.ID, 0, 10)
	must(t, err)
	same(t, "imports", imports, []store.ImageImport{one, two})
	imports, err = s.ImageImports(ctx, bank.ID, 1, 10)
	must(t, err)
	same(t, "imports behind the first", imports, []store.ImageImport{two})
	hashes := func(id, kind string) (all [][32]byte) {
		must(t, s.ImageHashes(ctx, id, kind, func(some [][32]byte) error { all = append(all, some...); return nil }))
		return all
	}
	same(t, "hashes", hashes("two", store.ImagePDQ), hashesFrom(100, 7))
	same(t, "hashes", hashes("two", store.ImageSHA256), hashesFrom(100, 3))

	// At rest they are sealed.
	raw := p.Core(t)
	var body []byte
	must(t, raw.QueryRowContext(ctx, `SELECT body FROM image_bank_chunk WHERE import_id = 'two' AND kind = 'pdq' AND seq = 0`).Scan(&body))
	must(t, raw.Close())
	if hash := hashesFrom(100, 1)[0]; bytes.Contains(body, hash[:]) {
		t.Error("a hash is stored as it is")
	}

	entry := store.ImageEntry{Bank: bank.ID, Kind: store.ImagePDQ, Number: 13}
	for range 2 {
		must(t, s.RetireImageEntry(ctx, entry, "bob"))
	}
	entry.Number++
	wantErr(t, "an entry that never was", s.RetireImageEntry(ctx, entry, "bob"), store.ErrNotFound)
	gone, err := s.ImageGone(ctx, bank.ID)
	must(t, err)
	same(t, "retired entries", gone, []store.ImageEntry{{Bank: bank.ID, Kind: store.ImagePDQ, Number: 13}})

	must(t, s.RetireImageImport(ctx, bank.ID, "one", "bob"))
	wantErr(t, "retired again", s.RetireImageImport(ctx, bank.ID, "one", "bob"), store.ErrNotFound)
	wantErr(t, "of another bank", s.RetireImageImport(ctx, "other", "two", "bob"), store.ErrNotFound)
	same(t, "hashes of a retired import", hashes("one", store.ImagePDQ), nil)
	three := importOf(t, s, bank.ID, "three", 200, true)
	same(t, "hashes of a replaced import", hashes("two", store.ImageSHA256), nil)
	if three.PDQFirst != 14 {
		t.Errorf("numbers begin at %d, want 14", three.PDQFirst)
	}
	imports, err = s.ImageImports(ctx, bank.ID, 0, 10)
	must(t, err)
	if len(imports) != 3 || imports[1].State != store.ImageImportRetired || imports[2] != three {
		t.Errorf("imports %+v", imports)
	}
	now, err := s.ImageBank(ctx, "game", "logos")
	must(t, err)
	if now.PDQ != 21 || now.SHA256 != 9 || now.Imports != 3 || now.Rebuilds != 2 || now.Version != 1 {
		t.Errorf("bank %+v", now)
	}

	must(t, s.SweepImageImports(ctx, time.Now().Add(-time.Hour)))
	same(t, "hashes of an open import", hashes("open", store.ImagePDQ), hashesFrom(90, 1))
	must(t, s.SweepImageImports(ctx, time.Now().Add(time.Hour)))
	same(t, "hashes of a swept import", hashes("open", store.ImagePDQ), nil)
	_, err = s.EndImageImport(ctx, store.ImageImport{ID: "open", Bank: bank.ID}, false)
	wantErr(t, "a swept import", err, store.ErrNotFound)
	must(t, s.DropImageImport(ctx, "three"))
	if len(hashes("three", store.ImagePDQ)) != 7 {
		t.Error("an import that ended was dropped")
	}

	now.State = store.ImageBankRetired
	_, err = s.PutImageBank(ctx, now, 1)
	must(t, err)
	must(t, s.BeginImageImport(ctx, store.ImageImport{ID: "late", Bank: bank.ID}))
	_, err = s.EndImageImport(ctx, store.ImageImport{ID: "late", Bank: bank.ID}, false)
	wantErr(t, "an import into a retired bank", err, store.ErrConflict)
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

// testImageImportsConcurrent: imports that end together have numbers of their own.
func testImageImportsConcurrent(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	bank, err := s.PutImageBank(ctx, bankOf("game"), 0)
	must(t, err)
	wins, errs := race(12, func(i int) error {
		one := store.ImageImport{ID: fmt.Sprint("i", i), Bank: bank.ID, PDQ: int64(i + 1)}
		if err := s.BeginImageImport(ctx, one); err != nil {
			return err
		}
		_, err := s.EndImageImport(ctx, one, false)
		return err
	})
	if wins != 12 {
		t.Fatalf("%d of 12 ended: %v", wins, errs)
	}
	list, err := s.ImageImports(ctx, bank.ID, 0, 100)
	must(t, err)
	next := int64(0)
	for i, one := range list {
		if one.Place != int64(i)+1 || one.PDQFirst != next {
			t.Errorf("import %d: place %d, first %d, want %d", i, one.Place, one.PDQFirst, next)
		}
		next += one.PDQ
	}
	if !slices.ContainsFunc(list, func(i store.ImageImport) bool { return i.PDQ == 12 }) || next != 78 {
		t.Errorf("%d numbers are given, want 78", next)
	}
}
