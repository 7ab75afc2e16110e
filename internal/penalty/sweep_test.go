package penalty

import (
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// What an app's ladder still looks back to is not swept, however short Keep is; 0 keeps
// all.
func TestSweep(t *testing.T) {
	for _, test := range []struct {
		keep, pass, counts time.Duration
		left               int
	}{
		{time.Hour, 89 * 24 * time.Hour, 0, 1}, // the ladder's 90 days
		{time.Hour, 91 * 24 * time.Hour, 0, 0},
		{100 * 24 * time.Hour, 91 * 24 * time.Hour, 0, 1},
		{time.Hour, 91 * 24 * time.Hour, 92 * 24 * time.Hour, 1}, // its standing
	} {
		w := newWorld(t)
		cfg := Default()
		cfg.Keep = test.keep
		g := w.gate(cfg, "ann")
		g.deps.Counts = test.counts
		g.reject("r1", engines.Harassment, 1)
		w.pass(test.pass)
		if err := g.sweepOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := w.db.Strikes(t.Context(), "game", "ann", economy.Mark{}, 10)
		if err != nil || len(list) != test.left {
			t.Errorf("%v after it, kept %v: %d strikes, %v; want %d", test.pass, test.keep, len(list), err, test.left)
		}
	}
	cfg := Default()
	cfg.Keep = -1
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "penalties.keep") {
		t.Errorf("Validate() = %v", err)
	}
}
