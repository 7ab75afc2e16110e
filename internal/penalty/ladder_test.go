package penalty

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const day = 24 * 3600 * 1000

func TestDefaultIsValid(t *testing.T) {
	c := Default()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

func TestFaults(t *testing.T) {
	works := func() store.LadderRules { c := Default(); return c.rules() }
	for _, test := range []struct {
		name   string
		change func(*store.LadderRules)
		want   []string
	}{
		{"as it is", func(*store.LadderRules) {}, nil},
		{"no steps at all", func(r *store.LadderRules) { r.Steps, r.Start = nil, nil }, nil},
		{"window", func(r *store.LadderRules) { r.WindowDays = 0 }, []string{"/window_days"}},
		{"no default", func(r *store.LadderRules) { delete(r.Weights, "default") }, []string{"/weights/default"}},
		{"an unknown category", func(r *store.LadderRules) { r.Weights["rudeness"] = []int{1} }, []string{"/weights/rudeness"}},
		{"a sub-label", func(r *store.LadderRules) { r.Weights["spam/rmt"] = []int{2} }, nil},
		{"an empty sub-label", func(r *store.LadderRules) { r.Weights["spam/"] = []int{2} }, []string{"/weights/spam~1"}},
		{"weights that fall", func(r *store.LadderRules) { r.Weights["spam"] = []int{3, 1} }, []string{"/weights/spam"}},
		{"a negative weight", func(r *store.LadderRules) { r.Weights["spam"] = []int{-1} }, []string{"/weights/spam"}},
		{"too many weights", func(r *store.LadderRules) { r.Weights["spam"] = []int{1, 2, 3, 4, 5} }, []string{"/weights/spam"}},
		{"a start without a step", func(r *store.LadderRules) { r.Start["hate"] = "kick" }, []string{"/start/hate"}},
		{"a start of nothing", func(r *store.LadderRules) { r.Start["rudeness"] = store.PenaltyBan }, []string{"/start/rudeness"}},
		{"every fault of a step at once", func(r *store.LadderRules) {
			r.Steps = append(r.Steps, store.LadderStep{Weight: 0, Kind: "kick", Hours: -1, WindowDays: -1})
		}, []string{"/steps/9/weight", "/steps/9/weight", "/steps/9/kind", "/steps/9/window_days"}},
		{"hours of a warning", func(r *store.LadderRules) { r.Steps[0].Hours = 1 }, []string{"/steps/0/hours"}},
		{"a suspension for good", func(r *store.LadderRules) { r.Steps[7].Hours = 0 }, []string{"/steps/7/hours"}},
		{"a step twice", func(r *store.LadderRules) { r.Steps[4].Kind = store.PenaltyMuteText }, []string{"/steps/4/kind"}},
		{"steps out of order", func(r *store.LadderRules) { r.Steps[8].Weight = 1 }, []string{"/steps/8/weight"}},
	} {
		r := works()
		test.change(&r)
		var got []string
		for _, f := range Faults(&r) {
			if f.Reason == "" {
				t.Errorf("%s: %s has no reason", test.name, f.Pointer)
			}
			got = append(got, f.Pointer)
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: faults at %q, want %q", test.name, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: faults at %q, want %q", test.name, got, test.want)
			}
		}
	}
}

func TestWeigh(t *testing.T) {
	r := store.LadderRules{Weights: map[string][]int{"default": {1, 2, 3, 4}, "spam": {0, 5}, "spam/rmt": {7}}}
	for _, test := range []struct {
		category engines.Category
		label    string
		severity int
		want     int
	}{
		{engines.Hate, "", 3, 3},
		{engines.Hate, "x", 0, 1},
		{"", "", 0, 1},
		{engines.Hate, "", 9, 4},
		{engines.Spam, "flood", 1, 0},
		{engines.Spam, "flood", 4, 5},
		{engines.Spam, "rmt", 1, 7},
		{engines.Spam, "rmt", 4, 7},
	} {
		if got := weigh(&r, test.category, test.label, test.severity); got != test.want {
			t.Errorf("weigh(%s/%s, %d) = %d, want %d", test.category, test.label, test.severity, got, test.want)
		}
	}
}

func TestClimb(t *testing.T) {
	r := store.LadderRules{
		WindowDays: 10, Start: map[string]store.PenaltyKind{"illegal": store.PenaltySuspend},
		Steps: []store.LadderStep{
			{Weight: 1, Kind: store.PenaltyWarn},
			{Weight: 3, Kind: store.PenaltyMuteText, WindowDays: 1},
			{Weight: 5, Kind: store.PenaltyMuteText},
			{Weight: 5, Kind: store.PenaltyMuteVoice},
			{Weight: 9, Kind: store.PenaltySuspend},
		},
	}
	at := int64(100 * day)
	strikes := func(list ...[2]int64) (out []store.Strike) {
		for _, s := range list {
			out = append(out, store.Strike{Weight: int(s[0]), Created: s[1]})
		}
		return out
	}
	for _, test := range []struct {
		name     string
		category engines.Category
		standing []store.Strike
		want     []store.PenaltyKind
		alone    bool
	}{
		{"one", "spam", strikes([2]int64{1, at}), []store.PenaltyKind{"warn"}, false},
		{"three in a day", "spam", strikes([2]int64{2, at - day + 1}, [2]int64{1, at}), []store.PenaltyKind{"mute_text"}, false},
		{"three in two days", "spam", strikes([2]int64{2, at - day}, [2]int64{1, at}), []store.PenaltyKind{"warn"}, false},
		{"all steps of a weight", "spam", strikes([2]int64{4, at - 9*day}, [2]int64{1, at}), []store.PenaltyKind{"mute_text", "mute_voice"}, false},
		{"past the window", "spam", strikes([2]int64{4, at - 10*day}, [2]int64{1, at}), []store.PenaltyKind{"warn"}, false},
		{"the top", "spam", strikes([2]int64{99, at}), []store.PenaltyKind{"suspend"}, false},
		{"starts higher", "illegal", strikes([2]int64{1, at}), []store.PenaltyKind{"suspend"}, true},
		{"is there without the start", "illegal", strikes([2]int64{9, at}), []store.PenaltyKind{"suspend"}, false},
		{"a clock ahead", "spam", strikes([2]int64{1, at}, [2]int64{4, at + 5000}), []store.PenaltyKind{"mute_text", "mute_voice"}, false},
	} {
		now := store.Strike{Category: test.category, Weight: 1, Created: at}
		steps, alone := climb(&r, &now, test.standing)
		var got []store.PenaltyKind
		for _, s := range steps {
			got = append(got, s.Kind)
		}
		if len(got) != len(test.want) || alone != test.alone || len(got) > 0 && got[0] != test.want[0] {
			t.Errorf("%s: %v alone %v, want %v alone %v", test.name, got, alone, test.want, test.alone)
		}
	}
	nothing := store.Strike{Category: "illegal", Created: at}
	if steps, _ := climb(&r, &nothing, strikes([2]int64{9, at})); steps != nil {
		t.Errorf("a strike that weighs nothing gives %v", steps)
	}
}

func TestRests(t *testing.T) {
	p := &store.Penalty{Strike: "b", Step: 4, Window: 10 * day, Created: 100 * day}
	at := func(id string, weight int, day_ int64) store.Strike {
		return store.Strike{ID: id, Weight: weight, Created: day_ * day}
	}
	for _, test := range []struct {
		name     string
		standing []store.Strike
		want     bool
	}{
		{"nothing left", nil, false},
		{"not enough", []store.Strike{at("a", 2, 95)}, false},
		{"enough at its time", []store.Strike{at("a", 2, 95), at("c", 2, 99)}, true},
		{"enough since", []store.Strike{at("a", 2, 95), at("c", 2, 102)}, true},
		{"never together", []store.Strike{at("a", 2, 95), at("c", 2, 120)}, false},
		{"all of it later", []store.Strike{at("c", 4, 120)}, true},
	} {
		if got := rests(p, test.standing); got != test.want {
			t.Errorf("%s: rests = %v, want %v", test.name, got, test.want)
		}
	}
	p.Step = 0
	if rests(p, []store.Strike{at("a", 99, 100)}) || !rests(p, []store.Strike{at("b", 1, 100)}) {
		t.Error("what rests on one strike stands with it alone")
	}
}
