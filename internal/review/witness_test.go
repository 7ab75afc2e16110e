package review_test

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
)

type witnessFunc func(*engines.Item, engines.Finding)

func (f witnessFunc) Saw(item *engines.Item, found engines.Finding) { f(item, found) }

// The witness hears of what was found, also where callers only observe, and of
// nothing else.
func TestWitness(t *testing.T) {
	for _, mode := range []engines.Mode{engines.RealTimeBlock, engines.MonitorOnly} {
		var heard []engines.Finding
		r := furnish(t, policy.Config{Mode: mode}, func(_ *review.Config, d *review.Deps) {
			d.Witness = witnessFunc(func(item *engines.Item, found engines.Finding) {
				if item.Player != "ann" || item.RequestID == "" {
					t.Errorf("an item of %q, %q", item.Player, item.RequestID)
				}
				heard = append(heard, found)
			})
		})
		for _, text := range []string{"good game", "bad"} {
			if _, err := r.Check(t.Context(), said(text)); err != nil {
				t.Fatal(err)
			}
		}
		if len(heard) != 1 || heard[0].Suggestion != engines.Block || len(heard[0].Labels) != 1 {
			t.Errorf("%s: heard %+v, want what was found in the second text", mode, heard)
		}
	}
}
