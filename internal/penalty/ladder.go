package penalty

import (
	"fmt"
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
	maxWeight    = 1000
	maxSteps     = 50
	maxRows      = 200
	maxDays      = 3650
	maxHours     = 8760 // a year: what is longer is for good
	defaultLevel = 1    // of a ruling that names no severity
)

// media are the categories of pictures and sound, beside those of text.
var media = []engines.Category{
	"nudity", "semi_nudity", "gore", "child_safety", "extremism", "ip_infringement", "malicious_link", "advertising", "acoustic",
}

// IsCategory reports whether there is a category of this name.
func IsCategory(name string) bool {
	return slices.Contains(engines.TextCategories, engines.Category(name)) || slices.Contains(media, engines.Category(name))
}

// Fault is what is wrong with one place of a ladder; Pointer is of RFC 6901.
type Fault struct{ Pointer, Reason string }

// faults collects what is wrong with a ladder.
type faults []Fault

func (f *faults) add(pointer, format string, args ...any) {
	*f = append(*f, Fault{pointer, fmt.Sprintf(format, args...)})
}

// Faults returns everything that is wrong with a ladder, none where it works.
func Faults(r *store.LadderRules) []Fault {
	var f faults
	if r.WindowDays < 1 || r.WindowDays > maxDays {
		f.add("/window_days", "must be 1 to %d", maxDays)
	}
	f.weights(r.Weights)
	for _, name := range sorted(r.Start) {
		if !IsCategory(name) {
			f.add("/start/"+name, "is not a category")
		}
		if !slices.ContainsFunc(r.Steps, func(s store.LadderStep) bool { return s.Kind == r.Start[name] }) {
			f.add("/start/"+name, "no step has this kind")
		}
	}
	if len(r.Steps) > maxSteps {
		f.add("/steps", "must be at most %d", maxSteps)
		return f
	}
	for i := range r.Steps {
		for _, why := range stepFaults(r.Steps, i) {
			f.add(fmt.Sprintf("/steps/%d/%s", i, why[0]), "%s", why[1])
		}
	}
	return f
}

func (f *faults) weights(rows map[string][]int) {
	if len(rows[byDefault]) == 0 {
		f.add("/weights/default", "is required: what a strike weighs by severity")
	}
	if len(rows) > maxRows {
		f.add("/weights", "must have at most %d rows", maxRows)
		return
	}
	for _, name := range sorted(rows) {
		at, row := "/weights/"+strings.ReplaceAll(name, "/", "~1"), rows[name]
		category, label, narrow := strings.Cut(name, "/")
		if name != byDefault && (!IsCategory(category) || narrow && label == "") {
			f.add(at, "is neither a category, nor category/sub_label, nor default")
		}
		switch {
		case len(row) < 1 || len(row) > severities:
			f.add(at, "must have 1 to %d weights, that of severity 1 first", severities)
		case slices.Min(row) < 0 || slices.Max(row) > maxWeight:
			f.add(at, "must be of 0 to %d each", maxWeight)
		case !slices.IsSorted(row):
			f.add(at, "must not fall with the severity")
		}
	}
}

// stepFaults returns member and reason of what is wrong with one step.
func stepFaults(steps []store.LadderStep, i int) (list [][2]string) {
	s := &steps[i]
	if s.Weight < 1 || s.Weight > maxWeight {
		list = append(list, [2]string{"weight", fmt.Sprintf("must be 1 to %d", maxWeight)})
	}
	if i > 0 && s.Weight < steps[i-1].Weight {
		list = append(list, [2]string{"weight", "must not be below that of the step before"})
	}
	for j := range i {
		if steps[j].Weight == s.Weight && steps[j].Kind == s.Kind {
			list = append(list, [2]string{"kind", "stands twice at this weight"})
		}
	}
	switch ends := s.Kind != store.PenaltyWarn && s.Kind != store.PenaltyBan; {
	case s.Kind.Rank() < 0:
		list = append(list, [2]string{"kind", "must be warn, mute_text, mute_voice, trade_lock, suspend or ban"})
	case !ends && s.Hours != 0:
		list = append(list, [2]string{"hours", "has no meaning for this kind"})
	case s.Hours < 0 || s.Hours > maxHours:
		list = append(list, [2]string{"hours", fmt.Sprintf("must be 1 to %d, or absent for good", maxHours)})
	case s.Kind == store.PenaltySuspend && s.Hours == 0:
		list = append(list, [2]string{"hours", "is required: a suspension ends; for good it is a ban"})
	}
	if s.WindowDays < 0 || s.WindowDays > maxDays {
		list = append(list, [2]string{"window_days", fmt.Sprintf("must be 1 to %d", maxDays)})
	}
	return list
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
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
	return int64(days) * 24 * time.Hour.Milliseconds()
}

// reach is how far back the ladder looks at all, in ms.
func reach(r *store.LadderRules) (most int64) {
	for i := range r.Steps {
		most = max(most, windowOf(r, &r.Steps[i]))
	}
	return most
}

// sum is the weight of the strikes in the window that ends at a time, that of the
// time among them.
func sum(strikes []store.Strike, window, at int64) (weight int) {
	for i := range strikes {
		if st := &strikes[i]; st.Created <= at && st.Created > at-window {
			weight += st.Weight
		}
	}
	return weight
}

// climb returns the steps that a strike gives: the highest that is reached, by the
// weight of all that count, or by the category's start where that is higher. alone
// says that they rest on this strike alone.
func climb(r *store.LadderRules, now *store.Strike, standing []store.Strike) (steps []store.LadderStep, alone bool) {
	if now.Weight == 0 {
		return nil, false
	}
	top, at := 0, now.Created
	for i := range standing { // another gateway's clock may be ahead of ours
		at = max(at, standing[i].Created)
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Weight > top && sum(standing, windowOf(r, s), at) >= s.Weight {
			top = s.Weight
		}
	}
	if kind, ok := r.Start[string(now.Category)]; ok {
		i := slices.IndexFunc(r.Steps, func(s store.LadderStep) bool { return s.Kind == kind })
		if i >= 0 && r.Steps[i].Weight > top {
			top, alone = r.Steps[i].Weight, true
		}
	}
	for _, s := range r.Steps {
		if s.Weight == top {
			steps = append(steps, s)
		}
	}
	return steps, alone
}

// rests reports whether a penalty of the ladder stands on the strikes that stand: at
// some time since it was given their weight has reached its step.
func rests(p *store.Penalty, standing []store.Strike) bool {
	if p.Step == 0 { // it rests on its strike alone
		return slices.ContainsFunc(standing, func(st store.Strike) bool { return st.ID == p.Strike })
	}
	if sum(standing, p.Window, p.Created) >= p.Step {
		return true
	}
	for i := range standing {
		if st := &standing[i]; st.Created > p.Created && sum(standing, p.Window, st.Created) >= p.Step {
			return true
		}
	}
	return false
}
