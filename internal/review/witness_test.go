package review_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

type observerFunc func(*engines.Item, engines.Outcome, string)

func (f observerFunc) Observed(item *engines.Item, o engines.Outcome, way string) { f(item, o, way) }

type profileFunc func(*engines.Item)

func (f profileFunc) Fill(item *engines.Item) { f(item) }

// Observers hear of passes too, and of items as profiles have filled them.
func TestObserversAndProfiles(t *testing.T) {
	var heard []string
	r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
		d.Profiles = profileFunc(func(item *engines.Item) { item.Segment = "minor" })
		d.Observers = []review.Observer{observerFunc(func(item *engines.Item, o engines.Outcome, way string) {
			heard = append(heard, item.Segment+" "+string(o.Verdict.Suggestion)+" "+way)
		})}
	})
	for _, item := range []*engines.Item{said("good game"), asked("bad")} {
		if _, err := r.Check(t.Context(), item); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"minor pass stream", "minor block rest"}, heard); diff != "" {
		t.Errorf("heard (-want +got):\n%s", diff)
	}
}
