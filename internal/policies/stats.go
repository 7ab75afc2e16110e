package policies

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Stats is what a rollout has done, step by step.
type Stats struct {
	Steps   []StepStats
	Samples []store.PolicySample
}

// StepStats is what one step counted, over all gateways.
type StepStats struct {
	Step string // shadow, or the share in percent
	// Live and Draft are what each side decided, by suggestion (pass, review, block).
	Live, Draft [3]int64
	// Pairs are what both policies say of the same items: live by draft.
	Pairs      [3][3]int64
	Categories []CategoryStats
	// Outside says which bound is left, "" for none.
	Outside string
}

// CategoryStats says how often a category was found by the live policy, by the draft,
// and by both.
type CategoryStats struct {
	Category          engines.Category
	Live, Draft, Both int64
}

// steps are those that count, in their order.
var steps = []string{string(store.RolloutShadow), "1", "10", "50", "100"}

// Stats says what a rollout has done. The last second may be missing.
func (k *Keeper) Stats(ctx context.Context, r *store.Rollout) (s Stats, err error) {
	counts, err := k.deps.Store.PolicyCounts(ctx, r.App, r.ID)
	if err != nil {
		return s, err
	}
	if s.Samples, err = k.deps.Store.PolicySamples(ctx, r.App, r.ID); err != nil {
		return s, err
	}
	for _, step := range steps {
		if one, ok := statsOf(counts, step); ok {
			arms, pairs := sides(counts, step)
			if one.Outside = outside(&r.Bounds, pairs.Live, pairs.Draft); one.Outside == "" {
				one.Outside = outside(&r.Bounds, arms.Live, arms.Draft)
			}
			s.Steps = append(s.Steps, one)
		}
	}
	return s, nil
}

func statsOf(counts []store.PolicyCount, step string) (s StepStats, counted bool) {
	s.Step = step
	of := map[engines.Category]*CategoryStats{}
	for _, c := range counts {
		if c.Step != step {
			continue
		}
		counted = true
		if c.Category != "" {
			if of[c.Category] == nil {
				of[c.Category] = &CategoryStats{Category: c.Category}
			}
			of[c.Category].add(&c)
			continue
		}
		i, j := engines.Suggestion(c.Live).Rank(), engines.Suggestion(c.Draft).Rank()
		s.Pairs[i][j] += c.N
		if c.Arm == store.ArmLive {
			s.Live[i] += c.N
		} else {
			s.Draft[j] += c.N
		}
	}
	for _, name := range categories {
		if c := of[name]; c != nil {
			s.Categories = append(s.Categories, *c)
		}
	}
	return s, counted
}

func (s *CategoryStats) add(c *store.PolicyCount) {
	if c.Live == foundWord {
		s.Live += c.N
	}
	if c.Draft == foundWord {
		s.Draft += c.N
	}
	if c.Live == foundWord && c.Draft == foundWord {
		s.Both += c.N
	}
}
