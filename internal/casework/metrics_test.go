package casework_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func TestMetrics(t *testing.T) {
	d := newDesk(openStore(t, sqlstore.Config{Dir: t.TempDir()}), casework.Default())
	reg := prometheus.NewRegistry()
	down := true
	d.out.faults = func() (bool, bool) { return down, false }
	d.Service = casework.New(casework.Default(), casework.Deps{
		Store: d.db, Scenes: d.out, Ruled: d.out, Now: d.clock.now, Registry: reg, Log: slog.New(slog.DiscardHandler),
	})
	d.held(t, "c1", "p")
	d.do(t, "c1", claim(ann))
	if _, err := d.Move(t.Context(), "c1", claim(bob)); err == nil {
		t.Error("two have it")
	}
	d.do(t, "c1", decide(ann, store.CaseApproved))
	down = false
	d.clock.forward(effectsAgain)
	if err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := `
# HELP portcullis_case_effects_total What follows of decisions outside of the store, by kind and by how it ended: done, or failed and to be tried again.
# TYPE portcullis_case_effects_total counter
portcullis_case_effects_total{kind="publish",result="done"} 1
portcullis_case_effects_total{kind="publish",result="failed"} 1
portcullis_case_effects_total{kind="ruled",result="done"} 1
# HELP portcullis_case_moves_total What was asked of cases, by action and by how it ended: done, refused, or failed.
# TYPE portcullis_case_moves_total counter
portcullis_case_moves_total{action="claim",result="done"} 1
portcullis_case_moves_total{action="claim",result="refused"} 1
portcullis_case_moves_total{action="decide",result="done"} 1
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "portcullis_case_effects_total", "portcullis_case_moves_total"); err != nil {
		t.Error(err)
	}
}
