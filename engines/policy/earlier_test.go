package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// ago is what was found in a picture, a voice or a text so long before noon.
func ago(back time.Duration, kind engines.Kind, c engines.Category, confidence float64) engines.Earlier {
	return engines.Earlier{Request: engines.RequestID(fmt.Sprint(kind, back)), Kind: kind, Category: c, Confidence: confidence, At: noon.Add(-back).UnixMilli()}
}

func TestEarlier(t *testing.T) {
	const blocks = "categories: {harassment: {action: block}, spam: {action: block}}"
	recent := func(n int, c engines.Category) (list []engines.Earlier) {
		for i := range n {
			list = append(list, ago(time.Duration(i)*time.Second, engines.KindText, c, 0.9))
		}
		return list
	}
	insults := recent(16, engines.Harassment)
	for _, c := range []struct {
		name   string
		layer  string
		signal engines.Signal
		st     engines.Standing
		level  int
		want   string // suggestion, confidence of the label, why it is stricter
	}{
		{"nothing before", blocks, sig(engines.Harassment, 0.8), engines.Standing{}, 0, "review 0.800 "},
		{"one insult a moment ago", blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: insults[:1]}, 0, "review 0.845 "},
		{"two make it a block", blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: insults[:2]}, 0, "block 0.860 earlier_content"},
		{"many no more than the most", blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: insults}, 0, "block 0.860 earlier_content"},
		{"one that says nothing alone is looked at", blocks, sig(engines.Harassment, 0.4), engines.Standing{Earlier: insults}, 0, "review 0.580 earlier_content"},
		{"and never blocked for it", "strictness: 4\nhistory: {weight: 1, most: 0.5}\n" + blocks, sig(engines.Harassment, 0.41), engines.Standing{Earlier: insults}, 0, "review 0.705 earlier_content"},
		{"by itself it is nothing", blocks, sig(engines.Harassment, 0.29), engines.Standing{Earlier: insults}, 0, "pass - "},
		{"not of another category", blocks, sig(engines.Hate, 0.5), engines.Standing{Earlier: insults}, 0, "pass - "},
		{"not against the law", blocks, sig(engines.Illegal, 0.8), engines.Standing{Earlier: recent(9, engines.Illegal)}, 0, "review 0.800 "},
		{"not where the caller gave a strictness", blocks, sig(engines.Harassment, 0.5), engines.Standing{Earlier: insults}, 3, "pass - "},
		{"not where it is off", "history: {weight: 0}\n" + blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: insults}, 0, "review 0.800 "},
		{"not of a mandatory rule", "categories: {harassment: {action: block, mandatory: true}}", sig(engines.Harassment, 0.4), engines.Standing{Earlier: insults}, 0, "pass - "},
		{"half after six hours", blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: []engines.Earlier{ago(6*time.Hour, engines.KindAudio, engines.Harassment, 0.9)}}, 0, "review 0.823 "},
		{"not after a day", blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: []engines.Earlier{ago(25*time.Hour, engines.KindAudio, engines.Harassment, 0.9)}}, 0, "review 0.800 "},
		{"as long as the policy says", "history: {window_minutes: 10, half_life_minutes: 5}\n" + blocks, sig(engines.Harassment, 0.8), engines.Standing{Earlier: []engines.Earlier{
			ago(5*time.Minute, engines.KindAudio, engines.Harassment, 0.9), ago(11*time.Minute, engines.KindAudio, engines.Harassment, 0.9),
		}}, 0, "review 0.823 "},
		{"a picture's nudity for what is said", blocks, sig(engines.Sexual, 0.84), engines.Standing{Earlier: []engines.Earlier{ago(0, engines.KindImage, engines.Nudity, 0.8)}}, 0, "block 0.856 earlier_content"},
		{"the economy", blocks, sig(engines.Advertising, 0.5), engines.Standing{EconomyRisk: 80}, 0, "review 0.600 economy_risk"},
		{"a low risk", blocks, sig(engines.Advertising, 0.5), engines.Standing{EconomyRisk: 74}, 0, "pass - "},
		{"risk counts by cut-offs or as evidence, not twice", blocks, sig(engines.Spam, 0.7), engines.Standing{EconomyRisk: 100}, 0, "review 0.775 "},
		{"adverts and risk together", blocks, sig(engines.Spam, 0.8), engines.Standing{EconomyRisk: 80, Earlier: recent(1, engines.Spam)}, 0, "block 0.860 economy_risk"},
		{"recent violations and earlier content, not twice", blocks, sig(engines.Harassment, 0.7), engines.Standing{Earlier: insults, Recent: map[engines.Category]int{engines.Harassment: 3}}, 0, "review 0.790 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := layered(t, "global/default", c.layer)
			item := &engines.Item{Text: "x", StrictLevel: c.level, ReceivedAt: noon}
			v := policy.Decide(item, []engines.Signal{c.signal}, nil, c.st, s.Resolve(item, noon))
			got := string(v.Suggestion) + " - " + v.Stricter
			if len(v.Labels) > 0 {
				got = fmt.Sprintf("%s %.3f %s", v.Suggestion, v.Labels[0].Confidence, v.Stricter)
			}
			if got != c.want {
				t.Errorf("Decide = %s, want %s", got, c.want)
			}
		})
	}
}

// The evidence of all ways is named with what it counts for, and adds up to the one
// confidence of the category.
func TestCombinedEvidence(t *testing.T) {
	item := &engines.Item{RequestID: "now", Kind: engines.KindImage, Media: &engines.Media{}, ReceivedAt: noon}
	read := sig(engines.Spam, 0.5)
	read.Source = engines.SourceOCR
	seen := sig(engines.Spam, 0.6)
	shown := sig(engines.Gore, 0.9) // of which nothing else is known
	st := engines.Standing{EconomyRisk: 90, Earlier: []engines.Earlier{
		ago(time.Hour, engines.KindText, engines.Spam, 0.8), ago(2*time.Hour, engines.KindAudio, engines.Advertising, 0.6), ago(0, engines.KindText, engines.Hate, 1),
		{Request: "now", Kind: engines.KindImage, Category: engines.Spam, Confidence: 1, At: noon.UnixMilli()}, // itself, looked at once more
	}}
	r := layered(t).Resolve(item, noon)
	v := policy.Decide(item, []engines.Signal{read, seen, shown}, nil, st, r)
	approx := cmpopts.EquateApprox(0, 1e-9)
	half := func(h float64) float64 { return math.Exp2(-h / 6) }
	parts := []engines.Part{
		{From: "content", Category: engines.Spam, Confidence: 0.6, Counts: 0.6},
		{From: "ocr", Category: engines.Spam, Confidence: 0.5, Counts: 0.25},
		{From: "earlier", Category: engines.Spam, Confidence: 0.8, Counts: 0.25 * 0.8 * half(1), Request: st.Earlier[0].Request, Kind: engines.KindText, At: st.Earlier[0].At},
		{From: "earlier", Category: engines.Advertising, Confidence: 0.6, Counts: 0.5 * 0.25 * 0.6 * half(2), Request: st.Earlier[1].Request, Kind: engines.KindAudio, At: st.Earlier[1].At},
		{From: "economy", Category: engines.Spam, Confidence: 0.9, Counts: 0.25 * 0.9},
	}
	own := 1 - 0.4*0.75
	h := math.Min(0.3, 1-(1-parts[2].Counts)*(1-parts[3].Counts)*(1-parts[4].Counts))
	want := []engines.Combined{{Category: engines.Spam, Own: own, Confidence: 1 - (1-own)*(1-h), Parts: parts}}
	if diff := cmp.Diff(want, v.Combined, approx); diff != "" {
		t.Errorf("Combined (-want +got):\n%s", diff)
	}
	for i := range v.Labels {
		l := &v.Labels[i]
		wanted, mine := 0.9, 0.9
		if l.Category == engines.Spam {
			wanted, mine = want[0].Confidence, own
		}
		if math.Abs(l.Confidence-wanted) > 1e-9 || math.Abs(v.Own(l)-mine) > 1e-9 {
			t.Errorf("%s has %v, of its own %v; want %v, %v", l.Category, l.Confidence, v.Own(l), wanted, mine)
		}
	}
	// What is kept for later is what the content said by itself: it does not feed itself.
	list := engines.AppendEarlier(nil, "now", engines.KindImage, 7, &v)
	if len(list) != 2 || math.Abs(list[0].Confidence-own) > 1e-9 && math.Abs(list[1].Confidence-own) > 1e-9 {
		t.Errorf("to be remembered: %+v", list)
	}
}

// Whatever a player did before, an item is moved by one step at most, never to a milder
// one, and what it does not show by itself is not found.
func TestEarlierIsNoProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same cases each time
	kinds := []engines.Kind{engines.KindText, engines.KindAudio, engines.KindImage, engines.KindName}
	categories := append(append([]engines.Category{}, engines.TextCategories...), engines.MediaCategories...)
	moved := 0
	for range 20_000 {
		s := over(t, randomConfig(rng))
		item := &engines.Item{Text: "some words of a player", ReceivedAt: noon}
		signals := randomSignals(rng)
		st := engines.Standing{Trust: []string{"", "watched", "trusted"}[rng.IntN(3)]}
		r := s.Resolve(item, noon)
		without := policy.Decide(item, signals, nil, st, r)
		for range rng.IntN(engines.EarlierMost) {
			st.Earlier = append(st.Earlier, ago(time.Duration(rng.IntN(100_000))*time.Second, kinds[rng.IntN(len(kinds))], categories[rng.IntN(len(categories))], rng.Float64()))
		}
		with := policy.Decide(item, signals, nil, st, r)
		before, after := without.Found(), with.Found()
		step := after.Suggestion.Rank() - before.Suggestion.Rank()
		if step < 0 || step > 1 {
			t.Fatalf("%s became %s, of %+v after %+v", before.Suggestion, after.Suggestion, signals, st.Earlier)
		}
		if step > 0 {
			moved++
		}
		for _, l := range after.Labels {
			strongest := 0.0
			for i := range signals {
				if signals[i].Category == l.Category {
					strongest = max(strongest, signals[i].Confidence)
				}
			}
			if strongest < 0.3 {
				t.Fatalf("%+v was found, of %+v after %+v", l, signals, st.Earlier)
			}
		}
	}
	if moved == 0 {
		t.Error("nothing was moved in any case")
	}
}

func BenchmarkDecideEarlier(b *testing.B) {
	s := five(b)
	item := &engines.Item{Text: "hello there", Region: "jp", Scene: "team_chat_vip7", Segment: "minor", ReceivedAt: noon}
	st := engines.Standing{EconomyRisk: 90}
	for i := range engines.EarlierMost {
		st.Earlier = append(st.Earlier, ago(time.Duration(i)*time.Minute, engines.KindText, engines.TextCategories[i%len(engines.TextCategories)], 0.9))
	}
	for name, signals := range map[string][]engines.Signal{
		"pass":  {sub(engines.Harassment, "insult", 0.2)},
		"found": {sub(engines.Hate, "slur", 0.9), sub(engines.Harassment, "insult", 0.7), sub(engines.Spam, "rmt", 0.6)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				policy.Decide(item, signals, nil, st, s.Resolve(item, time.Time{}))
			}
		})
	}
}
