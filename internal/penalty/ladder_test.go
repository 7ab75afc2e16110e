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
		{"a ladder of its own", func(r *store.LadderRules) {
			r.Steps = append(r.Steps, store.LadderStep{Weight: 1, Kind: store.PenaltyTradeLock, Hours: 1, Categories: []engines.Category{engines.Spam}})
		}, nil},
		{"a step that names what there is not, and one twice", func(r *store.LadderRules) {
			r.Steps = append(r.Steps, store.LadderStep{Weight: 1, Kind: store.PenaltyWarn, Categories: []engines.Category{"rudeness", engines.Spam, engines.Spam}})
		}, []string{"/steps/9/categories/0", "/steps/9/categories/2"}},
		{"a category on two ladders", func(r *store.LadderRules) {
			r.Steps = append(r.Steps, store.LadderStep{Weight: 1, Kind: store.PenaltyWarn, Categories: []engines.Category{engines.Spam, engines.Hate}},
				store.LadderStep{Weight: 1, Kind: store.PenaltyWarn, Categories: []engines.Category{engines.Spam}})
		}, []string{"/steps/10/categories/0"}},
		{"a start on another ladder", func(r *store.LadderRules) {
			r.Steps = append(r.Steps, store.LadderStep{Weight: 1, Kind: store.PenaltyTradeLock, Hours: 1, Categories: []engines.Category{engines.Illegal}})
		}, []string{"/start/illegal"}},
		{"a layer", func(r *store.LadderRules) {
			r.Layers = map[string]store.LadderLayer{"segment/minor": {WindowDays: 30, Weights: map[string][]int{"hate": {5}}}}
		}, nil},
		{"steps of a layer without the kind of a start", func(r *store.LadderRules) {
			r.Layers = map[string]store.LadderLayer{"mode/voice": {Steps: []store.LadderStep{{Weight: 1, Kind: store.PenaltyMuteVoice}}}}
		}, []string{"/layers/mode~1voice/steps"}},
		{"which starts with nothing", func(r *store.LadderRules) {
			r.Layers = map[string]store.LadderLayer{"mode/voice": {Steps: []store.LadderStep{{Weight: 1, Kind: store.PenaltyMuteVoice}}, Start: map[string]store.PenaltyKind{}}}
		}, nil},
		{"layers that are none, say nothing or are wrong", func(r *store.LadderRules) {
			r.Layers = map[string]store.LadderLayer{
				"planet/mars": {WindowDays: 30}, "region/none": {WindowDays: 30}, "segment/minor": {},
				"segment/trusted": {WindowDays: -1, Weights: map[string][]int{"default": nil, "rudeness": {2}}, Start: map[string]store.PenaltyKind{"hate": "kick"}},
				"channel/a":       {Steps: []store.LadderStep{{Weight: 1, Kind: store.PenaltyWarn, Hours: 3}}},
			}
		}, []string{
			"/layers/channel~1a/steps/0/hours", "/layers/channel~1a/steps", "/layers/planet~1mars", "/layers/region~1none", "/layers/segment~1minor",
			"/layers/segment~1trusted/window_days", "/layers/segment~1trusted/weights/default", "/layers/segment~1trusted/weights/rudeness", "/layers/segment~1trusted/start/hate",
		}},
		{"steps out of order", func(r *store.LadderRules) { r.Steps[8].Weight = 1 }, []string{"/steps/8/weight"}},
	} {
		r := works()
		test.change(&r)
		var got []string
		for _, f := range Faults(&r, func(id string) bool { return id != "region/none" }) {
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

// TestClimbByCategory: steps that name categories are a ladder of their own, which
// strikes of these alone climb.
func TestClimbByCategory(t *testing.T) {
	r := store.LadderRules{
		WindowDays: 10, Start: map[string]store.PenaltyKind{"spam": store.PenaltyTradeLock},
		Steps: []store.LadderStep{
			{Weight: 2, Kind: store.PenaltyMuteText},
			{Weight: 1, Kind: store.PenaltyWarn, Categories: []engines.Category{engines.Spam, "advertising"}},
			{Weight: 2, Kind: store.PenaltyTradeLock, Categories: []engines.Category{"advertising", engines.Spam}},
			{Weight: 6, Kind: store.PenaltyBan, Categories: []engines.Category{engines.Spam, "advertising"}},
		},
	}
	one := func(c engines.Category, weight int) store.Strike {
		return store.Strike{Category: c, Weight: weight, Created: 100 * day}
	}
	for _, test := range []struct {
		name     string
		standing []store.Strike // the last one is the one that is given
		want     store.PenaltyKind
		counted  string
		alone    bool
	}{
		{"an insult beside spam", []store.Strike{one(engines.Spam, 5), one(engines.Harassment, 1)}, "", "", false},
		{"two insults", []store.Strike{one(engines.Hate, 1), one(engines.Harassment, 1)}, store.PenaltyMuteText, "!advertising,spam", false},
		{"spam starts higher", []store.Strike{one(engines.Harassment, 9), one(engines.Spam, 1)}, store.PenaltyTradeLock, "advertising,spam", true},
		{"an advert", []store.Strike{one(engines.Harassment, 9), one("advertising", 1)}, store.PenaltyWarn, "advertising,spam", false},
		{"spam and adverts", []store.Strike{one("advertising", 5), one(engines.Spam, 1)}, store.PenaltyBan, "advertising,spam", false},
	} {
		last := test.standing[len(test.standing)-1]
		steps, alone := climb(&r, &last, test.standing)
		if test.want == "" && len(steps) == 0 {
			continue
		}
		if len(steps) != 1 || steps[0].Kind != test.want || alone != test.alone {
			t.Errorf("%s: %v alone %v, want %s alone %v", test.name, steps, alone, test.want, test.alone)
			continue
		}
		if got := counted(r.Steps, &steps[0]); got != test.counted {
			t.Errorf("%s: %q count, want %q", test.name, got, test.counted)
		}
		p := store.Penalty{Step: 2, Window: 10 * day, Created: 100 * day, Counted: test.counted}
		left := test.standing[:len(test.standing)-1]
		if got, want := rests(&p, left), counts(test.counted, left[0].Category) && left[0].Weight >= 2; got != want {
			t.Errorf("%s: without the last it stands: %v, want %v", test.name, got, want)
		}
	}
}

// TestUnder lays what a ladder says of layers over each other.
func TestUnder(t *testing.T) {
	yes := true
	r := store.LadderRules{
		WindowDays: 90, Weights: map[string][]int{"default": {1}, "spam": {1}, "spam/rmt": {4}, "hate": {2}},
		Start: map[string]store.PenaltyKind{"illegal": store.PenaltyBan}, Steps: []store.LadderStep{{Weight: 1, Kind: store.PenaltyBan}},
		Layers: map[string]store.LadderLayer{
			"region/kr":     {WindowDays: 30, Weights: map[string][]int{"spam": {2}}},
			"segment/minor": {Automatic: &yes, WindowDays: 7, Weights: map[string][]int{"default": {0}}, Steps: []store.LadderStep{{Weight: 9, Kind: store.PenaltyWarn, WindowDays: 120}}},
		},
	}
	if got := under(&r, nil); got.WindowDays != 90 || got.Automatic || got.Layers != nil {
		t.Errorf("without layers: %+v", got)
	}
	kr := under(&r, []string{"global/default", "region/kr"})
	for label, want := range map[string]int{"flood": 2, "rmt": 2} { // what is said of the whole category
		if got := weigh(&kr, engines.Spam, label, 1); got != want {
			t.Errorf("spam/%s weighs %d in Korea, want %d", label, got, want)
		}
	}
	both := under(&r, []string{"region/kr", "segment/minor"})
	if both.WindowDays != 7 || !both.Automatic || both.Steps[0].Weight != 9 || both.Start["illegal"] != store.PenaltyBan ||
		weigh(&both, engines.Spam, "", 1) != 2 || weigh(&both, engines.Privacy, "", 1) != 0 {
		t.Errorf("a minor in Korea: %+v", both)
	}
	if weigh(&r, engines.Spam, "rmt", 1) != 4 || weigh(&r, engines.Privacy, "", 1) != 1 {
		t.Error("a layer has changed the ladder")
	}
	if got := reach(&r); got != 120*day {
		t.Errorf("reach = %d days, want 120", got/day)
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
