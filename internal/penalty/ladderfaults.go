package penalty

import (
	"fmt"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	maxWeight = 1000
	maxSteps  = 50
	maxRows   = 200
	maxLayers = 200
	maxDays   = 3650
	maxHours  = 8760 // a year: what is longer is for good
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

// Faults returns everything that is wrong with a ladder, none where it works. has
// reports whether the policy has a layer that the ladder names; nil is not to ask.
func Faults(r *store.LadderRules, has func(layer string) bool) []Fault {
	var f faults
	if r.WindowDays < 1 || r.WindowDays > maxDays {
		f.add("/window_days", "must be 1 to %d", maxDays)
	}
	if len(r.Weights[byDefault]) == 0 {
		f.add("/weights/default", "is required: what a strike weighs by severity")
	}
	f.weights("", r.Weights)
	f.start("", r.Start, r.Steps)
	f.steps("", r.Steps)
	if len(r.Layers) > maxLayers {
		f.add("/layers", "must be at most %d", maxLayers)
		return f
	}
	for _, id := range sorted(r.Layers) {
		f.layer(r, id, has)
	}
	return f
}

// layer checks what a ladder says of one layer of the policy.
func (f *faults) layer(r *store.LadderRules, id string, has func(layer string) bool) {
	at, l := "/layers/"+strings.ReplaceAll(strings.ReplaceAll(id, "~", "~0"), "/", "~1"), r.Layers[id]
	kind, name, _ := strings.Cut(id, "/")
	if err := policy.CheckLayer(policy.LayerKind(kind), name); err != nil {
		f.add(at, "%v", err)
	} else if has != nil && !has(id) {
		f.add(at, "the app's policy has no such layer")
	}
	if l.Automatic == nil && l.WindowDays == 0 && len(l.Weights) == 0 && l.Start == nil && len(l.Steps) == 0 {
		f.add(at, "says nothing")
	}
	if l.WindowDays < 0 || l.WindowDays > maxDays {
		f.add(at+"/window_days", "must be 1 to %d", maxDays)
	}
	f.weights(at, l.Weights)
	f.steps(at, l.Steps)
	whole := under(r, []string{id})
	switch {
	case l.Start != nil:
		f.start(at, l.Start, whole.Steps)
	case len(l.Steps) > 0:
		for _, category := range sorted(r.Start) {
			if IsCategory(category) && startOf(&whole, engines.Category(category)) < 0 {
				f.add(at+"/steps", "have no %s, with which %s starts: give start here too", r.Start[category], category)
			}
		}
	}
}

func (f *faults) weights(at string, rows map[string][]int) {
	whole := at == "" // and no layer's
	at += "/weights"
	if len(rows) > maxRows {
		f.add(at, "must have at most %d rows", maxRows)
		return
	}
	for _, name := range sorted(rows) {
		at, row := at+"/"+strings.ReplaceAll(name, "/", "~1"), rows[name]
		category, label, narrow := strings.Cut(name, "/")
		if name != byDefault && (!IsCategory(category) || narrow && label == "") {
			f.add(at, "is neither a category, nor category/sub_label, nor default")
		}
		switch {
		case len(row) == 0 && name == byDefault && whole: // which is told as missing
		case len(row) < 1 || len(row) > severities:
			f.add(at, "must have 1 to %d weights, that of severity 1 first", severities)
		case slices.Min(row) < 0 || slices.Max(row) > maxWeight:
			f.add(at, "must be of 0 to %d each", maxWeight)
		case !slices.IsSorted(row):
			f.add(at, "must not fall with the severity")
		}
	}
}

// start checks at which of the steps categories start.
func (f *faults) start(at string, start map[string]store.PenaltyKind, steps []store.LadderStep) {
	whole := store.LadderRules{Start: start, Steps: steps}
	for _, name := range sorted(start) {
		if !IsCategory(name) {
			f.add(at+"/start/"+name, "is not a category")
		}
		if startOf(&whole, engines.Category(name)) < 0 {
			f.add(at+"/start/"+name, "no step for the category has this kind")
		}
	}
}

func (f *faults) steps(at string, steps []store.LadderStep) {
	if len(steps) > maxSteps {
		f.add(at+"/steps", "must be at most %d", maxSteps)
		return
	}
	of := map[engines.Category]string{} // which ladder a category is on
	for i := range steps {
		for _, why := range stepFaults(steps, i) {
			f.add(fmt.Sprintf("%s/steps/%d/%s", at, i, why[0]), "%s", why[1])
		}
		track := counted(steps, &steps[i])
		for k, c := range steps[i].Categories {
			here := fmt.Sprintf("%s/steps/%d/categories/%d", at, i, k)
			switch on, ok := of[c]; {
			case !IsCategory(string(c)):
				f.add(here, "%q is not a category", c)
			case slices.Contains(steps[i].Categories[:k], c):
				f.add(here, "%q stands twice", c)
			case ok && on != track:
				f.add(here, "%q stands beside other categories in a step before: steps that share one have all of them", c)
			}
			of[c] = track
		}
	}
}

// stepFaults returns member and reason of what is wrong with one step.
func stepFaults(steps []store.LadderStep, i int) (list [][2]string) {
	s := &steps[i]
	if s.Weight < 1 || s.Weight > maxWeight {
		list = append(list, [2]string{"weight", fmt.Sprintf("must be 1 to %d", maxWeight)})
	}
	highest, twice := 0, false
	for j := range i {
		if b := &steps[j]; counted(steps, b) == counted(steps, s) {
			highest = b.Weight
			twice = twice || b.Weight == s.Weight && b.Kind == s.Kind
		}
	}
	if s.Weight < highest {
		list = append(list, [2]string{"weight", "must not be below that of the step before"})
	}
	if twice {
		list = append(list, [2]string{"kind", "stands twice at this weight"})
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
