package text

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// telling is the probability from which the model says what it found. Where nothing
// else was found it says from hinting on how likely abuse is, of the whole message:
// too little for any policy, and for whoever counts.
const (
	telling = 0.3
	hinting = 0.05
)

// heads says what the heads of the model are about, and how grave it is.
var heads = [classifier.Heads]struct {
	category engines.Category
	severity int
	rule     string
}{
	classifier.Abuse:     {engines.Harassment, 2, "model/harassment"},
	classifier.Hate:      {engines.Hate, 3, "model/hate"},
	classifier.Violence:  {engines.Violence, 3, "model/violence"},
	classifier.Sexual:    {engines.Sexual, 2, "model/sexual"},
	classifier.Illegal:   {engines.Illegal, 3, "model/illegal"},
	classifier.Spam:      {engines.Spam, 2, "model/spam"},
	classifier.Privacy:   {engines.Privacy, 2, "model/privacy"},
	classifier.Political: {engines.Political, 1, "model/political"},
}

// loadModel returns the model that the configuration asks for, nil for none.
func (c Config) loadModel() (*classifier.Model, error) {
	switch {
	case c.NoModel:
		return nil, nil
	case c.Model != nil:
		return c.Model, nil
	}
	m, err := classifier.Builtin()
	if err != nil {
		return nil, fmt.Errorf("load the built-in text model: %w", err)
	}
	return m, nil
}

// Model says which model the engine asks, for logs: the start of the SHA-256 of
// its weights, or "none".
func (e *Engine) Model() string {
	if e.model == nil {
		return "none"
	}
	sum := e.model.Sum()
	return hex.EncodeToString(sum[:6])
}

// judge asks the model about the message, which the signals out[from:] are evidence
// of: unsure words are weighed anew and the model adds signals of its own.
func (e *Engine) judge(ctx context.Context, s *scratch, item *engines.Item, out []engines.Signal, from int) []engines.Signal {
	if e.model == nil || !s.wordy() {
		return out
	}
	p, out := e.firstStage(s, out, from)
	return e.second(ctx, s, item, from, &p, out)
}

// firstStage weighs what was found anew and adds what the model says; p are its probabilities.
func (e *Engine) firstStage(s *scratch, out []engines.Signal, from int) (p [classifier.Heads]float64, _ []engines.Signal) {
	s.present(e.lexicon, out[from:])
	p = e.probabilities(s)
	s.opinions = p
	weighOffers(out[from:], &p)
	sober(out[from:], &p, len(s.traits) >= enoughTraits)
	reweigh(out[from:], &p)
	grave := 0.0
	for h := classifier.Hate; h <= classifier.Illegal; h++ {
		grave = max(grave, p[h])
	}
	surest := 0
	for h := range p {
		if p[h] > p[surest] {
			surest = h
		}
		if p[h] < telling || h == int(classifier.Abuse) && grave >= max(0.5, 0.7*p[h]) {
			continue
		}
		out = append(out, engines.Signal{
			Category: heads[h].category, Severity: heads[h].severity, Confidence: p[h],
			Source: engines.SourceModel, Span: s.strongest(e.model, classifier.Head(h)), Rule: heads[h].rule,
		})
	}
	if len(out) == from && p[surest] >= hinting {
		out = append(out, engines.Signal{
			Category: heads[surest].category, Severity: heads[surest].severity, Confidence: p[surest],
			Source: engines.SourceModel, Span: engines.Span{End: int(s.norm.points)}, Rule: heads[surest].rule,
		})
	}
	e.settle(out[from:])
	return p, out
}

// probabilities are what the heads say of the input.
func (e *Engine) probabilities(s *scratch) (p [classifier.Heads]float64) {
	scores := e.model.Score(&s.input)
	for h := range p {
		p[h] = e.model.Probability(classifier.Head(h), scores[h], s.facts.named)
	}
	if s.facts.named {
		p[classifier.Abuse] = max(p[classifier.Abuse], p[classifier.Hate])
	}
	return p
}

// settle gives every signal the confidence that held-out messages had it in the end.
func (e *Engine) settle(signals []engines.Signal) {
	for i := range signals {
		if h, ok := HeadOf(signals[i].Category); ok {
			signals[i].Confidence = e.model.Final(h, signals[i].Confidence)
		}
	}
}

// HeadOf is the head of the model that is about a category; ok is false for none.
func HeadOf(c engines.Category) (classifier.Head, bool) {
	for h := range heads {
		if heads[h].category == c {
			return classifier.Head(h), true
		}
	}
	return 0, false
}

// wordy reports whether the message has a letter: numbers and signs alone are for
// the rules, the model knows nothing of their shapes.
func (s *scratch) wordy() bool {
	return slices.ContainsFunc(s.norm.units, func(u unit) bool { return u.class.letter() })
}

// alone is the most that the heads with few rows to learn from say where neither
// lists nor rules found anything of their category: enough for a person to look.
const alone = 0.8

// shapeless is the most that the model says of personal data where neither lists nor
// rules found any: what is told has a shape or a name, and game talk has numbers too.
const shapeless = 0.5

// enoughTraits is how many words and signs of a deal a message has of which the head for
// crime is believed by itself.
const enoughTraits = 3

// sober keeps the grave heads to what the others know: what is grave is abuse, and
// threats, sex and crime are not told from words that only stood beside them once. Only
// crime needs no abuse where the message is made of parts of a deal: who offers a pistol
// with ten rounds insults nobody.
func sober(signals []engines.Signal, p *[classifier.Heads]float64, dealt bool) {
	crime := p[classifier.Illegal]
	for h := classifier.Hate; h <= classifier.Illegal; h++ {
		p[h] = min(p[h], p[classifier.Abuse])
		if h == classifier.Hate {
			continue
		}
		same := func(g engines.Signal) bool { return g.Category == heads[h].category && g.Confidence >= faint }
		if !slices.ContainsFunc(signals, same) {
			p[h] = min(p[h], alone, p[classifier.Abuse]*p[classifier.Abuse])
			if h == classifier.Illegal {
				crime = min(crime, alone)
			}
		}
	}
	if dealt {
		p[classifier.Illegal] = max(p[classifier.Illegal], crime)
	}
	if !slices.ContainsFunc(signals, func(g engines.Signal) bool { return g.Category == engines.Privacy && g.Confidence >= faint }) {
		p[classifier.Privacy] = min(p[classifier.Privacy], shapeless)
	}
}

// strongest is where the word stands that speaks most for a head.
func (s *scratch) strongest(m *classifier.Model, h classifier.Head) engines.Span {
	first, last, ok := m.Range(&s.input, h)
	if !ok {
		return engines.Span{}
	}
	return engines.Span{Start: int(s.norm.units[first].start), End: int(s.norm.units[last].end)}
}

// Single words less sure than doubtful and more than faint are innocent as often
// as not: there the model has a say. A phrase says by itself what is meant.
const (
	faint    = 0.3
	doubtful = 0.75
)

// second is the weight of what the model says of an attack that a frame found.
const second = 0.7

// reweigh weighs the log-odds of unsure words with those of the model; the model
// may raise a phrase, and lowers none.
func reweigh(signals []engines.Signal, p *[classifier.Heads]float64) {
	for i := range signals {
		g := &signals[i]
		if g.Source != engines.SourceLexicon || g.Confidence < faint {
			continue
		}
		if g.SubLabel == groupAttack { // the model has seen how its parts stand
			g.Confidence = expit((1-second)*logit(g.Confidence) + second*logit(p[classifier.Hate]))
			continue
		}
		if g.Confidence >= doubtful {
			continue
		}
		both := expit((logit(g.Confidence) + logit(opinion(g.Category, p))) / 2)
		if both > g.Confidence || !strings.Contains(g.Rule, " ") {
			g.Confidence = both
		}
	}
}

// opinion is the probability that the model gives to a signal's category. A word
// of abuse is right where there is abuse of any kind.
func opinion(c engines.Category, p *[classifier.Heads]float64) float64 {
	for h := range heads {
		if heads[h].category == c {
			if h <= int(classifier.Illegal) {
				return max(p[h], p[classifier.Abuse])
			}
			return p[h]
		}
	}
	return 0.5
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func expit(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Features returns what the model sees of an item, the same numbers that Inspect
// makes. It is for engines/text/train.
func (e *Engine) Features(ctx context.Context, item *engines.Item) (Reading, error) {
	s := e.scratch()
	signals, err := e.find(ctx, s, item, nil)
	if err != nil {
		return Reading{}, err
	}
	s.present(e.lexicon, signals)
	r := Reading{Features: s.input.Features(nil), Signals: signals, Named: s.facts.named, Dealt: len(s.traits) >= enoughTraits}
	e.pool.Put(s)
	return r, nil
}

// Reading is what the model is asked about an item.
type Reading struct {
	Features []uint32
	// Signals are those found without a model.
	Signals []engines.Signal
	// Named is set where the item names a group of people.
	Named bool
	// Dealt is set where it has words and signs of a deal.
	Dealt bool
}

// Explain returns the n features that weigh most, for or against, in what the
// model thinks of an item under a category; none without a model.
func (e *Engine) Explain(ctx context.Context, item *engines.Item, category engines.Category, n int) ([]classifier.Reason, error) {
	if e.model == nil {
		return nil, nil
	}
	s := newScratch()
	signals, err := e.find(ctx, s, item, nil)
	if err != nil {
		return nil, err
	}
	s.present(e.lexicon, signals)
	if h, ok := HeadOf(category); ok {
		return e.model.Explain(&s.input, h, n), nil
	}
	return nil, fmt.Errorf("explain: unknown category %q", category)
}
