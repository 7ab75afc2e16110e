package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/internal/eval"
)

// explanation is a verdict with all that it rests on.
type explanation struct {
	Suggestion engines.Suggestion `json:"suggestion"`
	Action     engines.Action     `json:"action"`
	Mode       engines.Mode       `json:"mode"`
	Masked     string             `json:"masked,omitempty"`
	Warn       bool               `json:"warn,omitempty"`
	Observed   bool               `json:"observed,omitempty"`
	Policy     string             `json:"policy_version"`
	Signals    []explainedSignal  `json:"signals"`
	// Readings are how the text is read, the plain one first.
	Readings []explainedReading `json:"readings"`
	// Whole is what came of reading the text as a whole; nil where it was not.
	Whole *explainedWhole `json:"read_as_a_whole,omitempty"`
}

// explainedWhole is what the networks made of the text, and what that comes to.
type explainedWhole struct {
	// Answers are those of the network that is asked about deals, as probabilities; they are one
	// side of what is weighed. nil is not asked.
	Answers *explainedAnswers `json:"answers,omitempty"`
	// The rest are probabilities by the network and the first stage together: of an attack on a
	// group; of each kind of deal, and of anything else that is to be found. nil is what was not asked.
	Attack  *float64 `json:"attack,omitempty"`
	Spam    *float64 `json:"spam,omitempty"`
	Illegal *float64 `json:"illegal,omitempty"`
	Privacy *float64 `json:"privacy,omitempty"`
	Wrong   *float64 `json:"wrong,omitempty"`
}

// explainedAnswers are what a network answers by itself.
type explainedAnswers struct {
	Offer    float64 `json:"offer"`
	Crime    float64 `json:"crime"`
	Personal float64 `json:"personal"`
	Abuse    float64 `json:"abuse"`
	Hate     float64 `json:"hate"`
}

// explainedReading is one way in which the text is read. Positions are code points.
type explainedReading struct {
	Name    string            `json:"name"`
	Text    string            `json:"text"`
	Changes []explainedChange `json:"changes"`
}

// explainedChange is a place that is read otherwise than it is written.
type explainedChange struct {
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Written string   `json:"written"`
	Read    string   `json:"read"`
	Steps   []string `json:"steps"`
}

// explainedSignal is one thing that was found. Positions are code points, half open.
type explainedSignal struct {
	Category   engines.Category   `json:"category"`
	SubLabel   string             `json:"sub_label,omitempty"`
	Severity   int                `json:"severity"`
	Confidence float64            `json:"confidence"`
	Source     engines.Source     `json:"source"`
	Language   string             `json:"language,omitempty"`
	Rule       string             `json:"rule"`
	Steps      []string           `json:"steps"`
	Start      int                `json:"start"`
	End        int                `json:"end"`
	Matched    string             `json:"matched"`
	Leads      engines.Suggestion `json:"leads_to"`
	Why        string             `json:"why"`
	// Reasons are what a source that weighs many things weighed.
	Reasons []reason `json:"reasons,omitempty"`
}

// reason is one thing that was weighed, for (above 0) or against.
type reason struct {
	What   string  `json:"what"`
	Weight float64 `json:"weight"`
}

// explain asks the engine as the gateway does, then the policy about everything
// together and about each signal alone.
func (e *explainer) explain(ctx context.Context, item *engines.Item) (*explanation, error) {
	if item.ReceivedAt.IsZero() {
		item.ReceivedAt = time.Now()
	}
	rules := e.rules(item.App).Resolve(item, item.ReceivedAt)
	item.Words = rules.Words()
	signals, err := e.engine.Inspect(ctx, item, nil)
	if err != nil {
		return nil, err
	}
	v := policy.Decide(item, signals, nil, engines.Standing{}, rules)
	out := &explanation{
		Suggestion: v.Found().Suggestion, Action: v.Action, Mode: v.Mode, Masked: v.Masked, Warn: v.Warn, Observed: v.Observed != nil,
		Policy: v.PolicyVersion, Signals: []explainedSignal{},
	}
	out.Readings = e.readings(item)
	if out.Whole, err = e.whole(ctx, item); err != nil {
		return nil, err
	}
	for i := range signals {
		s := &signals[i]
		reasons, err := e.reasons(ctx, item, s)
		if err != nil {
			return nil, err
		}
		one := explainedSignal{
			Category: s.Category, SubLabel: s.SubLabel, Severity: s.Severity, Confidence: s.Confidence, Source: s.Source, Language: s.Language,
			Start: s.Span.Start, End: s.Span.End, Matched: eval.Matched(item.Text, s.Span), Reasons: reasons,
		}
		one.Rule, one.Steps = eval.SplitRule(s.Rule)
		if one.Steps == nil {
			one.Steps = []string{}
		}
		one.Leads, one.Why = alone(item, s, rules)
		out.Signals = append(out.Signals, one)
	}
	slices.SortStableFunc(out.Signals, func(a, b explainedSignal) int {
		return cmp.Or(cmp.Compare(b.Leads.Rank(), a.Leads.Rank()), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Start, b.Start))
	})
	return out, nil
}

// readings says how the text is read.
func (e *explainer) readings(item *engines.Item) []explainedReading {
	list := []explainedReading{}
	for _, o := range e.engine.ReadOuts(item) {
		one := explainedReading{Name: o.Name, Text: o.Text, Changes: []explainedChange{}}
		for _, c := range o.Changes {
			one.Changes = append(one.Changes, explainedChange{Start: c.Span.Start, End: c.Span.End, Written: c.Written, Read: c.Read, Steps: c.Steps})
		}
		list = append(list, one)
	}
	return list
}

// whole says what came of reading the item as a whole, nil where it was not.
func (e *explainer) whole(ctx context.Context, item *engines.Item) (*explainedWhole, error) {
	w, ok, err := e.engine.Whole(ctx, item)
	if err != nil || !ok {
		return nil, err //nolint:wrapcheck // as the engine's other errors here
	}
	sure := func(answer int) float64 { return 1 / (1 + math.Exp(-w.Answers[answer])) }
	asked := func(p float64) *float64 {
		if math.IsNaN(p) {
			return nil
		}
		return &p
	}
	out := &explainedWhole{Attack: asked(w.Attack), Spam: asked(w.Kinds[0]), Illegal: asked(w.Kinds[1]), Privacy: asked(w.Kinds[2]), Wrong: asked(w.Wrong)}
	if w.Dealing {
		out.Answers = &explainedAnswers{sure(text.AnswerOffer), sure(text.AnswerCrime), sure(text.AnswerPersonal), sure(text.AnswerAbuse), sure(text.AnswerHate)}
	}
	return out, nil
}

// mostReasons is how many features of the model are shown for one signal.
const mostReasons = 8

// reasons says what the model weighed. Lists and rules need none: their entry is
// the reason; and what the network found rests on its answers.
func (e *explainer) reasons(ctx context.Context, item *engines.Item, s *engines.Signal) ([]reason, error) {
	if s.Source != engines.SourceModel || text.OfNetwork(s.Rule) {
		return nil, nil
	}
	features, err := e.engine.Explain(ctx, item, s.Category, mostReasons)
	if err != nil {
		return nil, fmt.Errorf("explain the model: %w", err)
	}
	out := make([]reason, len(features))
	for i, f := range features {
		out[i] = reason{What: f.Text, Weight: float64(f.Weight)}
	}
	return out, nil
}

// alone is what the policy makes of one signal, and why: it is asked again at
// every strictness, so that the answer holds whatever its rules are.
func alone(item *engines.Item, s *engines.Signal, rules *policy.Resolved) (engines.Suggestion, string) {
	at := func(level int) engines.Verdict {
		asked := *item
		asked.StrictLevel = level
		return policy.Decide(&asked, []engines.Signal{*s}, nil, engines.Standing{}, rules)
	}
	have := at(item.StrictLevel)
	from := map[engines.Suggestion]int{}
	labelled := 0
	for level := 1; level <= policy.MaxStrictness; level++ {
		v := at(level)
		got := v.Found()
		if _, ok := from[got.Suggestion]; !ok {
			from[got.Suggestion] = level
		}
		if labelled == 0 && len(got.Labels) > 0 {
			labelled = level
		}
	}
	block, blocks := from[engines.Block]
	review, reviews := from[engines.Review]
	switch found := have.Found(); {
	case s.Excepted && len(found.Labels) == 0:
		return engines.Pass, "an exception of the operator covers it"
	case s.Action != "":
		return found.Suggestion, "a word of the operator, whose entry says " + s.Action
	case found.Suggestion == engines.Block:
		return engines.Block, fmt.Sprintf("sure enough to block from strictness %d on", block)
	case found.Suggestion == engines.Review && blocks:
		return engines.Review, fmt.Sprintf("sure enough to ask a person from strictness %d on, to block from %d on", review, block)
	case found.Suggestion == engines.Review && s.Category.HighRisk():
		return engines.Review, fmt.Sprintf("sure enough to ask a person from strictness %d on, too unsure to block at any", review)
	case found.Suggestion == engines.Review:
		return engines.Review, fmt.Sprintf("sure enough to ask a person from strictness %d on; this policy blocks no %s", review, s.Category)
	case have.Warn:
		return engines.Pass, fmt.Sprintf("this policy warns of %s and delivers", s.Category)
	case reviews || blocks:
		return engines.Pass, fmt.Sprintf("too unsure: would count from strictness %d on", labelled)
	}
	return engines.Pass, "too unsure at any strictness, or switched off by the policy"
}
