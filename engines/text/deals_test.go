package text

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// dealer is a network that says the same of every message.
type dealer struct {
	answers [Answers]float64
	busy    bool
	asked   int
	text    string // as it was read last
}

func (r *dealer) Read(_ context.Context, s string) ([Answers]float64, bool) {
	r.asked++
	r.text = s
	return r.answers, !r.busy
}

// plainWeighing is a weighing that believes the network, and has it asked where a word or sign of a
// deal stands.
func plainWeighing() *Weighing {
	w := &Weighing{Raise: 0.6, Lower: 0.4, Calm: 0.3, Deny: 0.1}
	w.Suspects[0].Weights[DealAnySign] = 1
	w.From = 0.5
	for k := range w.Kinds {
		w.Kinds[k].Weights[k] = 1
	}
	w.Wrong.Weights[DealHarm] = 1
	return w
}

// dealing is the shared engine with another network.
func dealing(tb testing.TB, m Meaning, w *Weighing) *Engine {
	tb.Helper()
	e := shared(tb)
	with := &Engine{lexicon: e.lexicon, languages: e.languages, links: e.links, model: e.model, networks: Second{Meaning: m}, weighing: w}
	with.pool.New = e.pool.New
	return with
}

func heardOf(tb testing.TB, e *Engine, text string) []engines.Signal {
	tb.Helper()
	out, err := e.Inspect(tb.Context(), &engines.Item{Kind: engines.KindText, Text: text, Language: "en"}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// surely are answers that are sure of one thing alone.
func surely(side DealSide) (a [Answers]float64) {
	for i := range a {
		a[i] = -20
	}
	if side >= 0 {
		a[side] = 20
	}
	return a
}

// Lines of which the first stage knows something and nothing for sure, one that it takes for a
// crime, and one in which a list finds an insult.
const (
	hintedLine  = "who sells shells without that licence nonsense, 12 gauge, couple of boxes, cash today"
	doubtedLine = "coke is cheap"
	sworeLine   = "selling my sword for gold, you stupid idiot"
	chatLine    = "gg wp everyone, same time tomorrow?"
)

// TestDealsAsked says which messages the network is asked about.
func TestDealsAsked(t *testing.T) {
	for _, c := range []struct {
		text string
		kind engines.Kind
		want bool
	}{
		{chatLine, engines.KindText, false},
		{hintedLine, engines.KindText, true},
		{hintedLine, engines.KindName, false},
		{doubtedLine, engines.KindText, true},
		{"my card is 4111 1111 1111 1111, send cash", engines.KindText, false}, // evident
		{"1234 5678", engines.KindText, false},                                 // no words
		{"i will come to your house and kill you, cash or not", engines.KindText, false},
		{"you stupid bitch, keep your cash", engines.KindText, false}, // evident abuse: somebody looks anyway
	} {
		r := &dealer{}
		e := dealing(t, r, plainWeighing())
		if _, err := e.Inspect(t.Context(), &engines.Item{Kind: c.kind, Text: c.text, Language: "en"}, nil); err != nil {
			t.Fatal(err)
		}
		if (r.asked > 0) != c.want || r.asked > 1 {
			t.Errorf("%q asks %d times, want %v", c.text, r.asked, c.want)
		}
	}
}

// TestDealsLong has a message that is longer than the network reads neither raised nor taken back,
// in words and where letters stand for them.
func TestDealsLong(t *testing.T) {
	w := plainWeighing()
	w.From = -1 // whatever is said
	for _, c := range []struct {
		text string
		want bool
	}{
		{doubtedLine + strings.Repeat(" and then they came by", 7), true},
		{doubtedLine + strings.Repeat(" and then they came by", 8), false},
		{doubtedLine + strings.Repeat("今天天气很好我们一起去公园散步然后回家吃饭晚上再看电影明天还要上班", 2), true},
		{doubtedLine + strings.Repeat("今天天气很好我们一起去公园散步然后回家吃饭晚上再看电影明天还要上班", 3), false},
		{doubtedLine + " " + strings.Repeat("xk", 100), true},
		{doubtedLine + " " + strings.Repeat("xk", 200), false}, // two words more, without an end
	} {
		e := dealing(t, &dealer{answers: surely(DealOffer)}, w)
		item := &engines.Item{Kind: engines.KindText, Text: c.text}
		if _, asked, err := e.Deal(t.Context(), item, nil); err != nil || asked != c.want {
			t.Errorf("%q is asked about: %v, %v", c.text, asked, err)
		}
		out, err := e.Inspect(t.Context(), item, nil)
		if err != nil {
			t.Fatal(err)
		}
		heard := false
		for _, g := range out {
			heard = heard || g.Rule == dealsRule || strings.HasSuffix(g.Rule, dealsLowered)
		}
		if heard != c.want {
			t.Errorf("%q: %+v", c.text, out)
		}
	}
}

// TestDealsRaise has each kind raised to what a person looks at, and none to a block.
func TestDealsRaise(t *testing.T) {
	for k := range Kinds {
		out := heardOf(t, dealing(t, &dealer{answers: surely(DealSide(k))}, plainWeighing()), hintedLine)
		raised := 0
		for i := range out {
			g := &out[i]
			if !OfNetwork(g.Rule) {
				continue
			}
			raised++
			if g.Category != KindOf(k) || g.Confidence < 0.6 || g.Confidence >= blocked || g.Source != engines.SourceModel || g.Severity < 2 {
				t.Errorf("%s: raised by %+v", KindOf(k), g)
			}
		}
		if raised != 1 {
			t.Errorf("%s is raised %d times", KindOf(k), raised)
		}
	}
	for _, answers := range [...][Answers]float64{surely(-1), surely(DealAbuse), {0.3, 0.3, 0.3, 0, 0}} {
		for _, g := range heardOf(t, dealing(t, &dealer{answers: answers}, plainWeighing()), hintedLine) {
			if OfNetwork(g.Rule) {
				t.Errorf("%v raises %+v", answers, g)
			}
		}
	}
}

// TestDealsLower has what the model said taken back where the network sees nothing, and kept
// where it does.
func TestDealsLower(t *testing.T) {
	confidence := func(out []engines.Signal, of engines.Category) (c float64, rule string) {
		for i := range out {
			if g := &out[i]; g.Category == of && g.Confidence > c {
				c, rule = g.Confidence, g.Rule
			}
		}
		return c, rule
	}
	before, _ := confidence(heardOf(t, shared(t), doubtedLine), engines.Illegal)
	if before < evident {
		t.Fatalf("the first stage says %.2f of %q, and nothing is to be taken back", before, doubtedLine)
	}
	after, rule := confidence(heardOf(t, dealing(t, &dealer{answers: surely(-1)}, plainWeighing()), doubtedLine), engines.Illegal)
	if after > 0.01 || !strings.HasSuffix(rule, dealsLowered) {
		t.Errorf("an innocent answer leaves %.2f by %s", after, rule)
	}
	if after, _ = confidence(heardOf(t, dealing(t, &dealer{answers: surely(DealOffer)}, plainWeighing()), doubtedLine), engines.Illegal); after != before {
		t.Errorf("what is an offer by the network is %.2f, was %.2f", after, before)
	}
	after, rule = confidence(heardOf(t, dealing(t, &dealer{busy: true}, plainWeighing()), doubtedLine), engines.Illegal)
	if after != before || !strings.HasSuffix(rule, dealsSkipped) {
		t.Errorf("without an answer it is %.2f by %s, was %.2f", after, rule, before)
	}
}

// TestDealsKeep has words of the lists and shapes with check digits kept, whatever it says.
func TestDealsKeep(t *testing.T) {
	before, after := heardOf(t, shared(t), sworeLine), heardOf(t, dealing(t, &dealer{answers: surely(-1)}, plainWeighing()), sworeLine)
	words := 0
	for i := range before {
		if before[i].Source == engines.SourceLexicon {
			words++
			if !reflect.DeepEqual(before[i], after[i]) {
				t.Errorf("%+v was %+v", after[i], before[i])
			}
		}
	}
	if words == 0 {
		t.Error("no word of the lists is found")
	}
	for _, g := range []engines.Signal{
		{Source: engines.SourceLexicon, Category: engines.Illegal, Confidence: 0.6},
		{Source: engines.SourceRule, Category: engines.Privacy, Confidence: 0.6},
		{Source: engines.SourceRule, Category: engines.Spam, SubLabel: "phishing", Confidence: 0.6},
		{Source: engines.SourceRule, Category: engines.Spam, SubLabel: "rmt", Confidence: blocked},
		{Source: engines.SourceRule, Category: engines.Illegal, SubLabel: "self_harm", Confidence: 0.6},
		{Source: engines.SourceModel, Category: engines.Hate, Confidence: 0.6},
	} {
		if loose(&g) {
			t.Errorf("%+v may be taken back", g)
		}
	}
	for _, g := range []engines.Signal{
		{Source: engines.SourceModel, Category: engines.Harassment, Confidence: 0.9},
		{Source: engines.SourceRule, Category: engines.Spam, SubLabel: "rmt", Confidence: 0.7},
		{Source: engines.SourceRule, Category: engines.Illegal, SubLabel: "drugs", Confidence: 0.7},
	} {
		if !loose(&g) {
			t.Errorf("%+v may not be taken back", g)
		}
	}
}

// TestDealsTakeBack says what each answer takes back: of abuse where neither abuse nor a deal is
// likely, of trade where no deal is, and less of what is evident.
func TestDealsTakeBack(t *testing.T) {
	abuse := engines.Signal{Source: engines.SourceModel, Category: engines.Harassment, Confidence: 0.9}
	trade := engines.Signal{Source: engines.SourceModel, Category: engines.Illegal, Confidence: 0.9}
	offer := engines.Signal{Source: engines.SourceRule, Category: engines.Spam, SubLabel: "rmt", Rule: "rule/offer", Confidence: 0.93}
	hidden := engines.Signal{Source: engines.SourceLexicon, Category: engines.Spam, SubLabel: "rmt", Rule: "en/gold seller+swapped", Confidence: 0.7}
	child := engines.Signal{Source: engines.SourceRule, Category: engines.Illegal, SubLabel: "child_safety", Confidence: 0.9}
	for _, c := range []struct {
		found   engines.Signal
		answers [Answers]float64
		veiled  bool
		want    bool
	}{
		{abuse, [Answers]float64{-5, -5, -5, -5, -5}, false, true},
		{abuse, [Answers]float64{-5, -5, -5, -5, 1}, false, false},
		{abuse, [Answers]float64{-5, 1, -5, -5, -5}, false, false},
		{trade, [Answers]float64{-5, -1, -5, 5, -5}, false, true},
		{trade, [Answers]float64{1, -5, -5, -5, -5}, false, false},
		{offer, [Answers]float64{-5, -5, -5, -5, -5}, false, true},
		{offer, [Answers]float64{-5, -5, -5, -5, -5}, true, false},
		{offer, [Answers]float64{-1, -5, -5, -5, -5}, false, false},
		{hidden, [Answers]float64{-5, -5, -5, -5, -5}, false, false},
		{child, [Answers]float64{-5, -5, -5, -5, -5}, false, false},
	} {
		w, d := plainWeighing(), Deal{veiled: c.veiled}
		d.hear(c.answers)
		j := w.judge(&d)
		if p, back := j.takesBack(w, &d, &c.found); back != c.want || back && p >= evident {
			t.Errorf("%+v of %+v: %.2f, %v", c.answers, c.found, p, back)
		}
	}
}

// TestDealsSerial has the number of a parcel, to which no rule has a check digit, raise nothing.
func TestDealsSerial(t *testing.T) {
	w := plainWeighing()
	w.From = -1 // whatever is said
	for _, c := range []struct {
		text string
		want bool
	}{
		{"where is my parcel 2908922408747022 still", false},
		{"where is my parcel 29089224087 still", true},
		{"where is my parcel 2908922408747022 still, and 06/28", true},
		{"where is my parcel", true},
	} {
		raised := false
		for _, g := range heardOf(t, dealing(t, &dealer{answers: surely(AnswerPersonal)}, w), c.text) {
			raised = raised || g.Rule == dealsRule && g.Category == engines.Privacy
		}
		if raised != c.want {
			t.Errorf("%q is raised: %v", c.text, raised)
		}
	}
}

// TestDealsAtEveryStrictness: how strict a policy is changes nothing of what is found, so that a
// stricter one finds all that a lenient one does.
func TestDealsAtEveryStrictness(t *testing.T) {
	e := dealing(t, &dealer{answers: surely(DealCrime)}, plainWeighing())
	var first []engines.Signal
	for level := 1; level <= 5; level++ {
		out, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindText, Text: hintedLine, Language: "en", StrictLevel: level}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if level == 1 {
			first = out
		}
		if !reflect.DeepEqual(out, first) || len(out) == 0 {
			t.Errorf("strictness %d: %+v, want %+v", level, out, first)
		}
	}
}

// TestReadOnce has each network asked once, for what is its own: who is attacked without links and
// accounts, what is dealt in as it was written.
func TestReadOnce(t *testing.T) {
	for _, c := range []struct {
		text, attacks, deals string
		rules                []string
	}{
		{"@bob my best friend is a muslim, selling carries, 20 a run", "my best friend is a muslim, selling carries, 20 a run", "@bob my best friend is a muslim, selling carries, 20 a run", []string{meaningRule, dealsRule}},
		{"@bob my best friend is a muslim", "my best friend is a muslim", "", []string{meaningRule}},
		{"@bob who sells shells without that licence nonsense", "", "@bob who sells shells without that licence nonsense", []string{dealsRule}},
	} {
		r, a := &dealer{answers: surely(DealOffer)}, &opinionated{logOdds: 4}
		e := dealing(t, r, plainWeighing())
		e.networks.Attacks = a
		var rules []string
		for _, g := range heardOf(t, e, c.text) {
			if g.Rule == meaningRule || g.Rule == dealsRule {
				rules = append(rules, g.Rule)
			}
		}
		if r.asked != min(1, len(c.deals)) || r.text != c.deals || a.asked != min(1, len(c.attacks)) || a.text != c.attacks || !reflect.DeepEqual(rules, c.rules) {
			t.Errorf("%q is read %d times, at last %q, for attacks %d times, %q, and found by %v, want %q, %q, %v", c.text, r.asked, r.text, a.asked, a.text, rules, c.deals, c.attacks, c.rules)
		}
	}
}

// leaving is a network that is still reading when its caller's time is up.
type leaving struct{ cancel context.CancelFunc }

func (l leaving) Read(ctx context.Context, _ string) (a [Answers]float64, ok bool) {
	l.cancel()
	<-ctx.Done()
	return a, false
}

// TestDealsGivenUp: where the caller's time is up while the network reads, what the first stage
// found is what there is.
func TestDealsGivenUp(t *testing.T) {
	before := heardOf(t, shared(t), doubtedLine)
	ctx, cancel := context.WithCancel(t.Context())
	out, err := dealing(t, leaving{cancel}, plainWeighing()).Inspect(ctx, &engines.Item{Kind: engines.KindText, Text: doubtedLine, Language: "en"}, nil)
	if err != nil || ctx.Err() == nil || len(out) != len(before) {
		t.Fatalf("%+v, %v; want %+v", out, err, before)
	}
	for i := range out {
		if out[i].Confidence != before[i].Confidence {
			t.Errorf("%+v was %+v", out[i], before[i])
		}
	}
}

// TestWhole has what is explained be what was asked.
func TestWhole(t *testing.T) {
	answers := [Answers]float64{1, 2, -3, -4, -5}
	e := dealing(t, &dealer{answers: answers}, plainWeighing())
	e.networks.Attacks = &opinionated{}
	for _, c := range []struct {
		text             string
		ok, dealt, meant bool
	}{
		{hintedLine, true, true, false},
		{"my best friend is a muslim", true, false, true},
		{"my muslim friend wants your card 4111 1111 1111 1111", true, false, true},
		{chatLine, false, false, false},
	} {
		w, ok, err := e.Whole(t.Context(), &engines.Item{Kind: engines.KindText, Text: c.text, Language: "en"})
		if err != nil || ok != c.ok {
			t.Errorf("%q: %v, %v", c.text, ok, err)
		}
		if !ok {
			continue
		}
		if w.Dealing != c.dealt || w.Dealing && w.Answers != answers || math.IsNaN(w.Attack) == c.meant || math.IsNaN(w.Wrong) == c.dealt {
			t.Errorf("%q: %+v", c.text, w)
		}
		if c.dealt && (w.Kinds[1] != expit(2) || w.Wrong != expit(-4)) {
			t.Errorf("%q: %+v", c.text, w)
		}
	}
	if _, ok, err := shared(t).Whole(t.Context(), &engines.Item{Kind: engines.KindText, Text: hintedLine}); ok || err != nil {
		t.Errorf("it is read without a network: %v", err)
	}
}

// TestTakesBackAbuse: what the linear model took for abuse goes where the network sees none and no
// deal, but not where the lists know a word of it.
func TestTakesBackAbuse(t *testing.T) {
	w := &Weighing{Lower: 0.3, Calm: 0.5}
	g := &engines.Signal{Category: engines.Harassment, Confidence: 0.7, Source: engines.SourceModel, Rule: "model/harassment"}
	for _, c := range []struct {
		name             string
		word             float64
		likeliest, wrong float64
		back             bool
	}{
		{"no word", 0, 0.1, 0.2, true},
		{"a word of the lists", 0.5, 0.1, 0.2, false},
		{"a deal is likely", 0, 0.4, 0.2, false},
		{"something is wrong", 0, 0.1, 0.6, false},
	} {
		d := &Deal{}
		d.Sides[DealInsult] = c.word
		j := judged{likeliest: c.likeliest, wrong: c.wrong}
		if p, back := j.takesBack(w, d, g); back != c.back || back && p != c.wrong {
			t.Errorf("%s: %v, %g", c.name, back, p)
		}
	}
}
