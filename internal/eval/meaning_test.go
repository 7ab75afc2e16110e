package eval

import (
	"context"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// informer is a second stage that takes every text that it is asked about for a crime.
type informer struct{}

func (informer) Read(context.Context, string) (a [text.Answers]float64, ok bool) {
	a = [text.Answers]float64{-9, 9, -9, -9, -9}
	return a, true
}

// TestReadAtEveryStrictness: what the second stage alone finds is looked at by a person at the
// default strictness, blocks at none that is more lenient, and a stricter one makes no less of it.
func TestReadAtEveryStrictness(t *testing.T) {
	o := options{strict: 3, kind: "text", sweep: true}
	yes := true
	rows := []Row{{Text: "pick up ten of the blue ones, five each, by the church", Lang: "en", Toxic: &yes, Source: "own"}}
	var alone, read engines.Suggestion
	for _, second := range []text.Second{{}, {Meaning: informer{}}} {
		s, err := o.setup(second)
		if err != nil {
			t.Fatal(err)
		}
		results, _, err := Run(t.Context(), s, rows)
		if err != nil {
			t.Fatal(err)
		}
		levels := results[0].Levels[:]
		if !slices.IsSortedFunc(levels, func(a, b engines.Suggestion) int { return a.Rank() - b.Rank() }) {
			t.Errorf("by strictness: %v", levels)
		}
		if slices.Contains(levels[:3], engines.Block) {
			t.Errorf("it blocks: %v", levels)
		}
		alone, read = read, levels[2]
	}
	if alone != engines.Pass || read != engines.Review {
		t.Errorf("it is %s without the second stage and %s with it, want pass and review", alone, read)
	}
}
