package audit_test

import (
	"database/sql"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

type place struct {
	db     *sqlstore.Store
	raw    *sql.DB
	key    audit.Key
	keeper *audit.Keeper
}

func open(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: dir, MasterKey: [32]byte{1}, Node: "n1"})
	if err != nil {
		t.Fatal(err)
	}
	raw := storetest.RawDB(t, "sqlite", "file:"+filepath.Join(dir, "core.db")+"?_pragma=busy_timeout(5000)")
	t.Cleanup(func() {
		if err := errors.Join(raw.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	key := audit.NewKey([32]byte{7})
	return &place{db, raw, key, audit.NewKeeper(audit.Default(), db, key, slog.New(slog.DiscardHandler))}
}

func (p *place) note(t *testing.T, chain string, n int) {
	t.Helper()
	for range n {
		err := p.db.AppendAudit(t.Context(), store.Audit{Chain: chain, TS: time.Now(), Actor: "ana", Action: "x", Object: "o", Detail: "{}"})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (p *place) sign(t *testing.T) []store.Checkpoint {
	t.Helper()
	made, err := p.keeper.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (p *place) faults(t *testing.T, kept ...store.Checkpoint) []error {
	t.Helper()
	r, err := audit.Verify(t.Context(), p.db, p.key.Public(), kept)
	if err != nil {
		t.Fatal(err)
	}
	return r.Faults
}

func (p *place) do(t *testing.T, statement string) {
	t.Helper()
	if _, err := p.raw.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestCheckpointsWhatHasGrown(t *testing.T) {
	p := open(t)
	p.note(t, "a", 3)
	p.note(t, "b", 1)
	if made := p.sign(t); len(made) != 2 || made[0].Seq != 3 || !audit.Genuine(&made[0], p.key.Public()) {
		t.Fatalf("checkpoints %+v", made)
	}
	if made := p.sign(t); len(made) != 0 {
		t.Errorf("nothing has grown: %+v", made)
	}
	p.note(t, "b", 1)
	made := p.sign(t)
	if len(made) != 1 || made[0].Chain != "b" || made[0].Seq != 2 {
		t.Errorf("checkpoints %+v, want b at 2", made)
	}
	if faults := p.faults(t, made...); len(faults) > 0 {
		t.Errorf("a log that is whole: %v", faults)
	}
	forged := made[0]
	forged.Hash = strings.Repeat("0", 64)
	if audit.Genuine(&forged, p.key.Public()) || audit.Genuine(&made[0], audit.NewKey([32]byte{8}).Public()) {
		t.Error("a forged checkpoint, or one of another key, is genuine")
	}
}

// Whoever can write to the database can make a chain that is whole. What was signed
// before shows it, if it was kept elsewhere even when the database's own are gone.
func TestRebuiltChainShows(t *testing.T) {
	p := open(t)
	p.note(t, "a", 3)
	kept := p.sign(t)
	p.do(t, `DELETE FROM audit_log`)
	p.do(t, `DELETE FROM audit_chain`)
	p.note(t, "a", 5) // a new chain, whole, and longer
	if err := p.db.VerifyAudit(t.Context(), "a"); err != nil {
		t.Fatalf("the new chain is whole by itself: %v", err)
	}
	if faults := p.faults(t); len(faults) != 1 || !strings.Contains(faults[0].Error(), "a at entry 3: the entry is another one") {
		t.Errorf("faults %v", faults)
	}
	if _, err := p.keeper.Checkpoint(t.Context()); !errors.Is(err, store.ErrChainBroken) {
		t.Errorf("Checkpoint() of a chain made anew: %v, want ErrChainBroken", err)
	}
	p.do(t, `DELETE FROM audit_checkpoint`)
	if faults := p.faults(t); len(faults) != 0 {
		t.Errorf("without checkpoints nothing shows: %v", faults)
	}
	if faults := p.faults(t, kept...); len(faults) != 1 {
		t.Errorf("faults by what was kept elsewhere: %v", faults)
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	for name, c := range map[string]struct{ do, want string }{
		"changed":            {`UPDATE audit_log SET actor = 'eve' WHERE chain = 'b' AND seq = 2`, "b at entry 2"},
		"chain removed":      {`DELETE FROM audit_log WHERE chain = 'a'`, "a ends at 0"},
		"and its head too":   {`DELETE FROM audit_log WHERE chain = 'a'; DELETE FROM audit_chain WHERE chain = 'a'`, "a at entry 3: the entry is missing"},
		"checkpoint changed": {`UPDATE audit_checkpoint SET hash = 'x' WHERE chain = 'a'`, "not signed with this installation's key"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			p.note(t, "a", 3)
			p.note(t, "b", 3)
			p.sign(t)
			p.do(t, c.do)
			faults := errors.Join(p.faults(t)...)
			if faults == nil || !strings.Contains(faults.Error(), c.want) {
				t.Errorf("faults %v, want one with %q", faults, c.want)
			}
		})
	}
}

func TestValidate(t *testing.T) {
	cfg := audit.Config{}
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "audit.checkpoint") {
		t.Errorf("Validate() = %v", err)
	}
}
