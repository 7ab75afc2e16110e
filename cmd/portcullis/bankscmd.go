package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/banks"
	"github.com/portcullis-gg/portcullis/internal/hashlist"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// banksRole fills banks of known pictures and looks into them. It works on the store
// itself, also while gateways serve from it: they follow within seconds.
func banksRole(ctx context.Context, args []string, io std) error {
	verbs := map[string]func(context.Context, *banksTool) error{
		"import": importBank, "list": listBanks, "test": testBanks, "retire": retireBank,
	}
	if len(args) == 0 || verbs[args[0]] == nil {
		return badUsage("banks import|list|test|retire --data DIR (--app NAME | --all)")
	}
	t := &banksTool{io: io}
	f := newFlags("banks "+args[0], io)
	place := storeFlags(f)
	t.flags(f, args[0])
	if err := parse(f, args[1:]); err != nil {
		return err
	}
	if err := t.check(args[0]); err != nil {
		return err
	}
	cfg, err := loadConfig(*place.config, os.Environ())
	if err != nil {
		return fmt.Errorf("configuration:\n%w", err)
	}
	t.cfg = cfg.ImageBanks
	if t.pictures, err = newPictures(&cfg.Image); err != nil {
		return err
	}
	if t.db, err = place.open(ctx); err != nil {
		return err
	}
	return errors.Join(verbs[args[0]](ctx, t), t.db.Close())
}

// banksTool is one run of it.
type banksTool struct {
	io  std
	cfg banks.Config
	db  *sqlstore.Store

	pictures pictures

	app, bank, category, state, format, file, source string
	all, partial, replace, json                      bool
	picture, pdq, sha256, importID, entry            string
	threshold, quality                               int
}

func (t *banksTool) flags(f *flag.FlagSet, verb string) {
	f.StringVar(&t.app, "app", "", "the app whose banks they are")
	f.BoolVar(&t.all, "all", false, "banks that count for all apps")
	f.BoolVar(&t.json, "json", false, "print JSON")
	switch verb {
	case "import":
		f.StringVar(&t.bank, "bank", "", "the bank; it is made where there is none, which needs --category")
		f.StringVar(&t.category, "category", "", "of a new bank: child_safety, extremism, ip_infringement, nudity, gore, …")
		f.StringVar(&t.state, "state", store.ImageBankTest, "of a new bank: test (it only counts) or live")
		f.IntVar(&t.threshold, "threshold", -1, fmt.Sprintf("of a new bank: in how many bits perceptual hashes may differ, 0 to %d; below 0: 31 of child_safety and extremism, 40 of others", banks.MostRadius))
		f.StringVar(&t.format, "format", "", "csv (by its header), pdq, sha256 or threatexchange")
		f.StringVar(&t.file, "file", "-", "the list; - is standard input")
		f.StringVar(&t.source, "source", "", "where the list is from")
		f.BoolVar(&t.partial, "partial", false, "take the lines without a fault of a list that has some")
		f.BoolVar(&t.replace, "replace", false, "retire what was imported into the bank before")
	case "test":
		f.StringVar(&t.picture, "picture", "", "a JPEG, PNG, GIF, WebP or BMP file")
		f.StringVar(&t.pdq, "pdq", "", "a perceptual hash, 64 hexadecimal digits")
		f.IntVar(&t.quality, "quality", 100, "the quality of --pdq")
		f.StringVar(&t.sha256, "sha256", "", "the SHA-256 of a file, 64 hexadecimal digits")
	case "retire":
		f.StringVar(&t.bank, "bank", "", "the bank; all of it, where neither --import nor --entry is given")
		f.StringVar(&t.importID, "import", "", "one import, by its id: its hashes are deleted")
		f.StringVar(&t.entry, "entry", "", "one entry, as test names it: pdq/17")
	}
}

func (t *banksTool) check(verb string) error {
	if t.app != "" && t.all || t.app == "" && !t.all && verb != "list" {
		return badUsage("--app NAME or --all is needed, and not both")
	}
	if t.app != "" && !auth.ValidApp(engines.AppID(t.app)) {
		return badUsage("--app must be 1 to 64 of A-Z a-z 0-9 . _ -")
	}
	if (verb == "import" || verb == "retire") && !banks.ValidName(t.bank) {
		return badUsage("--bank must be 1 to 48 of a-z 0-9 _ -, beginning with a letter or digit")
	}
	if verb == "import" && !hashlist.Valid(hashlist.Format(t.format)) {
		return badUsage("--format must be csv, pdq, sha256 or threatexchange")
	}
	return nil
}

// radius is the threshold of a new bank.
func (t *banksTool) radius() int {
	if t.threshold < 0 {
		return banks.UsualRadius(engines.Category(t.category))
	}
	return t.threshold
}

func (t *banksTool) key() banks.Key { return banks.Key{App: engines.AppID(t.app), Name: t.bank} }

// keeper is one over the store. With bare it has no hashes: what only writes needs none.
func (t *banksTool) keeper(bare bool) *banks.Keeper {
	return banks.New(t.cfg, banks.Deps{
		Store: t.db, Bare: bare, Pictures: t.pictures, Node: "cli", Log: slog.New(slog.DiscardHandler),
	})
}

func importBank(ctx context.Context, t *banksTool) error {
	in := t.io.in
	if t.file != "-" {
		f, err := os.Open(t.file)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	k := t.keeper(true)
	_, err := t.db.ImageBank(ctx, engines.AppID(t.app), t.bank)
	if errors.Is(err, store.ErrNotFound) {
		if t.category == "" {
			return fmt.Errorf("no bank %s; --category makes it", t.bank)
		}
		_, err = k.Put(ctx, store.ImageBank{
			App: engines.AppID(t.app), Name: t.bank, Category: engines.Category(t.category), State: t.state, Radius: t.radius(),
			LeastQuality: t.cfg.LeastQuality, By: cliActor(),
		}, 0)
	}
	if err != nil {
		return err
	}
	start := time.Now()
	r, err := k.Import(ctx, banks.Order{
		Key: t.key(), Format: hashlist.Format(t.format), Source: t.source, Partial: t.partial, Replace: t.replace, By: cliActor(), Body: in,
	})
	refused, ok := errors.AsType[*banks.RefusedError](err)
	if ok {
		r = refused.Report
	}
	for _, f := range r.Faults {
		t.io.note("line %d: %s\n", f.Line, f.Reason)
	}
	if more := r.Faulty - int64(len(r.Faults)); more > 0 {
		t.io.note("and %d more lines with a fault\n", more)
	}
	if ok {
		return fmt.Errorf("nothing was imported: %d of %d lines have a fault; --partial takes the others", r.Faulty, r.Lines)
	}
	if err != nil {
		return err
	}
	if t.json {
		return printJSON(t.io, map[string]any{
			"import_id": r.ID, "lines": r.Lines, "pdq": r.PDQ, "sha256": r.SHA256, "faulty": r.Faulty, "low_quality": r.LowQuality,
		})
	}
	t.io.say("%d lines in %s: %d perceptual hashes, %d SHA-256; left out: %d with a fault, %d of low quality\nimport %s\n",
		r.Lines, time.Since(start).Round(time.Millisecond), r.PDQ, r.SHA256, r.Faulty, r.LowQuality, r.ID)
	return nil
}

func listBanks(ctx context.Context, t *banksTool) error {
	list, err := t.db.ImageBanksChanged(ctx, 0)
	if err != nil {
		return err
	}
	type row struct {
		App      engines.AppID    `json:"app_id"` // "" for all
		Name     string           `json:"name"`
		Category engines.Category `json:"category"`
		State    string           `json:"state"`
		Imports  int64            `json:"imports"`
		PDQ      int64            `json:"pdq_imported"`
		SHA256   int64            `json:"sha256_imported"`
		Matches  int64            `json:"matches"`
	}
	rows := []row{}
	for i := range list {
		b := &list[i]
		if t.app != "" && b.App != "" && string(b.App) != t.app || t.all && b.App != "" {
			continue
		}
		matches, err := t.db.ImageMatches(ctx, b.ID, 1000)
		if err != nil {
			return err
		}
		r := row{App: b.App, Name: b.Name, Category: b.Category, State: b.State, Imports: b.Imports, PDQ: b.PDQ, SHA256: b.SHA256}
		for _, m := range matches {
			r.Matches += m.N
		}
		rows = append(rows, r)
	}
	if t.json {
		return printJSON(t.io, rows)
	}
	for _, r := range rows {
		owner := string(r.App)
		if owner == "" {
			owner = "*"
		}
		t.io.say("%-24s %-24s %-16s %-8s %d imports, %d perceptual hashes, %d SHA-256, %d matches\n", owner, r.Name, r.Category, r.State, r.Imports, r.PDQ, r.SHA256, r.Matches)
	}
	return nil
}

func testBanks(ctx context.Context, t *banksTool) error {
	k := t.keeper(false)
	f := &engines.MediaFacts{PDQQuality: t.quality}
	given := 0
	for _, one := range []struct {
		flag, text string
		to         *[32]byte
	}{{"--pdq", t.pdq, &f.PDQ}, {"--sha256", t.sha256, &f.SHA256}} {
		if one.text == "" {
			continue
		}
		given++
		if err := hashlist.Hash(one.text, one.to); err != nil {
			return badUsage("%s must be 64 hexadecimal digits", one.flag)
		}
	}
	if t.picture != "" {
		file, err := os.ReadFile(t.picture)
		if err != nil {
			return err
		}
		if f, err = k.Facts(ctx, file); err != nil {
			return err
		}
	} else if given == 0 {
		return badUsage("--picture, --pdq or --sha256 is needed")
	}
	if err := k.Load(ctx); err != nil {
		return err
	}
	list, err := k.Test(ctx, engines.AppID(t.app), f, true, cliActor())
	if err != nil {
		return err
	}
	if t.json {
		return t.printFound(list)
	}
	if t.picture != "" {
		t.io.say("pdq %x of quality %d, sha256 %x\n", f.PDQ, f.PDQQuality, f.SHA256)
	}
	for i := range list {
		m := &list[i]
		t.io.say("%s (%s, %s): %s, distance %d\n", m.Bank.Name, m.Bank.Category, m.Bank.State, m.Entry(), m.Distance)
	}
	if len(list) == 0 {
		t.io.say("no bank knows it\n")
	}
	return nil
}

func (t *banksTool) printFound(list []banks.Found) error {
	rows := make([]json.RawMessage, len(list))
	for i := range list {
		m := &list[i]
		row, err := json.Marshal(map[string]any{
			"bank": m.Bank.Name, "app_id": m.Bank.App, "category": m.Bank.Category, "state": m.Bank.State, "entry": m.Entry(), "distance": m.Distance,
		})
		if err != nil {
			return fmt.Errorf("print matches: %w", err)
		}
		rows[i] = row
	}
	return printJSON(t.io, rows)
}

func retireBank(ctx context.Context, t *banksTool) error {
	k := t.keeper(true)
	switch {
	case t.importID != "" && t.entry != "":
		return badUsage("--import or --entry, not both")
	case t.importID != "":
		return t.none(k.RetireImport(ctx, t.key(), t.importID, cliActor()))
	case t.entry != "":
		kind, text, _ := strings.Cut(t.entry, "/")
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil || kind != store.ImagePDQ && kind != store.ImageSHA256 {
			return badUsage("--entry is pdq or sha256 and a number, as pdq/17")
		}
		return t.none(k.RetireEntry(ctx, t.key(), kind, number, cliActor()))
	}
	b, err := t.db.ImageBank(ctx, engines.AppID(t.app), t.bank)
	if err == nil {
		b.State, b.By = store.ImageBankRetired, cliActor()
		_, err = k.Put(ctx, b, b.Version)
	}
	return t.none(err)
}

// none says what there is not.
func (t *banksTool) none(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("no such bank, import or entry in %s", t.bank)
	}
	return err
}
