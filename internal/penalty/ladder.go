package penalty

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// byDefault is the row of weights for categories that have none.
	byDefault    = "default"
	severities   = 4
	defaultLevel = 1 // of a ruling that names no severity
)

// under is the ladder that holds for content under layers of a policy, the most general
// one first.
func under(r *store.LadderRules, layers []string) store.LadderRules {
	out := *r
	out.Layers = nil
	if len(r.Layers) == 0 {
		return out
	}
	for _, id := range layers {
		l, ok := r.Layers[id]
		if !ok {
			continue
		}
		if l.Automatic != nil {
			out.Automatic = *l.Automatic
		}
		if l.WindowDays != 0 {
			out.WindowDays = l.WindowDays
		}
		if len(l.Weights) > 0 {
			out.Weights = weightsOver(out.Weights, l.Weights)
		}
		if l.Start != nil {
			out.Start = l.Start
		}
		if len(l.Steps) > 0 {
			out.Steps = l.Steps
		}
	}
	return out
}

// weightsOver lays rows over others. What is said of a category stands for its
// sub-labels too.
func weightsOver(below, rows map[string][]int) map[string][]int {
	out := maps.Clone(below)
	if out == nil {
		out = map[string][]int{}
	}
	maps.DeleteFunc(out, func(name string, _ []int) bool {
		category, _, narrow := strings.Cut(name, "/")
		return narrow && len(rows[category]) > 0
	})
	maps.Copy(out, rows)
	return out
}

// weigh is what a strike of this kind weighs.
func weigh(r *store.LadderRules, category engines.Category, label string, severity int) int {
	row := r.Weights[string(category)+"/"+label]
	if len(row) == 0 {
		row = r.Weights[string(category)]
	}
	if len(row) == 0 {
		row = r.Weights[byDefault]
	}
	if len(row) == 0 {
		return 0
	}
	return row[min(max(severity, defaultLevel), len(row))-1]
}

// windowOf is how long strikes count for a step, in ms.
func windowOf(r *store.LadderRules, s *store.LadderStep) int64 {
	days := s.WindowDays
	if days == 0 {
		days = r.WindowDays
	}
	return daysLong(days)
}

func daysLong(days int) int64 { return int64(days) * 24 * time.Hour.Milliseconds() }

// reach is how far back the ladder looks at all, in ms, under any layer.
func reach(r *store.LadderRules) (most int64) {
	days, layered := r.WindowDays, len(r.Steps) > 0
	steps := func(list []store.LadderStep) {
		for i := range list {
			days = max(days, list[i].WindowDays)
		}
	}
	steps(r.Steps)
	for _, l := range r.Layers {
		days, layered = max(days, l.WindowDays), layered || len(l.Steps) > 0
		steps(l.Steps)
	}
	if !layered {
		return 0
	}
	return daysLong(days)
}

// Steps that name the same categories are a ladder of their own. Which strikes count
// on it is said as a text, since a penalty keeps it: "" are all, "hate,spam" those of
// these categories, "!hate,spam" all others.

// counted says which strikes count for a step of steps.
func counted(steps []store.LadderStep, s *store.LadderStep) string {
	if len(s.Categories) > 0 {
		return categoriesText(s.Categories)
	}
	var named []engines.Category
	for i := range steps {
		named = append(named, steps[i].Categories...)
	}
	if len(named) == 0 {
		return ""
	}
	return "!" + categoriesText(named)
}

func categoriesText(list []engines.Category) string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = string(c)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// counts reports whether strikes of a category are among those that count.
func counts(among string, c engines.Category) bool {
	if among == "" {
		return true
	}
	names, but := strings.CutPrefix(among, "!")
	return slices.Contains(strings.Split(names, ","), string(c)) != but
}

// sum is the weight of the strikes that count in the window that ends at a time, that
// of the time among them.
func sum(strikes []store.Strike, among string, window, at int64) (weight int) {
	for i := range strikes {
		if st := &strikes[i]; st.Created <= at && st.Created > at-window && counts(among, st.Category) {
			weight += st.Weight
		}
	}
	return weight
}

// startOf is the step that a single strike of a category reaches at least, -1 for none.
func startOf(r *store.LadderRules, c engines.Category) int {
	kind, ok := r.Start[string(c)]
	if !ok {
		return -1
	}
	return slices.IndexFunc(r.Steps, func(s store.LadderStep) bool { return s.Kind == kind && counts(counted(r.Steps, &s), c) })
}

// climb returns the steps that a strike gives: the highest that is reached of those
// that are for its category, by the weight of all strikes that count for them, or by
// the category's start where that is higher. alone says that they rest on this strike
// alone.
func climb(r *store.LadderRules, now *store.Strike, standing []store.Strike) (steps []store.LadderStep, alone bool) {
	if now.Weight == 0 {
		return nil, false
	}
	top, at := 0, now.Created
	for i := range standing { // another gateway's clock may be ahead of ours
		at = max(at, standing[i].Created)
	}
	mine := make([]store.LadderStep, 0, len(r.Steps))
	for i := range r.Steps {
		s := &r.Steps[i]
		among := counted(r.Steps, s)
		if !counts(among, now.Category) {
			continue
		}
		mine = append(mine, *s)
		if s.Weight > top && sum(standing, among, windowOf(r, s), at) >= s.Weight {
			top = s.Weight
		}
	}
	if i := startOf(r, now.Category); i >= 0 && r.Steps[i].Weight > top {
		top, alone = r.Steps[i].Weight, true
	}
	for _, s := range mine {
		if s.Weight == top {
			steps = append(steps, s)
		}
	}
	return steps, alone
}

// rests reports whether a penalty of the ladder stands on the strikes that stand: at
// some time since it was given the weight of those that count has reached its step.
func rests(p *store.Penalty, standing []store.Strike) bool {
	if p.Step == 0 { // it rests on its strike alone
		return slices.ContainsFunc(standing, func(st store.Strike) bool { return st.ID == p.Strike })
	}
	if sum(standing, p.Counted, p.Window, p.Created) >= p.Step {
		return true
	}
	for i := range standing {
		if st := &standing[i]; st.Created > p.Created && sum(standing, p.Counted, p.Window, st.Created) >= p.Step {
			return true
		}
	}
	return false
}
